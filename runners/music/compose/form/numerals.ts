import { MODES, pitchClass } from "../../../notes.ts";
import type { Key, ScoreChord } from "../score.ts";
import chords from "./chords.json" with { type: "json" };
import { spell, tonicLetter } from "./scales.ts";

/** A chord without its time. */
export type Harmony = Omit<ScoreChord, "beat" | "beats">;

/** Semitones above the root, root first, by the suffix of the symbol. */
export const QUALITIES: Readonly<Record<string, readonly number[]>> = chords.qualities;

/** What a genre hangs on plain triads. */
export type Dress = "triad" | "add" | "open" | "seventh" | "ninth" | "power";

const NUMERAL =
  /^([b#]?)(VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)([^>/@]*)(?:>([^/@]+))?(?:\/([357]))?(?:@([b#]?)([1-7]))?$/u;
const DEGREES = ["i", "ii", "iii", "iv", "v", "vi", "vii"];
const MAJOR = MODES.major;
/** Suffixes as numerals write them on a small numeral, and what symbols write. */
const SMALL: Readonly<Record<string, string>> = chords.small;
const LARGE: Readonly<Record<string, string>> = chords.large;

/**
 * A chord from a numeral. Degrees count from the major scale on the tonic, whatever the mode, with `b` and `#`: "i", "bVI", "V7".
 * Small numerals are minor; suffixes follow (`°`, `ø7`, `maj7`, `sus4` …); `V7>ii` is the dominant of ii; `/3` puts the
 * chord's third in the bass, `@5` the key's fifth degree.
 *
 * @param dress what is hung on where the numeral says nothing; needs `draw`, uniform in [0, 1), for how much
 * @throws {RangeError} for a numeral it cannot read
 */
export function chordOf(numeral: string, key: Key, dress: Dress = "triad", draw = 0.5): Harmony {
  const found = NUMERAL.exec(numeral);
  if (found === null) throw new RangeError(`Cannot read numeral "${numeral}"`);
  const [, accidental, degree, suffix, target, inversion, pedal_accidental, pedal] = found;
  let [semitones, steps] = placeOf(accidental!, degree!);
  if (target !== undefined) {
    const of = NUMERAL.exec(target);
    if (of === null) throw new RangeError(`Cannot read numeral "${target}"`);
    const [more, further] = placeOf(of[1]!, of[2]!);
    semitones += more;
    steps += further;
  }
  const root = pitchClass(key.tonic + semitones);
  const small = degree === degree!.toLowerCase();
  const written = (small ? SMALL[suffix!] : (LARGE[suffix!] ?? suffix)) ?? suffix!;
  const plain = suffix === "" && target === undefined && inversion === undefined;
  const quality = plain ? dressed(small ? "m" : "", root, key, dress, draw) : written;
  const intervals = QUALITIES[quality];
  if (intervals === undefined) throw new RangeError(`Cannot read numeral "${numeral}": no quality "${quality}"`);
  const letter = tonicLetter(key) + steps;
  const tones = intervals.map((interval) => pitchClass(root + interval));
  const name = spell(root, letter) + quality;
  if (inversion !== undefined) {
    const bass = memberOf(tones, root, Number(inversion));
    return { root, bass, tones, symbol: `${name}/${spell(bass, letter + Number(inversion) - 1)}` };
  }
  if (pedal !== undefined) {
    const bass = pitchClass(key.tonic + MAJOR[Number(pedal) - 1]! + shiftOf(pedal_accidental!));
    if (bass !== root)
      return { root, bass, tones, symbol: `${name}/${spell(bass, tonicLetter(key) + Number(pedal) - 1)}` };
  }
  return { root, bass: root, tones, symbol: name };
}

function shiftOf(accidental: string): number {
  return accidental === "b" ? -1 : accidental === "#" ? 1 : 0;
}

function placeOf(accidental: string, degree: string): [semitones: number, steps: number] {
  const at = DEGREES.indexOf(degree.toLowerCase());
  return [MAJOR[at]! + shiftOf(accidental), at];
}

/** The chord's third, fifth or seventh (suspensions stand for the third). */
function memberOf(tones: readonly number[], root: number, member: number): number {
  const wanted = member === 3 ? [3, 4, 5, 2] : member === 5 ? [7, 6, 8] : [10, 11, 9];
  for (const interval of wanted) {
    const tone = pitchClass(root + interval);
    if (tones.includes(tone)) return tone;
  }
  return root;
}

function dressed(triad: "" | "m", root: number, key: Key, dress: Dress, draw: number): string {
  const inScale = (interval: number): boolean => MODES[key.mode].includes(pitchClass(root + interval - key.tonic));
  if (dress === "power") return "5";
  if (dress === "triad") return triad;
  const ninth = inScale(2);
  if (dress === "add") {
    if (draw > 0.3 || !ninth) return triad;
    return triad === "" ? (draw < 0.08 && inScale(7) ? "sus2" : "add9") : draw < 0.2 ? "m7" : "m(add9)";
  }
  if (dress === "open") {
    if (!ninth) return triad === "" ? (inScale(11) ? "maj7" : triad) : "m7";
    return draw < 0.25 ? "sus2" : draw < 0.75 ? (triad === "" ? "add9" : "m(add9)") : triad;
  }
  const full = dress === "ninth" && ninth && draw < 0.7;
  if (triad === "m") return full ? (draw < 0.12 && inScale(5) ? "m11" : "m9") : "m7";
  // A major chord takes the seventh that its key gives it; the dominant's is minor.
  if (inScale(11)) return full ? "maj9" : "maj7";
  return full ? "9" : "7";
}
