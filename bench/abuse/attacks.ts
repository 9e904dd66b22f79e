/** Every attack, in the order of the findings. */
import type { Attack } from "./attack.ts";
import { ASKING } from "./attacks/asking.ts";
import { DECODING } from "./attacks/decoding.ts";
import { KEYLESS } from "./attacks/keyless.ts";
import { OUTSIDE } from "./attacks/outside.ts";
import { PEOPLE } from "./attacks/people.ts";
import { READING } from "./attacks/reading.ts";
import { UPLOADING } from "./attacks/uploading.ts";

export const ATTACKS: readonly Attack[] = [
  ...OUTSIDE,
  ...DECODING,
  ...KEYLESS,
  ...PEOPLE,
  ...UPLOADING,
  ...READING,
  ...ASKING,
];
