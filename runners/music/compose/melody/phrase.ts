import type { PlanSection } from "../plan.ts";
import { pick } from "../stream.ts";
import type { Idiom } from "./idioms.ts";
import { augmented, cadential, fragmented, inverted, type Motif, varied } from "./motif.ts";

/** A note that knows all but its pitch. */
export interface Sketch {
  /** Of the piece. */
  readonly beat: number;
  readonly beats: number;
  /** Scale steps from the note before, where a motif says so. */
  readonly want: number | null;
  /** Semitones from the middle of the section's register, where it is drawn to. */
  readonly height: number;
  /** The last of a phrase: on the tonic, or left open. */
  readonly cadence: "full" | "half" | null;
  /** A pitch, in any octave, of a tune that it should stay near to. */
  readonly like?: number;
  /** Its pitch is no lower. */
  readonly least?: number;
  /** Its pitch is another. */
  readonly unlike?: number;
  /** Beats on which the same is sung elsewhere: its pitch goes with the chords there too. */
  readonly also?: readonly number[];
}

/** What a label's tune is made of. */
export interface Material {
  readonly main: Motif;
  readonly second: Motif;
  /** What each unit of a phrase does, for phrases of the first and of the second kind. */
  readonly a: readonly Unit[];
  readonly b: readonly Unit[];
  /** Phrase kinds, repeated over the section. */
  readonly scheme: readonly ("a" | "b")[];
  /** Steps that sequences move by. */
  readonly sequence: number;
}

/** M as it is, S a step on, V its end altered, I mirrored, F its head twice, N the second motif, C to a close, A broadened. */
type Unit = "M" | "S" | "V" | "I" | "F" | "N" | "C" | "A";

const LYRIC: Readonly<Record<number, readonly (readonly Unit[])[]>> = {
  1: [["M"]],
  2: [
    ["M", "S"],
    ["M", "V"],
    ["M", "C"],
    ["M", "N"],
  ],
  4: [
    ["M", "S", "F", "C"],
    ["M", "N", "M", "C"],
    ["M", "S", "N", "C"],
    ["M", "M", "F", "C"],
    ["M", "I", "S", "C"],
    ["M", "V", "F", "C"],
  ],
};
const RIFFED: Readonly<Record<number, readonly (readonly Unit[])[]>> = {
  1: [["M"]],
  2: [
    ["M", "M"],
    ["M", "V"],
    ["M", "C"],
  ],
  4: [
    ["M", "M", "M", "C"],
    ["M", "V", "M", "C"],
    ["M", "M", "V", "C"],
    ["M", "N", "M", "N"],
  ],
};
const SCHEMES: readonly (readonly ("a" | "b")[])[] = [
  ["a", "a", "b", "a"],
  ["a", "b", "a", "b"],
  ["a", "a", "a", "b"],
  ["a", "a"],
];

export function materialOf(units: number, idiom: Idiom, main: Motif, second: Motif, next: () => number): Material {
  const tableOf = (): readonly (readonly Unit[])[] => (next() < idiom.repetition ? RIFFED : LYRIC)[units] ?? LYRIC[1]!;
  return {
    main,
    second,
    a: pick(tableOf(), next),
    b: pick(tableOf(), next),
    scheme: pick(SCHEMES, next),
    sequence: pick([-1, 1, -1, 2, -2], next),
  };
}

/** The tune of a section without its pitches. `next` makes small decisions, the same for every turn of a label. */
export function sketched(
  section: PlanSection,
  beats_per_bar: number,
  material: Material,
  idiom: Idiom,
  next: () => number,
): Sketch[] {
  const beats = section.phrase_bars * beats_per_bar;
  const phrases = Math.max(1, Math.floor(section.beats / beats));
  const until = section.beat + section.beats;
  const breath = breathOf(idiom, beats_per_bar);
  const notes: Sketch[] = [];
  for (let at = 0; at < phrases; at++) {
    const close = at === phrases - 1 || at % 2 === 1 ? "full" : "half";
    const place = { beat: section.beat + at * beats, beats, until, close, climax: at === climaxOf(phrases) } as const;
    notes.push(...phrased(material, material.scheme[at % material.scheme.length]!, place, breath, next));
  }
  const rest = section.beats - phrases * beats;
  // One bar more than the phrases fill: the last note is held.
  if (rest >= 1 && section.leaves_by === "end")
    notes.push({ beat: until - rest, beats: rest, want: null, height: 0, cadence: "full" });
  return notes;
}

/** Beats of rest at the end of a phrase: riffs and floating tones go on; what is sung breathes. */
export function breathOf({ repetition, notes_per_second }: Idiom, beats_per_bar: number): number {
  return repetition > 0.7 || notes_per_second < 0.6 ? 0 : beats_per_bar >= 4 ? 1 : 0.5;
}

/** Index of the phrase that rises highest. */
export function climaxOf(phrases: number): number {
  return Math.min(phrases - 1, Math.floor(phrases * 0.7));
}

/** Where a phrase stands. */
export interface Place {
  readonly beat: number;
  readonly beats: number;
  /** Nothing sounds beyond. */
  readonly until: number;
  readonly close: "full" | "half";
  readonly climax: boolean;
}

/** One phrase of a section's material. */
export function phrased(
  material: Material,
  kind: "a" | "b",
  { beat, beats, until, close, climax }: Place,
  breath: number,
  next: () => number,
): Sketch[] {
  const notes: Sketch[] = [];
  const unit_beats = material.main.beats;
  const [lead, other] = kind === "a" ? [material.main, material.second] : [material.second, material.main];
  const units = material[kind];
  const count = Math.max(1, Math.round(beats / unit_beats));
  for (let at = 0; at < count; at++) {
    const unit = units[at % units.length]!;
    const last = at === count - 1;
    const as = last && count > 1 && close === "full" ? "C" : unit;
    const motif = developed(unit, lead, other, material, as, breath, next);
    const t = (at + 0.5) / count;
    const height = 2.6 * (4 * t * (1 - t)) - 1.4 + (climax && at >= count / 2 && !last ? 2.5 : 0);
    const begin = beat + at * unit_beats;
    const end = Math.min(until, begin + unit_beats);
    const strokes = motif.strokes.filter((stroke) => begin + stroke.at < end - 1e-9);
    for (const [n, stroke] of strokes.entries()) {
      const final = last && n === strokes.length - 1;
      const limit = (final ? Math.max(stroke.at + 0.5, unit_beats - breath) : unit_beats) + begin;
      notes.push({
        beat: begin + stroke.at,
        beats: Math.min(stroke.beats, end - begin - stroke.at, Math.max(0.125, limit - begin - stroke.at)),
        want: n === 0 ? (unit === "M" && at > 0 ? null : unit === "S" ? material.sequence : null) : motif.steps[n]!,
        height: height + (unit === "S" ? 1.7 * material.sequence : 0),
        cadence: final ? close : null,
      });
    }
  }
  return notes;
}

function developed(
  unit: Unit,
  lead: Motif,
  other: Motif,
  material: Material,
  as: Unit,
  breath: number,
  next: () => number,
): Motif {
  switch (as) {
    case "M":
    case "S":
      return lead;
    case "V":
      return varied(lead, next);
    case "I":
      return inverted(lead);
    case "F":
      return fragmented(lead, material.sequence);
    case "N":
      return other;
    case "C":
      return cadential(unit === "N" ? other : lead, breath);
    case "A":
      return augmented(lead);
  }
}
