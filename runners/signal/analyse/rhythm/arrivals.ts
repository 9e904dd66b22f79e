import { arena } from "../../dsp/arena.ts";

/** Costs of following one interval by another, as the kernel wants them: by the distance between the two in the list. */
export interface Distances {
  /** States, and the same rounded up to a multiple of four. */
  readonly count: number;
  readonly padded: number;
  /** Least and largest distance that any state allows. */
  readonly least: number;
  readonly most: number;
  /** [distance - least][state], Infinity where the state does not allow it. */
  readonly costs: Float32Array;
  /** First and last distance of each four states. */
  readonly offsets: Int32Array;
}

/** @param first, last the states that each may follow, inclusive; `cost(next, from)` what it costs */
export function distancesOf(
  count: number,
  first: Int32Array,
  last: Int32Array,
  cost: (next: number, from: number) => number,
): Distances {
  const padded = (count + 3) & ~3;
  let least = 0;
  let most = 0;
  for (let next = 0; next < count; next++) {
    least = Math.min(least, first[next]! - next);
    most = Math.max(most, last[next]! - next);
  }
  const costs = new Float32Array((most - least + 1) * padded).fill(Number.POSITIVE_INFINITY);
  const offsets = new Int32Array(padded / 2);
  for (let next = 0; next < count; next++) {
    for (let from = first[next]!; from <= last[next]!; from++)
      costs[(from - next - least) * padded + next] = cost(next, from);
    const group = next >> 2;
    offsets[2 * group] = Math.min(offsets[2 * group]!, first[next]! - next);
    offsets[2 * group + 1] = Math.max(offsets[2 * group + 1]!, last[next]! - next);
  }
  return { count, padded, least, most, costs, offsets };
}

/** What arrives at each step, for as many steps as the longest interval lasts and a few more. */
export interface Ring {
  readonly rows: number;
  readonly places: number;
  /** Values of one place of one row: `before` of margin, which stay at -Infinity, then one for each interval. */
  readonly slot: number;
  readonly before: number;
  /** [row][place][slot] */
  readonly values: Float32Array;
}

/** Nothing has arrived anywhere. */
export function emptyRing({ padded, least, most }: Distances, longest: number, places: number): Ring {
  // Beyond the longest, so that what arrived at the last two steps outlives them.
  const rows = longest + 3;
  // Room for states outside the list, which can never be the best.
  const before = (3 - least) & ~3;
  const slot = before + padded + ((most + 3) & ~3);
  const values = new Float32Array(rows * places * slot).fill(Number.NEGATIVE_INFINITY);
  return { rows, places, slot, before, values };
}

/** What stays the same in a search. */
export interface Search {
  readonly distances: Distances;
  /** Steps of each interval. */
  readonly intervals: Int32Array;
  readonly likings: Float32Array;
  /** Intervals that may be used, both ends included. */
  readonly range: { readonly first: number; readonly last: number };
  /** What the first beat of a bar is worth more. */
  readonly first_worth: number;
}

/** Steps at a time, since `back` of a whole piece would need that much of the kernels' memory for good. */
const PART = 512;

/**
 * Steps `from` to `to` by the kernel of runners/signal/dsp/assembly/bar_steps.ts. `back` takes, where given, the
 * interval that led to each state, 255 for the start. False where kernels do not run.
 */
export function stepsByKernel(
  { distances, intervals, likings, range, first_worth }: Search,
  ring: Ring,
  plain: Float32Array,
  down: Float32Array,
  from: number,
  to: number,
  back: Uint8Array | undefined,
): boolean {
  const { count, padded, least, costs, offsets } = distances;
  const { rows, places, slot, before, values } = ring;
  let end = 0;
  const place = (bytes: number): number => {
    const at = end;
    end += (bytes + 15) & ~15;
    return at;
  };
  const ring_at = place(values.byteLength);
  const table = place(costs.byteLength);
  const offsets_at = place(offsets.byteLength);
  const likings_at = place(4 * padded);
  const intervals_at = place(4 * padded);
  const start = place(4 * padded);
  const best = place(4 * padded);
  const from_at = place(padded);
  const plain_at = place(4 * PART);
  const down_at = place(4 * PART);
  const back_at = place(back === undefined ? 0 : PART * places * count);
  const room = arena(end);
  if (room === undefined) return false;
  const { kernels, address: at } = room;
  const integers = (offset: number, length: number): Int32Array =>
    new Int32Array(kernels.memory.buffer, at + offset, length);
  room.floats(ring_at, values.length).set(values);
  room.floats(table, costs.length).set(costs);
  integers(offsets_at, offsets.length).set(offsets);
  room.floats(likings_at, likings.length).set(likings);
  integers(intervals_at, intervals.length).set(intervals);
  room.floats(start, padded).fill(Number.NEGATIVE_INFINITY);
  const width = places * count;
  for (let step = from; step < to; step += PART) {
    const steps = Math.min(PART, to - step);
    room.floats(plain_at, steps).set(plain.subarray(step, step + steps));
    room.floats(down_at, steps).set(down.subarray(step, step + steps));
    kernels.barSteps(
      at + ring_at,
      rows,
      places,
      slot,
      before,
      step % rows,
      step,
      steps,
      at + plain_at,
      at + down_at,
      first_worth,
      at + likings_at,
      at + intervals_at,
      range.first,
      range.last,
      at + table,
      padded,
      least,
      at + offsets_at,
      at + start,
      at + best,
      at + from_at,
      back === undefined ? 0 : at + back_at,
      count,
    );
    back?.set(new Uint8Array(kernels.memory.buffer, at + back_at, steps * width), step * width);
  }
  values.set(room.floats(ring_at, values.length));
  return true;
}
