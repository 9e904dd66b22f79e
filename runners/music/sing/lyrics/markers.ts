/** What stands between the brackets of a marker: the kind of section, its bars, who plays in it, and how it ends. */
import type { SectionKind } from "../../compose/mod.ts";
import data from "./markers.json" with { type: "json" };

export interface Marker {
  readonly kind: SectionKind;
  readonly bars?: number;
  /** What is left of the words beside the kind: of a section without lines it is who plays. */
  readonly players?: string;
  readonly fades?: true;
}

/** In the languages that are sung. First match counts. */
const KINDS = data.kinds.map(({ kind, words }) => [new RegExp(words.join("|"), "u"), kind as SectionKind] as const);
const AGAIN = "(?:\\s*\\d+(?!\\s*x))?(?:\\s*\\(?(?:x\\s*\\d|\\d\\s*x))?";
/** A line that is a marker without brackets: "Chorus:", "Verse 2", "Припев:". */
const BARE = new RegExp(
  `^(?:\\*\\*|#+\\s*|\\()?((?:${data.bare.join("|")})${AGAIN})\\)?(?:\\*\\*|\\))?\\s*[:：]?$`,
  "iu",
);
const BARS = /(\d{1,3})[\s-]*(?:bars?|measures?|takte?|compases|compassos|mesures|battute)\b/u;
const BARS_MAX = 64;
const FADES = /\bfad(?:es?|ing)\b(?:[\s-]*(?:out|in|away))?/u;
/** Words of markers that name nobody. */
const NOBODY =
  /\b(?:instrumental|section|part|x\s?\d|\d\s?x|\d+|the|with|by|and|a|an|of|only|short|long|big|final|last)\b/gu;

/** "[Chorus: loud]" alone on its line, also in round or curly brackets where the word is one of ours, or "Chorus:" and "Verse 2". */
export function markerOf(line: string): string | null {
  const text = line.trim();
  const square = /^(?:\*\*|##*\s*)?[[{【]\s*([^\]}】]*)[\]}】](?:\*\*)?\s*:?$/u.exec(text);
  return square === null ? (BARE.exec(text)?.[1] ?? null) : square[1]!.trim();
}

/** Null for a marker that names no kind of section: a remark. */
export function readMarker(marker: string): Marker | null {
  const text = marker.toLowerCase();
  const found = KINDS.find(([pattern]) => pattern.test(text));
  if (found === undefined) return null;
  const [pattern, kind] = found;
  const bars = Math.min(BARS_MAX, Number(BARS.exec(text)?.[1] ?? 0));
  const players = text
    .replace(pattern, " ")
    .replace(BARS, " ")
    .replace(FADES, " ")
    .replace(/[^\p{L}\p{N}\s-]+/gu, " ")
    .replace(NOBODY, " ")
    .replace(/\s+/gu, " ")
    .trim();
  return {
    kind,
    ...(bars > 0 ? { bars } : {}),
    ...(players === "" ? {} : { players }),
    ...(FADES.test(text) ? { fades: true } : {}),
  };
}
