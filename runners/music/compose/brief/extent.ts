import type { Ask, Mention } from "../../../language/mod.ts";
import type { Brief } from "../brief.ts";

/** "A short song", "folk, short and sweet": said of the piece, not of a player or a section. */
export function extentOf({ mentions, form, seconds, bars }: Ask): Pick<Brief, "extent"> {
  if (seconds !== null || bars !== null) return {};
  for (const extent of ["short", "long"] as const) {
    if (form.some(({ what }) => what?.startsWith(`${extent} `) === true)) continue;
    if (mentions.some((one) => isOfPiece(one, `quality:${extent}`, mentions))) return { extent };
  }
  return {};
}

function isOfPiece(
  { concepts, polarity, of, clause }: Mention,
  quality: string,
  mentions: readonly Mention[],
): boolean {
  if (polarity !== "wanted" || !concepts.some((concept) => concept === quality)) return false;
  const played = (one: Mention | undefined): boolean =>
    one?.concepts.some((concept) => /^(?:instrument|drum|role|sound|effect):/u.test(concept)) === true;
  return of === null ? !mentions.some((one) => one.clause === clause && played(one)) : !played(mentions[of]);
}
