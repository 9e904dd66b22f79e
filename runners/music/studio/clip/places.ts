/** On which beats words put a drum: "snare on 2 and 4", "kick on 1 and the and of 3", "claps on the backbeat". */
import { clean, type Mention } from "../../../language/mod.ts";
import { piecesIn } from "./drum_words.ts";
import data from "./places.json" with { type: "json" };

/** By the names of drums, beats of a bar from 1 on. */
export type Places = Readonly<Record<string, readonly number[]>>;

const either = (words: readonly string[]): string =>
  [...words]
    .map((word) => clean(word).replaceAll(" ", " +"))
    .sort((one, other) => other.length - one.length)
    .join("|");
const cleaned = <T>(some: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(some).map(([word, value]) => [clean(word), value]));
const NUMBERS = cleaned<number>(data.numbers);
const NAMES = cleaned<readonly number[]>(data.named);
const NUMBER = `(?:[1-9]|${either(Object.keys(NUMBERS))})`;
const BEAT = `(?:(?:${either(data.halves)}) +)?${NUMBER}`;
/** "2拍と4拍にスネア", "2 ve 4'te trampet": before the drum. */
const BEFORE = new RegExp(
  `(?<![\\d.])(?:${either(data.behind.led)})?([1-9](?:(?:${either(data.behind.counters)}) *)?(?: *(?:${either(data.and)}) *(?:${either(data.behind.led)})?[1-9](?:${either(data.behind.counters)})?)*)(?<=${either(data.behind.counters)})`,
  "giu",
);
/** "Snare 2 and 4", right behind the drum. */
const BARE = new RegExp(
  `(?<![\\p{L}\\d])(${BEAT}(?: *(?:${either(data.and)}|,) *${BEAT})+)(?![\\p{L}\\d.]| *(?:${either(data.others)}))`,
  "giu",
);
const LISTED = new RegExp(
  `(?<!\\p{L})(?:${either(data.led)}) +(?:(?:${either(data.articles)}) +)?(?:(?:${either(data.beats)}) +)?(?:(?:${either(data.articles)}) +)?(${BEAT}(?: *(?:,|${either(data.and)}) *(?:(?:${either(data.led)}) +)?(?:(?:${either(data.articles)}) +)?${BEAT})*)(?![\\p{L}\\d.]| *(?:${either(data.others)}))`,
  "giu",
);
const EACH = new RegExp(`(${either(data.halves)})? *(${NUMBER})(?![\\p{sc=Latin}\\p{sc=Cyrillic}])`, "giu");
const NAMED = new RegExp(`(?<!\\p{L})(${either(Object.keys(data.named))})(?!\\p{L})`, "giu");
/** What says where, and is known by it. */
export const PLACE_WORDS: ReadonlySet<string> = new Set(
  [
    ...data.led,
    ...data.beats,
    ...data.and,
    ...data.halves,
    ...data.articles,
    ...data.behind.counters,
    "目",
    ...Object.keys(data.named),
  ].flatMap((one) => clean(one).split(" ")),
);
/** What may stand between a drum and its beats. */
const NEAR = 14;
/** What a drum is called by its sound, where beats say that it is one. */
const STRUCK: Readonly<Record<string, string>> = data.struck;

/** "Boom on the one" is a bass drum. */
export function asStruck(mentions: readonly Mention[], text: string): readonly Mention[] {
  const ends = new Set([...text.matchAll(LISTED)].map(({ index }) => index));
  return mentions.map((one) => {
    const drum = STRUCK[one.phrase];
    if (drum === undefined || piecesIn([one]).length > 0 || !ends.has(one.to + 1)) return one;
    return { ...one, concepts: [`drum:${drum}` as const] };
  });
}
/** Letters of a particle. */
const TOUCHING = 2;

/** @param text that the mentions were read in */
export function placesIn(mentions: readonly Mention[], text: string): Places {
  const out: Record<string, readonly number[]> = {};
  const put = (from: number, beats: readonly number[]): void => {
    const of = mentions.findLast(
      (one) => one.to <= from && one.polarity === "wanted" && piecesIn([one]).length > 0 && from - one.to <= NEAR,
    );
    if (of === undefined || /[;.]/u.test(text.slice(of.to, from))) return;
    for (const { name } of piecesIn([of])) out[name] ??= beats;
  };
  const drums = mentions.filter((one) => one.polarity === "wanted" && piecesIn([one]).length > 0);
  const putNext = (to: number, beats: readonly number[]): void => {
    const of = mentions.find((one) => one.from >= to && one.polarity === "wanted" && piecesIn([one]).length > 0);
    if (of === undefined || of.from - to > NEAR || /[;.,、，]/u.test(text.slice(to, of.from))) return;
    for (const { name } of piecesIn([of])) out[name] ??= beats;
  };
  for (const { index, 1: list } of text.matchAll(LISTED)) put(index, beatsOf(list!));
  for (const { 0: all, index, 1: list } of text.matchAll(BEFORE)) {
    // "キックは1拍目", "2拍にスネア".
    const at = drums.find(({ to }) => to <= index && index - to <= TOUCHING);
    if (at !== undefined && !/[,、，;.]/u.test(text.slice(at.to, index))) put(index, beatsOf(list!));
    else putNext(index + all.length, beatsOf(list!));
  }
  for (const { index, 1: list } of text.matchAll(BARE))
    if (drums.some(({ to }) => to <= index && text.slice(to, index).trim() === "")) put(index, beatsOf(list!));
  for (const { index, 1: word } of text.matchAll(NAMED))
    put(index, NAMES[word!.toLowerCase().replaceAll(/ +/gu, " ")]!);
  return out;
}

function beatsOf(list: string): readonly number[] {
  const found = [...list.matchAll(EACH)].map(([, half, number]) => {
    const beat = NUMBERS[number!.toLowerCase()] ?? Number(number);
    return half === undefined ? beat : beat + 0.5;
  });
  return [...new Set(found)].sort((one, other) => one - other);
}
