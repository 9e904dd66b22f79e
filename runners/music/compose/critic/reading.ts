/** A score as the critic reads it: who has the tune, what sounds on each half beat, where strokes fall in the bar. */
import { clamp } from "../../../signal/dsp/numbers.ts";
import type { Key, Part, Role, Score, ScoreChord } from "../score.ts";

/** A note of the tune. */
export interface Tone {
  readonly beat: number;
  readonly beats: number;
  readonly pitch: number;
  /** Index into the score's sections. */
  readonly section: number;
  /** Whether it carries a stressed syllable; absent where nobody sings. */
  readonly stressed?: boolean;
}

/** A note that sounds. */
interface Sounding {
  readonly pitch: number;
  /** Index into the score's parts. */
  readonly part: number;
}

/** A stroke or the beginning of a note. */
export interface Onset {
  readonly beat: number;
  readonly velocity: number;
  readonly part: number;
  readonly pitch: number;
}

export interface Reading {
  readonly score: Score;
  /** One voice, in order: what is sung, and elsewhere what leads. */
  readonly tune: readonly Tone[];
  /** The tune by section. */
  readonly tunes: readonly (readonly Tone[])[];
  /** What sounds on each half beat of parts that have a pitch and are not the tune. */
  readonly frames: readonly (readonly Sounding[])[];
  /** Of all parts but textures and transitions, by section. */
  readonly onsets: readonly (readonly Onset[])[];
  /** Places in a beat that rhythms are read on. */
  readonly slots: number;
}

/** Half beats. */
export const FRAME_BEATS = 0.5;
/** Where in a frame it is looked at what sounds, beats: after attacks that are a little late. */
const LOOK = 0.17;
const UNPITCHED: ReadonlySet<Role> = new Set<Role>(["drums", "percussion", "texture", "transition"]);
/** Fewer notes of a lead in a section are an answer, no tune. */
const TUNE_MIN = 3;

export const isPitched = ({ role }: Pick<Part, "role">): boolean => !UNPITCHED.has(role);

export function readScore(score: Score): Reading {
  const tunes = score.sections.map(({ beat, beats }, section) => {
    const within = (one: { readonly beat: number }): boolean => one.beat >= beat - 1e-6 && one.beat < beat + beats;
    const words = sungIn(score, section);
    if (words.length > 0) return words;
    const [most] = score.parts
      .filter(({ role }) => role === "lead")
      .map(({ notes }) => notes.filter(within))
      .sort((a, b) => b.length - a.length);
    if (most === undefined || most.length < TUNE_MIN) return [];
    return oneVoice(most.map(({ beat: at, beats: long, pitch }) => ({ beat: at, beats: long, pitch, section })));
  });
  return {
    score,
    tunes,
    tune: tunes.flat(),
    frames: framesOf(score),
    onsets: onsetsOf(score),
    slots: score.metre.division === 3 ? 6 : 4,
  };
}

/** What the lead voice sings in a section; what is spoken is no tune. */
function sungIn({ voice = [] }: Score, section: number): Tone[] {
  return voice
    .filter((line) => line.section === section && !line.spoken)
    .flatMap(({ notes }) => notes)
    .filter(({ backing }) => !backing)
    .flatMap(({ beat, beats, pitches, stressed }) =>
      pitches.map(({ beat: after, pitch }, n) => ({
        beat: beat + after,
        beats: (pitches[n + 1]?.beat ?? beats) - after,
        pitch,
        section,
        stressed: n === 0 && stressed,
      })),
    );
}

/** The highest of what begins together. */
function oneVoice(tones: readonly Tone[]): Tone[] {
  const out: Tone[] = [];
  for (const tone of [...tones].sort((a, b) => a.beat - b.beat || b.pitch - a.pitch)) {
    const before = out.at(-1);
    if (before === undefined || tone.beat - before.beat > 0.06) out.push(tone);
  }
  return out;
}

function framesOf({ parts, beats }: Score): Sounding[][] {
  const frames: Sounding[][] = Array.from({ length: Math.max(1, Math.ceil(beats / FRAME_BEATS)) }, () => []);
  for (const [index, part] of parts.entries()) {
    if (!isPitched(part)) continue;
    for (const { beat, beats: long, pitch } of part.notes) {
      const from = Math.max(0, Math.ceil((beat - LOOK) / FRAME_BEATS));
      const to = Math.min(frames.length, Math.ceil((beat + long - LOOK) / FRAME_BEATS));
      for (let at = from; at < to; at++) frames[at]!.push({ pitch: Math.round(pitch), part: index });
    }
  }
  return frames;
}

function onsetsOf({ parts, sections }: Score): Onset[][] {
  const out: Onset[][] = sections.map(() => []);
  for (const [part, { role, notes }] of parts.entries()) {
    if (role === "texture" || role === "transition") continue;
    let at = 0;
    for (const { beat, velocity, pitch } of notes) {
      while (at + 1 < sections.length && beat >= sections[at + 1]!.beat - 1e-3) at++;
      out[at]!.push({ beat, velocity, part, pitch });
    }
  }
  return out;
}

/** The chord that sounds at a beat, by a walk that goes on from where it was. */
export function chordsAlong(chords: readonly ScoreChord[]): (beat: number) => ScoreChord | undefined {
  let at = 0;
  return (beat) => {
    while (at > 0 && chords[at]!.beat > beat + 1e-6) at--;
    while (at + 1 < chords.length && chords[at + 1]!.beat <= beat + 1e-6) at++;
    return chords[at];
  };
}

/** The key at a beat. */
export function keyAt({ key, key_change }: Score, beat: number): Key {
  return key_change !== undefined && beat >= key_change.beat - 1e-6 ? key_change.key : key;
}

/** Place in the bar, in slots, as written: swung off-beats are put back. */
export function slotOf({ score, slots }: Reading, beat: number): number {
  const { beats_per_bar, division } = score.metre;
  const whole = Math.floor(beat + 0.04);
  const share = clamp(beat - whole, 0, 1);
  const swing = division === 3 ? 0.5 : score.swing;
  const straight = share <= swing ? (0.5 * share) / swing : 0.5 + (0.5 * (share - swing)) / (1 - swing);
  const bar = beats_per_bar * slots;
  return (((Math.round((whole + straight) * slots) % bar) + bar) % bar) | 0;
}

/**
 * Metrical level of a slot: 0 on the first of the bar, -1 on its half, -2 on other beats, lower between (Lerdahl & Jackendoff, A Generative
 * Theory of Tonal Music, 1983; the weights of Longuet-Higgins & Lee, Music Perception 1984).
 */
export function levelOf({ score, slots }: Reading, slot: number): number {
  if (slot === 0) return 0;
  const { beats_per_bar } = score.metre;
  if (slot % slots === 0) return beats_per_bar % 2 === 0 && slot * 2 === beats_per_bar * slots ? -1 : -2;
  if (slots === 6) return slot % 2 === 0 ? -3 : -4;
  return slot % 2 === 0 ? -3 : -4;
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pearson's correlation, -1 to 1; 0 where one of both does not move. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const count = Math.min(a.length, b.length);
  let [ma, mb] = [0, 0];
  for (let n = 0; n < count; n++) {
    ma += a[n]! / count;
    mb += b[n]! / count;
  }
  let [aa, bb, ab] = [0, 0, 0];
  for (let n = 0; n < count; n++) {
    aa += (a[n]! - ma) ** 2;
    bb += (b[n]! - mb) ** 2;
    ab += (a[n]! - ma) * (b[n]! - mb);
  }
  return aa > 1e-12 && bb > 1e-12 ? ab / Math.sqrt(aa * bb) : 0;
}
