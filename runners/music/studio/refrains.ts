/** What lyrics without markers are in a song of a kind: where the refrain is. */
import type { SongForm } from "../../packs/mod.ts";
import type { LyricSection } from "../sing/mod.ts";

/** A line of four bars makes a strophe of three lines: twelve bars. */
const BLUES_BARS = 4;
/** Lines from which a lone stanza has a refrain of its own, and from which that is four lines. */
const [LINES_MIN, LINES_LONG] = [4, 8];

/**
 * Lyrics that mark nothing and repeat nothing. A few lines alone are a refrain; in a genre of verses and choruses a
 * lone stanza closes with one, the second of two is one, a short second of three leads to one, and the third of four is
 * a bridge (AABA). In blues a pair of lines is a strophe of three, the first sung twice. Lyrics that mark or repeat
 * anything stay.
 */
export function interpreted(
  sections: readonly LyricSection[],
  form: SongForm,
  line_bars: number | undefined,
): readonly LyricSection[] {
  const plain = sections.every(({ marker, kind, lines }) => marker === null && kind === "verse" && lines.length > 0);
  const [first, second, third] = sections;
  if (!plain || first === undefined) return sections;
  if (line_bars === BLUES_BARS)
    return sections.map((section) => {
      const [line] = section.lines;
      const more = section.lines.length < 3 ? Array.from({ length: 3 - section.lines.length }, () => line!) : [];
      return { ...section, lines: [...more, ...section.lines] };
    });
  const refrain = (section: LyricSection): LyricSection => ({ ...section, kind: "chorus", label: "chorus" });
  if (second === undefined && first.lines.length < LINES_MIN && form !== "spans") return [refrain(first)];
  if (form !== "verse_chorus" && form !== "build_drop") return sections;
  if (second === undefined) {
    const { lines } = first;
    const from = lines.length - (lines.length >= LINES_LONG ? 4 : 2);
    return [{ ...first, lines: lines.slice(0, from) }, refrain({ ...first, lines: lines.slice(from) })];
  }
  if (sections.length === 2 && second.lines.length <= first.lines.length) return [first, refrain(second)];
  // A short stanza in the middle leads to the last.
  if (sections.length === 3 && 2 * second.lines.length <= Math.min(first.lines.length, third!.lines.length))
    return [first, { ...second, kind: "prechorus", label: "prechorus" }, refrain(third!)];
  if (sections.length === 4)
    return sections.map((section, at) => (at === 2 ? { ...section, kind: "bridge", label: "bridge" } : section));
  return sections;
}
