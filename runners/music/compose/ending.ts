/** How a piece ends: where the prompt says on a chord, on hits, abruptly; else where its kind stops on one stroke. */
import { hasMinorThird, NATURALS } from "../../notes.ts";
import { DRUM_KEYS } from "../../packs/mod.ts";
import { factsOf } from "./band/instrument_facts.ts";
import type { Brief } from "./brief.ts";
import { beatsIn, clockOf } from "./clock.ts";
import type { Ending } from "./form/endings.ts";
import { noteName } from "./key_name.ts";
import type { Note, Part, Score, ScoreChord } from "./score.ts";

/** What still sounds after a piece that ends abruptly is cut: longer than any tail. */
const SILENCE_SECONDS = 30;
const HITS_MAX = 8;

/** The score with the ending that was asked for, else that of its kind. */
export function withEnding(score: Score, { cues = [] }: Brief, { stops }: Ending): Score {
  if (score.ring) return score;
  const what = cues.findLast((cue) => cue.event === "ends" && cue.what !== null);
  if (what?.what == null) return stops === true && stopsThere(score) ? stopped(score) : score;
  if (what.what === "abrupt") return cutOff(score);
  if (what.what === "hits") return struck(score, Math.min(HITS_MAX, what.bars ?? 3), tonicOf(score), 1);
  if (!what.what.endsWith("chord")) return score;
  const named = chordNamed(what.what);
  return struck(score, 1, named ?? tonicOf(score), what.what === "final chord" ? 0.8 : 0.95);
}

/** Who sings to the end sings on, and a piece of a few bars has none to lose. */
function stopsThere({ sections, beats, metre }: Score): boolean {
  return sections.length > 1 && sections.at(-1)!.lines === undefined && beats >= 8 * metre.beats_per_bar;
}

/** Beats of the last stroke of all, and of what is left of its bar. */
const [STROKE_BEATS, END_BEATS] = [0.75, 2];

/** Everyone who is there strikes the last bar's first beat, short and hard, and nothing comes after it. */
function stopped(score: Score): Score {
  const from = score.beats - score.metre.beats_per_bar;
  const parts = score.parts.map((part) => {
    if (part.role === "texture" || part.role === "transition") return part;
    const notes = part.notes.flatMap((note): Note[] => {
      if (note.beat >= from + NEAR) return [];
      const beats = Math.min(note.beats, Math.max(0.05, from + STROKE_BEATS - note.beat));
      if (note.beat < from - NEAR) return [{ ...note, beats: Math.min(beats, Math.max(0.05, from - note.beat)) }];
      return [{ ...note, beats, velocity: Math.min(1, note.velocity * 1.15) }];
    });
    return { ...part, notes };
  });
  // What is left of the bar is nobody's.
  const beats = Math.min(score.beats, from + END_BEATS);
  const until = <Timed extends { readonly beat: number; readonly beats: number }>(one: Timed): Timed =>
    one.beat + one.beats > beats ? { ...one, beats: beats - one.beat } : one;
  return {
    ...score,
    beats,
    parts: parts.map((part) => ({ ...part, notes: part.notes.map(until) })),
    sections: score.sections.map(until),
    chords: score.chords.filter(({ beat }) => beat < beats).map(until),
    moves: score.moves.filter(({ beat }) => beat < beats).map(until),
  };
}

/** Beats about the bar within which strokes are together, rolled ones too. */
const NEAR = 0.3;

function cutOff(score: Score): Score {
  const beats = beatsIn(clockOf(score).bpm(score.beats), SILENCE_SECONDS);
  const parts = score.parts.map((part) => ({
    ...part,
    notes: part.notes.map((note) => ({
      ...note,
      beats: Math.max(0.02, Math.min(note.beats, score.beats - note.beat)),
    })),
  }));
  const silence = { kind: "mute", beat: score.beats, beats, amount: 1, parts: [] } as const;
  return { ...score, parts, moves: [...score.moves, silence] };
}

/** The last bar is one chord of all that play then, held, or so many strokes of it. */
function struck(score: Score, count: number, chord: Omit<ScoreChord, "beat" | "beats">, velocity: number): Score {
  const bar = score.metre.beats_per_bar;
  const from = score.beats - bar;
  const step = count > bar ? bar / count : 1;
  const strokes = Array.from({ length: count }, (_, n) => from + n * step);
  const long = count === 1 ? bar : 0.6 * step;
  const parts = score.parts.map((part) => {
    const near = part.notes.filter(({ beat }) => beat < from && beat >= from - 4 * bar);
    const before = part.notes
      .filter(({ beat }) => beat < from - 1e-3)
      .map((note) => (note.beat + note.beats > from ? { ...note, beats: from - note.beat } : note));
    if (part.role === "texture" || part.role === "transition") return part;
    if (near.length === 0) return { ...part, notes: before };
    const pitches = pitchesOf(part, near, chord);
    const last = strokes.flatMap((beat) =>
      pitches.map((pitch): Note => ({ beat, beats: long, pitch, velocity, shift: 0 })),
    );
    return { ...part, notes: [...before, ...last] };
  });
  const chords = score.chords
    .filter(({ beat }) => beat < from - 1e-6)
    .map((one) => (one.beat + one.beats > from ? { ...one, beats: from - one.beat } : one));
  return { ...score, parts, chords: [...chords, { ...chord, beat: from, beats: bar }] };
}

/** The chord within reach of what a part played last; a kit has its crash and kick. */
function pitchesOf(
  { role, instrument }: Part,
  near: readonly Note[],
  { root, bass, tones }: Pick<ScoreChord, "root" | "bass" | "tones">,
): number[] {
  if (role === "drums") return [DRUM_KEYS.kick, DRUM_KEYS.crash];
  if (role === "percussion") return [Math.round(near.at(-1)!.pitch)];
  const { low, high, polyphonic } = factsOf(instrument);
  const mean = near.reduce((sum, { pitch }) => sum + pitch, 0) / near.length;
  const nearest = (tone: number, about: number): number => {
    let pitch = Math.round(about) - 6 + ((((tone - Math.round(about) + 6) % 12) + 12) % 12);
    if (pitch > high) pitch -= 12;
    if (pitch < low) pitch += 12;
    return pitch;
  };
  if (role === "bass") return [nearest(bass, mean)];
  if (!polyphonic || role === "lead" || role === "counter") return [nearest(root, near.at(-1)!.pitch)];
  return [...new Set(tones.slice(0, 4).map((tone) => nearest(tone, mean)))].sort((a, b) => a - b);
}

/** "C major chord", "F# minor chord"; null for a chord without a name. */
function chordNamed(what: string): Omit<ScoreChord, "beat" | "beats"> | null {
  const [, letter, sign, mode] = /^([A-G])(#|b)? (major|minor) chord$/u.exec(what) ?? [];
  if (letter === undefined) return null;
  const root = (NATURALS[letter]! + (sign === "#" ? 1 : sign === "b" ? 11 : 0)) % 12;
  return triad(root, mode === "minor", `${letter}${sign ?? ""}`);
}

function triad(root: number, minor: boolean, name: string): Omit<ScoreChord, "beat" | "beats"> {
  return {
    root,
    bass: root,
    tones: [root, (root + (minor ? 3 : 4)) % 12, (root + 7) % 12],
    symbol: `${name}${minor ? "m" : ""}`,
  };
}

function tonicOf({ key, key_change }: Score): Omit<ScoreChord, "beat" | "beats"> {
  const { tonic, mode } = key_change?.key ?? key;
  return triad(tonic, hasMinorThird(mode), noteName(tonic));
}
