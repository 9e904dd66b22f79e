import { hasMinorThird, pitchClass } from "../../notes.ts";
import type { Key } from "./score.ts";

/** Spelt with the fewer accidentals; where both have six, as musicians mostly do. */
const MAJOR = ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"] as const;
const MINOR = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "G#", "A", "Bb", "B"] as const;

/** "F#"; of a MIDI number or a pitch class. Minor keys and chords are spelt otherwise: "G#", not "Ab". */
export function noteName(pitch: number, minor = false): string {
  return (minor ? MINOR : MAJOR)[pitchClass(pitch)]!;
}

/** "F# minor". */
export function keyName({ tonic, mode }: Key): string {
  return `${noteName(tonic, hasMinorThird(mode))} ${mode}`;
}
