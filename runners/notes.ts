/** Notes and scales by the names that musicians give them. */

/** Semitones above the tonic, ascending. */
export const MODES = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  phrygian: [0, 1, 3, 5, 7, 8, 10],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  mixolydian: [0, 2, 4, 5, 7, 9, 10],
} satisfies Readonly<Record<string, readonly number[]>>;

/** Whether a mode's chord on the tonic is minor. */
export function hasMinorThird(mode: keyof typeof MODES): boolean {
  return MODES[mode][2] === 3;
}

/** Semitones above C. */
export const NATURALS: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

export const SHARPS = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
export const FLATS = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"];

/** A number modulo 12, never negative. */
export function pitchClass(pitch: number): number {
  return ((pitch % 12) + 12) % 12;
}
