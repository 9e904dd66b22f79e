/** Chords that a prompt names, in the key that they are in. */
import type { KeyAsked, Mode, NamedChord, ProgressionAsked } from "../../../language/mod.ts";
import { MODES, pitchClass } from "../../../notes.ts";
import type { Brief } from "../brief.ts";
import { QUALITIES } from "../form/numerals.ts";
import { isBright } from "../form/scales.ts";
import type { Key } from "../score.ts";

type Symbol = Extract<NamedChord, { readonly root: number }>;

/** What a key gains where the first or the last chord is its tonic's, where a dominant leads to it, and what a rare mode costs. */
const BEGINS = 0.3;
const ENDS = 0.25;
const LEADS = 0.175;
const RARE = 0.06;
const LIKELY = ["major", "minor", "dorian", "mixolydian"] as const;

/** The key as far as it was said, and what the chords tell of the rest. */
export function keyOfChords({ bars }: Pick<ProgressionAsked, "bars">, said: KeyAsked | null): KeyAsked | null {
  const chords = bars.flat();
  const symbols = chords.filter((chord): chord is Symbol => "root" in chord);
  if (symbols.length === 0) {
    const mode = said?.mode ?? modeOfDegrees(chords.map((chord) => ("degree" in chord ? chord.degree : "")));
    return said === null && mode === null ? null : { tonic: said?.tonic ?? null, mode };
  }
  let best: { readonly key: Key; readonly fit: number } | undefined;
  for (let tonic = 0; tonic < 12; tonic++) {
    if (said !== null && said.tonic !== null && said.tonic !== tonic) continue;
    for (const mode of said?.mode == null ? LIKELY : [said.mode]) {
      const fit = fitOf(symbols, { tonic, mode });
      if (best === undefined || fit > best.fit) best = { key: { tonic, mode }, fit };
    }
  }
  return best!.key;
}

/** In the key that chords of a sheet are in, as far as the words leave it open. */
export function keyedBy(brief: Brief, chords: readonly NamedChord[]): Brief {
  const said = new Set(brief.explicit);
  if (chords.length === 0 || said.has("key")) return brief;
  const { tonic, mode } = brief.key;
  const known = { tonic: said.has("tonic") ? tonic : null, mode: said.has("mode") ? mode : null };
  const { tonic: found, mode: found_mode } = keyOfChords({ bars: [chords] }, known)!;
  const explicit = [...brief.explicit.filter((field) => field !== "tonic" && field !== "mode"), "key"];
  return { ...brief, key: { tonic: found!, mode: found_mode! }, explicit };
}

/** "i" is minor's; figures count in major where nothing else is said. */
function modeOfDegrees(degrees: readonly string[]): Mode | null {
  if (degrees.some((degree) => /^\d$/u.test(degree))) return "major";
  const home = degrees.find((degree) => /^[iI](?![vViI])/u.test(degree));
  return home === undefined ? null : home.startsWith("i") ? "minor" : "major";
}

/** How well chords stand in a key, about 0 to 1, and more where they rest on its tonic. */
function fitOf(chords: readonly Symbol[], key: Key): number {
  const scale = MODES[key.mode].map((step) => pitchClass(key.tonic + step));
  // Minor borrows the leading note.
  if (key.mode === "minor") scale.push(pitchClass(key.tonic + 11));
  const is_tonic = ({ root, suffix }: Symbol): boolean => root === key.tonic && isMinor(suffix) === !isBright(key.mode);
  let inside = 0;
  let weights = 0;
  for (const chord of chords) {
    const tones = tonesOf(chord);
    const weight = is_tonic(chord) ? 2 : 1;
    inside += (weight * tones.filter((tone) => scale.includes(tone)).length) / tones.length;
    weights += weight;
  }
  const leads = chords.some(({ root, suffix }) => suffix === "7" && root === pitchClass(key.tonic + 7));
  return (
    inside / weights +
    (is_tonic(chords[0]!) ? BEGINS : 0) +
    (is_tonic(chords.at(-1)!) ? ENDS : 0) +
    (leads ? LEADS : 0) -
    (key.mode === "major" || key.mode === "minor" ? 0 : RARE)
  );
}

/** Bar by bar as `chordOf` reads it. */
export function numeralsOf({ bars }: Pick<ProgressionAsked, "bars">, key: Key): readonly (readonly string[])[] {
  return bars.map((bar) => bar.map((chord) => ("root" in chord ? numeralOf(chord, key) : degreeIn(chord.degree, key))));
}

const NUMERALS = ["I", "bII", "II", "bIII", "III", "IV", "#IV", "V", "bVI", "VI", "bVII", "VII"] as const;
/** Degrees of figures: "2-5-1". */
const MAJOR_DEGREES = ["I", "ii", "iii", "IV", "V", "vi", "vii°"] as const;
const MINOR_DEGREES = ["i", "ii°", "bIII", "iv", "v", "bVI", "bVII"] as const;
/** Suffixes as numerals write them, where symbols write others. */
const AS_NUMERAL: Readonly<Record<string, string>> = { aug: "+", "6/9": "69" };
const AS_SMALL: Readonly<Record<string, string>> = {
  ...{ m: "", m6: "6", m7: "7", m9: "9", m11: "11", dim: "°", dim7: "°7", m7b5: "ø7" },
  ...{ "m(add9)": "add9", "m(maj7)": "maj7" },
};

function numeralOf(chord: Symbol, key: Key): string {
  const { root, bass, suffix } = chord;
  const numeral = NUMERALS[pitchClass(root - key.tonic)]!;
  const small = AS_SMALL[suffix];
  const name =
    small === undefined ? `${numeral}${AS_NUMERAL[suffix] ?? suffix}` : `${numeral.replace(/[IV]+/u, lower)}${small}`;
  if (bass === root) return name;
  const above = pitchClass(bass - root);
  const member = tonesOf(chord).includes(bass) ? MEMBERS[above] : undefined;
  // Numerals have no inversion of other chord tones; a bass that is none of the chord's is a degree of the key.
  return member === undefined ? `${name}@${PEDALS[pitchClass(bass - key.tonic)]!}` : `${name}/${member}`;
}

const lower = (numeral: string): string => numeral.toLowerCase();
/** Third, fifth and seventh by the semitones above the root. */
const MEMBERS: Readonly<Record<number, number>> = { 3: 3, 4: 3, 6: 5, 7: 5, 8: 5, 10: 7, 11: 7 };
const PEDALS = ["1", "b2", "2", "b3", "3", "4", "#4", "5", "b6", "6", "b7", "7"] as const;

/** In minor, "VI" and "VII" are those of its own scale. */
function degreeIn(degree: string, key: Key): string {
  const bright = isBright(key.mode);
  if (/^[1-7]$/u.test(degree)) return (bright ? MAJOR_DEGREES : MINOR_DEGREES)[Number(degree) - 1]!;
  return bright ? degree : degree.replace(/^(?=(?:VII|VI|III)(?!I))/u, "b");
}

function tonesOf({ root, suffix }: Symbol): readonly number[] {
  return QUALITIES[suffix]!.map((interval) => pitchClass(root + interval));
}

const isMinor = (suffix: string): boolean => QUALITIES[suffix]!.includes(3) && !QUALITIES[suffix]!.includes(4);
