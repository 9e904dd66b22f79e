/** What words ask of a remix's source: what stays, how fast and how high it is played. */
import { type Ask, type Kind, kindOf, type Mention, type Understood } from "../../language/mod.ts";

export interface SourceAsked {
  readonly keep: readonly string[];
  readonly tempo: "slower" | "faster" | "half" | "double" | "same" | null;
  readonly semitones: number | null;
}

/** By source:, the tempo that is meant; the narrower first. */
const TEMPI = {
  half_speed: "half",
  double_speed: "double",
  same_speed: "same",
  slower: "slower",
  faster: "faster",
} as const;

/** Of the source's own, where a word says no more than how it changes. */
export const TEMPO_RATIOS = { slower: 0.86, faster: 1.16, half: 0.5, double: 2, same: 1 } as const;

const INTERVALS: Readonly<Record<string, number>> = { semitone: 1, tone: 2, third: 3, fourth: 5, fifth: 7, octave: 12 };

/** As nightcore has it. */
const PITCHED_SEMITONES = 3;

/** What can stay of a source, or go. */
const PARTS: ReadonlySet<string> = new Set<Kind>(["voice", "person", "instrument", "drum"]);

/** Languages whose verbs stand behind what they are said of. */
const VERB_LAST = ["ja", "ko", "tr", "hi"];

export function readSource({ mentions, languages, tempo }: Ask): SourceAsked {
  const heard = mentions.filter(({ polarity }) => polarity === "wanted" || polarity === "softened");
  // "Slower than the original" is compared, and asked for.
  const says = (name: string): boolean =>
    mentions.some(({ concepts, polarity }) => polarity !== "unwanted" && concepts.includes(`source:${name}`));
  const named = Object.entries(TEMPI).find(([name]) => says(name));
  const keep = heard.flatMap((one) => {
    if (one.concepts.includes("source:original")) return one.of === null ? [] : partsFrom(mentions, one.of, 1);
    if (!one.concepts.includes("source:keep")) return [];
    const at = mentions.indexOf(one);
    const [behind, before] = [partsFrom(mentions, at + 1, 1), partsFrom(mentions, at - 1, -1)];
    const [first, second] = VERB_LAST.includes(languages[0] ?? "") ? [before, behind] : [behind, before];
    return first.length > 0 ? first : second;
  });
  return {
    keep: [...new Set(keep)],
    tempo: named !== undefined && tempo === null ? named[1] : null,
    semitones: semitonesIn(heard),
  };
}

/** Parts that are named one after another from a mention on, in its clause. */
function partsFrom(mentions: readonly Mention[], from: number, step: 1 | -1): string[] {
  const out: string[] = [];
  for (let at = from; mentions[at]?.clause === mentions[from]?.clause; at += step) {
    const one = mentions[at];
    if (one === undefined || one.polarity === "unwanted") break;
    const part = partOf(one);
    const between = one.concepts.every((concept) => /^(?:mood|manner|source|dynamics|tempo):/u.test(concept));
    if (part.length === 0 && !between) break;
    out.push(...part);
  }
  return out;
}

function partOf({ concepts, phrase }: Mention): string[] {
  const kinds = concepts.map(kindOf);
  if (kinds.includes("instrument") || kinds.includes("drum")) return [phrase];
  return kinds.some((kind) => PARTS.has(kind)) ? ["vocals"] : [];
}

function semitonesIn(heard: readonly Mention[]): number | null {
  for (const { concepts, count, clause } of heard) {
    const interval = concepts.find((concept) => concept.startsWith("interval:"))?.slice("interval:".length);
    if (interval === undefined) continue;
    const says = (name: "up" | "down"): boolean =>
      heard.some((one) => one.clause === clause && one.concepts.includes(`source:${name}`));
    if (says("up") || says("down")) return INTERVALS[interval]! * (count ?? 1) * (says("down") ? -1 : 1);
  }
  // "Pitched up" and no interval.
  const pitched = heard.find(({ phrase }) => /^(?:pitch|transpos)/u.test(phrase))?.concepts ?? [];
  if (pitched.includes("source:up")) return PITCHED_SEMITONES;
  if (pitched.includes("source:down")) return -PITCHED_SEMITONES;
  return null;
}

/** What was understood of a remix, with what becomes of its source. Nobody sings again who sang there. */
export function remixedAs(understood: Understood, ask: Ask, sung: boolean): Understood {
  const source = readSource(ask);
  const { voice, guessed, without } = understood;
  const denied = ask.mentions.some((one) => one.polarity === "unwanted" && partOf(one).includes("vocals"));
  const mute = (denied && voice === null) || (understood.traits ?? []).includes("instrumental");
  const instead = sung ? "new vocals that sing the lyrics" : "instruments that play its tune";
  return {
    ...understood,
    source: { ...source, keep: [...source.keep] },
    voice: mute ? { singers: [], manner: ["instrumental"], who: [], ensemble: null } : voice,
    without: mute ? [...new Set([...without, "vocals"])] : without,
    guessed: [
      ...guessed,
      ...(source.keep.includes("vocals") ? [{ field: "source", value: instead, from: "keep vocals" }] : []),
      ...(mute && sung ? [{ field: "voice", value: instead, from: "no vocals" }] : []),
    ],
  };
}
