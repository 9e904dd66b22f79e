/** The length of a source that a declaration admits. */
import type { Limits } from "../../contract/mod.ts";

/** Bytes of a second of 16-bit stereo. */
export const BYTES_A_SECOND = 4 * 44_100;

/** The length nearest to `seconds` that the declaration admits, also as a file; absent: 16-bit stereo WAV. */
export function admitted(
  seconds: number,
  { seconds_min, seconds_max, bytes_max }: Limits,
  bytes_a_second = BYTES_A_SECOND,
): number {
  return Math.max(seconds_min, Math.min(seconds, seconds_max, Math.floor(bytes_max / bytes_a_second - 1)));
}
