/**
 * What lyric sheets carry beside the words, and nobody sings: chords over or within lines, times, tags of karaoke files.
 * Chords go before the words of their line, between marks.
 */
import { type NamedChord, readChord } from "../../../language/mod.ts";

const QUALITY = "(?:maj|min|dim|aug|sus|add|mi|ma|m|M|°|ø|\\+|-)";
/** "A", "F#m7", "Bbmaj9", "Gsus4", "C7(b9)", "D/F#". */
const CHORD = `[A-G][#b♯♭]?(?:${QUALITY}?\\d{0,2}){1,3}(?:\\([#b♯♭+]?\\d{1,2}\\))?(?:/[A-G][#b♯♭]?)?`;
const WITHIN = new RegExp(`\\[${CHORD}\\](?=.*\\S)|(?<=\\S.*)\\[${CHORD}\\]`, "gu");
const ALONE = new RegExp(`^(?:N\\.?C\\.?|${CHORD}|\\|+:?|:?\\|+|[-/%x.]|\\(?x\\d\\)?)$`, "u");
const CHORD_ALONE = new RegExp(`^${CHORD}$`, "u");
/** More than a letter: "A" is a word, and "A B C" may be sung. */
const PLAIN = /^[A-G]$/u;
/** "[00:12.34]" of LRC files, "<00:12.34>" of their words. */
const TIMES = /\[\d{1,3}:\d{2}(?:[.:]\d{1,3})?\]|<\d{1,3}:\d{2}(?:[.:]\d{1,3})?>/gu;
const TAG =
  /^\s*[[{](?:ar|ti|al|au|by|offset|length|re|ve|capo|artist|title|subtitle|composer|lyricist|album|year|key|tempo|time|t|st)\s*:[^\]}]*[\]}]\s*$/iu;

/** Of private use, so that no writing has it. */
const MARK = "\ue000";
const MARKED = new RegExp(`${MARK}([^${MARK}]*)${MARK}`, "gu");

/**
 * The text with its chords between marks, without all else. A line of chords goes to the words below it; where none are
 * below it, it stays by itself. A line that has only times goes whole, so that no stanza is parted by it; where nothing
 * would be left to sing, all is words.
 */
export function markSheet(text: string): string {
  const given = text.replaceAll(MARK, "");
  if (!/[[<{|]|\b[A-G][#b♯♭]?(?:\b|[md\d])/u.test(given)) return given;
  const lines: string[] = [];
  let above: string[] = [];
  const put = (words: string, chords: readonly string[]): void => {
    lines.push(chords.length === 0 ? words : `${MARK}${chords.join(" ")}${MARK}${words}`);
  };
  const leave = (): void => {
    if (above.length > 0) put("", above);
    above = [];
  };
  for (const line of given.split("\n")) {
    if (TAG.test(line)) continue;
    if (isOfChords(line)) {
      leave();
      above = chordsOf(line);
      continue;
    }
    const within = [...line.matchAll(WITHIN)].map(([chord]) => chord.slice(1, -1));
    const plain = line.replace(TIMES, "").replace(WITHIN, "");
    if (plain.trim() === "" && line.trim() !== "") {
      above.push(...within);
      continue;
    }
    if (plain.trim() === "" || /^\s*\[[^\]]*\]\s*$/u.test(plain)) leave();
    put(plain, [...above, ...within]);
    above = [];
  }
  leave();
  const words = lines.join("\n");
  return /[\p{L}\p{N}]/u.test(wordsIn(words).replace(/^\s*\[[^\]\n]*\]\s*$/gmu, "")) ? words : given;
}

/** What is sung of marked text. */
export const wordsIn = (marked: string): string => marked.replace(MARKED, "");

/** The chords of a marked line, in order. */
export function chordsIn(marked: string): NamedChord[] {
  return [...marked.matchAll(MARKED)].flatMap(([, chords]) =>
    chords!.split(" ").flatMap((one) => readChord(one) ?? []),
  );
}

function chordsOf(line: string): string[] {
  return line
    .replace(/[[\]|]/gu, " ")
    .split(/\s+/u)
    .filter((word) => CHORD_ALONE.test(word));
}

/** "Am   F   C", "| G | D7 |", "[Am] [F]". */
function isOfChords(line: string): boolean {
  const words = line.replace(/[[\]]/gu, " ").replace(/\|/gu, " | ").trim().split(/\s+/u);
  const chords = words.filter((word) => CHORD_ALONE.test(word));
  if (chords.length === 0 || !words.every((word) => ALONE.test(word))) return false;
  return !chords.every((chord) => PLAIN.test(chord)) || (chords.length > 1 && /\||\S\s{2,}\S|\]\s*\[/u.test(line));
}
