/** Who of two sings which section: "[Verse 2: Anna]", "[Chorus - Both]", "he sings verse 1, she sings verse 2". */
import type { Ask } from "../../language/mod.ts";
import type { Lyrics } from "../sing/mod.ts";
import words from "./turns.json" with { type: "json" };

/** A man or a woman, both, or whoever was named first or second. */
export type Turn = keyof typeof words | "first" | "second";

/** Of each section of lyrics who sings it; null where nobody is named. Empty where the words part nothing between two. */
export type Turns = readonly (Turn | null)[];

const LISTS = Object.entries(words) as readonly (readonly [keyof typeof words, readonly string[]])[];

/** @param isKnown whether words of a marker mean something to music: they name a manner then, and nobody */
export function turnsOf({ sections }: Lyrics, ask: Ask, isKnown: (words: string) => boolean): Turns {
  const said = turnsIn(ask);
  const counts = new Map<string, number>();
  const names: string[] = [];
  const turns = sections.map(({ kind, lines, players }): Turn | null => {
    if (lines.length === 0) return null;
    const nth = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, nth);
    const told = players === undefined ? undefined : turnIn(players);
    if (told !== undefined) return told;
    const name = players?.replace(/[^\p{L}\s]/gu, "").trim() ?? "";
    // "Anna & Ben".
    const all = name.split(/\s+/u);
    if (names.length > 1 && all.includes(names[0]!) && all.includes(names[1]!)) return "both";
    if (name !== "" && !isKnown(name)) {
      if (!names.includes(name)) names.push(name);
      return names.indexOf(name) === 1 ? "second" : "first";
    }
    return said.find((one) => one.section === kind && (one.nth === 0 || one.nth === nth))?.turn ?? null;
  });
  return new Set(turns.filter((turn) => turn !== null && turn !== "both")).size < 2 ? [] : turns;
}

/** By the words of a marker; undefined where none of them names anybody. */
function turnIn(players: string): Turn | undefined {
  const all = players.split(/[^\p{L}\p{M}]+/u);
  const found = LISTS.filter(([, list]) => all.some((word) => list.includes(word))).map(([turn]) => turn);
  // "Him and her".
  return found.includes("both") || found.length > 1 ? "both" : found[0];
}

interface Said {
  readonly section: string;
  readonly nth: number;
  readonly turn: "man" | "woman";
}

/** "Male sings verse 1": who is named in the clause of a place of the voice. */
function turnsIn({ form, mentions }: Ask): Said[] {
  return form.flatMap(({ who, where }): Said[] => {
    const voice = mentions[who[0] ?? -1];
    if (voice === undefined || where?.section === undefined) return [];
    const near = mentions.filter(
      ({ clause, from, to }) => clause === voice.clause && from <= voice.from && to <= voice.to,
    );
    const concepts = near.flatMap((one) => one.concepts);
    const is = (name: string): boolean => concepts.some((one) => one === `person:${name}` || one === `voice:${name}`);
    if (is("man") === is("woman")) return [];
    return [{ section: where.section, nth: where.nth ?? 0, turn: is("man") ? "man" : "woman" }];
  });
}
