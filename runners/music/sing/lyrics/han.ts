/**
 * Han characters as they are read: Mandarin in pinyin without tones (a tune has its own), and in Japanese the readings
 * that songs use most.
 */
import { type Phoneme, phonemes } from "../phonemes.ts";
import data from "./han.json" with { type: "json" };

/*
 * `han.json` has for each syllable of pinyin the characters read so, 3,300 of the commonest in both scripts, each at
 * its commonest reading (Unihan's kMandarin, chosen with pypinyin 0.55; frequencies of wordfreq 3.1; `v` is ü), and
 * kanji with what they are sung as in romaji.
 */
const FINALS = soundsOf(data.finals);
const INITIALS = soundsOf(data.initials);

function soundsOf(table: Readonly<Record<string, string>>): ReadonlyMap<string, readonly Phoneme[]> {
  return new Map(Object.entries(table).map(([letters, sounds]) => [letters, phonemes(sounds)] as const));
}

/** Sounds of a syllable of pinyin; empty for what is none. */
function pinyin(syllable: string): Phoneme[] {
  // y and w only stand where a syllable begins with i, u or ü.
  const whole = syllable
    .replace(/^yu(?=$|e|a|n)/u, "v")
    .replace(/^yi/u, "i")
    .replace(/^y/u, "i")
    .replace(/^wu/u, "u")
    .replace(/^w/u, "u")
    .replace(/^([jqx])u/u, "$1v")
    .replace(/^iou$/u, "iu")
    .replace(/^uei$/u, "ui")
    .replace(/^uen$/u, "un");
  const [, initial = "", final = ""] = /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcs])?(.*)$/u.exec(whole) ?? [];
  // The i of zhi or si is no i but what the tongue's place leaves.
  if (final === "i" && /^(?:[zcs]|zh|ch|sh|r)$/u.test(initial)) return [...(INITIALS.get(initial) ?? []), "IH"];
  const held = FINALS.get(final);
  return held === undefined ? [] : [...(INITIALS.get(initial) ?? []), ...held];
}

let mandarin: ReadonlyMap<string, string> | undefined;

/** Sounds of a character in Mandarin; empty where it is none of the table's. */
export function mandarinOf(sign: string): Phoneme[] {
  // Of two readings the first counts.
  mandarin ??= new Map(
    Object.entries(data.pinyin)
      .reverse()
      .flatMap(([syllable, signs]) => [...signs].map((one) => [one, syllable])),
  );
  return pinyin(mandarin.get(sign) ?? "");
}

/** What a Japanese song has for the signs from `at` on: how many signs, and their reading in romaji; null where the table has none. */
export function kanjiAt(
  signs: readonly string[],
  at: number,
): { readonly count: number; readonly romaji: string } | null {
  for (let count = Math.min(3, signs.length - at); count > 0; count--) {
    const romaji = (data.kanji as Readonly<Record<string, string>>)[signs.slice(at, at + count).join("")];
    if (romaji !== undefined) return { count, romaji };
  }
  return null;
}
