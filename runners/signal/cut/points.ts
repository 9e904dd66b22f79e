import { type Analysis, STEADY } from "../analyse/mod.ts";
import { attackNear, type Flux, percentile } from "./attacks.ts";
import { type Edges, LEVEL_SECONDS } from "./edges.ts";

/** Places where a join may leave the source or enter it, ascending in time. All arrays have the same length. */
export interface Points {
  /** `beats`: on the beat; `free`: in pauses, before attacks, and on an even grid where there are none. */
  readonly kind: "beats" | "free";
  /** Seconds. */
  readonly times: Float64Array;
  /** Number of the beat in the analysis; of the point where there are no beats. */
  readonly indices: Int32Array;
  /** Place in the bar, from 0; all 0 where there are no bars. */
  readonly places: Int16Array;
  /** Number of the bar, from 0. */
  readonly bars: Int32Array;
  /** Bars since the beginning of the section. */
  readonly phrases: Int32Array;
  /** 1 where a section begins. */
  readonly openings: Uint8Array;
  /** How clear the attack is, 0 to 1: it hides a join. For free points of a pause: how deep the pause is. */
  readonly clarity: Float32Array;
  /** 1 where the point lies in a pause. */
  readonly pauses: Uint8Array;
  readonly beats_per_bar: number;
  /** Median length of a bar (of 2 s where there are no bars), seconds. */
  readonly bar_seconds: number;
}

/** Fewer beats than this make no grid. */
const BEATS_MIN = 8;

/** Whether the beats are there and to be relied on. */
export function isSteady({ rhythm }: Analysis): boolean {
  return rhythm.confidence >= STEADY && rhythm.beats.length >= BEATS_MIN;
}

/** Every beat of the analysis that lies within the sound. */
export function beatPoints({ rhythm, form }: Analysis, { seconds, sound_end }: Edges, flux: Flux): Points {
  const { beats, positions, metre } = rhythm;
  const kept: number[] = [];
  for (const [n, time] of beats.entries()) if (time > 0.02 && time < Math.min(seconds, sound_end) - 0.02) kept.push(n);
  const count = kept.length;
  const times = Float64Array.from(kept, (n) => beats[n]!);
  const places = Int16Array.from(kept, (n) => (positions[n] ?? 1) - 1);
  const bars = new Int32Array(count);
  for (let n = 1; n < count; n++) bars[n] = bars[n - 1]! + (places[n]! <= places[n - 1]! ? 1 : 0);
  const beat_seconds = medianStep(times, 1);
  const { phrases, openings } = phrasesOf(
    times,
    places,
    bars,
    form.sections.map(({ start }) => start),
    beat_seconds,
  );
  return {
    kind: "beats",
    times,
    indices: Int32Array.from(kept),
    places,
    bars,
    phrases,
    openings,
    clarity: Float32Array.from(times, (time) => Math.min(1, attackNear(flux, time - 0.035, time + 0.035).strength)),
    pauses: new Uint8Array(count),
    beats_per_bar: metre.beats_per_bar,
    bar_seconds: beat_seconds * metre.beats_per_bar,
  };
}

/** Bars since the section's first downbeat; a section begins at the downbeat nearest to its boundary. */
function phrasesOf(
  times: Float64Array,
  places: Int16Array,
  bars: Int32Array,
  starts: readonly number[],
  beat_seconds: number,
): { phrases: Int32Array; openings: Uint8Array } {
  const count = times.length;
  const openings = new Uint8Array(count);
  for (const start of starts) {
    let nearest = -1;
    for (let n = 0; n < count; n++) {
      if (places[n] !== 0) continue;
      if (nearest < 0 || Math.abs(times[n]! - start) < Math.abs(times[nearest]! - start)) nearest = n;
    }
    // A boundary further than two beats from any bar line tells nothing about the bars.
    if (nearest >= 0 && Math.abs(times[nearest]! - start) < 2.1 * beat_seconds) openings[nearest] = 1;
  }
  const phrases = new Int32Array(count);
  let first = bars[0] ?? 0;
  for (let n = 0; n < count; n++) {
    if (openings[n] === 1) first = bars[n]!;
    phrases[n] = bars[n]! - first;
  }
  return { phrases, openings };
}

/** Only the points at bar lines. */
export function downbeatsOf(points: Points): Points {
  const kept = [...points.times.keys()].filter((n) => points.places[n] === 0);
  return {
    ...points,
    times: Float64Array.from(kept, (n) => points.times[n]!),
    indices: Int32Array.from(kept, (n) => points.indices[n]!),
    places: Int16Array.from(kept, (n) => points.places[n]!),
    bars: Int32Array.from(kept, (n) => points.bars[n]!),
    phrases: Int32Array.from(kept, (n) => points.phrases[n]!),
    openings: Uint8Array.from(kept, (n) => points.openings[n]!),
    clarity: Float32Array.from(kept, (n) => points.clarity[n]!),
    pauses: Uint8Array.from(kept, (n) => points.pauses[n]!),
  };
}

/** Middles of pauses, beginnings of attacks, and an even grid, never nearer to one another than 50 ms. */
export function freePoints({ rhythm }: Analysis, edges: Edges, flux: Flux): Points {
  const { seconds } = edges;
  const found = pausesOf(edges);
  const taken = new Uint8Array(Math.ceil(seconds / 0.05) + 2);
  const claim = (time: number): boolean => {
    const cell = Math.floor(time / 0.05);
    if (time < 0.05 || time > seconds - 0.05 || taken[cell] === 1) return false;
    taken[cell] = 1;
    return true;
  };
  const points = found.filter(({ time }) => claim(time));
  // Onsets up to two a second on average, the clearest first: more would not be heard as other places.
  const onsets = rhythm.onsets.map((time) => ({ time, clarity: attackNear(flux, time - 0.02, time + 0.03).strength }));
  onsets.sort((a, b) => b.clarity - a.clarity || a.time - b.time);
  for (const { time, clarity } of onsets.slice(0, Math.ceil(2 * seconds))) {
    if (claim(time)) points.push({ time, clarity: 0.4 * Math.min(1, clarity), pause: false });
  }
  const step = Math.min(0.5, seconds / 40);
  for (let time = step; time < seconds; time += step) if (claim(time)) points.push({ time, clarity: 0, pause: false });
  points.sort((a, b) => a.time - b.time);
  const count = points.length;
  return {
    kind: "free",
    times: Float64Array.from(points, ({ time }) => time),
    indices: Int32Array.from({ length: count }, (_, n) => n),
    places: new Int16Array(count),
    bars: new Int32Array(count),
    phrases: new Int32Array(count),
    openings: new Uint8Array(count),
    clarity: Float32Array.from(points, ({ clarity }) => clarity),
    pauses: Uint8Array.from(points, ({ pause }) => (pause ? 1 : 0)),
    beats_per_bar: 1,
    bar_seconds: 2,
  };
}

interface Found {
  readonly time: number;
  readonly clarity: number;
  readonly pause: boolean;
}

/** Runs of at least 100 ms near the floor: what is soft is not silent, but where there is noise, pauses are no deeper than it. */
function pausesOf({ levels_db, loud_db }: Edges): Found[] {
  const found: Found[] = [];
  const count = levels_db.length;
  const floor_db = percentile(levels_db, 0.05);
  const threshold = Math.min(loud_db - 18, Math.max(floor_db + 8, loud_db - 30));
  for (let from = 0; from < count; from++) {
    if (levels_db[from]! > threshold) continue;
    let to = from;
    let deepest = levels_db[from]!;
    while (to + 1 < count && levels_db[to + 1]! <= threshold) deepest = Math.min(deepest, levels_db[++to]!);
    const cells = to - from + 1;
    if (cells >= 2) {
      const depth = Math.min(1, (loud_db - deepest) / 45);
      // A pause of half a second ends a phrase, one of 0.1 s only a word.
      const length = Math.min(1, (cells * LEVEL_SECONDS) / 0.5);
      const clarity = Math.min(1, 0.35 + 0.65 * depth * length);
      const middle = ((from + to + 1) / 2) * LEVEL_SECONDS;
      found.push({ time: middle, clarity, pause: true });
      for (let away = 0.25; away < (cells * LEVEL_SECONDS) / 2 - 0.1 && away < 3; away += 0.25) {
        found.push({ time: middle - away, clarity: 0.97 * clarity, pause: true });
        found.push({ time: middle + away, clarity: 0.97 * clarity, pause: true });
      }
    }
    from = to;
  }
  return found;
}

/** Median of `times[n + step] - times[n]`; 0.5 where there are too few. */
function medianStep(times: Float64Array, step: number): number {
  const steps: number[] = [];
  for (let n = step; n < times.length; n++) steps.push(times[n]! - times[n - step]!);
  steps.sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] ?? 0.5;
}
