import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { seam } from "../../bench/create/measure.ts";
import { checkAction, runAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/create.new_sample/action.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

test("create.new_sample accepts and refuses what the specification says", () => {
  checkAction(action, {
    accepts: [
      { prompt: "x", duration: 0.5 },
      { prompt: "x", duration: 60, loopable: true, seed: 1 },
      { prompt: "x", duration: 2, loopable: null },
    ],
    refuses: [
      [{ prompt: "x" }, [["duration", "missing"]]],
      [{ duration: 4 }, [["prompt", "missing"]]],
      [{ prompt: "x", duration: 0.49 }, [["duration", "greater_than_equal"]]],
      [{ prompt: "x", duration: 60.01 }, [["duration", "less_than_equal"]]],
      [{ prompt: "x", duration: 4, loopable: "yes" }, [["loopable", "boolean_type"]]],
      [{ prompt: "x", duration: 4, loudness: {} }, [["loudness", "extra_forbidden"]]],
    ],
  });
});

const CASES: readonly (readonly [prompt: string, duration: number, loopable: boolean])[] = [
  ["funky drum break, 104 bpm", 2.3077, true],
  ["warm ambient pad in A minor", 3.3333, true],
  ["techno loop", 0.5, true],
  ["808 kick one-shot", 1.2345, false],
  ["jazz piano phrase", 3, false],
  ["rain on a window", 2.5, true],
  ["heavy rain", 47.3, true],
  ["explosion", 33, false],
];

for (const [prompt, duration, loopable] of CASES) {
  test(`create.new_sample: "${prompt}", ${duration} s${loopable ? ", looped" : ""}, exact and audible`, async () => {
    const { outputs, cost } = await runAction(action, { request: { prompt, duration, loopable, seed: 3 }, engines });
    assert.equal(cost, 3);
    const { audio, loop } = outputs[0]!;
    assert.deepEqual(
      audio.channels.map(({ length }) => length),
      [Math.round(duration * 44_100), Math.round(duration * 44_100)],
    );
    assert.equal(loop, loopable ? true : undefined);
    const peak = Math.max(
      ...audio.channels.map((channel) => channel.reduce((most, x) => Math.max(most, Math.abs(x)), 0)),
    );
    assert.ok(peak > 0.05, `peak ${peak}`);
    if (!loopable) return;
    const { step } = seam(audio);
    assert.ok(step <= 0.99, `the step at the seam is beyond ${(100 * step).toFixed(1)} % of those inside`);
  });
}

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

test("through the front door: same seed, same bytes; another seed, other bytes; peak at -1 dBTP", async () => {
  const bytes = async ({ output }: Answer["body"]): Promise<string> =>
    Buffer.from(await (await tonwerk.call("GET", output.url)).arrayBuffer()).toString("base64");
  const fields = { prompt: "mellow rhodes chords", duration: 2, loopable: true };
  const one = await tonwerk.perform(action.name, { ...fields, seed: 9 });
  assert.deepEqual([one.status, one.loopable, one.duration, one.output.duration], ["ready", true, 2, 2]);
  const { true_peak_dbtp } = one.output.loudness;
  assert.ok(true_peak_dbtp <= -1 && true_peak_dbtp > -1.2, `${true_peak_dbtp} dBTP`);
  assert.equal(await bytes(await tonwerk.perform(action.name, { ...fields, seed: 9 })), await bytes(one));
  assert.notEqual(await bytes(await tonwerk.perform(action.name, { ...fields, seed: 10 })), await bytes(one));
});

test("through the front door: a prompt against the policy fails as tos_violation", async () => {
  const operation = await tonwerk.perform(action.name, { prompt: "I'll bomb the station tomorrow", duration: 1 });
  assert.deepEqual([operation.status, operation.error?.code, operation.output], ["failed", "tos_violation", null]);
});
