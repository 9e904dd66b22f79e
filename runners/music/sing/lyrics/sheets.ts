/** What lyric sheets carry beside the words, and nobody sings: chords over or within lines, times, tags of karaoke files. */

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

/**
 * The text without them. A line that has nothing else goes whole, so that no stanza is parted by it; where nothing would
 * be left to sing, all is words.
 */
export function withoutSheet(text: string): string {
  if (!/[[<{|]|\b[A-G][#b♯♭]?(?:\b|[md\d])/u.test(text)) return text;
  const words = text
    .split("\n")
    .flatMap((line) => {
      if (TAG.test(line) || isOfChords(line)) return [];
      const plain = line.replace(TIMES, "").replace(WITHIN, "");
      return plain.trim() === "" && line.trim() !== "" ? [] : [plain];
    })
    .join("\n");
  return /[\p{L}\p{N}]/u.test(words.replace(/^\s*\[[^\]\n]*\]\s*$/gmu, "")) ? words : text;
}

/** "Am   F   C", "| G | D7 |", "[Am] [F]". */
function isOfChords(line: string): boolean {
  const words = line.replace(/[[\]]/gu, " ").replace(/\|/gu, " | ").trim().split(/\s+/u);
  const chords = words.filter((word) => CHORD_ALONE.test(word));
  if (chords.length === 0 || !words.every((word) => ALONE.test(word))) return false;
  return !chords.every((chord) => PLAIN.test(chord)) || (chords.length > 1 && /\||\S\s{2,}\S|\]\s*\[/u.test(line));
}
