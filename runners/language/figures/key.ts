/** Keys and modes: "in F# minor", "c-moll", "la mineur", "minor key". Marks the tokens that it uses up. */
import { NATURALS, pitchClass } from "../../notes.ts";
import type { KeyAsked, Mode } from "../ask.ts";
import type { Lexicon } from "../lexicon.ts";
import type { Token } from "../tokens.ts";
import { isDenied } from "./denied.ts";
import data from "./figures.json" with { type: "json" };

/** German: H is B, B is B flat; -is raises, -es lowers. */
const GERMAN: Readonly<Record<string, number>> = data.german;
const SOLFEGE: Readonly<Record<string, number>> = data.solfege;
const ACCIDENTALS: Readonly<Record<string, number>> = data.accidentals;
/** Maqams, ragas and the like, each as the mode that is nearest to it in twelve tones. */
const SCALES = data.scales as Readonly<Record<string, Mode>>;
const MODES: Readonly<Record<string, Mode>> = { ...(data.modes as Readonly<Record<string, Mode>>), ...SCALES };
const EAST_NOTES: Readonly<Record<string, number>> = data.east_notes;
const EAST_MODES = data.east_modes as Readonly<Record<string, Mode>>;
const SIGNS_BEFORE: Readonly<Record<string, number>> = { 嬰: 1, 올림: 1, 升: 1, 變: -1, 変: -1, 내림: -1, 降: -1 };
/** After "a minor", these make "a" the article. */
const MODE_NOUNS = new Set(data.mode_nouns);
/** What is not a note although it is written like one. */
const KEY_HEADS = new Set(["key", "tonality", "scale", "tonalite", "tonalidad", "tonart", "tonalita"]);

/** "in F# minor", "Bb major", "key of D", "c-moll", "A dorian", "la mineur"; "minor key" says the mode alone. */
export function readKey(tokens: readonly Token[], used: boolean[], lexicon: Lexicon): KeyAsked | null {
  let mode_only: KeyAsked | null = null;
  for (let at = 0; at < tokens.length; at++) {
    if (used[at]) continue;
    const token = tokens[at]!;
    const east =
      /^(嬰|變|変|올림|내림)?([ハニホヘトイロ다라마바사가나])?(長調|短調|大调|小调|大調|小調|장조|단조|メジャー|マイナー|메이저|마이너)/u.exec(
        token.word,
      );
    if (east !== null) {
      const latin = tokens[at - 1];
      const [, sign, note, mode] = east;
      const letter = latin !== undefined && !token.after_break ? NATURALS[latin.word.toUpperCase()] : undefined;
      // "降E大调": the sign stands before the letter.
      const before = letter === undefined || latin!.after_break ? undefined : tokens[at - 2]?.word.at(-1);
      const change = SIGNS_BEFORE[sign ?? before ?? ""] ?? 0;
      const tonic = note === undefined ? (letter ?? null) : EAST_NOTES[note]!;
      if (token.word.length === east[0].length)
        used.fill(true, note === undefined && letter !== undefined ? at - 1 : at, at + 1);
      return { tonic: tonic === null ? null : pitchClass(tonic + change), mode: EAST_MODES[mode!]! };
    }
    const found = keyAt(tokens, at, lexicon);
    if (found !== null) {
      used.fill(true, at, found.end);
      if (!isDenied(tokens, at)) return found;
      at = found.end - 1;
      continue;
    }
    const mode = MODES[token.word];
    if (mode === undefined || mode_only !== null || token.word === "min" || token.word === "maj") continue;
    const next = tokens[at + 1];
    const named = (mode !== "major" && mode !== "minor") || Object.hasOwn(SCALES, token.word);
    const noun = next !== undefined && !next.after_break && (MODE_NOUNS.has(next.word) || next.word === "chords");
    const alone = token.after_break && (next === undefined || next.after_break);
    const in_it =
      tokens[at - 1]?.word === "in" &&
      (next === undefined || next.after_break || /^(?:and|but|with|at)$/u.test(next.word));
    if ((named || noun || alone || in_it) && !isDenied(tokens, at)) {
      mode_only = { tonic: null, mode };
      // A chord is a kind of clip as well.
      used.fill(true, at, at + (noun && !next.word.startsWith("chord") ? 2 : 1));
    }
  }
  return mode_only;
}

function keyAt(tokens: readonly Token[], at: number, { exact }: Lexicon): (KeyAsked & { readonly end: number }) | null {
  const { raw, word, after_break } = tokens[at]!;
  const before = after_break ? "" : (tokens[at - 1]?.word ?? "");
  const headed =
    KEY_HEADS.has(tokens[at - 1]?.word ?? "") || (before === "of" && KEY_HEADS.has(tokens[at - 2]?.word ?? ""));
  const led = before === "in" || before === "en" || before === "im" || headed;
  const near = (n: number): Token | undefined => (tokens[n]?.after_break ? undefined : tokens[n]);

  // "Am", "F#m", "Cmin", "Bbm", "Ebmaj": as musicians write it, capital first.
  const short = /^([A-G])(b?)(m|min|maj)$/u.exec(raw);
  if (short !== null) {
    const next = near(at + 1);
    const plain = led || (after_break && next === undefined) || short[2] !== "" || short[3] !== "m";
    const spoken = raw === "Am" || raw === "Dm" || raw === "Em";
    if (plain || (!spoken && /^[A-G]m$/u.test(raw)) || (after_break && raw !== "Am")) {
      return {
        tonic: (NATURALS[short[1]!]! + (short[2] === "b" ? 11 : 0)) % 12,
        mode: short[3] === "maj" ? "major" : "minor",
        end: at + 1,
      };
    }
  }

  const german_mode = near(at + 1)?.word ?? "";
  if (GERMAN[word] !== undefined && /^(?:dur|moll|dorisch|groot|klein|majeur|mineur|дур|моль)$/u.test(german_mode))
    return { tonic: GERMAN[word], mode: MODES[german_mode]!, end: at + 2 };
  const letters = /^([a-g])(b?)$/u.exec(word);
  const flat = letters?.[2] === "b";
  const natural = letters === null ? SOLFEGE[word] : NATURALS[letters[1]!.toUpperCase()]!;
  if (natural === undefined) return null;
  const change = ACCIDENTALS[near(at + 1)?.word ?? ""];
  const end = at + (change === undefined ? 1 : 2);
  const tonic = pitchClass(natural - (flat ? 1 : 0) + (change ?? 0));
  const changed = change !== undefined || flat;

  // "F#m", "C # min": the mode stuck to the sharp.
  const after = near(end);
  if (after !== undefined && changed && (after.word === "m" || after.word === "min")) {
    return { tonic, mode: "minor", end: end + 1 };
  }
  // "A natural minor", "C harmonic minor", "E melodic minor".
  const bent = after !== undefined && /^(?:natural|harmonic|melodic)$/u.test(after.word) ? 1 : 0;
  const said = near(end + bent);
  const mode = said === undefined ? undefined : MODES[said.word];
  if (mode !== undefined) {
    const next = near(end + bent + 1);
    if (word === "a" && !headed && bent === 0 && isArticle(tokens[at]!, mode, next, led, exact)) return null;
    // "do major", "si minor" are rare; "do minor changes" is English.
    if (word === "do" && next !== undefined && (said!.word === "minor" || said!.word === "major")) return null;
    return { tonic, mode, end: end + bent + (next?.word === "pentatonic" ? 2 : 1) };
  }
  // "C pentatonic" is of the major scale; "a pentatonic tune" is an article's.
  if (said?.word === "pentatonic" && (letters === null || word !== "a" || led))
    return { tonic, mode: "major", end: end + bent + 1 };
  // "key of D", "in Bb", "in E": no mode said. A lone "a" or a small letter is a word.
  if (letters === null) {
    // "In mi", "en sol": where nothing follows that it could be of.
    const closes = led || before === "em";
    return closes && after === undefined ? { tonic, mode: null, end } : null;
  }
  const ends = after === undefined || /^(?:key|with|at|and|but|not|no|or|please|tuning|bpm|\d.*)$/u.test(after.word);
  // "Blues in E slow and dirty"; "in A" may be an article's.
  const last = ends || (word !== "a" && raw !== word && before === "in" && !exact.has(word + after.word));
  // A small letter that ends its clause behind "in" is one as well: "1 bar in g".
  const closes = after === undefined;
  if (
    headed ||
    (led && (changed || closes || (raw !== word && last))) ||
    (changed && after_break && after === undefined)
  ) {
    return { tonic, mode: null, end };
  }
  return null;
}

/** "A minor techno track" is a key; "a minor techno track", "A major hit" are articles. */
function isArticle(
  { raw, after_break }: Token,
  mode: Mode,
  next: Token | undefined,
  led: boolean,
  known: Lexicon["exact"],
): boolean {
  if (next === undefined || (mode !== "major" && mode !== "minor")) return false;
  if (MODE_NOUNS.has(next.word) && !(raw === "A" && next.word === "scale")) return true;
  if (raw === "A" && (!after_break || next.word === "key")) return false;
  if (/^(?:with|at|and|key|bpm|for|pentatonic|\d.*)$/u.test(next.word)) return false;
  return !known.has(next.word) || !(led || (raw === "A" && mode === "minor"));
}
