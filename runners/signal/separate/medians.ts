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
