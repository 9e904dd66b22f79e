/** Lines that are longer than a breath, in parts that each have a place of their own. */
import type { LyricLine } from "../lyrics/lyrics.ts";
import type { Word } from "../lyrics/words.ts";

/** Syllables that are still sung in one go, and about how many a part of a longer line has. */
const [WHOLE, PART] = [22, 13];

/**
 * The line itself, or parts of it of about equal length, which end where words do, best at commas; a word that is
 * longer than a part is parted too.
 */
export function partsOf(line: LyricLine): LyricLine[] {
  const total = line.words.reduce((sum, { syllables }) => sum + syllables.length, 0);
  if (total <= WHOLE) return [line];
  const size = total / Math.ceil(total / PART);
  const parts: Word[][] = [[]];
  let [count, before] = [0, 0];
  for (const word of line.words.flatMap((word) => pieces(word, Math.ceil(size)))) {
    const part = parts[parts.length - 1]!;
    const over = count + word.syllables.length - size * parts.length;
    const paused = part.at(-1)?.pause === true && count - before > 0.5 * size;
    // A word goes where most of it belongs.
    if (part.length > 0 && (over > 0.5 * word.syllables.length || (paused && over > -0.5 * size))) {
      parts.push([]);
      before = count;
    }
    parts[parts.length - 1]!.push(word);
    count += word.syllables.length;
  }
  return parts.map((words) => ({ text: line.text, words }));
}

function pieces(word: Word, size: number): Word[] {
  if (word.syllables.length <= size) return [word];
  return Array.from({ length: Math.ceil(word.syllables.length / size) }, (_, n): Word => {
    const syllables = word.syllables.slice(n * size, (n + 1) * size);
    return n === 0 ? { ...word, syllables } : { ...word, syllables, goes_on: true };
  });
}
