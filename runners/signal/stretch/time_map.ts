/** Which moment of a recording sounds when. */

/** What is kept at its own speed before and after an attack, samples: what a window that touches it sees. */
const [KEPT_BEFORE, KEPT_AFTER] = [1500, 2400];
/** Of the room between two attacks at most this share is kept at its own speed: something has to give. */
const KEPT_MOST = 0.7;

export interface TimePoint {
  /** Samples of the result, and of the recording. */
  readonly out: number;
  readonly source: number;
}

/** Straight between points, and on at the recording's own speed before the first and after the last. */
export class TimeMap {
  readonly #points: readonly TimePoint[];
  #at = 0;

  /** @param points ascending in both; at least one */
  constructor(points: readonly TimePoint[]) {
    for (let n = 1; n < points.length; n++)
      if (!(points[n]!.out > points[n - 1]!.out && points[n]!.source >= points[n - 1]!.source))
        throw new RangeError(`Cannot map time: point ${n} does not come after the one before it`);
    if (points.length === 0) throw new RangeError("Cannot map time without a point");
    this.#points = points;
  }

  /** Sample of the recording, not whole, that sounds at sample `out`. */
  sourceAt(out: number): number {
    const points = this.#points;
    let k = this.#at;
    while (k > 0 && points[k]!.out > out) k--;
    while (k + 1 < points.length && points[k + 1]!.out <= out) k++;
    this.#at = k;
    const from = points[k]!;
    const to = points[k + 1];
    if (to === undefined || out < from.out) return from.source + (out - from.out);
    return from.source + ((out - from.out) * (to.source - from.source)) / (to.out - from.out);
  }

  /** Sample of the result, not whole, at which sample `source` sounds. */
  outAt(source: number): number {
    const points = this.#points;
    let k = 0;
    let high = points.length - 1;
    while (k < high) {
      const middle = (k + high + 1) >> 1;
      if (points[middle]!.source <= source) k = middle;
      else high = middle - 1;
    }
    const from = points[k]!;
    const to = points[k + 1];
    if (to === undefined || source < from.source) return from.out + (source - from.source);
    const span = to.source - from.source;
    return span > 0 ? from.out + ((source - from.source) * (to.out - from.out)) / span : from.out;
  }

  /** The same, but attacks and what surrounds them go at the recording's own speed: the time between them gives way. */
  keeping(attacks: readonly number[]): TimeMap {
    const first = this.#points[0]!;
    const last = this.#points.at(-1)!;
    const inner = attacks.filter((attack) => attack > first.source && attack < last.source);
    // Places to keep: attacks, where they sound, with what is left alone on either side.
    const anchors = [first, ...inner.map((source) => ({ source, out: this.outAt(source) })), last];
    const points: TimePoint[] = [first];
    const push = (point: TimePoint): void => {
      const before = points.at(-1)!;
      if (point.out > before.out + 1 && point.source > before.source) points.push(point);
    };
    for (let k = 0; k + 1 < anchors.length; k++) {
      const [a, b] = [anchors[k]!, anchors[k + 1]!];
      const room = KEPT_MOST * Math.min(b.source - a.source, b.out - a.out);
      const share = Math.min(1, room / (KEPT_AFTER + KEPT_BEFORE));
      if (k > 0) push({ source: a.source + KEPT_AFTER * share, out: a.out + KEPT_AFTER * share });
      else if (room <= 0) continue;
      // The map's own corners between both, as far as they lie between what is kept.
      const [low, high] = [a.source + KEPT_AFTER * share, b.source - KEPT_BEFORE * share];
      if (inner.length === 0)
        for (const point of this.#points) if (point.source > low && point.source < high) push(point);
      if (k + 2 < anchors.length) push({ source: high, out: b.out - KEPT_BEFORE * share });
    }
    const end = points.at(-1)!;
    if (last.out > end.out && last.source >= end.source) points.push(last);
    return new TimeMap(points);
  }
}
