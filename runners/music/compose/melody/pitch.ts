import { MODES, pitchClass } from "../../../notes.ts";
import { isBright } from "../form/scales.ts";
import type { Key, ScoreChord } from "../score.ts";
import type { Idiom } from "./idioms.ts";
import type { Sketch } from "./phrase.ts";

export interface PitchOptions {
  readonly chords: readonly ScoreChord[];
  readonly key: Key;
  readonly scale: Idiom["scale"];
  readonly leap: number;
  /** MIDI numbers, inclusive. */
  readonly range: readonly [low: number, high: number];
  /** MIDI number that `height` 0 stands for. */
  readonly centre: number;
  readonly beats_per_bar: number;
  /** How much the motif's steps count against everything else; 1 as a rule. */
  readonly motif?: number;
  /** What a tone of the tune to be like is worth; absent: more than a step of the motif, less than a chord's tone on a strong beat. */
  readonly like?: number;
  /** Nobody else plays the third: the tune leans on it. */
  readonly thirds?: boolean;
  /** Uniform in [0, 1): makes equal costs fall out differently. */
  readonly next: () => number;
}

/** Costs; 1 is a step more or less than the motif wants. */
const COST = {
  /** A note foreign to the chord on a strong beat, on a beat, and off it. */
  strong: 2.8,
  beat: 2,
  off: 0.55,
  /** Foreign and held a beat or longer. */
  held: 3,
  /** A semitone over a chord tone, and the plain form of a tone that the chord alters. */
  avoid: 1.6,
  altered: 5,
  /** A root or a fifth on a beat where the third is wanted. */
  third: 0.8,
  /** Outside a pentatonic or other reduced scale. */
  colour: 0.9,
  step: 1.2,
  direction: 0.8,
  leap: 0.32,
  wide: 2.5,
  tritone: 1.6,
  again: 0.9,
  register: 0.11,
  far: 0.6,
  /** Less a tone of a tune to be like. */
  like: 2,
  jitter: 0.5,
};

interface Candidate {
  readonly pitch: number;
  /** Place in the scale, for counting steps. */
  readonly place: number;
  readonly cost: number;
}

/** Pitches for a sketched tune: the cheapest way through what scale and chords offer (Viterbi). As long as `notes`. */
export function pitched(notes: readonly Sketch[], options: PitchOptions): number[] {
  if (notes.length === 0) return [];
  const [low, high] = options.range;
  const jitter = new Map<number, number>();
  for (let n = 0; n < 12; n++) jitter.set(n, options.next());
  const columns = notes.map((note, at) => columnOf(note, at, low, high, options, jitter));
  const weight = options.motif ?? 1;
  let costs = columns[0]!.map(({ cost }) => cost);
  const back: Int32Array[] = [];
  for (let n = 1; n < columns.length; n++) {
    const [before, after] = [columns[n - 1]!, columns[n]!];
    const { want, beat } = notes[n]!;
    // Across a breath a leap costs little.
    const gap = beat - notes[n - 1]!.beat - notes[n - 1]!.beats;
    const ease = gap >= 0.5 ? 0.5 : 1;
    const from = new Int32Array(after.length);
    const next_costs = new Array<number>(after.length);
    for (let k = 0; k < after.length; k++) {
      const here = after[k]!;
      let [least, at] = [Number.POSITIVE_INFINITY, 0];
      for (let j = 0; j < before.length; j++) {
        const there = before[j]!;
        let cost = costs[j]!;
        const jump = here.pitch > there.pitch ? here.pitch - there.pitch : there.pitch - here.pitch;
        if (want !== null) {
          const moved = here.place - there.place;
          const off = moved > want ? moved - want : want - moved;
          cost += weight * COST.step * Math.min(off, 5);
          if (want * moved < 0) cost += weight * COST.direction;
          if (want !== 0 && jump === 0) cost += COST.again;
        } else if (jump === 0) cost += 0.4;
        if (jump > 4) cost += ease * COST.leap * (jump - 4) * (1.3 - options.leap);
        if (jump > 9) cost += COST.wide;
        if (jump > 12) cost += COST.wide * 3;
        if (jump === 6 || jump === 10 || jump === 11) cost += COST.tritone;
        if (cost < least) [least, at] = [cost, j];
      }
      next_costs[k] = least + here.cost;
      from[k] = at;
    }
    back.push(from);
    costs = next_costs;
  }
  let at = 0;
  for (let k = 1; k < costs.length; k++) if (costs[k]! < costs[at]!) at = k;
  const pitches = [columns.at(-1)![at]!.pitch];
  for (let n = columns.length - 1; n > 0; n--) {
    at = back[n - 1]![at]!;
    pitches.push(columns[n - 1]![at]!.pitch);
  }
  return pitches.reverse();
}

/** The scale's pitch classes, and those of them that the idiom keeps to. */
export function scaleOf(key: Key, scale: Idiom["scale"]): { all: Set<number>; core: Set<number> } {
  const bright = isBright(key.mode);
  const at = (steps: readonly number[]): Set<number> => new Set(steps.map((step) => pitchClass(key.tonic + step)));
  const mode = MODES[key.mode];
  switch (scale) {
    case "mode":
      return { all: at(mode), core: at(mode) };
    case "pentatonic":
      return { all: at(mode), core: at(bright ? [0, 2, 4, 7, 9] : [0, 3, 5, 7, 10]) };
    case "blue_notes":
      return bright
        ? { all: at([0, 2, 3, 4, 5, 7, 9, 10]), core: at([0, 2, 4, 7, 9]) }
        : { all: at([0, 2, 3, 5, 6, 7, 10]), core: at([0, 3, 5, 7, 10]) };
    case "hijaz": {
      if (key.mode === "phrygian") return { all: at([0, 1, 4, 5, 7, 8, 10]), core: at([0, 1, 4, 5, 7, 8, 10]) };
      if (bright) return { all: at(mode), core: at(mode) };
      return { all: at([0, 2, 3, 5, 7, 8, 10, 11]), core: at([0, 2, 3, 5, 7, 8]) };
    }
    case "east":
      return {
        all: at(mode),
        core: at(bright ? [0, 2, 4, 7, 9] : mode.includes(8) ? [0, 2, 3, 7, 8] : [0, 3, 5, 7, 10]),
      };
  }
}

export function chordAt(chords: readonly ScoreChord[], beat: number): ScoreChord {
  let [low, high] = [0, chords.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (chords[middle]!.beat <= beat + 1e-6) low = middle;
    else high = middle - 1;
  }
  return chords[low]!;
}

/** 2 on the bar's first beat and its middle, 1 on the other beats, 0 off the beat. */
export function strengthOf(beat: number, beats_per_bar: number): 0 | 1 | 2 {
  if (Math.abs(beat - Math.round(beat)) > 1e-6) return 0;
  const place = ((Math.round(beat) % beats_per_bar) + beats_per_bar) % beats_per_bar;
  return place === 0 || (beats_per_bar % 2 === 0 && place === beats_per_bar / 2) ? 2 : 1;
}

function columnOf(
  note: Sketch,
  at: number,
  low: number,
  high: number,
  options: PitchOptions,
  jitter: ReadonlyMap<number, number>,
): Candidate[] {
  const { all, core } = scaleOf(options.key, options.scale);
  const chord = chordAt(options.chords, note.beat);
  const middle = note.beat + Math.min(note.beats, 4) * 0.75;
  const later = note.beats >= 1 ? chordAt(options.chords, middle) : chord;
  const also = note.also?.map((beat) => chordAt(options.chords, beat)) ?? [];
  const strength = strengthOf(note.beat, options.beats_per_bar);
  const drawn = Math.min(high - 2, Math.max(low + 2, options.centre + note.height));
  const found: Candidate[] = [];
  let place = 0;
  for (let pitch = low; pitch <= high; pitch++) {
    const tone = pitchClass(pitch);
    const scaled = all.has(tone);
    if (scaled) place++;
    if (pitch === note.unlike || (note.least !== undefined && pitch < note.least)) continue;
    const chordal = chord.tones.includes(tone);
    if (!scaled && !chordal) continue;
    if (Math.abs(pitch - drawn) > 12) continue;
    let cost = COST.jitter * jitter.get((tone + 5 * at) % 12)!;
    cost += foreign(tone, chord, note.beats, strength, options, core);
    if (later !== chord) cost += 0.6 * foreign(tone, later, note.beats, 1, options, core);
    if (also.length > 0) {
      for (const other of also) cost += foreign(tone, other, note.beats, strength, options, core);
      cost /= 1 + also.length;
    }
    if (options.thirds === true && chordal && strength > 0 && ![3, 4].includes(pitchClass(tone - chord.root)))
      cost += COST.third;
    if (!core.has(tone) && !chordal) cost += COST.colour;
    const away = Math.abs(pitch - drawn);
    cost += COST.register * away + (away > 6 ? COST.far * (away - 6) : 0);
    if (note.like !== undefined && pitchClass(note.like) === tone) cost -= options.like ?? COST.like;
    if (note.cadence !== null) cost += cadenceCost(pitchClass(tone - options.key.tonic), chordal, note.cadence);
    found.push({ pitch, place: scaled ? place : place + 0.5, cost });
  }
  // A range of a few semitones may hold nothing of scale or chord.
  if (found.length === 0) found.push({ pitch: Math.round(drawn), place: 0, cost: 0 });
  return found;
}

function foreign(
  tone: number,
  chord: ScoreChord,
  beats: number,
  strength: 0 | 1 | 2,
  options: PitchOptions,
  core: ReadonlySet<number>,
): number {
  if (chord.tones.includes(tone)) return 0;
  const above = pitchClass(tone - chord.root);
  const bare = !chord.tones.some((one) => [3, 4, 5, 2].includes(pitchClass(one - chord.root)));
  // Power chords leave the third to the tune.
  if (bare && (above === 3 || above === 4) && core.has(tone)) return strength === 2 ? 1.4 : 0.3;
  // The blue third is at home over a dominant chord.
  const blue = options.scale === "blue_notes" && [3, 10].includes(pitchClass(tone - options.key.tonic));
  let cost = strength === 2 ? COST.strong : strength === 1 ? COST.beat : COST.off;
  if (blue) cost *= 0.45;
  // Ninths and sixths are mild.
  else if (above === 2 || above === 9) cost *= 0.75;
  if (beats >= 1) cost += blue ? COST.held / 2 : COST.held;
  else if (beats >= 0.5 && strength > 0) cost += COST.held / 4;
  for (const one of chord.tones) {
    const distance = pitchClass(tone - one);
    if (distance === 1 && !blue) cost += beats >= 0.5 ? COST.avoid : COST.avoid / 3;
    if ((distance === 1 || distance === 11) && !MODES[options.key.mode].includes(pitchClass(one - options.key.tonic)))
      cost += blue ? 1 : COST.altered;
  }
  return cost;
}

function cadenceCost(degree: number, chordal: boolean, cadence: "full" | "half"): number {
  const foreign_cost = chordal ? 0 : 4;
  if (cadence === "full") {
    if (degree === 0) return foreign_cost;
    return foreign_cost + (degree === 3 || degree === 4 ? 1.4 : degree === 7 ? 1.8 : 3.5);
  }
  return foreign_cost + (degree === 2 || degree === 7 || degree === 11 ? 0 : degree === 0 ? 1.5 : 0.7);
}
