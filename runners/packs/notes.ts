/** MIDI number of a note as packs write it: 60 for "C4". */
import { NATURALS } from "../notes.ts";
export function midiOf(note: string): number {
  const sign = note[1] === "#" ? 1 : note[1] === "b" ? -1 : 0;
  return 12 * (Number(note.slice(sign === 0 ? 1 : 2)) + 1) + NATURALS[note[0]!]! + sign;
}
