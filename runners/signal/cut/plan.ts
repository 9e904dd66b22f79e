import type { Framing } from "./durations.ts";
import { JOIN } from "./join_costs.ts";
import { Best, type CutPlan, type Join, PLANS } from "./plans.ts";

export interface Search {
  /** Seconds of the points, ascending. */
  readonly times: Float64Array;
  /** `joinCosts` of these points. */
  readonly costs: Float32Array;
  readonly framing: Framing;
  /** Length of the source with its own beginning and ending, seconds. */
  readonly natural: number;
  readonly target: number;
  /** Where the first join may leave at the earliest and the last one enter at the latest, seconds. */
  readonly leave_min: number;
  readonly enter_max: number;
  /** Shortest stretch between two joins, and below which length a stretch costs more, seconds. */
  readonly stretch_min: number;
  readonly stretch_good: number;
  readonly joins_max: number;
}

/** Joins that are tried from each point in the middle of a plan of three joins and more. */
const BRANCHES = 24;
/** Bounds the tables: 8 MB each, six of them at most. */
const CELLS_MAX = 2_000_000;
/** What a stretch of no length would cost. */
const SHORT = 0.3;

/**
 * The cheapest ways to the target, best first; empty where there is none.
 *
 * Playing on keeps what was skipped so far; a join adds to it. So the state of the search is (point, seconds skipped), and a layer
 * is a number of joins: table k holds the least cost of having entered at a point, with so much skipped, by the k-th join.
 * Plans of one join and of two are searched completely, the middle joins of longer ones among the best `BRANCHES` of each point.
 */
export function findPlans(search: Search, breathe: () => void): readonly CutPlan[] {
  const { natural, target, framing, joins_max } = search;
  const best = new Best();
  const surplus = natural - target;
  best.offer({ joins: [], error: surplus, cost: framing.cost(surplus) });
  const count = search.times.length;
  if (count < 2 || joins_max === 0) return best.plans;
  const forward = surplus > 0;
  const grid = gridOf(search, count, forward);
  endAfterFirst(search, forward, best);
  const layers: Layer[] = [];
  for (let joins = 2; joins <= joins_max; joins++) {
    // Each further join costs its price at least; what is found already may be out of reach.
    if (best.least <= joins * JOIN * 0.8) break;
    breathe();
    const entered = joins === 2 ? firstTable(search, grid) : nextTable(search, grid, layers.at(-1)!.playing);
    breathe();
    layers.push({ entered, playing: playOn(search, grid, entered) });
    endAfter(search, grid, layers, best, forward);
  }
  return best.plans;
}

/** Least costs after as many joins as the layer's number, rows of points, cells of seconds skipped. */
interface Layer {
  /** Just entered. */
  readonly entered: Float32Array;
  /** Playing, long enough after having entered to leave again. */
  readonly playing: Float32Array;
}

interface Grid {
  /** Width of a cell, seconds. */
  readonly step: number;
  readonly cells: number;
  /** 1 or -1: sign of what a join adds to the source position. */
  readonly sign: number;
}

function gridOf({ natural, target, framing }: Search, count: number, forward: boolean): Grid {
  const most = Math.abs(natural - target) + Math.max(framing.error_max, -framing.error_min);
  const step = Math.max(0.05, (most * count) / CELLS_MAX);
  return { step, cells: Math.ceil(most / step) + 1, sign: forward ? 1 : -1 };
}

/** Extra cost of a stretch of `seconds` between two joins, or at either end. */
function shortness({ stretch_good }: Search, seconds: number): number {
  return seconds >= stretch_good ? 0 : SHORT * (1 - seconds / stretch_good);
}

function endAfterFirst(search: Search, forward: boolean, best: Best): void {
  const { times, costs, framing, natural, target, leave_min, enter_max } = search;
  const count = times.length;
  for (let leave = 0; leave < count; leave++) {
    if (times[leave]! < leave_min) continue;
    const opening = shortness(search, times[leave]!);
    for (let enter = forward ? leave + 1 : 0; enter < (forward ? count : leave); enter++) {
      const join = costs[leave * count + enter]!;
      if (!(join < best.worst) || times[enter]! > enter_max) continue;
      const error = natural - target - (times[enter]! - times[leave]!);
      const cost = join + opening + shortness(search, natural - times[enter]!) + framing.cost(error);
      if (cost < best.worst) best.offer({ joins: [{ leave, enter }], error, cost });
    }
  }
}

/** Least cost of having entered at a point (row) by the first join, with so much skipped (cell). */
function firstTable(search: Search, { step, cells, sign }: Grid): Float32Array {
  const { times, costs, leave_min, enter_max } = search;
  const count = times.length;
  const table = new Float32Array(count * cells).fill(Number.POSITIVE_INFINITY);
  for (let leave = 0; leave < count; leave++) {
    if (times[leave]! < leave_min) continue;
    const opening = shortness(search, times[leave]!);
    for (let enter = 0; enter < count; enter++) {
      const join = costs[leave * count + enter]!;
      if (join === Number.POSITIVE_INFINITY || times[enter]! > enter_max) continue;
      const cell = Math.round((sign * (times[enter]! - times[leave]!)) / step);
      if (cell >= cells) continue;
      const at = enter * cells + cell;
      if (join + opening < table[at]!) table[at] = join + opening;
    }
  }
  return table;
}

/** Least cost of playing at a point, at least `stretch_min` after having entered. */
function playOn(search: Search, { cells }: Grid, entered: Float32Array): Float32Array {
  const { times, stretch_min, stretch_good } = search;
  const count = times.length;
  const least = entered.slice();
  for (let at = cells; at < least.length; at++) if (least[at - cells]! < least[at]!) least[at] = least[at - cells]!;
  const playing = new Float32Array(count * cells).fill(Number.POSITIVE_INFINITY);
  let near = -1;
  let far = -1;
  for (let point = 0; point < count; point++) {
    while (near + 1 < count && times[near + 1]! <= times[point]! - stretch_min) near++;
    while (far + 1 < count && times[far + 1]! <= times[point]! - stretch_good) far++;
    if (near < 0) continue;
    const row = point * cells;
    for (let cell = 0; cell < cells; cell++) {
      const long = far < 0 ? Number.POSITIVE_INFINITY : least[far * cells + cell]!;
      const short = least[near * cells + cell]! + SHORT / 2;
      playing[row + cell] = Math.min(long, short);
    }
  }
  return playing;
}

/** One more join, from each point to the best few. */
function nextTable(search: Search, grid: Grid, playing: Float32Array): Float32Array {
  const { times, costs, enter_max } = search;
  const { step, cells, sign } = grid;
  const count = times.length;
  const table = new Float32Array(count * cells).fill(Number.POSITIVE_INFINITY);
  for (let leave = 0; leave < count; leave++) {
    const from = leave * cells;
    for (const enter of branches(costs, count, leave)) {
      if (times[enter]! > enter_max) continue;
      const join = costs[leave * count + enter]!;
      const add = Math.round((sign * (times[enter]! - times[leave]!)) / step);
      const to = enter * cells + add;
      for (let cell = 0; cell + add < cells; cell++) {
        const cost = playing[from + cell]! + join;
        if (cost < table[to + cell]!) table[to + cell] = cost;
      }
    }
  }
  return table;
}

function branches(costs: Float32Array, count: number, leave: number): readonly number[] {
  const found: number[] = [];
  for (let enter = 0; enter < count; enter++)
    if (costs[leave * count + enter]! < Number.POSITIVE_INFINITY) found.push(enter);
  found.sort((a, b) => costs[leave * count + a]! - costs[leave * count + b]! || a - b);
  return found.slice(0, BRANCHES);
}

/** A plan not yet traced back: its last join, and the cell it came from. */
interface Ending {
  readonly leave: number;
  readonly enter: number;
  readonly cell: number;
  readonly cost: number;
}

/** The last join of plans whose earlier joins are in `layers`. */
function endAfter(search: Search, grid: Grid, layers: readonly Layer[], best: Best, forward: boolean): void {
  const { times, costs, framing, natural, target, enter_max } = search;
  const { step, cells, sign } = grid;
  const { playing } = layers.at(-1)!;
  const count = times.length;
  const surplus = natural - target;
  const endings: Ending[] = [];
  let worst = best.worst;
  for (let leave = 0; leave < count; leave++) {
    const row = leave * cells;
    for (let enter = forward ? leave + 1 : 0; enter < (forward ? count : leave); enter++) {
      const join = costs[leave * count + enter]! + shortness(search, natural - times[enter]!);
      if (!(join < worst) || times[enter]! > enter_max) continue;
      // What the framing can mend lies between `error_min` and `error_max`; error = rest - sign × skipped before.
      const rest = surplus - (times[enter]! - times[leave]!);
      const one = (sign * (rest - framing.error_max)) / step;
      const other = (sign * (rest - framing.error_min)) / step;
      const first = Math.max(0, Math.ceil(Math.min(one, other)));
      const last = Math.min(cells - 1, Math.floor(Math.max(one, other)));
      let cheapest = worst;
      let found = -1;
      for (let cell = first; cell <= last; cell++) {
        const cost = playing[row + cell]! + join;
        if (!(cost < cheapest)) continue;
        const framed = cost + framing.cost(rest - sign * cell * step);
        if (framed < cheapest) {
          cheapest = framed;
          found = cell;
        }
      }
      if (found >= 0) worst = keep(endings, { leave, enter, cell: found, cost: cheapest }, best.worst);
    }
  }
  for (const { leave, enter, cell } of endings) {
    const before = trace(search, grid, layers, leave, cell);
    if (before === undefined) continue;
    const joins = [...before.joins, { leave, enter }];
    const error = surplus - joins.reduce((sum, join) => sum + times[join.enter]! - times[join.leave]!, 0);
    const closing = costs[leave * count + enter]! + shortness(search, natural - times[enter]!);
    best.offer({ joins, error, cost: before.cost + closing + framing.cost(error) });
  }
}

/** Keeps the `PLANS` cheapest; returns what the next one must stay below. */
function keep(endings: Ending[], ending: Ending, limit: number): number {
  let at = endings.length;
  while (at > 0 && endings[at - 1]!.cost > ending.cost) at--;
  endings.splice(at, 0, ending);
  if (endings.length > PLANS) endings.pop();
  return endings.length < PLANS ? limit : Math.min(limit, endings.at(-1)!.cost);
}

/** The joins behind a cell of `layers.at(-1).playing`, and their cost: those that gave the least when the tables were filled. */
function trace(
  search: Search,
  grid: Grid,
  layers: readonly Layer[],
  leave: number,
  cell: number,
): { readonly joins: readonly Join[]; readonly cost: number } | undefined {
  const { times, costs, stretch_min, stretch_good, leave_min } = search;
  const { step, cells, sign } = grid;
  const count = times.length;
  const { entered } = layers.at(-1)!;
  const cost = layers.at(-1)!.playing[leave * cells + cell]!;
  let enter = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let point = 0; point < count && times[point]! <= times[leave]! - stretch_min; point++) {
    const short = times[point]! > times[leave]! - stretch_good ? SHORT / 2 : 0;
    const here = entered[point * cells + cell]! + short;
    if (here < least) {
      least = here;
      enter = point;
    }
  }
  if (enter < 0) return undefined;
  const earlier = layers.slice(0, -1);
  const playing = earlier.at(-1)?.playing;
  let from = -1;
  let skipped = 0;
  least = Number.POSITIVE_INFINITY;
  for (let point = 0; point < count; point++) {
    const join = costs[point * count + enter]!;
    if (join === Number.POSITIVE_INFINITY) continue;
    const add = Math.round((sign * (times[enter]! - times[point]!)) / step);
    if (add > cell || (playing === undefined && (add !== cell || times[point]! < leave_min))) continue;
    const before = playing === undefined ? shortness(search, times[point]!) : playing[point * cells + cell - add]!;
    if (before + join < least) {
      least = before + join;
      from = point;
      skipped = add;
    }
  }
  if (from < 0) return undefined;
  const join = { leave: from, enter };
  if (earlier.length === 0) return { joins: [join], cost };
  const before = trace(search, grid, earlier, from, cell - skipped);
  return before === undefined ? undefined : { joins: [...before.joins, join], cost };
}
