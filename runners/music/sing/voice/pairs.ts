/** Which recorded sounds and pairs of sounds serve for those that are sung. */
import { log2 } from "../../../signal/dsp/exact.ts";
import { isPhoneme, isVowel, type Phoneme } from "../phonemes.ts";
import { type Pair, type Recorded, recorded } from "./recorded.ts";
import { CONSONANT_TARGETS, VOWEL_TARGETS } from "./targets.ts";

/** A sound, or silence. */
export type Side = Phoneme | "SIL";

export class Pairs {
  readonly voice: Recorded;
  readonly #pairs: readonly { readonly left: Side; readonly right: Side; readonly pair: Pair }[];
  readonly #nearest = new Map<Phoneme, Phoneme>();
  readonly #found = new Map<string, Pair | null>();
  readonly #targets = new Map<string, readonly Float64Array[]>();

  constructor(voice: Recorded) {
    this.voice = voice;
    this.#pairs = Object.entries(voice.header.diphones).flatMap(([name, [first, count, boundary, release]]) => {
      const [left, right] = name.split("-") as [string, string];
      return isSide(left) && isSide(right) ? [{ left, right, pair: { first, count, boundary, release } }] : [];
    });
  }

  /** The recorded sound that is sung for `phoneme`: itself where there is one, else what is nearest in the mouth. */
  nearest(phoneme: Phoneme): Phoneme {
    let found = this.#nearest.get(phoneme);
    if (found === undefined) {
      const { steady, alias } = this.voice.header;
      const told = alias?.[phoneme];
      const named = typeof told === "object" ? told.phone : told;
      const there = new Set<Phoneme>(Object.keys(steady).filter(isPhoneme));
      for (const { left } of this.#pairs) if (left !== "SIL") there.add(left);
      found = there.has(phoneme)
        ? phoneme
        : named !== undefined && isPhoneme(named) && there.has(named)
          ? named
          : best([...there], (one) => likeness(one, phoneme));
      this.#nearest.set(phoneme, found ?? phoneme);
    }
    return found ?? phoneme;
  }

  /**
   * The pair itself, or one that ends or begins with the sound that matters (`kept`) and has the most similar other
   * one; null where there is none.
   */
  pair(left: Side, right: Side, kept: "left" | "right"): Pair | null {
    const key = `${left}-${right}-${kept}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      const side = (one: Side): Side => (one === "SIL" ? one : this.nearest(one));
      const [a, b] = [side(left), side(right)];
      const other = kept === "left" ? ("right" as const) : ("left" as const);
      const [same, wanted] = kept === "left" ? [a, b] : [b, a];
      const some = this.#pairs.filter((one) => one[kept] === same);
      found = best(some, (one) => (one[other] === wanted ? 100 : likeness(one[other], wanted)))?.pair ?? null;
      this.#found.set(key, found);
    }
    return found;
  }

  /** Where a sound is held: the mean of each stretch in which a recorded speaker held it, the best first. Empty where none did. */
  targets(phoneme: Phoneme): readonly Float64Array[] {
    let found = this.#targets.get(phoneme);
    if (found === undefined) {
      const stretches = this.voice.header.steady[this.nearest(phoneme)] ?? [];
      found = stretches.slice(0, 4).map(([first, count]) => {
        const mean = new Float64Array(this.voice.width);
        this.voice.mean(first, count, mean);
        return mean;
      });
      this.#targets.set(phoneme, found);
    }
    return found;
  }
}

const kept = new Map<string, Pairs | null>();

/** Of the recorded voice of that name; null where it is not shipped. */
export function pairsOf(name: string): Pairs | null {
  let found = kept.get(name);
  if (found === undefined) {
    const voice = recorded(name);
    found = voice === null ? null : new Pairs(voice);
    kept.set(name, found);
  }
  return found;
}

function isSide(text: string): text is Side {
  return text === "SIL" || isPhoneme(text);
}

function best<One>(some: readonly One[], worth: (one: One) => number): One | undefined {
  let found: One | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of some) {
    const value = worth(one);
    if (value > most) [found, most] = [one, value];
  }
  return found;
}

/** How well one sound stands in for another beside a third: by formants between vowels, by manner, place and voice between consonants. */
function likeness(one: Side, other: Side): number {
  if (one === other) return 10;
  if (one === "SIL" || other === "SIL") return -4;
  if (isVowel(one) !== isVowel(other)) return -8;
  if (isVowel(one) && isVowel(other)) {
    const [a, b] = [VOWEL_TARGETS[one], VOWEL_TARGETS[other]];
    const [glides, glided] = [a.to !== undefined, b.to !== undefined];
    let apart = glides === glided ? 0 : 0.4;
    for (const k of [0, 1] as const) {
      const octaves = log2(a.at[k] / b.at[k]);
      apart += octaves * octaves;
    }
    return -apart;
  }
  if (isVowel(one) || isVowel(other)) return -8;
  const [a, b] = [CONSONANT_TARGETS[one], CONSONANT_TARGETS[other]];
  return (a.manner === b.manner ? 3 : 0) + (a.place === b.place ? 2 : 0) + (a.voiced === b.voiced ? 1 : 0);
}
