/**
 * T5's tokenizer from its `tokenizer.json`: SentencePiece's unigram model (Kudo, "Subword Regularization", 2018). Text is brought to NFKC
 * (SentencePiece's own table differs from it in some rare characters), split at spaces, and each word cut into the pieces of the
 * largest summed log probability.
 */
import { readFile } from "node:fs/promises";

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
  readonly model?: {
    readonly type?: unknown;
    readonly unk_id?: unknown;
    readonly vocab?: unknown;
  };
}

/** @throws Error where the file is no unigram tokenizer */
export async function readTokenizer(path: string): Promise<Tokenizer> {
  const { model } = JSON.parse(await readFile(path, "utf8")) as UnigramFile;
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
  const longest = Math.max(...[...pieces.keys()].map((piece) => [...piece].length));
  const worst = Math.min(...[...pieces.values()].map(({ score }) => score)) - UNKNOWN_PENALTY;

  const encodeWord = (word: string): number[] => {
    const characters = [...word];
    const best = new Float64Array(characters.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(characters.length + 1);
    const ids = new Int32Array(characters.length + 1);
    best[0] = 0;
    for (let at = 0; at < characters.length; at++) {
      let text = "";
      for (let to = at + 1; to <= Math.min(characters.length, at + longest); to++) {
        text += characters[to - 1];
        const piece = pieces.get(text) ?? (to === at + 1 ? { id: unknown, score: worst } : undefined);
        if (piece === undefined || best[at]! + piece.score <= best[to]!) continue;
        best[to] = best[at]! + piece.score;
        from[to] = at;
        ids[to] = piece.id;
      }
    }
    const path: number[] = [];
    for (let at = characters.length; at > 0; at = from[at]!) path.push(ids[at]!);
    // Characters without a piece that follow one another are one unknown.
    return path.reverse().filter((id, index, all) => id !== unknown || all[index - 1] !== unknown);
  };

  return {
    encode(text) {
      const words = text
        .normalize("NFKC")
        .replace(/\p{Cc}/gu, " ")
        .split(/\s+/u)
        .filter((word) => word !== "");
      return [...words.flatMap((word) => encodeWord(SPACE + word)), end];
    },
  };
}
