/**
 * What choosing among several scores changes (runners/music/compose/choice), on the critic's prompts: those that its weights were found on, and
 * those that they have not seen.
 *
 *   bun bench/choice.ts                    how often the choice is another than the first try, what each term gains, what measures that the critic
 *                                          does not use do meanwhile, worth by number of candidates, how far variations are apart
 *   bun bench/choice.ts --cost             processor time of choosing, beside that of the whole piece
 *   bun bench/choice.ts --pairs FOLDER     a page of first tries against choices, for blind comparison (bench/listen.ts
 *                                          --serve FOLDER, --tally FOLDER)
 */
import { parseArgs } from "node:util";
import { candidateSeeds, chooser } from "../runners/music/compose/choice/choose.ts";
import { ASPECTS, distance, distances, type Features, featuresOf } from "../runners/music/compose/choice/distance.ts";
import { judge } from "../runners/music/compose/critic/critic.ts";
import { TERMS, type TermName, worthOf } from "../runners/music/compose/critic/terms.ts";
import { composer, type Score } from "../runners/music/compose/mod.ts";
import { hash32 } from "../runners/signal/dsp/random.ts";
import { printCost } from "./choice/cost.ts";
import { otherMeasures } from "./choice/other_measures.ts";
import { writePairs } from "./choice/pairs.ts";
import prompts from "./critic/prompts.json" with { type: "json" };
import { median } from "./measure.ts";

const { values } = parseArgs({
  options: { cost: { type: "boolean", default: false }, pairs: { type: "string" } },
});
const { understand, compose } = await composer.load();
const NAMES = Object.keys(TERMS) as TermName[];
const MOST = 16;

const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
const fixed = (value: number, digits = 3): string => value.toFixed(digits).padStart(8);

interface Case {
  readonly first: Score;
  readonly chosen: Score;
  /** Of all candidates, in order. */
  readonly worths: readonly number[];
}

function caseOf(prompt: string, seed: number): Case {
  const brief = understand(prompt);
  const scores = candidateSeeds(seed, MOST).map((own) => compose(brief, {}, own));
  return {
    first: scores[0]!,
    chosen: chooser([seed], (own) => ({ score: compose(brief, {}, own) }))(0).score,
    worths: scores.map((score) => judge(score).worth),
  };
}

function printCases(title: string, cases: readonly Case[]): void {
  const other = cases.filter(({ first, chosen }) => JSON.stringify(first) !== JSON.stringify(chosen));
  console.log(`\n${title}: ${other.length} of ${cases.length} choices are not the first try`);
  for (const count of [1, 2, 4, 8, MOST])
    console.log(
      `  best of ${String(count).padStart(2)}: worth ${fixed(mean(cases.map(({ worths }) => Math.max(...worths.slice(0, count)))))}`,
    );
  console.log("  term: worth of first tries, of choices; value of both; weight");
  const judged = cases.map(({ first, chosen }) => [judge(first).measures, judge(chosen).measures] as const);
  const rows = NAMES.map((name) => {
    const both = judged.flatMap(([a, b]) =>
      a[name] === undefined || b[name] === undefined ? [] : [[a[name], b[name]]],
    ) as [number, number][];
    const [worse, better] = [0, 1].map((n) => mean(both.map((pair) => worthOf(TERMS[name], pair[n]!)))) as [
      number,
      number,
    ];
    return {
      name,
      worse,
      better,
      a: mean(both.map(([a]) => a)),
      b: mean(both.map(([, b]) => b)),
      gain: TERMS[name].weight * (better - worse),
    };
  });
  for (const { name, worse, better, a, b } of rows.sort((one, two) => two.gain - one.gain))
    console.log(
      `  ${name.padEnd(17)} ${fixed(worse)} ${fixed(better)}  ${fixed(a)} ${fixed(b)}  ${fixed(TERMS[name].weight)}`,
    );
  const lacking = judged.filter(([a, b]) =>
    NAMES.some((name) => a[name] !== undefined && b[name] === undefined),
  ).length;
  console.log(`  ${lacking} choices lack a term that their first try has`);
}

/** Paired differences against their standard error. */
function printOthers(cases: readonly Case[]): void {
  console.log("\nnot used by the critic: first tries, choices, difference in standard errors");
  const both = cases.map(({ first, chosen }) => [otherMeasures(first), otherMeasures(chosen)] as const);
  for (const name of new Set(both.flatMap(([a]) => [...a.keys()]))) {
    const pairs = both.flatMap(([a, b]) => (a.has(name) && b.has(name) ? [[a.get(name)!, b.get(name)!] as const] : []));
    const steps = pairs.map(([a, b]) => b - a);
    const error = Math.sqrt(mean(steps.map((step) => (step - mean(steps)) ** 2)) / steps.length);
    console.log(
      `  ${name.padEnd(42)} ${fixed(mean(pairs.map(([a]) => a)))} ${fixed(mean(pairs.map(([, b]) => b)))}  ${fixed(error === 0 ? 0 : mean(steps) / error, 1)}`,
    );
  }
}

function printVariations(list: readonly string[]): void {
  const sets = list.map((prompt, at) => {
    const brief = understand(prompt);
    const seeds = [0, 1, 2].map((n) => (hash32(at, 99) + n) % 2 ** 32);
    const choose = chooser(seeds, (seed) => ({ score: compose(brief, {}, seed) }));
    const of = (scores: readonly Score[]): Features[] => scores.map((score) => featuresOf(score));
    const chosen = seeds.map((_, index) => choose(index));
    return {
      first: of(seeds.map((seed) => compose(brief, {}, seed))),
      chosen: of(chosen.map(({ score }) => score)),
      worth: chosen.map(({ choice }) => choice.worth),
      first_worth: chosen.map(({ choice }) => choice.first_worth),
    };
  });
  const pairsOf = ([a, b, c]: readonly Features[]) =>
    [
      [a!, b!],
      [a!, c!],
      [b!, c!],
    ] as const;
  const apart = (which: "first" | "chosen"): number[] =>
    sets.map((set) => mean(pairsOf(set[which]).map(([a, b]) => distance(a, b))));
  const nearest = (which: "first" | "chosen"): number[] =>
    sets.map((set) => Math.min(...pairsOf(set[which]).map(([a, b]) => distance(a, b))));
  const [before, after] = [apart("first"), apart("chosen")];
  console.log(`\nthree variations, first tries and choices, medians of ${sets.length} prompts`);
  console.log(
    `  mean distance    ${fixed(median(before))} ${fixed(median(after))}; further in ${after.filter((one, n) => one > before[n]!).length}`,
  );
  console.log(`  nearest two      ${fixed(median(nearest("first")))} ${fixed(median(nearest("chosen")))}`);
  console.log(
    `  worth, mean      ${fixed(mean(sets.flatMap(({ first_worth }) => first_worth)))} ${fixed(mean(sets.flatMap(({ worth }) => worth)))}`,
  );
  for (const aspect of ASPECTS) {
    const of = (which: "first" | "chosen"): number =>
      mean(sets.flatMap((set) => pairsOf(set[which]).map(([a, b]) => distances(a, b)[aspect])));
    console.log(`  ${aspect.padEnd(16)} ${fixed(of("first"))} ${fixed(of("chosen"))}`);
  }
}

if (values.pairs !== undefined) console.log(await writePairs(values.pairs));
else if (values.cost) await printCost();
else {
  const [fit, test] = [prompts.fit, prompts.test].map((list, n) =>
    list.map((prompt, at) => caseOf(prompt, hash32(at, 7 + n))),
  ) as [Case[], Case[]];
  printCases("prompts that the weights were found on", fit);
  printCases("held-out prompts", test);
  printOthers([...fit, ...test]);
  printVariations([...prompts.fit, ...prompts.test]);
}
