import assert from "node:assert/strict";
import { test } from "node:test";
import { CANDIDATES, candidateSeeds, chooser, GIVE } from "../../../../runners/music/compose/choice/choose.ts";
import { distance, distances, featuresOf } from "../../../../runners/music/compose/choice/distance.ts";
import * as music from "../../../../runners/music/compose/composer.ts";
import { compose, understand } from "../../../../runners/music/compose/composer.ts";
import { readScore } from "../../../../runners/music/compose/critic/reading.ts";
import { TERMS, type TermName } from "../../../../runners/music/compose/critic/terms.ts";
import { keyName } from "../../../../runners/music/compose/key_name.ts";
import type { Score } from "../../../../runners/music/compose/score.ts";
import * as engine from "../../../../runners/music/sing/sing.ts";
import { layoutOf } from "../../../../runners/music/studio/layout.ts";
import { scoreReport } from "../../../../runners/music/studio/score_report.ts";
import { singerFor } from "../../../../runners/music/studio/singer.ts";

const PROMPTS = [
  "deep house",
  "indie folk with mandolin",
  "orchestral trailer",
  "thrash metal",
  "bossa nova",
  "lo-fi hip hop",
  "a waltz for accordion",
  "uplifting trance",
];

const composed =
  (prompt: string) =>
  (seed: number): { readonly score: Score } => ({ score: compose(understand(prompt), {}, seed) });

function meanApart(scores: readonly Score[]): number {
  const all = scores.map((score) => featuresOf(score));
  const pairs = all.flatMap((a, n) => all.slice(n + 1).map((b) => distance(a, b)));
  return pairs.reduce((sum, apart) => sum + apart, 0) / pairs.length;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

test("chooser() keeps the best of its candidates, then good ones that are further apart than first tries are", () => {
  /** How far the chosen are apart, as a multiple of how far first tries of the same prompt are. */
  const apart: number[] = [];
  let better = 0;
  for (const [at, prompt] of PROMPTS.entries()) {
    const seeds = [100 * at, 100 * at + 1, 100 * at + 2];
    const attempt = composed(prompt);
    const choose = chooser(seeds, attempt);
    const chosen = seeds.map((_, index) => choose(index));
    for (const [index, { choice }] of chosen.entries()) {
      assert.equal(choice.candidates, CANDIDATES);
      assert.equal(choice.distance === undefined, index === 0);
      if (index === 0) assert.ok(choice.worth >= choice.first_worth, prompt);
      if (at < 2) assert.ok(choice.worth >= chooser([seeds[index]!], attempt)(0).choice.worth - GIVE, prompt);
    }
    if (chosen[0]!.choice.worth > chosen[0]!.choice.first_worth) better++;
    apart.push(meanApart(chosen.map(({ score }) => score)) / meanApart(seeds.map((seed) => attempt(seed).score)));
  }
  // One in eight first tries is the best by chance.
  assert.ok(better >= 5, `${better} of ${PROMPTS.length}`);
  assert.ok(median(apart) > 1.08, apart.map((ratio) => ratio.toFixed(3)).join(" "));
});

test("a choice is the same whichever others are asked for, and in which order", () => {
  const seeds = [4_294_967_295, 0, 1];
  const attempt = composed("funk with horns");
  const all = chooser(seeds, attempt);
  const inOrder = [0, 1, 2].map((index) => JSON.stringify(all(index)));
  assert.equal(JSON.stringify(chooser(seeds, attempt)(2)), inOrder[2]);
  const backwards = chooser(seeds, attempt);
  assert.deepEqual(
    [2, 1, 0].map((index) => JSON.stringify(backwards(index))),
    inOrder.toReversed(),
  );
  // One variation alone is the first of several.
  assert.equal(JSON.stringify(chooser([seeds[0]!], attempt)(0)), inOrder[0]);
});

test("all candidates keep what is asked for outright", () => {
  const brief = understand("piano trio in F# minor at 93 bpm in 3/4 with a violin, no drums, 60 seconds");
  for (const seed of candidateSeeds(5)) {
    const score = compose(brief, { seconds: brief.seconds! }, seed);
    assert.equal(keyName(score.key), "F# minor");
    assert.ok(Math.abs(score.bpm / 93 - 1) < 0.02, `${score.bpm}`);
    assert.equal(score.metre.beats_per_bar, 3);
    assert.ok(score.parts.some(({ instrument }) => instrument === "violin"));
    assert.ok(!score.parts.some(({ role }) => role === "drums"));
  }
});

test("a song is chosen with its sung tune, and what is spoken is none", () => {
  const lyrics = engine.readLyrics(
    "[Verse]\nWalking down the river in the morning light\nEvery little shadow has a place to hide\n[Chorus]\nSing it out, we are alive",
  );
  const sungBy = (prompt: string) => {
    const [brief, seed] = [understand(prompt), 3];
    const layout = layoutOf(lyrics, { brief, outline: {} }, seed, engine, music);
    const singer = singerFor(music.readPrompt(prompt), brief, seed, engine);
    const score = compose(layout.brief, { ...layout.outline, singer: singer.voice }, seed);
    return { score, tones: readScore(score).tune.filter(({ stressed }) => stressed !== undefined) };
  };
  const { score, tones } = sungBy("indie pop");
  assert.ok(tones.length >= 30 && tones.every(({ beats }) => beats > 0));
  assert.ok(tones.some(({ stressed }) => stressed) && tones.some(({ stressed }) => !stressed));
  const { voice: _, ...played } = score;
  const prosody = (one: Score) =>
    chooser([1], () => ({ score: one }))(0).choice.terms.some(({ name }) => name === "prosody");
  assert.deepEqual([prosody(score), prosody(played)], [true, false]);
  const rap = sungBy("boom bap rap");
  const spoken = rap.score.sections.filter(({ kind }) => kind === "verse");
  assert.ok(spoken.length > 0 && rap.tones.length > 0);
  for (const { beat, beats } of spoken)
    assert.ok(!rap.tones.some((tone) => tone.beat >= beat && tone.beat < beat + beats));
});

test("distances() are 0 to 1, alike both ways, 0 to itself, and know a transposition from a new piece", () => {
  const brief = understand("disco with strings");
  const [a, b] = [1, 2].map((seed) => featuresOf(compose(brief, {}, seed))) as [
    ReturnType<typeof featuresOf>,
    ReturnType<typeof featuresOf>,
  ];
  assert.equal(distance(a, a), 0);
  const there = distances(a, b);
  for (const [aspect, apart] of Object.entries(there)) {
    assert.ok(apart >= 0 && apart <= 1, `${aspect} ${apart}`);
    assert.ok(Math.abs(apart - distances(b, a)[aspect as keyof typeof there]) < 1e-12, aspect);
  }
  const empty = featuresOf({ ...compose(brief, {}, 1), parts: [] });
  assert.ok(distance(a, empty) > 0 && Number.isFinite(distance(empty, empty)));
});

test("the report says how many were composed, what they are worth, and by which terms", () => {
  const { score, choice } = chooser([7], composed("gospel with organ"))(0);
  const report = scoreReport(score, choice).choice!;
  assert.equal(report.candidates, CANDIDATES);
  assert.ok(report.worth >= report.first_worth && report.worth <= 1);
  assert.ok(report.terms.length >= 15);
  for (const { name, value, low, high, worth } of report.terms) {
    assert.ok(name in TERMS && Number.isFinite(value) && low < high, name);
    // Values and worths are told to three decimals, and just beyond the range nearly nothing is lost.
    const beyond = Math.max(low - value, value - high) / TERMS[name as TermName].half;
    if (Math.abs(beyond) < 0.05) continue;
    assert.equal(worth === 1, beyond < 0, `${name}: ${value}`);
  }
  assert.ok(!("choice" in scoreReport(score)));
});

test("chooser() has garbage collected between the candidates of a long piece, and not of a short one", () => {
  const runtime = globalThis as { gc?: () => void };
  const { gc } = runtime;
  let times = 0;
  runtime.gc = () => {
    times++;
  };
  try {
    for (const [seconds, wanted] of [
      [200, CANDIDATES / 2],
      [20, 0],
    ] as const) {
      times = 0;
      chooser([3], (seed) => ({ score: compose(understand("deep house"), { seconds }, seed) }))(0);
      assert.equal(times, wanted, `${seconds} s`);
    }
  } finally {
    if (gc === undefined) delete runtime.gc;
    else runtime.gc = gc;
  }
});
