/** On which beats words put a drum: "snare on 2 and 4", "kick on 1 and the and of 3", "claps on the backbeat". */
import type { Mention } from "../../../language/mod.ts";
import { piecesIn } from "./drum_words.ts";
import data from "./places.json" with { type: "json" };

/** By the names of drums, beats of a bar from 1 on. */
export type Places = Readonly<Record<string, readonly number[]>>;

const either = (words: readonly string[]): string => words.map((word) => word.replaceAll(" ", " +")).join("|");
const NUMBERS: Readonly<Record<string, number>> = data.numbers;
const NUMBER = `(?:[1-9]|${either(Object.keys(NUMBERS))})`;
const BEAT = `(?:(?:${either(data.halves)}) +)?${NUMBER}`;
const LISTED = new RegExp(
  `(?<!\\p{L})(?:${either(data.led)}) +(?:(?:${either(data.beats)}) +)?(${BEAT}(?: *(?:,|${either(data.and)}) *(?:(?:${either(data.led)}) +)?${BEAT})*)(?![\\p{L}\\d.]| *(?:${either(data.others)}))`,
  "giu",
);
const EACH = new RegExp(`(${either(data.halves)})? *(${NUMBER})(?!\\p{L})`, "giu");
const NAMED = new RegExp(`(?<!\\p{L})(${either(Object.keys(data.named))})(?!\\p{L})`, "giu");
/** What says where, and is known by it. */
export const PLACE_WORDS: ReadonlySet<string> = new Set(
  [...data.led, ...data.beats, ...data.and, ...data.halves, ...Object.keys(data.named)].flatMap((one) =>
    one.split(" "),
  ),
);
/** What may stand between a drum and its beats. */
const NEAR = 14;

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
  for (const { index, 1: list } of text.matchAll(LISTED)) put(index, beatsOf(list!));
  for (const { index, 1: word } of text.matchAll(NAMED))
    put(
      index,
      (data.named as Readonly<Record<string, readonly number[]>>)[word!.toLowerCase().replaceAll(/ +/gu, " ")]!,
    );
  return out;
}

function beatsOf(list: string): readonly number[] {
  const found = [...list.matchAll(EACH)].map(([, half, number]) => {
    const beat = NUMBERS[number!.toLowerCase()] ?? Number(number);
    return half === undefined ? beat : beat + 0.5;
  });
  return [...new Set(found)].sort((one, other) => one - other);
}
