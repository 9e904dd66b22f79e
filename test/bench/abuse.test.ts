/** The reckoning of the abuse bench, and its files; what the times are on some machine is no matter of a test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { constantFlac, silentWavesWav } from "../../bench/abuse/bombs.ts";
import { judge, type Measured, middleOf, type Phase, quantile, quietOf } from "../../bench/abuse/judge.ts";
import { decodedFlac } from "../flac.ts";

const phase = (ms: number, changes: Partial<Phase> = {}): Phase => ({
  ms: { upload: [ms, ms], status: [ms], job: [ms] },
  errors: {},
  health: { "200": 8 },
  memory_mb: 100,
  ...changes,
});
const measured = (attacked: Phase, faults: readonly string[] = []): Measured => ({
  ...{ attack: "some", finding: "1", quiet: phase(10), attacked, answers: {}, faults, notes: [] },
});
const judged = (one: Measured, difference_ms = 0) => judge(one, quietOf([one]), difference_ms).broken;

test("judge() lets twice the quiet p99 pass and nothing beyond", () => {
  assert.deepEqual(judged(measured(phase(20))), []);
  assert.deepEqual(judged(measured(phase(21))), ["upload 2.1x", "status 2.1x", "job 2.1x"]);
  assert.deepEqual(judged(measured(phase(25)), 15), [], "within what this machine can tell");
});

test("quiet is the middle of all quiet phases, or the node's own where that is higher", () => {
  const quick = measured(phase(10));
  const disturbed = { ...measured(phase(70)), quiet: phase(40) };
  const usual = quietOf([quick, disturbed, quick]);
  assert.equal(usual.upload, 10, "one disturbed phase does not make everything else usual");
  assert.deepEqual(judge(disturbed, usual).broken, [], "others used the machine before the attack, too");
  assert.deepEqual(judge({ ...disturbed, quiet: phase(10) }, usual).broken.length, 3);
});

test("middleOf() passes over a stall of the machine, not over what the attack does each time", () => {
  const usual = quietOf([measured(phase(10))]);
  const [good, stalled, bad] = [measured(phase(15)), measured(phase(90)), measured(phase(80))];
  assert.equal(middleOf([stalled, good, good], usual), good);
  assert.equal(middleOf([stalled, good, bad], usual), bad);
  const failing = measured(phase(10, { errors: { "upload 503": 1 } }));
  assert.equal(middleOf([failing, good, failing], usual), failing);
});

test("judge() fails errors, memory, what was not measured and what the attack may not do", () => {
  assert.deepEqual(judged(measured(phase(10, { errors: { "upload 503": 2 } }))), ["2 errors"]);
  assert.deepEqual(judged(measured(phase(10, { memory_mb: 401 }))), ["301 MB more"]);
  assert.deepEqual(judged(measured(phase(10), ["reads what is not its own"])), ["reads what is not its own"]);
  const nothing = phase(10, { ms: { upload: [], status: [10], job: [10] } });
  assert.deepEqual(judged(measured(nothing)), ["upload NaNx"]);
});

test("judge() fails a node that says it is well while nothing goes on", () => {
  const stuck = (health: Phase["health"]) => judged(measured(phase(11_000, { health })));
  assert.ok(stuck({ "200": 8 }).some((text) => text.includes("/health")));
  assert.ok(!stuck({ "200": 2, "503": 6 }).some((text) => text.includes("/health")));
  assert.ok(!stuck({ none: 8 }).some((text) => text.includes("/health")));
});

test("quantile() is by rank: of fewer than 100 the 99th percentile is the longest", () => {
  assert.equal(quantile([3, 1, 2], 0.5), 2);
  assert.equal(quantile([3, 1, 2], 0.99), 3);
  assert.equal(
    quantile(
      Array.from({ length: 1_000 }, (_, n) => n + 1),
      0.99,
    ),
    990,
  );
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

test("constantFlac() is what it claims, a few bytes for each block", () => {
  const bytes = constantFlac({ seconds: 10, sample_rate: 48_000, channels: 3, value: -7 });
  const channels = decodedFlac(bytes);
  assert.equal(channels.length, 3);
  assert.equal(channels[0]!.length, 8 * 65_535);
  assert.ok(channels.every((samples) => samples.every((sample) => sample === -7 / 128)));
  assert.ok(constantFlac().length < 310_000);
});

test("silentWavesWav() has 84 bytes", () => {
  assert.equal(silentWavesWav().length, 84);
});
