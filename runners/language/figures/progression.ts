/**
 * Chords one after another: "Am F C G", "Dm7 - G7 - Cmaj7", "| C | G/B Am |", "I-V-vi-IV", "2-5-1 progression",
 * "Andalusian cadence".
 */
import { NATURALS, pitchClass } from "../../notes.ts";
import type { NamedChord, ProgressionAsked } from "../ask.ts";
import { clean } from "../tokens.ts";
import data from "./progressions.json" with { type: "json" };

/** As music writes them, by how people do. */
const SUFFIXES: Readonly<Record<string, string>> = data.suffixes;
const NAMED: Readonly<Record<string, string>> = data.named;

const CHORD = `([A-G])([#b]?)(${oneOf(Object.keys(SUFFIXES))})(?:/([A-G])([#b]?))?(?![\\p{L}\\d#+(])`;
const DEGREE = `([b#]?)(VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)(${oneOf(data.degree_suffixes)})(?![\\p{L}\\d])`;
const BETWEEN = "(?:\\s*(?:->|[-–—>→,|:])+\\s*|,?\\s+(?:(?:to|and|then)\\s+)?)";
const LED = "(?:(?:chord )?progressions?|chord changes|chords?|cadence|vamp|turnaround|harmony)";
const IS_LED = new RegExp(
  `\\b${LED}(?: (?:of|in|is|are|from|like|goes|going|with|using|between|over))* *[:(\\[|,"']* *$`,
  "iu",
);
const LEADS = new RegExp(`^["'|)\\]]* *${LED}\\b`, "iu");
/** "Am F C G piano chords": what they are of stays. */
const LEADS_LATER = new RegExp(`^["'|)\\]]* *\\p{L}+ ${LED}\\b`, "iu");
/** Letters that are no chords: "notes C D E", "tuned D A D G", "in A, B or C". */
const NO_CHORDS = new RegExp(`\\b(?:${data.not_chords})(?:\\s+(?:of|to|in|are|is))*[\\s:]*$`, "iu");
const NO_FORM = /^\s*(?:form|structure|rhyme|sections?|notes?|tuning|scale|strings?)\b/iu;

/** As many as are a progression by themselves, and beside a word that says so. */
const CHORDS_MIN = 3;
const LED_MIN = 2;

/** The first progression that stands in it; its places are the text's. @param cleaned as `clean` leaves it */
export function readProgression(cleaned: string): ProgressionAsked | null {
  return symbolsIn(cleaned) ?? degreesIn(cleaned) ?? figuresIn(cleaned) ?? namedIn(cleaned);
}

const CHORDS = runsOf(CHORD, "(?<![\\p{L}\\d#])");
const DEGREES = runsOf(DEGREE, "(?<![\\p{L}\\d#])");
const FIGURES = runsOf("[1-7](?!\\d)", "(?<![\\p{L}\\d/.-])");
const EACH_CHORD = new RegExp(CHORD, "gu");
const EACH_DEGREE = new RegExp(DEGREE, "gu");
const ALONE = new RegExp(`^${CHORD}$`, "u");

/** "F#m7", "C/E", as sheets write it; null where it is none. */
export function readChord(text: string): NamedChord | null {
  const found = ALONE.exec(clean(text));
  return found === null ? null : chordOf(found);
}

function chordOf([, letter, sign, suffix, below, below_sign]: RegExpExecArray): NamedChord {
  const root = classOf(letter!, sign!);
  const bass = below === undefined ? root : classOf(below, below_sign!);
  return { root, bass, suffix: SUFFIXES[suffix!]! };
}

function symbolsIn(text: string): ProgressionAsked | null {
  return runIn(text, CHORDS, (run, is_led) => {
    const chords = [...run.matchAll(EACH_CHORD)];
    // "A B A" may be a form, and "A" a word.
    if (!is_led && chords.every(([one]) => /^[A-G]$/u.test(one)) && !/[|–—>→-]/u.test(run) && !/[D-G]/u.test(run))
      return null;
    return chords.map((found): Placed => ({ at: found.index, chord: chordOf(found) }));
  });
}

function degreesIn(text: string): ProgressionAsked | null {
  return runIn(text, DEGREES, (run, is_led) => {
    const degrees = [...run.matchAll(EACH_DEGREE)];
    const is_mixed = /[iv]/u.test(run) && /[IV]/u.test(run);
    // "Parts I, II and III".
    if (!is_led && !is_mixed && !(/[-–—>→]/u.test(run) && /V/u.test(run))) return null;
    return degrees.map((found): Placed => ({ at: found.index, chord: { degree: degreeOf(found) } }));
  });
}

/** Diminished chords are written small and augmented ones large, whatever was; an eleventh on a large one has no third. */
function degreeOf([, sign, degree, said]: RegExpExecArray): string {
  const suffix = said!.replace(/^(?:o|dim)/u, "°").replace("aug", "+");
  if (suffix.startsWith("°")) return sign + degree!.toLowerCase() + suffix;
  if (suffix === "+") return sign + degree!.toUpperCase() + suffix;
  return sign + degree! + (suffix === "11" && /[IV]/u.test(degree!) ? "9sus4" : suffix);
}

/** "1-5-6-4": only beside a word that says what the figures are. */
function figuresIn(text: string): ProgressionAsked | null {
  return runIn(text, FIGURES, (run, is_led) =>
    is_led && /[1-7]-[1-7]-[1-7]/u.test(run)
      ? [...run.matchAll(/[1-7]/gu)].map(({ 0: degree, index }) => ({ at: index, chord: { degree } }))
      : null,
  );
}

function namedIn(text: string): ProgressionAsked | null {
  const plain = text.toLowerCase().replaceAll("-", " ");
  for (const [name, degrees] of Object.entries(NAMED)) {
    const from = plain.indexOf(name);
    if (from >= 0) return { from, to: from + name.length, bars: degrees.split(" ").map((degree) => [{ degree }]) };
  }
  return null;
}

interface Placed {
  /** Place in the run. */
  readonly at: number;
  readonly chord: NamedChord;
}

/** Two and more of what `one` matches, one after another, that stand behind `behind`. */
function runsOf(one: string, behind: string): RegExp {
  const plain = one.replaceAll(/(?<!\\)\((?!\?)/gu, "(?:");
  return new RegExp(`${behind}${plain}(?:${BETWEEN}${plain})+`, "gu");
}

/** The first of the runs that `read` takes. */
function runIn(
  text: string,
  runs: RegExp,
  read: (run: string, is_led: boolean) => readonly Placed[] | null,
): ProgressionAsked | null {
  for (const { 0: run, index } of text.matchAll(runs)) {
    const before = text.slice(0, index);
    const after = text.slice(index + run.length);
    const lead = IS_LED.exec(before)?.[0].length ?? 0;
    const follow = LEADS.exec(after)?.[0].length ?? 0;
    const is_led = lead + follow > 0 || LEADS_LATER.test(after);
    if (!is_led && (NO_CHORDS.test(before) || NO_FORM.test(after))) continue;
    const placed = read(run, is_led);
    if (placed === null || placed.length < (is_led ? LED_MIN : CHORDS_MIN)) continue;
    // What says that these are chords says nothing else.
    return { from: index - lead, to: index + run.length + follow, bars: barsOf(run, placed) };
  }
  return null;
}

/** Bars as strokes part them; without strokes each chord has one bar. */
function barsOf(run: string, placed: readonly Placed[]): readonly (readonly NamedChord[])[] {
  const parts = run.split("|");
  if (parts.length < 2) return placed.map(({ chord }) => [chord]);
  let begin = 0;
  return parts
    .map((part) => {
      const within = placed.filter(({ at }) => at >= begin && at < begin + part.length);
      begin += part.length + 1;
      return within.map(({ chord }) => chord);
    })
    .filter((bar) => bar.length > 0);
}

/** The longest first. */
function oneOf(words: readonly string[]): string {
  return words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[+()]/gu, "\\$&"))
    .join("|");
}

function classOf(letter: string, sign: string): number {
  return pitchClass(NATURALS[letter]! + (sign === "#" ? 1 : sign === "b" ? -1 : 0));
}
