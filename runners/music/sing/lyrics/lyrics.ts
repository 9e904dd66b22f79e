/** Lyrics as a listener would hear them: sections, lines (one vocal phrase each), words, syllables, sounds. */
import type { NamedChord } from "../../../language/mod.ts";
import type { SectionKind } from "../../compose/mod.ts";
import { type Language, languageOf, lineLanguage } from "./languages.ts";
import { type Marker, markerOf, readMarker } from "./markers.ts";
import { chordsIn, markSheet, wordsIn } from "./sheets.ts";
import { type Word, wordsOf } from "./words.ts";

export interface Lyrics {
  readonly language: Language;
  /** In order; at least one where the text has any word or marker. A section without lines is played, not sung. */
  readonly sections: readonly LyricSection[];
}

export interface LyricSection {
  readonly kind: SectionKind;
  /** Sections of equal label share their material: a chorus is one, so is every verse. */
  readonly label: string;
  /** What stood between the brackets; null where the section was guessed. */
  readonly marker: string | null;
  readonly lines: readonly LyricLine[];
  /** Where nobody sings; absent: none are written. */
  readonly chords?: readonly NamedChord[];
  /** As the marker says: kept to the bar. */
  readonly bars?: number;
  /** Words that say who plays here: "guitar" of "[Solo: guitar]". */
  readonly players?: string;
  /** The end fades, or the beginning. */
  readonly fades?: true;
  /** Bars where it is played, and nothing says how many. */
  readonly usual_bars?: number;
}

export interface LyricLine {
  /** As written. */
  readonly text: string;
  /** At least one. */
  readonly words: readonly Word[];
  /** Written above or within it; absent: none are. */
  readonly chords?: readonly NamedChord[];
}

/** Reads any text. Never throws; what cannot be said (emoji, punctuation) is silent. */
export function readLyrics(text: string): Lyrics {
  const read = sectionsOf(markSheet(text.replace(/\r\n?|\u2028|\u2029/gu, "\n")));
  takeUp(read);
  const raw = repeated(read);
  const language = languageOf(wordsIn(raw.flatMap(({ lines }) => lines).join("\n")));
  const said = raw.map(({ read, ...section }) => ({
    ...section,
    ...directionsOf(read),
    ...linesOf(section.lines, language),
  }));
  // A stanza of signs alone is no section; a marker without lines is one that the band plays.
  const kept = said.filter(({ lines, marker }) => lines.length > 0 || marker !== null);
  const sections = kept.map((section) => {
    const sung = section.lines.length > 0 ? SUNG[section.kind] : undefined;
    return sung === undefined ? section : { ...section, kind: sung };
  });
  return { language, sections };
}

/**
 * In a break the band hardly plays, so one that is sung is a bridge: a voice over nothing stands 4 LU above it. A build
 * that is sung leads to a chorus.
 */
const SUNG: Readonly<Partial<Record<SectionKind, SectionKind>>> = { break: "bridge", build: "prechorus" };

/** Lines with their chords, those before a line among them; where nobody sings, chords alone. */
function linesOf(raw: readonly string[], language: Language): Pick<LyricSection, "lines" | "chords"> {
  const lines: LyricLine[] = [];
  let before: readonly NamedChord[] = [];
  // A chorus in Spanish shows itself by all of its lines rather than by each.
  const own = lineLanguage(wordsIn(raw.join("\n")), language);
  for (const marked of raw) {
    const text = wordsIn(marked).trim();
    const words = wordsOf(text, lineLanguage(text, own));
    const chords = [...before, ...chordsIn(marked)];
    before = words.length === 0 ? chords : [];
    if (words.length > 0) lines.push({ text, words, ...(chords.length === 0 ? {} : { chords }) });
  }
  return { lines, ...(lines.length > 0 || before.length === 0 ? {} : { chords: before }) };
}

function directionsOf(read: Marker | null): Pick<LyricSection, "bars" | "players" | "fades"> {
  if (read === null) return {};
  const { kind: _, ...directions } = read;
  return directions;
}

interface RawSection {
  kind: SectionKind;
  label: string;
  marker: string | null;
  /** What the marker says; null where there is none, or none of ours. */
  read: Marker | null;
  lines: string[];
}

function sectionsOf(text: string): RawSection[] {
  const sections: RawSection[] = [];
  let open: RawSection | null = null;
  let blank = true;
  const inline = /^\s*(\[[^\]\n]*\])[^\S\n]*(?=\S)/gmu;
  // Words on a marker's own line are the section's first.
  const apart = text.replace(inline, (all, marker: string) => (isKnown(marker) ? `${marker}\n` : all));
  for (const line of apart.split("\n")) {
    if (open !== null && isSign(line)) {
      open.lines.push(line.trim());
      continue;
    }
    const marker = markerOf(line);
    if (marker !== null) {
      const read = readMarker(marker);
      // An unknown marker ("[softly]", "[Anna]") is a remark: it opens a stanza of the kind that its words make it.
      open = { kind: read?.kind ?? "verse", label: read?.kind ?? "", marker, read, lines: [] };
      sections.push(open);
      blank = false;
      continue;
    }
    if (line.trim() === "") {
      blank = true;
      continue;
    }
    // Below a marker blank lines belong to the section; without one they part stanzas.
    if (open === null || (blank && open.marker === null)) {
      open = { kind: "verse", label: "", marker: null, read: null, lines: [] };
      sections.push(open);
    }
    open.lines.push(line.trim());
    blank = false;
  }
  withoutNumbers(sections);
  nameStanzas(sections);
  return sections.filter(({ lines, label, marker }) => lines.length > 0 || (marker !== null && label !== ""));
}

const NUMBERED = /^\(?(\d{1,2})[.):]\s*(?=\D|$)/u;

/** Hymn sheets number their stanzas, from 1 on, and nobody sings that; stanzas between may have no number, as refrains do. */
function withoutNumbers(sections: readonly RawSection[]): void {
  const numbered = sections.filter(({ lines }) => NUMBERED.test(lines[0] ?? ""));
  const numbers = numbered.map(({ lines }) => Number(NUMBERED.exec(lines[0]!)![1]));
  if (sections.length < 2 || numbers.length === 0 || numbers.some((number, at) => number !== at + 1)) return;
  for (const section of numbered) {
    const [first, ...rest] = section.lines;
    const words = first!.replace(NUMBERED, "");
    section.lines = words === "" ? rest : [words, ...rest];
  }
}

function isKnown(marker: string): boolean {
  return readMarker(marker) !== null;
}

/**
 * "[Chorus]" with nothing below it, after one that has words: the same words again, as lyric sheets mean it. Not
 * "[Chorus: instrumental]", and no more than fits into the longest lyrics a request may have; what does not is played.
 */
function takeUp(sections: readonly RawSection[]): void {
  const known = new Map<string, readonly string[]>();
  let length = sections.reduce((sum, { lines }) => sum + lengthOf(lines), 0);
  for (const section of sections) {
    const { kind, marker, lines } = section;
    if (marker === null || (kind !== "chorus" && kind !== "prechorus")) continue;
    const name = refrainOf(marker);
    if (lines.some((line) => !isSign(line) && isSung(line))) {
      known.set(name, lines);
      continue;
    }
    const before = INSTRUMENTAL.test(marker) ? undefined : known.get(name);
    if (before === undefined || length + lengthOf(before) > LYRICS_MAX) continue;
    length += lengthOf(before);
    section.lines = [...before.filter((line) => lines.length === 0 || !isSign(line)), ...lines];
  }
}

/**
 * "[Chorus x2]" is the section twice, and a line that ends in "(x2)" that line, up to four times, as far as the longest
 * lyrics that a request may have allow. The sign itself is not sung.
 */
function repeated(sections: readonly RawSection[]): RawSection[] {
  let length = sections.reduce((sum, { lines }) => sum + lengthOf(lines), 0);
  const timesOf = (sign: string | undefined, each: number): number => {
    const wanted = Number(/[2-4]/u.exec(sign ?? "")?.[0] ?? 1);
    const times = 1 + Math.min(wanted - 1, Math.max(0, Math.floor((LYRICS_MAX - length) / each)));
    length += (times - 1) * each;
    return times;
  };
  return sections.flatMap((section) => {
    const sung = section.lines.filter((line) => !isSign(line));
    if (!sung.some(isSung)) return [section];
    const alone = section.lines.find(isSign);
    const lines = sung.flatMap((line) => {
      const [, plain, sign] = LINE_AGAIN.exec(line) ?? [];
      return plain === undefined ? [line] : Array<string>(timesOf(sign, plain.length)).fill(plain);
    });
    const times = timesOf(SECTION_AGAIN.exec(alone ?? section.marker ?? "")?.[0], lengthOf(lines));
    return Array.from({ length: times }, () => ({ ...section, lines: [...lines] }));
  });
}

const SECTION_AGAIN = /\b(?:x ?[2-4]|[2-4] ?x)\b/iu;
/** What is sung, and the sign. */
const LINE_AGAIN = /^(.*\S)\s*([([]\s*(?:x\s?[2-4]|[2-4]\s?x)\s*[)\]]|(?<=\s)x[2-4])$/iu;

/** On a line of its own the sign is for all of its section. */
function isSign(line: string): boolean {
  return /^\s*[([]?\s*(?:x\s?[2-4]|[2-4]\s?x)\s*[)\]]?\s*$/iu.test(line);
}

/** Characters of `lyrics` in a request, at most. */
const LYRICS_MAX = 3000;
const INSTRUMENTAL = /instr|\bsolo\b|\bno (?:voice|vocals?|lyrics|singing)\b|without/iu;

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + wordsIn(line).length, 0);

/** "Final Chorus 2 (loud)" is the chorus; a post-chorus is not. */
function refrainOf(marker: string): string {
  const name = normal(marker.split(/[:(,–—]/u)[0] ?? "");
  return name
    .replace(/\b(?:final|last|first|second|third|repeat(?:ed|s)?|again|double|x ?\d+|\d+x?)\b/gu, "")
    .replace(/ +/gu, " ")
    .trim();
}

/** Lines that a pre-chorus has at most. */
const PRECHORUS_LINES = 4;

/**
 * A stanza that comes again, word for word, is a chorus; so is one whose first line does. A short one that comes again
 * and leads to another such each time is a pre-chorus. The rest are verses.
 */
function nameStanzas(sections: RawSection[]): void {
  const bodyOf = ({ lines }: RawSection): string => normal(lines.join(" "));
  const seen = new Map<string, number>();
  for (const section of sections) {
    if (section.label !== "" || section.lines.length === 0) continue;
    for (const key of new Set([bodyOf(section), normal(section.lines[0]!)])) seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const section of sections) {
    if (section.label !== "") continue;
    const again = Math.max(
      seen.get(bodyOf(section)) ?? 0,
      section.lines.length > 1 ? (seen.get(normal(section.lines[0] ?? "")) ?? 0) : 0,
    );
    section.kind = again > 1 ? "chorus" : "verse";
    if (section.lines.length > 0) section.label = section.kind;
  }
  const guessed = (section: RawSection | undefined): boolean => section?.marker === null && section.kind === "chorus";
  const leads = new Map<string, boolean>();
  for (const [at, section] of sections.entries()) {
    if (!guessed(section)) continue;
    const next = sections[at + 1];
    const short = section.lines.length <= Math.min(PRECHORUS_LINES, next?.lines.length ?? 0);
    const leading = guessed(next) && bodyOf(next!) !== bodyOf(section) && short && sections[at - 1]?.kind === "verse";
    leads.set(bodyOf(section), leading && leads.get(bodyOf(section)) !== false);
  }
  for (const section of sections)
    if (guessed(section) && leads.get(bodyOf(section)) === true) section.kind = section.label = "prechorus";
}

/** Chords alone are played. */
const isSung = (line: string): boolean => wordsIn(line).trim() !== "";

function normal(text: string): string {
  return wordsIn(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
