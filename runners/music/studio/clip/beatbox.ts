/** Drums that are spelled as beatboxers do: "boots and cats", "boom chick boom chick", "tss tss". */
import { clean } from "../../../language/mod.ts";
import data from "./beatbox.json" with { type: "json" };
import { type DrumWord, drumNamed } from "./drum_words.ts";
import type { Places } from "./places.ts";

const SPELLED = ["kick", "snare", "closed_hi_hat"] as const;
type Spelled = (typeof SPELLED)[number];

const DRUMS: ReadonlyMap<string, Spelled> = new Map(
  SPELLED.flatMap((drum) => data[drum].map((one) => [clean(one).toLowerCase(), drum] as const)),
);
const BETWEEN: ReadonlySet<string> = new Set(data.between.map(clean));
/** The words themselves. */
export const SYLLABLES: ReadonlySet<string> = new Set([...DRUMS.keys(), ...BETWEEN]);
const SYLLABLE = [...DRUMS.keys()].sort((one, other) => other.length - one.length).join("|");
const DENSE = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}";
const ROW = new RegExp(
  `(?<![^\\s,${DENSE}])(?:${SYLLABLE})(?:[\\s,-]*(?:(?:${[...BETWEEN].join("|")})[\\s,-]+)?(?:${SYLLABLE}))+(?![^\\s,.!${DENSE}])`,
  "iu",
);
const EACH = new RegExp(`(?<![\\p{sc=Latin}\\p{sc=Cyrillic}])(?:${SYLLABLE}|${[...BETWEEN].join("|")})`, "giu");
const BEATS = 4;

/** @returns the drums, and on which beats of a bar of four; null where none are spelled */
export function spelledIn(text: string): { readonly pieces: readonly DrumWord[]; readonly places: Places } | null {
  const [row] = ROW.exec(text.toLowerCase()) ?? [];
  if (row === undefined) return null;
  const said = [...row.matchAll(EACH)].map(([one]) => one);
  const drums = said.filter((one) => !BETWEEN.has(one)).map((one) => DRUMS.get(one)!);
  // "Boom boom" is an explosion's.
  if (new Set(drums).size < 2 && !drums.every((one) => one === "closed_hi_hat")) return null;
  const halved = drums.length < said.length;
  // "Boots and cats" goes on with "and".
  const steps: Spelled[] = said.map((one) => DRUMS.get(one) ?? "closed_hi_hat");
  if (halved && steps.length % 2 === 1) steps.push("closed_hi_hat");
  const step = halved || steps.length > BEATS ? 0.5 : 1;
  const on = new Map<Spelled, number[]>();
  for (let n = 0; n * step < BEATS; n++) {
    const drum = steps[n % steps.length]!;
    on.set(drum, [...(on.get(drum) ?? []), 1 + n * step]);
  }
  const pieces = [...on.keys()].map((drum) => drumNamed(drum));
  return { pieces, places: Object.fromEntries([...on].map(([drum, beats]) => [drumNamed(drum).name, beats])) };
}
