/** One throat's envelope as another's: frequencies moved so that formants come where they should. */
import { POINT_HERTZ, POINTS, pointOf } from "../../../signal/dsp/vocoder.ts";

/** Where the first three formants are to be, Hz, and by what factor each is moved to be there. */
export interface Moved {
  readonly hertz: readonly [number, number, number];
  readonly by: readonly [number, number, number];
}

/** `envelope` (dB at the vocoder's points) read where each frequency came from. Factors between two formants go over into one another. */
export function warp(envelope: Float64Array, { hertz, by }: Moved, out: Float64Array): void {
  const [f1, f2, f3] = hertz;
  const [r1, r2, r3] = by;
  for (let k = 0; k < POINTS; k++) {
    const f = POINT_HERTZ[k]!;
    let factor = r3;
    if (f <= f1) factor = r1;
    else if (f < f2) factor = r1 + ((f - f1) / (f2 - f1)) * (r2 - r1);
    else if (f < f3) factor = r2 + ((f - f2) / (f3 - f2)) * (r3 - r2);
    const place = Math.min(POINTS - 1, pointOf(f / factor));
    const at = Math.min(POINTS - 2, Math.floor(place));
    const x = place - at;
    const b = envelope[at]!;
    const c = envelope[at + 1]!;
    const a = envelope[Math.max(0, at - 1)]!;
    const d = envelope[Math.min(POINTS - 1, at + 2)]!;
    out[k] = b + 0.5 * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)));
  }
}
