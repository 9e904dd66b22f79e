/** The length of a source that a declaration admits. */
import type { Limits } from "../../contract/mod.ts";

/** Bytes of a second of 16-bit stereo. */
const BYTES_A_SECOND = 4 * 44_100;

/** The length nearest to `seconds` that the declaration admits, also as a 16-bit stereo WAV file. */
export function admitted(seconds: number, { seconds_min, seconds_max, bytes_max }: Limits): number {
  return Math.max(seconds_min, Math.min(seconds, seconds_max, Math.floor(bytes_max / BYTES_A_SECOND - 1)));
}
