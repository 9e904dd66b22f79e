import { type Arena, arena } from "../../dsp/arena.ts";

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

/** One step of the search by the kernel of runners/dsp/assembly/best_arrivals.ts. Good until control is given up. */
export interface Arrivals {
  /** To be filled: the value of arriving by each state. */
  readonly arriving: Float32Array;
  /** To be filled: the value of starting in each state. */
  readonly start: Float32Array;
  /** What `run` found for each state: the best value and the state it came from, 255 for the start. */
  readonly best: Float32Array;
  readonly from: Uint8Array;
  run(): void;
}

/** Undefined where kernels do not run. */
export function arrivals(distances: Distances): Arrivals | undefined {
  const { padded, least, most, costs, offsets } = distances;
  // Room for states outside the list, which can never be the best.
  const before = (3 - least) & ~3;
  const after = (most + 3) & ~3;
  const start = 4 * (before + padded + after);
  const table = start + 4 * padded;
  const places = table + 4 * costs.length;
  const best = places + 4 * offsets.length;
  const from = best + 4 * padded;
  const room: Arena | undefined = arena(from + padded);
  if (room === undefined) return undefined;
  room.floats(0, before + padded + after).fill(Number.NEGATIVE_INFINITY);
  room.floats(start, padded).fill(Number.NEGATIVE_INFINITY);
  room.floats(table, costs.length).set(costs);
  new Int32Array(room.kernels.memory.buffer, room.address + places, offsets.length).set(offsets);
  const { kernels, address: at } = room;
  return {
    arriving: room.floats(4 * before, padded),
    start: room.floats(start, padded),
    best: room.floats(best, padded),
    from: new Uint8Array(kernels.memory.buffer, at + from, padded),
    run: () =>
      kernels.bestArrivals(
        at + 4 * before,
        at + start,
        at + table,
        4 * padded,
        least,
        at + places,
        0,
        padded,
        at + best,
        at + from,
      ),
  };
}
