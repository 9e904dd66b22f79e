/** Whether pieces can be told apart by their features, and whether the nearest one is of the same genre. */
import { mean } from "./rows.ts";

export interface Heard {
  readonly genre: number;
  readonly prompt: string;
  /** What belongs together in one row (see `measure`). */
  readonly features: readonly (readonly number[])[];
}

type Spread = readonly (readonly number[])[];

/** How much of the deviation over all pieces is added to that within genres, which a few pieces alone do not give. */
const SHRUNK = 0.1;

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** 2));
}

/** For each number of the features what `of` makes of it. */
function over(made: readonly Heard[], of: (pick: (one: Heard) => number, row: number) => number): Spread {
  return made[0]!.features.map((row, r) => row.map((_, k) => of((one) => one.features[r]![k]!, row.length)));
}

/** Weights: one over the variance over all of `made`; each row counts alike, however many numbers it has. */
export function spreadOf(made: readonly Heard[]): Spread {
  return over(made, (pick, size) => 1 / (variance(made.map(pick)) + 1e-9) / size);
}

/** Weights: one over the variance within genres, so that what a genre leaves open (its mode, its width) counts for little. */
export function spreadWithin(made: readonly Heard[]): Spread {
  const genres = [...new Set(made.map(({ genre }) => genre))];
  return over(made, (pick) => {
    const inside = genres.map((genre) => {
      const values = made.filter((one) => one.genre === genre).map(pick);
      return variance(values) * values.length;
    });
    const pooled = inside.reduce((sum, value) => sum + value, 0) / Math.max(1, made.length - genres.length);
    return 1 / (pooled + SHRUNK * variance(made.map(pick)) + 1e-9);
  });
}

function distance(one: Heard, other: Heard, weights: Spread): number {
  let sum = 0;
  let size = 0;
  weights.forEach((row, r) => {
    row.forEach((weight, k) => {
      sum += weight * (one.features[r]![k]! - other.features[r]![k]!) ** 2;
      size++;
    });
  });
  return Math.sqrt(sum / size);
}

/** Prints the share of pieces whose nearest neighbour is of their genre, and distances. Weights are taken from the other pieces only. */
export function told(made: readonly Heard[], name: string, weights_of: (others: readonly Heard[]) => Spread): void {
  const within: number[] = [];
  const between: number[] = [];
  const wrong: string[] = [];
  for (const one of made) {
    const others = made.filter((other) => other !== one);
    const weights = weights_of(others);
    const far = others.map((other) => distance(one, other, weights));
    for (const [n, value] of far.entries()) (others[n]!.genre === one.genre ? within : between).push(value);
    const near = others[far.indexOf(Math.min(...far))]!;
    if (near.genre !== one.genre) wrong.push(`"${one.prompt}" taken for "${near.prompt}"`);
  }
  const right = made.length - wrong.length;
  console.log(
    `by ${name}: nearest of the same genre ${right} of ${made.length} (${((100 * right) / made.length).toFixed(0)} %)`,
  );
  console.log(
    `  distance within a genre ${mean(within).toFixed(2)} (least ${Math.min(...within).toFixed(2)}), between genres ${mean(between).toFixed(2)}: ${(mean(within) / mean(between)).toFixed(2)}`,
  );
  for (const each of wrong) console.log(`  ${each}`);
}
