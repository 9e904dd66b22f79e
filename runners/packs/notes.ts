/** Semitones above C. */
const STEPS: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

/** MIDI number of a note as packs write it: 60 for "C4". */
export function midiOf(note: string): number {
  const sign = note[1] === "#" ? 1 : note[1] === "b" ? -1 : 0;
  return 12 * (Number(note.slice(sign === 0 ? 1 : 2)) + 1) + STEPS[note[0]!]! + sign;
}
