/** Decades: "80s", "1985", "early nineties". Marks the tokens that it uses up. */
import type { Token } from "../tokens.ts";
import data from "./figures.json" with { type: "json" };

const SPELT_DECADES: Readonly<Record<string, number>> = {
  ...{ twenties: 1920, thirties: 1930, forties: 1940, fifties: 1950, sixties: 1960, seventies: 1970, eighties: 1980 },
  ...{ nineties: 1990, noughties: 2000, aughts: 2000, y2k: 2000 },
};
/** After "30s", these make it a length. */
const LENGTHS = new Set(["loop", "clip", "long", "spot", "ad", "cut", "bumper", "jingle", "sting", "duration"]);

const ERA_WORDS: Readonly<Record<string, number>> = { victorian: 1880, renaissance: 1550, prehistoric: 0 };

/** Decade, such as 1980: "80s", "1985", "early nineties", "y2k", "medieval" is for the lexicon. */
export function readEra(tokens: readonly Token[], used: boolean[]): number | null {
  for (let at = 0; at < tokens.length; at++) {
    const { word } = tokens[at]!;
    const spelt = SPELT_DECADES[word] ?? ERA_WORDS[word];
    if (spelt !== undefined) {
      if (SPELT_DECADES[word] !== undefined) used[at] = true;
      return spelt;
    }
    if (word === "y" && tokens[at + 1]?.word === "2" && tokens[at + 2]?.word === "k") {
      for (let n = 0; n < 3; n++) used[at + n] = true;
      return 2000;
    }
    if (used[at] || !/^\d{2}(?:\d{2})?$/u.test(word)) continue;
    const value = Number(word);
    const plural =
      /^(?:(?:s|er|ern|ies|лет|х|lar|ler|larin|lerin|lardan)$|年代|년대)/u.test(tokens[at + 1]?.word ?? "") &&
      !tokens[at + 1]!.after_break;
    if (word.length === 4) {
      if (value < 1000 || value > 2099) continue;
      used[at] = true;
      if (plural) used[at + 1] = true;
      return value - (value % 10);
    }
    // "A basement in 82".
    const next = tokens[at + 1];
    if (tokens[at - 1]?.word === "in" && value >= 50 && (next === undefined || next.after_break)) {
      used[at] = true;
      return 1900 + value - (value % 10);
    }
    const foreign = isDecadeLed(tokens, at);
    if ((!plural && !foreign) || value % 10 !== 0) continue;
    if (plural && value <= 60 && LENGTHS.has(tokens[at + 2]?.word ?? "") && !tokens[at + 2]!.after_break) continue;
    used[at] = true;
    if (plural) used[at + 1] = true;
    return value >= 30 || value === 20 ? 1900 + value : 2000 + value;
  }
  return null;
}

/** "Anni 90", "los 90", "lat 90", "jaren 90". */
function isDecadeLed(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.after_break) return false;
  const before = tokens[at - 1]?.word ?? "";
  return DECADE_LED.has(before) || DECADE_LED.has(`${tokens[at - 2]?.word ?? ""} ${before}`);
}
const DECADE_LED = new Set(data.decade_led);
