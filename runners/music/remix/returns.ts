/** Parts of the source that come back: cut on its beats, brought to the new grid and pitch, filtered, quiet. */

import { breathe } from "../../breathe.ts";
import { hasMinorThird, pitchClass } from "../../notes.ts";
import { Cascade, highPass, lowPass } from "../../signal/dsp/biquad.ts";
import { hash32, random } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import { attacksOf, shifted, sliced, stretched, TimeMap } from "../../signal/stretch/mod.ts";
import { type Brief, beatSeconds, calledOn, clockOf, type Key, type Part, type Score } from "../compose/mod.ts";
import type { Guest } from "../studio/mod.ts";
import { type Apart, type Returning, readStem } from "./apart.ts";
import type { BeatGrid } from "./grid.ts";

const RATE = 44_100;
/** Bars that are brought over at once, at most. */
const PHRASE = 4;
/** Samples over which neighbours are crossed over, and that are read around a phrase. */
const [CROSSING, MARGIN] = [441, 8192];
/** A phrase whose beats are nowhere further than this from where a plain copy has them is copied: 5 ms. */
const NEAR = 220;
/** Tempo ratios, and semitones, within which recorded sound keeps its nature. */
const [SLOWEST, FASTEST, SEMITONES] = [0.75, 1.34, 4];
/** What is this far below the mix adds nothing: 26 and 23 dB. */
const HEARD: Readonly<Record<Returning, number>> = { drums: 0.0025, other: 0.005 };
/**
 * Power of the vocals against the mix up to which a beat is free enough of them: what the separator leaves of a voice
 * among drums is little.
 */
const FREE: Readonly<Record<Returning, number>> = { drums: 0.4, other: 0.04 };
/** Bars that must come back for it to be worth it. */
const BARS_MIN = 2;
/** dB against what the desk gives the role. */
const LEVEL_DB: Readonly<Record<Returning, number>> = { drums: -2, other: -1 };
/** Which half-beats of two bars of four sound where chords are chopped; over bars of another length it goes round. */
const CHOPS: readonly (readonly number[])[] = [
  [0, 1, 0, 1, 0, 1, 0, 1],
  [1, 0, 0, 1, 0, 0, 1, 0],
  [0, 0, 1, 1, 0, 0, 1, 1],
  [0, 1, 1, 0, 0, 1, 1, 0],
];
/** Sections of more energy than this are chopped, the others held. */
const CHOPPED_FROM = 0.62;
/** Samples that a gate takes to open and to shut: 6 ms. */
const EDGE = 265;

export interface Returned {
  readonly guests: readonly Guest[];
  /** Seconds of each that sound again, for the report. */
  readonly seconds: Readonly<Partial<Record<Returning, number>>>;
}

interface Phrase {
  /** Bars of the result and of the source, and how many. */
  readonly bar: number;
  readonly source: number;
  readonly bars: number;
}

/**
 * @param bars the source's bar for each bar of the score; the score's metre is the grid's
 * @param kinds what this variation may take
 */
export function returning(
  apart: Apart,
  grid: BeatGrid,
  bars: readonly number[],
  score: Score,
  brief: Brief,
  from_key: Key,
  kinds: readonly Returning[],
  seed: number,
  signal: AbortSignal,
): Returned {
  const guests: Guest[] = [];
  const seconds: Partial<Record<Returning, number>> = {};
  const count = grid.metre.beats_per_bar;
  if (!grid.steady || score.metre.beats_per_bar !== count) return { guests, seconds };
  const semitones = movedBy(from_key, score.key);
  for (const kind of kinds) {
    if (kind === "other" && (semitones === undefined || Math.abs(semitones) > SEMITONES)) continue;
    if (kind === "drums" && (brief.unwanted.roles.includes("drums") || !plays(score, "drums"))) continue;
    const phrases = phrasesOf(apart, grid, bars, score, kind);
    const whole = phrases.reduce((sum, phrase) => sum + phrase.bars, 0);
    if (whole < BARS_MIN) continue;
    const clock = clockOf(score);
    const lasting = ({ bar, bars: long }: Phrase): number =>
      clock.seconds((bar + long) * count) - clock.seconds(bar * count);
    seconds[kind] = Math.round(100 * phrases.reduce((sum, phrase) => sum + lasting(phrase), 0)) / 100;
    guests.push({
      part: partOf(kind),
      perform: (frames) => performed(kind, apart, grid, phrases, score, semitones ?? 0, frames, seed, signal),
    });
  }
  return { guests, seconds };
}

/** Semitones from one key to another by the nearest way; undefined where major becomes minor or the reverse. */
function movedBy(from: Key, to: Key): number | undefined {
  const dark = ({ mode }: Key): boolean => hasMinorThird(mode);
  if (dark(from) !== dark(to)) return undefined;
  const up = pitchClass(to.tonic - from.tonic);
  return up > 6 ? up - 12 : up;
}

function plays({ parts }: Score, role: Part["role"]): boolean {
  return parts.some((part) => part.role === role);
}

/** Bars in which it is heard and no voice is, in phrases that are whole in the source too. */
function phrasesOf(
  { powers, voiced }: Apart,
  { times, metre }: BeatGrid,
  bars: readonly number[],
  score: Score,
  kind: Returning,
): Phrase[] {
  const count = metre.beats_per_bar;
  const beat_seconds = beatSeconds(score.bpm);
  const phrases: Phrase[] = [];
  let open: { bar: number; source: number; bars: number } | undefined;
  for (const [bar, source] of bars.entries()) {
    let good = source >= 0 && (source + 1) * count < times.length && (bar + 1) * count <= score.beats;
    for (let beat = source * count; good && beat < (source + 1) * count; beat++) {
      const ratio = beat_seconds / (times[beat + 1]! - times[beat]!);
      good =
        voiced[beat]! <= FREE[kind] &&
        powers[kind][beat]! > HEARD[kind] * powers.mix[beat]! &&
        ratio >= SLOWEST &&
        ratio <= FASTEST &&
        times[beat]! >= 0;
    }
    if (good && open !== undefined && source === open.source + open.bars && open.bars < PHRASE) open.bars++;
    else {
      if (open !== undefined) phrases.push(open);
      open = good ? { bar, source, bars: 1 } : undefined;
    }
  }
  if (open !== undefined) phrases.push(open);
  return phrases;
}

async function performed(
  kind: Returning,
  apart: Apart,
  grid: BeatGrid,
  phrases: readonly Phrase[],
  score: Score,
  semitones: number,
  frames: number,
  seed: number,
  signal: AbortSignal,
): Promise<[Float32Array, Float32Array]> {
  const out: [Float32Array, Float32Array] = [new Float32Array(frames), new Float32Array(frames)];
  for (const phrase of phrases) {
    addPhrase(kind, apart, grid, phrase, score, semitones, out);
    await breathe(signal);
  }
  filtered(out, kind);
  if (kind === "other") chopped(out, score, seed);
  return out;
}

/** Samples that are filtered at a time, and blocks of silence after which a filter has rung out: 0.5 s. */
const [STRIDE, RUNG_OUT] = [2048, 11];

/**
 * Nothing below belongs to chords that come back, nor anything that would fight with the new band's highs. Silence,
 * most of it, stays as it is.
 */
function filtered(out: readonly [Float32Array, Float32Array], kind: Returning): void {
  const made = (): Cascade =>
    new Cascade(
      kind === "other"
        ? [highPass(220, RATE), highPass(220, RATE), lowPass(6500, RATE)]
        : [highPass(180, RATE), highPass(180, RATE), lowPass(9000, RATE)],
    );
  let filter = made();
  let silent = RUNG_OUT;
  const frames = out[0].length;
  const [left, right] = [new Float64Array(STRIDE), new Float64Array(STRIDE)];
  for (let at = 0; at < frames; at += STRIDE) {
    const length = Math.min(STRIDE, frames - at);
    left.set(out[0].subarray(at, at + length));
    right.set(out[1].subarray(at, at + length));
    let sounds = false;
    for (let n = 0; n < length && !sounds; n++) sounds = left[n] !== 0 || right[n] !== 0;
    if (!sounds && silent >= RUNG_OUT) continue;
    if (sounds && silent >= RUNG_OUT) filter = made();
    silent = sounds ? 0 : silent + 1;
    filter.run(left, right, length);
    for (let n = 0; n < length; n++) {
      out[0][at + n] = left[n]!;
      out[1][at + n] = right[n]!;
    }
  }
}

function addPhrase(
  kind: Returning,
  apart: Apart,
  { times, metre }: BeatGrid,
  phrase: Phrase,
  score: Score,
  semitones: number,
  out: readonly [Float32Array, Float32Array],
): void {
  const count = metre.beats_per_bar;
  const beats = phrase.bars * count;
  const first = phrase.source * count;
  const clock = clockOf(score);
  const at = (beat: number): number => clock.seconds(phrase.bar * count + beat) * RATE;
  const begin = Math.round(at(0)) - CROSSING;
  const length = Math.round(at(beats) - at(0)) + 2 * CROSSING;
  const from = Math.round(times[first]! * RATE) - MARGIN;
  const to = Math.round(times[first + beats]! * RATE) + MARGIN;
  const read = [new Float32Array(to - from), new Float32Array(to - from)];
  const stem = apart[kind];
  const stereo = stem.channels === 2;
  readStem(stem, from, to, stereo ? read : read.slice(0, 1));
  if (!stereo) read[1]!.set(read[0]!);
  const points = Array.from({ length: beats + 1 }, (_, k) => ({
    out: CROSSING + at(k) - at(0),
    source: times[first + k]! * RATE - from,
  }));
  const lead = points[0]!.source - CROSSING;
  const map = new TimeMap(points);
  let made: readonly Float32Array[];
  if (points.every(({ out: there, source }) => Math.abs(source - lead - there) <= NEAR))
    made = read.map((channel) => channel.subarray(Math.round(lead), Math.round(lead) + length));
  else if (kind === "drums") made = sliced(read, map, length, attacksOf(read));
  else {
    const attacks = attacksOf(read);
    made = stretched(read, map.keeping(attacks), length, attacks);
  }
  const unshifted = made;
  if (semitones !== 0 && kind === "other") made = shifted(made, semitones);
  for (const [c, channel] of made.entries()) {
    const target = out[c]!;
    const there = Math.min(length, channel.length, target.length - begin);
    for (let n = Math.max(0, -begin); n < there; n++) {
      const rise = Math.min(1, (n + 0.5) / (2 * CROSSING), (length - n - 0.5) / (2 * CROSSING));
      target[begin + n] = target[begin + n]! + rise * channel[n]!;
    }
  }
  // 6 to 20 MB a phrase, beside all stems' buses.
  release(...made, ...unshifted, ...read);
}

/** Gates in sections that move: a pattern of half-beats for each label. */
function chopped(out: readonly [Float32Array, Float32Array], score: Score, seed: number): void {
  const clock = clockOf(score);
  const labels = [...new Set(score.sections.map(({ label }) => label))];
  for (const { beat, beats, label, energy } of score.sections) {
    if (energy < CHOPPED_FROM) continue;
    const pattern = CHOPS[Math.floor(random(hash32(seed, labels.indexOf(label)))() * CHOPS.length)]!;
    for (let k = 0; k < 2 * beats; k++) {
      if (pattern[k % pattern.length] === 1) continue;
      const from = Math.round(clock.seconds(beat + k / 2) * RATE);
      const to = Math.round(clock.seconds(beat + (k + 1) / 2) * RATE);
      const before = k > 0 && pattern[(k - 1) % pattern.length] === 0;
      const after = k + 1 < 2 * beats && pattern[(k + 1) % pattern.length] === 0;
      for (const channel of out)
        for (let n = Math.max(0, from); n < Math.min(to, channel.length); n++) {
          const falls = before ? 0 : Math.max(0, 1 - (n - from) / EDGE);
          const rises = after ? 0 : Math.max(0, 1 - (to - n) / EDGE);
          channel[n] = channel[n]! * Math.max(falls, rises);
        }
    }
  }
}

function partOf(kind: Returning): Part {
  return {
    name: `source ${kind}`,
    role: kind === "drums" ? "percussion" : "pad",
    instrument: calledOn(kind === "drums" ? "add_percussion" : "hold_harmony")[0]!,
    notes: [],
    pan: 0,
    level_db: LEVEL_DB[kind],
  };
}
