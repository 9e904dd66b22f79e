/** What it costs that a form sings sections and lines more often than they were written. Thousands of forms are weighed for one song. */
import type { LyricSection } from "../sing/mod.ts";

export interface RepeatTaste {
  /** What it costs to sing a section once more. */
  readonly verse: number;
  readonly chorus: number;
  /** Times that a line is sung before it wears, likewise the only one that there is, and what each further time costs. */
  readonly times: number;
  readonly times_alone: number;
  readonly worn: number;
}

/** A section's words and its lines by numbers, so that counting makes no strings. */
interface Words {
  /** -1 where nobody sings. */
  readonly text: number;
  readonly lines: readonly number[];
}

export class Repeats {
  readonly #taste: RepeatTaste;
  readonly #words = new Map<LyricSection, Words>();
  readonly #texts = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  /** By number: how often it was written, and how often it is sung in the form at hand. */
  readonly #own_texts: number[] = [];
  readonly #own_lines: number[] = [];
  readonly #sung_texts: number[] = [];
  readonly #sung_lines: number[] = [];
  readonly #prices: number[] = [];
  readonly #times: number;

  constructor(given: readonly LyricSection[], taste: RepeatTaste) {
    this.#taste = taste;
    for (const section of given) {
      const { text, lines } = this.#wordsOf(section);
      if (text >= 0) {
        this.#own_texts[text]!++;
        this.#prices[text] = section.kind === "chorus" ? taste.chorus : taste.verse;
      }
      for (const line of lines) this.#own_lines[line]!++;
    }
    this.#times = this.#lines.size === 1 ? taste.times_alone : taste.times;
  }

  /** Price of sections that are sung more often than they were written, each further time dearer. */
  ofSections(sections: readonly LyricSection[]): number {
    const sung = this.#sung_texts.fill(0);
    // In the order in which they come first: sums of fractions depend on it.
    const order: number[] = [];
    for (const section of sections) {
      const { text } = this.#wordsOf(section);
      if (text < 0) continue;
      if (sung[text] === 0) order.push(text);
      sung[text]!++;
    }
    let price = 0;
    for (const text of order) {
      const more = sung[text]! - this.#own_texts[text]!;
      price += this.#prices[text]! * (more + 0.4 * Math.max(0, more * (more - 1)));
    }
    return price;
  }

  /** Price of lines that are sung more often than lines of such songs are, and than they were written. */
  ofLines(sections: readonly LyricSection[]): number {
    const sung = this.#sung_lines.fill(0);
    for (const section of sections) for (const line of this.#wordsOf(section).lines) sung[line]!++;
    let most = 0;
    for (const [line, count] of sung.entries())
      most = Math.max(most, count - Math.max(this.#times, this.#own_lines[line]!));
    return this.#taste.worn * most;
  }

  #wordsOf(section: LyricSection): Words {
    let words = this.#words.get(section);
    if (words === undefined) {
      const lines = section.lines.map(({ text }) => numberOf(text, this.#lines, this.#own_lines, this.#sung_lines));
      // A chorus that is sung twice in a row is written once.
      const whole = [...new Set(section.lines.map(({ text }) => text))].join("\n");
      const text = whole === "" ? -1 : numberOf(whole, this.#texts, this.#own_texts, this.#sung_texts);
      if (text >= 0) this.#prices[text] ??= this.#taste.verse;
      words = { text, lines };
      this.#words.set(section, words);
    }
    return words;
  }
}

function numberOf(text: string, numbers: Map<string, number>, ...counts: readonly number[][]): number {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(text, number);
    for (const count of counts) count.push(0);
  }
  return number;
}
