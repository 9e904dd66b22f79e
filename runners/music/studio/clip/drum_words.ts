/** What drummers call the parts of a kit, and the plain rhythm of each: `drums.json`. */
import { DRUM_KEYS, type Drum } from "../../../packs/mod.ts";
import data from "./drums.json" with { type: "json" };

export interface DrumWord {
  /** Struck once where the word stands in the singular; absent where only a rhythm of it makes sense in a clip (a shaker). */
  readonly one?: RegExp;
  /** Singular or plural. */
  readonly words: RegExp;
  readonly key: number;
  /** All keys that belong to the piece, `key` among them. */
  readonly keys: readonly number[];
}

interface Written {
  readonly drum: Drum;
  readonly words: readonly string[];
  readonly all?: readonly Drum[];
  readonly only_in_rhythm?: boolean;
}

/** Narrower names before wider ones: an open hat is one of the hats. Text is in lower case, hyphens are blanks. */
export const DRUM_WORDS: readonly DrumWord[] = (data.words as readonly Written[]).map(
  ({ drum, words, all = [drum], only_in_rhythm = false }) => {
    const singular = new RegExp(`\\b(?:${words.join("|")})\\b`, "u");
    return {
      ...(only_in_rhythm ? {} : { one: singular }),
      words: new RegExp(`\\b(?:${words.join("|")})s?\\b`, "u"),
      key: DRUM_KEYS[drum],
      keys: all.map((one) => DRUM_KEYS[one]),
    };
  },
);

/** Semiquavers of a bar of four: `X` accented, `x` firm, `s` soft. Other bars take as many as they have. */
export function rhythmOf(key: number): string {
  const rhythms: Readonly<Record<string, string>> = data.rhythms;
  const drum = Object.keys(rhythms).find((name) => DRUM_KEYS[name as Drum] === key) ?? "closed_hat";
  return rhythms[drum]!;
}

/** Pieces that `text` names, each once: of "open hi hat" the open hat alone. */
export function piecesIn(text: string): readonly DrumWord[] {
  const found: DrumWord[] = [];
  let rest = text;
  for (const piece of DRUM_WORDS) {
    if (!piece.words.test(rest)) continue;
    // "Ride … cymbal" is one.
    if (piece.keys.length > 5 && found.some(({ key }) => piece.keys.includes(key))) continue;
    found.push(piece);
    rest = rest.replace(new RegExp(piece.words.source, "gu"), " ");
  }
  return found;
}
