import { MODES, pitchClass } from "../../../notes.ts";
import type { Key } from "../score.ts";

/** Whether the third above the tonic is major. */
export function isBright(mode: Key["mode"]): boolean {
  return MODES[mode].includes(4);
}

const LETTERS = ["C", "D", "E", "F", "G", "A", "B"] as const;
const NATURAL = [0, 2, 4, 5, 7, 9, 11] as const;
/** How the twelve major keys are written: fewest accidentals, F sharp for the sixth. Index into `LETTERS`. */
const MAJOR_LETTER = [0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6] as const;
/** Semitones from a mode's tonic down to that of the major scale with its notes, and the steps of letters between. */
const PARENT: Readonly<Record<Key["mode"], readonly [semitones: number, steps: number]>> = {
  major: [0, 0],
  dorian: [2, 1],
  phrygian: [4, 2],
  lydian: [5, 3],
  mixolydian: [7, 4],
  minor: [9, 5],
};

/** Index into the letters C D E F G A B of the key's tonic as its signature writes it. */
export function tonicLetter({ tonic, mode }: Key): number {
  const [semitones, steps] = PARENT[mode];
  return (MAJOR_LETTER[pitchClass(tonic - semitones)]! + steps) % 7;
}

/** A pitch class written on a letter: "Eb", "F#"; on a neighbouring letter where that would take a double accidental. */
export function spell(pitch_class: number, letter: number): string {
  const at = ((letter % 7) + 7) % 7;
  const off = ((pitch_class - NATURAL[at]! + 18) % 12) - 6;
  if (off > 1) return spell(pitch_class, at + 1);
  if (off < -1) return spell(pitch_class, at + 6);
  return LETTERS[at]! + (off === 1 ? "#" : off === -1 ? "b" : "");
}
