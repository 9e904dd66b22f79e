/** The change of key towards the end of a song: everything from there on, a semitone or two higher. */
import { FLATS, SHARPS } from "../../notes.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { keyName } from "./key_name.ts";
import type { Part, Score, ScoreChord, VoiceLine, VoiceNote } from "./score.ts";

/** Kits are not transposed, nor what has no pitch; risers lead to where they land. */
const UNPITCHED: ReadonlySet<Part["role"]> = new Set(["drums", "percussion", "texture"]);
/** Shares of the piece within which a key changes. */
const EARLIEST = 0.45;
const LATEST = 0.92;

/**
 * The same score with its last return of a chorus, drop or theme, and what follows, lifted; unchanged on a ring and
 * where nothing returns.
 */
export function lifted(score: Score, seed: number): Score {
  if (score.ring) return score;
  const { sections, beats } = score;
  const inside = sections.filter(({ beat }) => beat >= EARLIEST * beats && beat <= LATEST * beats);
  const returns = inside.filter(({ label, beat }) =>
    sections.some((other) => other.label === label && other.beat < beat),
  );
  const loud = returns.filter(({ kind }) => kind === "chorus" || kind === "drop" || kind === "theme");
  const at = (loud.at(-1) ?? returns.at(-1) ?? inside.at(-1))?.beat;
  if (at === undefined) return score;
  const up = 1 + (hash32(seed, 61) % 2);
  const key = { ...score.key, tonic: (score.key.tonic + up) % 12 };
  const parts = score.parts.map((part) => (UNPITCHED.has(part.role) ? part : raised(part, at, up)));
  const chords = score.chords.map((chord) => (chord.beat < at ? chord : raisedChord(chord, up, keyName(key))));
  // A line belongs to its section, pick-up and all.
  const voice = score.voice?.map((line) => (sections[line.section]!.beat < at - 1e-6 ? line : raisedLine(line, up)));
  return { ...score, key_change: { beat: at, key }, parts, chords, ...(voice === undefined ? {} : { voice }) };
}

/** What is held into the new key ends with the old one. */
function raised(part: Part, at: number, up: number): Part {
  const notes = part.notes.map((note) => {
    if (note.beat >= at - 1e-6) return { ...note, pitch: note.pitch + up };
    return note.beat + note.beats > at ? { ...note, beats: at - note.beat } : note;
  });
  return { ...part, notes };
}

function raisedLine(line: VoiceLine, up: number): VoiceLine {
  const raisedNote = (note: VoiceNote): VoiceNote => ({
    ...note,
    pitches: note.pitches.map(({ beat, pitch }) => ({ beat, pitch: pitch + up })),
  });
  return { ...line, notes: line.notes.map(raisedNote) };
}

function raisedChord(chord: ScoreChord, up: number, key: string): ScoreChord {
  const names = /b|^F /u.test(key) ? FLATS : SHARPS;
  const higher = (pitch: number): number => (pitch + up) % 12;
  return {
    ...chord,
    root: higher(chord.root),
    bass: higher(chord.bass),
    tones: chord.tones.map(higher),
    symbol: chord.symbol
      .replace(/^[A-G][#b]?/u, () => names[higher(chord.root)]!)
      .replace(/\/[A-G][#b]?$/u, () => `/${names[higher(chord.bass)]!}`),
  };
}
