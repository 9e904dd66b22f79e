/**
 * Measures the critic (runners/music/compose/critic): whether it prefers whole scores to harmed ones, on prompts that its weights have not seen.
 *
 *   bun bench/critic.ts [--seeds 3]        rates for each kind of harm, on bench/critic/prompts.json's `test`
 *   bun bench/critic.ts --fit              weights from its `fit`, written to terms.json, then the same
 *   bun bench/critic.ts --terms            what scores measure, by term: quantiles, and the share of its worth that is reached
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judge } from "../runners/music/compose/critic/critic.ts";
import { type Measures, TERMS, type Term, type TermName, worthOf } from "../runners/music/compose/critic/terms.ts";
import { composer, type Score } from "../runners/music/compose/mod.ts";
import { hash32, random } from "../runners/signal/dsp/random.ts";
import { HARMS } from "./critic/harms.ts";
import prompts from "./critic/prompts.json" with { type: "json" };
import { HERE, ownCpuSeconds } from "./measure.ts";

const { values } = parseArgs({
  options: {
    fit: { type: "boolean", default: false },
    terms: { type: "boolean", default: false },
    seeds: { type: "string", default: "3" },
  },
});
const { understand, compose } = await composer.load();
const NAMES = Object.keys(TERMS) as TermName[];
const FILE = join(HERE, "runners/music/compose/critic/terms.json");

/** A whole score against a harmed one. */
interface Pair {
  readonly harm: string;
  readonly whole: Measures;
  readonly harmed: Measures;
}

function pairsOf(list: readonly string[], seeds: number): { readonly pairs: Pair[]; readonly whole: Measures[] } {
  const pairs: Pair[] = [];
  const whole: Measures[] = [];
  for (const [at, prompt] of list.entries()) {
    const brief = understand(prompt);
    for (let seed = 0; seed < seeds; seed++) {
      const own = hash32(at, seed);
      const score = compose(brief, {}, own);
      const measures = judge(score).measures;
      whole.push(measures);
      const others = new Map<number, Score>();
      const other = (turn: number): Score => {
        const known = others.get(turn) ?? compose(brief, {}, hash32(own, 1 + turn));
        others.set(turn, known);
        return known;
      };
      for (const [harm, apply] of Object.entries(HARMS)) {
        const harmed = apply(score, random(hash32(own, harm.length)), other);
        if (harmed !== undefined) pairs.push({ harm, whole: measures, harmed: judge(harmed).measures });
      }
    }
  }
  return { pairs, whole };
}

/** Worth of the whole less that of the harmed, term by term; 0 where one of both cannot be measured. */
function gainsOf({ whole, harmed }: Pair): number[] {
  return NAMES.map((name) => {
    const [a, b] = [whole[name], harmed[name]];
    return a === undefined || b === undefined ? 0 : worthOf(TERMS[name], a) - worthOf(TERMS[name], b);
  });
}

/** How strongly weights are drawn to being equal: terms that no harm touches still count. */
const RIDGE = 0.02;
const STEPS = 4000;
const RATE = 0.5;

/**
 * Logistic regression on pairs (Bradley & Terry, Biometrika 1952) with weights of 0 and more, each kind of harm counting alike; by projected
 * gradient steps from equal weights.
 */
function fitted(pairs: readonly Pair[]): number[] {
  const kinds = new Map<string, number>();
  for (const { harm } of pairs) kinds.set(harm, (kinds.get(harm) ?? 0) + 1);
  const rows = pairs.map((pair) => ({ gains: gainsOf(pair), share: 1 / (kinds.size * kinds.get(pair.harm)!) }));
  const equal = 1;
  const weights = NAMES.map(() => equal);
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight) => RIDGE * (weight - equal));
    for (const { gains, share } of rows) {
      const lead = gains.reduce((sum, gain, n) => sum + gain * weights[n]!, 0);
      const wrong = share / (1 + Math.exp(lead));
      for (const [n, gain] of gains.entries()) slope[n]! -= wrong * gain;
    }
    for (const n of weights.keys()) weights[n] = Math.max(0, weights[n]! - RATE * slope[n]!);
  }
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => Math.round((1000 * weight) / sum) / 1000);
}

/** Share of pairs in which the whole score is worth more; a tie counts half. */
function rates(
  pairs: readonly Pair[],
  weights: readonly number[],
): Map<string, { readonly won: number; readonly all: number }> {
  const worth = (measures: Measures): number => {
    let [sum, all] = [0, 0];
    for (const [n, name] of NAMES.entries()) {
      const value = measures[name];
      if (value === undefined) continue;
      sum += weights[n]! * worthOf(TERMS[name], value);
      all += weights[n]!;
    }
    return all === 0 ? 0 : sum / all;
  };
  const out = new Map<string, { won: number; all: number }>();
  for (const { harm, whole, harmed } of pairs) {
    const lead = worth(whole) - worth(harmed);
    const rate = out.get(harm) ?? { won: 0, all: 0 };
    out.set(harm, { won: rate.won + (lead > 1e-9 ? 1 : lead < -1e-9 ? 0 : 0.5), all: rate.all + 1 });
  }
  return out;
}

function print(title: string, pairs: readonly Pair[], weights: readonly number[]): void {
  console.log(title);
  let [won, all] = [0, 0];
  for (const [harm, rate] of rates(pairs, weights)) {
    console.log(`  ${harm.padEnd(32)} ${((100 * rate.won) / rate.all).toFixed(0).padStart(4)} % of ${rate.all}`);
    won += rate.won;
    all += rate.all;
  }
  console.log(`  ${"all".padEnd(32)} ${((100 * won) / all).toFixed(0).padStart(4)} % of ${all}`);
}

const seeds = Number(values.seeds);
let weights = NAMES.map((name) => TERMS[name].weight);
if (values.fit) {
  const { pairs } = pairsOf(prompts.fit, seeds);
  weights = fitted(pairs);
  const terms = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Term & { weight: number }>;
  for (const [n, name] of NAMES.entries()) terms[name]!.weight = weights[n]!;
  writeFileSync(FILE, `${JSON.stringify(terms, null, 2)}\n`);
  print("fitted on:", pairs, weights);
}
const before = ownCpuSeconds();
const { pairs, whole } = pairsOf(prompts.test, seeds);
print("on other prompts:", pairs, weights);
print(
  "with equal weights:",
  pairs,
  NAMES.map(() => 1),
);
console.log(
  `${((1000 * (ownCpuSeconds() - before)) / (pairs.length + whole.length)).toFixed(1)} ms a score, composed and judged or harmed`,
);
if (values.terms)
  for (const [n, name] of NAMES.entries()) {
    const found = whole.flatMap((measures) => measures[name] ?? []).sort((a, b) => a - b);
    const at = (share: number): string =>
      (found[Math.round(share * (found.length - 1))] ?? Number.NaN).toFixed(2).padStart(6);
    const reached = found.reduce((sum, value) => sum + worthOf(TERMS[name], value), 0) / found.length;
    const helps = Object.keys(HARMS).map((harm) => {
      const of = pairs.filter((pair) => pair.harm === harm);
      return (of.reduce((sum, pair) => sum + gainsOf(pair)[n]!, 0) / of.length).toFixed(2).padStart(5);
    });
    console.log(
      `${name.padEnd(17)} ${String(found.length).padStart(3)} ${[0.05, 0.25, 0.5, 0.75, 0.95].map(at).join("")}  worth ${reached.toFixed(2)}  weight ${weights[n]!.toFixed(3)}  gains ${helps.join(" ")}`,
    );
  }
