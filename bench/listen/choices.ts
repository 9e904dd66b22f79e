/** What listeners have chosen: `choices.jsonl` beside the page, one line a choice, and what it comes to. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { columns } from "../measure.ts";
import type { Key } from "./blind.ts";

export interface Choice {
  readonly piece: string;
  /** Names a browser. */
  readonly listener: string;
  readonly chosen: "a" | "b" | "same";
  /** The side that was chosen, null where none is better. */
  readonly side: string | null;
  readonly comment: string;
  /** ISO 8601. */
  readonly when: string;
}

/** What a page sends. */
export type Chosen = Pick<Choice, "piece" | "listener" | "chosen" | "comment">;

const COMMENT_MAX = 2_000;
const FIELDS: readonly string[] = ["piece", "listener", "chosen", "comment"] satisfies (keyof Chosen)[];

export const readKey = async (folder: string): Promise<Key> =>
  JSON.parse(await readFile(join(folder, "key.json"), "utf8")) as Key;

/** What was sent, or in words what is wrong with it. */
export function readChosen(sent: unknown, key: Key): Chosen | string {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return "A choice is an object";
  const { piece, listener, chosen, comment } = sent as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(sent).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) return `There is no field "${unknown}"`;
  if (typeof piece !== "string" || !Object.hasOwn(key.pieces, piece)) return `There is no piece "${piece}"`;
  if (typeof listener !== "string" || !/^[\w-]{8,40}$/u.test(listener))
    return '"listener" is 8 to 40 letters or digits';
  if (chosen !== "a" && chosen !== "b" && chosen !== "same") return '"chosen" is "a", "b" or "same"';
  if (typeof comment !== "string" || comment.length > COMMENT_MAX)
    return `"comment" is up to ${COMMENT_MAX} characters`;
  return { piece, listener, chosen, comment };
}

type Recorded = { readonly outcome: "recorded" | "repeated" | "conflict"; readonly choice: Choice };

export interface ChoiceFile {
  /** A listener chooses once a piece, for then one knows: the same again is told as it stands, another one is a conflict. */
  record(chosen: Chosen): Promise<Recorded>;
}

const placeOf = ({ piece, listener }: Chosen): string => `${listener} ${piece}`;

export async function openChoices(folder: string, key: Key, now = (): Date => new Date()): Promise<ChoiceFile> {
  const path = join(folder, "choices.jsonl");
  const known = new Map((await readChoices(path, key)).map((choice) => [placeOf(choice), choice]));
  let last: Promise<unknown> = Promise.resolve();
  return {
    record(chosen) {
      // One after another, so that two requests at once cannot both be the first.
      const recorded = last.then(async (): Promise<Recorded> => {
        const before = known.get(placeOf(chosen));
        if (before !== undefined) {
          const same = before.chosen === chosen.chosen && before.comment === chosen.comment;
          return { outcome: same ? "repeated" : "conflict", choice: before };
        }
        const side = chosen.chosen === "same" ? null : key.pieces[chosen.piece]![chosen.chosen];
        const choice: Choice = { ...chosen, side, when: now().toISOString() };
        await appendFile(path, `${JSON.stringify(choice)}\n`, { flush: true });
        known.set(placeOf(choice), choice);
        return { outcome: "recorded", choice };
      });
      last = recorded.catch(() => undefined);
      return recorded;
    },
  };
}

/** Of a file that the server or a browser wrote. Throws where a line is not a choice of this page. */
export async function readChoices(path: string, key: Key): Promise<readonly Choice[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    const wrong = (why: string): Error => new Error(`Cannot read line ${index + 1} of "${path}": ${why}`);
    let read: Choice;
    try {
      read = JSON.parse(line) as Choice;
    } catch {
      throw wrong("it is not JSON");
    }
    const { side, when, ...sent } = read;
    const chosen = readChosen(sent, key);
    if (typeof chosen === "string") throw wrong(chosen);
    return [{ ...chosen, side: chosen.chosen === "same" ? null : key.pieces[chosen.piece]![chosen.chosen], when }];
  });
}

export interface Tally {
  readonly wins: readonly [number, number];
  readonly same: number;
  /** Probability of a difference at least as large where both sides are equally good. */
  readonly p: number;
}

export function tally(choices: readonly Choice[], { sides }: Key): Tally {
  const count = (side: string | null): number => choices.filter((choice) => choice.side === side).length;
  const wins = [count(sides[0]), count(sides[1])] as const;
  return { wins, same: count(null), p: binomialP(wins[0], wins[1]) };
}

/** Two-sided exact binomial test of even chances. */
export function binomialP(one: number, other: number): number {
  const n = one + other;
  let term = n * Math.log(0.5);
  let sum = 0;
  for (let k = 0; k <= Math.min(one, other); k++) {
    sum += Math.exp(term);
    term += Math.log(n - k) - Math.log(k + 1);
  }
  // Where both are equal the middle would count twice.
  return Math.min(1, 2 * sum);
}

/** In words, with the choices piece by piece. */
export function describeTally(choices: readonly Choice[], key: Key): string {
  const { wins, same, p } = tally(choices, key);
  const listeners = new Set(choices.map(({ listener }) => listener)).size;
  const rows = choices.map(({ piece, listener, side, comment }) => {
    return [piece, side ?? "no difference", listener.slice(0, 8), key.pieces[piece]!.prompt, comment];
  });
  return [
    columns([["piece", "", "", "", ""], ...rows.sort(([a], [b]) => a!.localeCompare(b!))]),
    "",
    `${choices.length} choices by ${listeners} listeners of ${Object.keys(key.pieces).length} pieces: ${key.sides[0]} ${wins[0]}, ${key.sides[1]} ${wins[1]}, no difference ${same}`,
    `p = ${p.toPrecision(2)} by a two-sided binomial test without those that found no difference${listeners > 1 ? "; choices of one listener, or of one piece, are not independent of each other" : ""}`,
  ].join("\n");
}
