import { arena } from "../dsp/arena.ts";
import { BANDS } from "./grid.ts";

/**
 * Of each of the `count` bytes from `at` on the median of those up to `reach` beside it, into `out`. At both ends fewer are looked at.
 */
export function mediansAcross(from: Uint8Array, at: number, count: number, reach: number, out: Uint8Array): void {
  const inner = count - 2 * reach;
  const rows = 2 * reach + 1;
  const width = (inner + 15) & ~15;
  // What is behind the row is looked at too, for nothing.
  const room = (count + 31) & ~15;
  const memory = inner > 0 ? arena(room + 16 * rows + width) : undefined;
  if (memory === undefined) {
    runningMedian(from, at, 1, count, reach, out, 0, 1);
    return;
  }
  runningMedian(from, at, 1, 2 * reach, reach, out, 0, 1);
  runningMedian(from, at + inner, 1, 2 * reach, reach, out, inner, 1);
  const { kernels, address } = memory;
  const bytes = new Uint8Array(kernels.memory.buffer, address, room + 16 * rows + width);
  bytes.set(from.subarray(at, at + count));
  const made = room + 16 * rows;
  kernels.medianRows(address, 1, rows, width, address + room, address + made);
  out.set(bytes.subarray(made, made + inner), reach);
}

/** Of each band the median of `frame` and up to `reach` frames before and after it, of `frames` in all, into `out`. */
export function mediansAlong(level: Uint8Array, frames: number, frame: number, reach: number, out: Uint8Array): void {
  const first = Math.max(0, frame - reach);
  const count = Math.min(frames, frame + reach + 1) - first;
  const room = count * BANDS;
  const made = room + 16 * count;
  const memory = arena(made + BANDS);
  if (memory === undefined) {
    const all = new Uint8Array(count);
    for (let band = 0; band < BANDS; band++) {
      runningMedian(level, first * BANDS + band, BANDS, count, count, all, 0, 1);
      out[band] = all[0]!;
    }
    return;
  }
  const { kernels, address } = memory;
  const bytes = new Uint8Array(kernels.memory.buffer, address, made + BANDS);
  bytes.set(level.subarray(first * BANDS, (first + count) * BANDS));
  kernels.medianRows(address, BANDS, count, BANDS, address + room, address + made);
  out.set(bytes.subarray(made));
}

/**
 * Running medians of bytes by a histogram that slides along (Huang 1979): the cost hardly depends on the width.
 *
 * @param stride elements from one value to the next; at both ends the window is cut, not padded
 * @param reach values on each side of the middle one
 */
export function runningMedian(
  from: Uint8Array,
  offset: number,
  stride: number,
  count: number,
  reach: number,
  to: Uint8Array,
  to_offset: number,
  to_stride: number,
): void {
  const histogram = HISTOGRAM.fill(0);
  let held = 0;
  let median = 0;
  /** Values below `median`. */
  let below = 0;
  let entering = 0;
  for (let n = 0; n < count; n++) {
    for (; entering <= n + reach && entering < count; entering++) {
      const value = from[offset + entering * stride]!;
      histogram[value]!++;
      if (value < median) below++;
      held++;
    }
    const leaving = n - reach - 1;
    if (leaving >= 0) {
      const value = from[offset + leaving * stride]!;
      histogram[value]!--;
      if (value < median) below--;
      held--;
    }
    const half = held >> 1;
    while (below > half) below -= histogram[--median]!;
    while (below + histogram[median]! <= half) below += histogram[median++]!;
    to[to_offset + n * to_stride] = median;
  }
}

const HISTOGRAM = new Int32Array(256);
