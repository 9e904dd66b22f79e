import { musicOf } from "../../packs/mod.ts";
import type { Genre, Role } from "../compose/mod.ts";

/** Of the lead, in LUFS: any value that leaves room; the sum is scaled at the end. */
export const LEAD_LUFS = -23;

/** LUFS while it plays, at `level_db` 0. */
export function roleLoudness(role: Role, genre: Genre): number {
  return LEAD_LUFS + musicOf(genre).mix.loudness_lu[role];
}
