/**
 * T5's tokenizer from its `tokenizer.json`: SentencePiece's unigram model (Kudo, "Subword Regularization", 2018). Text is normalised by the table that the
 * file carries (NFKC where it has none) and cut into the pieces of the largest summed log probability. What looks like a special piece ("</s>") is text.
 */
import { readFile } from "node:fs/promises";
import { type Charsmap, readCharsmap } from "./charsmap.ts";

export interface Tokenizer {
  /** Numbers of the pieces of `text`, the end's number last. */
  encode(text: string): number[];
}

/** What stands for the space before a word. */
const SPACE = "▁";
/** How much less likely than the least likely piece a character is that no piece has; SentencePiece's constant. */
const UNKNOWN_PENALTY = 10;
const END = "</s>";

interface UnigramFile {
  /** Tokens that are no text, such as the end. */
  readonly added_tokens?: readonly { readonly content?: unknown; readonly special?: unknown }[];
  readonly normalizer?: unknown;
  readonly model?: {
    readonly type?: unknown;
    readonly unk_id?: unknown;
    readonly vocab?: unknown;
  };
}

/** @throws Error where the file is no unigram tokenizer */
export async function readTokenizer(path: string): Promise<Tokenizer> {
  const { model, added_tokens = [], normalizer } = JSON.parse(await readFile(path, "utf8")) as UnigramFile;
  const vocab = model?.vocab;
  const is_list =
    Array.isArray(vocab) &&
    vocab.every((pair) => Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "number");
  if (!is_list || (model?.type !== undefined && model.type !== "Unigram")) {
    throw new Error("the tokenizer is no unigram model: its model.vocab must list pieces with their scores");
  }
  const pieces = new Map<string, { readonly id: number; readonly score: number }>();
  for (const [id, [piece, score]] of (vocab as [string, number][]).entries()) pieces.set(piece, { id, score });
  const end = pieces.get(END)?.id;
  if (end === undefined) throw new Error(`the tokenizer has no piece "${END}"`);
  const unknown = typeof model?.unk_id === "number" ? model.unk_id : 2;
  const special = added_tokens.filter((token) => token.special === true).map(({ content }) => String(content));
  for (const piece of [END, "<pad>", "<unk>", ...special]) pieces.delete(piece);
  const longest = Math.max(...[...pieces.keys()].map((piece) => [...piece].length));
  const worst = Math.fround(Math.min(...[...pieces.values()].map(({ score }) => score)) - UNKNOWN_PENALTY);
  const charsmap = charsmapOf(normalizer);

  return {
    encode(text) {
      const characters = [...normalise(text, charsmap)];
      // Single precision, as SentencePiece adds it up: what is nearly as likely falls the same way.
      const best = new Float32Array(characters.length + 1).fill(Number.NEGATIVE_INFINITY);
      const from = new Int32Array(characters.length + 1);
      const ids = new Int32Array(characters.length + 1);
      best[0] = 0;
      for (let at = 0; at < characters.length; at++) {
        let piece_text = "";
        for (let to = at + 1; to <= Math.min(characters.length, at + longest); to++) {
          piece_text += characters[to - 1];
          const piece = pieces.get(piece_text) ?? (to === at + 1 ? { id: unknown, score: worst } : undefined);
          if (piece === undefined) continue;
          const score = Math.fround(best[at]! + piece.score);
          if (score <= best[to]!) continue;
          best[to] = score;
          from[to] = at;
          ids[to] = piece.id;
        }
      }
      const path: number[] = [];
      for (let at = characters.length; at > 0; at = from[at]!) path.push(ids[at]!);
      // Characters without a piece that follow one another are one unknown.
      const merged = path.reverse().filter((id, index, all) => id !== unknown || all[index - 1] !== unknown);
      return [...merged, end];
    },
  };
}

/** Spaces at the ends are dropped, several in a row are one, and each word begins with the sign of the space before it. */
function normalise(text: string, charsmap: Charsmap | undefined): string {
  const whole = charsmap === undefined ? text.normalize("NFKC").replace(/[\p{Cc}\s]/gu, " ") : replaced(text, charsmap);
  const words = whole.split(/ +/u).filter((word) => word !== "");
  // SentencePiece drops signs at the end as it drops spaces.
  return words
    .map((word) => SPACE + word)
    .join("")
    .replace(/▁+$/u, "");
}

function replaced(text: string, charsmap: Charsmap): string {
  const bytes = new TextEncoder().encode(text);
  let made = "";
  for (let at = 0; at < bytes.length; ) {
    const next = charsmap.replace(bytes, at);
    made += next.text;
    at += next.length;
  }
  return made;
}

/** The table of the first normaliser that has one; `Sequence` holds several. */
function charsmapOf(normalizer: unknown): Charsmap | undefined {
  if (typeof normalizer !== "object" || normalizer === null) return undefined;
  const { precompiled_charsmap, normalizers } = normalizer as { precompiled_charsmap?: unknown; normalizers?: unknown };
  if (typeof precompiled_charsmap === "string") return readCharsmap(precompiled_charsmap);
  if (!Array.isArray(normalizers)) return undefined;
  return normalizers.map(charsmapOf).find((one) => one !== undefined);
}
