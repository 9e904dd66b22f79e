/** How near an answer is to the truth of a piece, for what is told beside speed. */

const NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
const FLATS: Readonly<Record<string, string>> = { Db: "C#", Eb: "D#", Gb: "F#", Ab: "G#", Bb: "A#" };

export function pitchClass(name: string): number {
  return NAMES.indexOf(FLATS[name] ?? name);
}

/** MIREX audio key detection: 1 right, 0.5 a fifth away, 0.3 relative, 0.2 parallel. `key`: as truth has it, "F major". */
export function mirex(tonic: number, mode: string, key: string): number {
  const [name = "", true_mode] = key.split(" ");
  const away = (tonic - pitchClass(name) + 12) % 12;
  if (mode === true_mode) return away === 0 ? 1 : away === 7 || away === 5 ? 0.5 : 0;
  if (away === 0) return 0.2;
  return away === (true_mode === "major" ? 9 : 3) ? 0.3 : 0;
}
