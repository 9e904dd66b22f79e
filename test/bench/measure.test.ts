/** What every benchmark relies on, and what each registered action is measured with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf, registry } from "../../bench/actions/plan.ts";
import { admitted } from "../../bench/actions/sources.ts";
import { columns, peakBytes, runOutside } from "../../bench/measure.ts";
import { sourceFor, voice } from "../../cli/bench/audio.ts";

test("columns() pads to the widest cell", () => {
  const rows = [
    ["name", "rate", ""],
    ["a", "1,000", "x"],
    ["long name", "7", "with words"],
  ];
  assert.equal(columns(rows), "name        rate\na          1,000  x\nlong name      7  with words");
});

test("runOutside() tells the processor time of what it ran, and fails with it", async () => {
  const busy = await runOutside(["bash", "-c", "for ((i = 0; i < 100000; i++)); do :; done; echo done"]);
  assert.ok(busy.cpu_s > 0 && busy.cpu_s < 60, `${busy.cpu_s} s`);
  assert.ok(busy.printed.startsWith("done"));
  const idle = await runOutside(["sleep", "0.2"]);
  assert.ok(idle.cpu_s < busy.cpu_s || idle.cpu_s < 0.1, "waiting is not working");
  await assert.rejects(runOutside(["bash", "-c", "echo why >&2; exit 3"]), /why/u);
});

test("peakBytes() grows with what was touched", async () => {
  const before = await peakBytes();
  const block = new Uint8Array(64 * 2 ** 20).fill(1);
  assert.ok((await peakBytes()) >= before);
  assert.ok((await peakBytes()) >= block.length);
});

test("every registered action has a plan from its first example alone", async () => {
  const { actions } = await registry();
  assert.ok(actions.size > 0);
  for (const registered of actions.values()) {
    const plan = planOf(registered, 0, 180);
    assert.ok(plan !== undefined, registered.action.name);
    for (const { name, seconds } of plan.sources) {
      const limits = registered.action.sources[name]!;
      assert.ok(seconds >= limits.seconds_min && seconds <= limits.seconds_max, `${registered.action.name} ${name}`);
    }
    assert.equal(planOf(registered, registered.action.examples.length, 180), undefined);
  }
});

test("admitted() keeps to the bounds of a declaration", () => {
  const limits = { seconds_min: 5, seconds_max: 60, bytes_max: 50_000_000 };
  assert.equal(admitted(180, limits), 60);
  assert.equal(admitted(1, limits), 5);
  assert.equal(admitted(30, limits), 30);
  // 16-bit stereo takes 176,400 bytes a second.
  assert.ok(admitted(600, { ...limits, seconds_max: 600 }) * 176_400 < 50_000_000);
});

test("sourceFor() gives different audio for each source, and a voice with pauses where one is asked for", () => {
  const [first] = sourceFor("music", 0, 1);
  const [second] = sourceFor("other", 1, 1);
  assert.notDeepEqual(first, second);
  const spoken = voice(1, 12);
  const loud = spoken.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  assert.ok(loud > 0.1 && loud < 1, `peak ${loud}`);
  let silent = 0;
  for (const value of spoken) if (Math.abs(value) < 1e-4) silent++;
  assert.ok(silent > 0.08 * spoken.length && silent < 0.6 * spoken.length, `${silent / spoken.length} is silent`);
  assert.deepEqual(voice(1, 12), spoken, "the same for the same seed");
});
