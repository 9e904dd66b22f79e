/** A prompt told again in the words of the lexicon, without what must not be there. */
import type { Polarity } from "./ask.ts";
import type { Use } from "./grammar.ts";
import { DENIES } from "./phrases.ts";
import type { Draft, Reading } from "./reading.ts";

const HEARD: ReadonlySet<Polarity> = new Set<Polarity>(["wanted", "softened", "less"]);

export class Retelling {
  readonly #told: { readonly words: string; readonly of?: Draft }[] = [];

  /** @param of the mention that the words are of; they are told if it is heard in the end */
  add(words: string, of?: Draft): void {
    this.#told.push(of === undefined ? { words } : { words, of });
  }

  /** Denials are told by leaving out what they deny; numbers in English. */
  addFunction({ phrases, scope }: Reading, functions: readonly Use[], from: number, to: number): void {
    if (functions.some(({ role }) => DENIES.has(role) || (role === "or" && scope?.polarity === "unwanted"))) return;
    const number = functions.find(({ role, language }) => role === "number" && language !== "en");
    if (number === undefined) this.add(phrases.wordsAt(from, to));
    else this.add(number.value === 1 ? "one" : `${number.value}`);
  }

  toString(): string {
    return this.#told
      .filter(({ words, of }) => words !== "" && (of === undefined || HEARD.has(of.polarity)))
      .map(({ words }) => words)
      .join(" ");
  }
}
