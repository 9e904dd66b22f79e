/**
 * Beats and bar lines as one path: a pointer runs through bars of two, three or four beats at a tempo that may change a little from beat to
 * beat, and the most likely run is found by Viterbi (Whiteley et al. 2006; Krebs et al. 2015), beat by beat instead of frame by frame.
 */
import { breathe } from "../../../breathe.ts";
import { RATE } from "../front.ts";
import { type Distances, distancesOf, emptyRing, type Ring, type Search, stepsByKernel } from "./arrivals.ts";
import { HOP } from "./bands.ts";
import type { Activations } from "./network.ts";
import { type Evidence, evenPulse, evidenceOf, STIFF_LOSS, type Step, withPassages } from "./steady.ts";

/** Seconds of a step of the path. */
export const STEP: number = HOP / RATE;

export interface Track {
  /** Seconds. */
  readonly beats: readonly number[];
  /** From 1, a downbeat. */
  readonly positions: readonly number[];
  readonly beats_per_bar: number;
  /** Log-likelihood that the chosen metre is ahead of the next, for each bar. */
  readonly margin: number;
}

/** Beats a minute. */
const BPM_MIN = 40;
const BPM_MAX = 225;
/** Intervals beyond this many steps grow by this ratio; below, every whole number is one. */
const RATIO = 1.02;
/** Cost of a change of tempo: nats for each unit of relative change. */
const STIFFNESS = 60;
/** Whole steps cannot keep every tempo: so much relative change is nearly free. */
const FREE = 0.03;
const LOOSENESS = 8;
/** The same for the path that is taken where it says as much. */
const LOOSENESS_STIFF = 30;
/** Largest relative change from one beat to the next. */
const CHANGE_MAX = 0.12;
/** A moment counts for a beat from this share of the piece's usual height on. */
const LEAST = 0.5;
/** Moments in a row say much the same, and the network is surer than it is right. */
const WEIGHT = 1;
/** The same for the share of downbeats among beats; above 1, for which beats are downbeats says which pulse is the beat. */
const BAR_WEIGHT = 1.5;
/** Least and, from 1, largest share of downbeats at a moment. */
const SHARE_MIN = 0.12;
/** No probability is less. */
const FLOOR = 0.01;
const METRES = [2, 3, 4] as const;
/** A bar of four is what most music has; of two only what leaves no other choice (6/8). Nats. */
const PRIOR: Readonly<Record<(typeof METRES)[number], number>> = {
  2: -3,
  3: -1,
  4: 0,
};
/** Tempo that people prefer, and how much, in nats a beat at an octave away. McKinney and Moelants 2006. */
const PREFERRED_BPM = 100;
const PREFERENCE = 0.3;

const INTERVALS: Int32Array = ((): Int32Array => {
  const longest = Math.round(60 / BPM_MIN / STEP);
  const list: number[] = [];
  for (let interval = Math.round(60 / BPM_MAX / STEP); interval <= longest; ) {
    list.push(interval);
    interval = Math.max(interval + 1, Math.round(interval * RATIO));
  }
  return Int32Array.from(list);
})();

/**
 * @param metres beats a bar to choose from
 * @param near beats a minute, from which the tempo is at most a third away
 * @throws the signal's reason on abort
 */
export async function trackBars(
  heard: Activations,
  signal: AbortSignal,
  metres: readonly (2 | 3 | 4)[] = METRES,
  near?: number,
): Promise<Track | undefined> {
  const found = evidence(heard);
  const { plain, down } = found;
  if (plain.length < 2 * INTERVALS[0]!) return undefined;
  const scores: number[] = [];
  for (const beats of metres)
    scores.push((await walk(plain, down, beats, rangeOf(beats, near), LOOSE, false, signal)).score + PRIOR[beats]);
  const best = scores.indexOf(Math.max(...scores));
  const beats_per_bar = metres[best]!;
  const loose = (await walk(plain, down, beats_per_bar, rangeOf(beats_per_bar, near), LOOSE, true, signal)).path;
  const even = evenPulse(loose, found, beats_per_bar);
  const path = even ? withPassages(even, loose, found) : await stiffer(loose, found, beats_per_bar, signal);
  const second = Math.max(...scores.filter((_, n) => n !== best));
  const bars = Math.max(1, path.length / beats_per_bar);
  return {
    beats: path.map(({ step }) => step * STEP),
    positions: path.map(({ place }) => place + 1),
    beats_per_bar,
    // One metre alone was not chosen, but given.
    margin: metres.length > 1 ? (scores[best]! - second) / bars : 1,
  };
}

/** The path at the same tempo that drifts but slowly, where it has nearly as much evidence: a loose one slips to the off-beat and back. */
async function stiffer(
  loose: readonly Step[],
  found: Evidence,
  beats_per_bar: number,
  signal: AbortSignal,
): Promise<readonly Step[]> {
  if (loose.length < 2) return loose;
  const intervals = loose.slice(1).map(({ step }, n) => step - loose[n]!.step);
  intervals.sort((a, b) => a - b);
  const range = rangeOf(beats_per_bar, 60 / (intervals[intervals.length >> 1]! * STEP));
  const { path } = await walk(found.plain, found.down, beats_per_bar, range, STIFF, true, signal);
  const each = (one: readonly Step[]): number => evidenceOf(one, found) / one.length;
  return path.length > 1 && each(path) > each(loose) - STIFF_LOSS ? path : loose;
}

/** What a beat, and a downbeat, would add at each step over no beat there: log-likelihood ratios. */
function evidence({ beat, downbeat }: Activations): Evidence {
  const rows = beat.length;
  const steps = 2 * rows;
  const at = (values: Float32Array, step: number): number => {
    // Row i lies at step 2i + 0.5.
    const place = (step - 0.5) / 2;
    const low = Math.max(0, Math.min(rows - 1, Math.floor(place)));
    const high = Math.min(rows - 1, low + 1);
    const part = Math.max(0, Math.min(1, place - low));
    return values[low]! + part * (values[high]! - values[low]!);
  };
  const threshold = LEAST * level(beat);
  const rarity = Math.log(threshold / (1 - threshold));
  const plain = new Float32Array(steps);
  const down = new Float32Array(steps);
  for (let step = 0; step < steps; step++) {
    const d = clamp(at(downbeat, step));
    const b = Math.max(d, clamp(at(beat, step)));
    const gain = WEIGHT * (Math.log(b / (1 - b)) - rarity);
    const share = Math.min(1 - SHARE_MIN, Math.max(SHARE_MIN, d / b));
    plain[step] = gain + BAR_WEIGHT * Math.log(1 - share);
    down[step] = gain + BAR_WEIGHT * Math.log(share);
  }
  return { plain: widened(plain), down: widened(down) };
}

/** Rows in which at least one beat falls: 1.2 s. */
const WINDOW = 60;

/** How high the activation usually reaches, 0.2 to 0.95: soft music is heard as well as loud. */
function level(beat: Float32Array): number {
  let sum = 0;
  let windows = 0;
  for (let from = 0; from < beat.length; from += WINDOW, windows++) {
    let most = 0;
    for (let n = from; n < Math.min(beat.length, from + WINDOW); n++) if (beat[n]! > most) most = beat[n]!;
    sum += most;
  }
  return Math.max(0.2, Math.min(0.95, sum / Math.max(1, windows)));
}

/** The largest of three steps: a beat between two steps is on both. */
function widened(values: Float32Array): Float32Array {
  return values.map((value, n) => Math.max(values[n - 1] ?? value, value, values[n + 1] ?? value));
}

function clamp(probability: number): number {
  return Math.min(0.98, Math.max(FLOOR, probability));
}

interface Walk {
  readonly score: number;
  readonly path: readonly Step[];
}

/** Relative change between two intervals as nats: row `next`, columns from `NEAR_FIRST[next]`. */
const COUNT = INTERVALS.length;
const NEAR_FIRST = new Int32Array(COUNT);
const NEAR_LAST = new Int32Array(COUNT);
const LIKING = new Float32Array(COUNT);
const changeOf = (next: number, from: number): number => Math.abs(Math.log(INTERVALS[next]! / INTERVALS[from]!));
for (let next = 0; next < COUNT; next++) {
  NEAR_FIRST[next] = COUNT;
  for (let from = 0; from < COUNT; from++) {
    if (changeOf(next, from) > CHANGE_MAX) continue;
    NEAR_FIRST[next] = Math.min(NEAR_FIRST[next]!, from);
    NEAR_LAST[next] = from;
  }
  const octaves = Math.log2(60 / (INTERVALS[next]! * STEP) / PREFERRED_BPM);
  LIKING[next] = -PREFERENCE * octaves * octaves;
}

/** What changes of tempo cost: nats at row `next`, column `from`, and the same as the kernel wants it. */
interface Costs {
  readonly table: Float32Array;
  readonly distances: Distances;
}

function costsOf(looseness: number): Costs {
  const table = new Float32Array(COUNT * COUNT);
  for (let n = 0; n < table.length; n++) {
    const change = changeOf(Math.floor(n / COUNT), n % COUNT);
    table[n] = looseness * change + STIFFNESS * Math.max(0, change - FREE);
  }
  return { table, distances: distancesOf(COUNT, NEAR_FIRST, NEAR_LAST, (next, from) => table[next * COUNT + from]!) };
}
const LOOSE = costsOf(LOOSENESS);
const STIFF = costsOf(LOOSENESS_STIFF);

async function walk(
  plain: Float32Array,
  down: Float32Array,
  beats_per_bar: number,
  range: Range,
  costs: Costs,
  keep: boolean,
  signal: AbortSignal,
): Promise<Walk> {
  const steps = plain.length;
  const longest = INTERVALS[COUNT - 1]!;
  const width = beats_per_bar * COUNT;
  const ring = emptyRing(costs.distances, longest, beats_per_bar);
  const back = keep ? new Uint8Array(steps * width) : undefined;
  const search: Search = {
    ...{ distances: costs.distances, intervals: INTERVALS, likings: LIKING, range },
    first_worth: beats_per_bar === 2 ? -PAIRED : 0,
  };
  for (let first = 0; first < steps; first += BLOCK) {
    await breathe(signal);
    const last = Math.min(steps, first + BLOCK);
    if (!stepsByKernel(search, ring, plain, down, first, last, back))
      for (let step = first; step < last; step++) stepOn(search, ring, plain, down, step, costs.table, back);
  }
  // The run may end with any beat so late that none would fit behind it.
  let score = Number.NEGATIVE_INFINITY;
  let state = 0;
  let at = 0;
  for (let step = Math.max(0, steps - longest); step < steps; step++) {
    for (let n = 0; n < width; n++) {
      const interval = n % COUNT;
      if (step + INTERVALS[interval]! < steps - 2) continue;
      const value = ring.values[placeOf(ring, step + INTERVALS[interval]!, Math.floor(n / COUNT) + 1) + interval]!;
      if (value > score) {
        score = value;
        state = n;
        at = step;
      }
    }
  }
  const path: Step[] = [];
  if (back !== undefined && score > Number.NEGATIVE_INFINITY) {
    for (;;) {
      const place = Math.floor(state / COUNT);
      path.push({ step: at, place });
      const from = back[at * width + state]!;
      if (from === START) break;
      at -= INTERVALS[from]!;
      state = ((place + beats_per_bar - 1) % beats_per_bar) * COUNT + from;
    }
    path.reverse();
  }
  return { score, path };
}

/** Steps between two looks at the signal. */
const BLOCK = 4096;

/**
 * What a bar of two has to be better by, nats a bar; negative, since the pulse in three of 6/8 is tempting. Chosen on
 * seven pieces of 6/8 and 3/4.
 */
const PAIRED = -0.4;
/** Bars of two are those of 6/8, whose beats are slow; anything faster is half of a bar of four. Beats a minute. */
export const PAIRED_BPM_MAX = 84;
const SLOW = INTERVALS.findIndex((interval) => interval * STEP > 60 / PAIRED_BPM_MAX);

/** Which of the intervals may be used, both ends included. */
interface Range {
  readonly first: number;
  readonly last: number;
}

function rangeOf(beats_per_bar: number, near: number | undefined): Range {
  let first = beats_per_bar === 2 ? SLOW : 0;
  let last = COUNT - 1;
  if (near !== undefined) {
    const interval = 60 / near / STEP;
    while (first < last && INTERVALS[first]! < interval * 0.75) first++;
    while (last > first && INTERVALS[last]! > interval / 0.75) last--;
  }
  return { first, last };
}

/** In place of the interval that led here: the run begins with this beat. */
const START = 255;

/** Where in a ring's values lies what arrives at `place` of the bar, taken round, at `step`. */
function placeOf({ rows, places, slot, before }: Ring, step: number, place: number): number {
  return ((step % rows) * places + (place % places)) * slot + before;
}

function stepOn(
  { intervals, likings, range, first_worth }: Search,
  ring: Ring,
  plain: Float32Array,
  down: Float32Array,
  step: number,
  table: Float32Array,
  back: Uint8Array | undefined,
): void {
  const { values, places } = ring;
  for (let place = 0; place < places; place++) {
    const gain = place === 0 ? down[step]! + first_worth : plain[step]!;
    const arriving = placeOf(ring, step, place);
    for (let next = range.first; next <= range.last; next++) {
      let best = step < intervals[next]! ? 0 : Number.NEGATIVE_INFINITY;
      let from = START;
      const first = NEAR_FIRST[next]!;
      const last = NEAR_LAST[next]!;
      for (let n = first; n <= last; n++) {
        // Rounded as the kernel rounds, so that both find the same path.
        const value = Math.fround(values[arriving + n]! - table[next * COUNT + n]!);
        if (value > best) {
          best = value;
          from = n;
        }
      }
      values[placeOf(ring, step + intervals[next]!, place + 1) + next] = best + gain + likings[next]!;
      if (back !== undefined) back[(step * places + place) * COUNT + next] = from;
    }
  }
}
