/** What stands between the brackets of a marker: the kind of section, its bars, who plays in it, and how it ends. */
import type { SectionKind } from "../../compose/mod.ts";

export interface Marker {
  readonly kind: SectionKind;
  readonly bars?: number;
  /** What is left of the words beside the kind: of a section without lines it is who plays. */
  readonly players?: string;
  readonly fades?: true;
}

/** First match counts. */
const KINDS: readonly (readonly [RegExp, SectionKind])[] = [
  [/pre[\s-]*(?:chorus|hook)|\blift\b|\bclimb\b/u, "prechorus"],
  [/\bbuild(?:[\s-]*up)?/u, "build"],
  [/post[\s-]*chorus|chorus|refrain|\bhook\b|estribillo|refr[aã]o|ritornello|coro\b/u, "chorus"],
  [/verse|stanza|\brap\b|estrofa|couplet|strophe|strofa|verso\b/u, "verse"],
  [/bridge|middle\s*(?:8|eight)|\bc[\s-]?part\b|puente|\bpont\b|br[uü]cke|\bponte\b/u, "bridge"],
  [/intro|opening|prelude/u, "intro"],
  [/outro|ending|\bend\b|\bcoda\b|fade\s*out|\bfin\b/u, "outro"],
  [/drop/u, "drop"],
  [/\bsolo\b/u, "solo"],
  [/break(?:down)?/u, "break"],
  [/instrumental|interlude|\briff\b|instr\b|\bmusic\b/u, "solo"],
];
const BARS = /(\d{1,3})[\s-]*(?:bars?|measures?|takte?|compases|compassos|mesures|battute)\b/u;
const BARS_MAX = 64;
const FADES = /\bfad(?:es?|ing)\b(?:[\s-]*(?:out|in|away))?/u;
/** Words of markers that name nobody. */
const NOBODY =
  /\b(?:instrumental|section|part|x\s?\d|\d\s?x|\d+|the|with|by|and|a|an|of|only|short|long|big|final|last)\b/gu;

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
