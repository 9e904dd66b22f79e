import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkAction, runAction, understandRequest } from "../../packages/plugin/testing.ts";
import action from "../../plugins/create.new_fx/action.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";
import { startTestService, type TestService } from "../service.ts";

test("create.new_fx accepts and refuses what the specification says", () => {
  checkAction(action, {
    accepts: [
      { prompt: "x" },
      { prompt: "🔔".repeat(1024) },
      { prompt: "whoosh", duration: 0.1 },
      { prompt: "whoosh", duration: 30, seed: 4294967295 },
      { prompt: "whoosh", duration: null, seed: null, callback_url: "https://example.com/hook" },
    ],
    refuses: [
      [{}, [["prompt", "missing"]]],
      [{ prompt: "" }, [["prompt", "string_too_short"]]],
      [{ prompt: "a".repeat(1025) }, [["prompt", "string_too_long"]]],
      [{ prompt: 5 }, [["prompt", "string_type"]]],
      [{ prompt: "whoosh", duration: 0.09 }, [["duration", "greater_than_equal"]]],
      [{ prompt: "whoosh", duration: 30.01 }, [["duration", "less_than_equal"]]],
      [{ prompt: "whoosh", duration: "2" }, [["duration", "number_type"]]],
      [{ prompt: "whoosh", loudness: { preset: "podcast" } }, [["loudness", "extra_forbidden"]]],
      [{ prompt: "whoosh", n_variations: 2 }, [["n_variations", "extra_forbidden"]]],
    ],
  });
});

test("create.new_fx costs three credits and delivers the duration to the sample", async () => {
  const { outputs, cost } = await runAction(action, {
    request: { prompt: "two knocks on wood", duration: 1.2345, seed: 3 },
    engines,
  });
  assert.equal(cost, 3);
  assert.equal(outputs.length, 1);
  assert.equal(outputs[0]!.audio.channels[0]!.length, Math.round(1.2345 * 44_100));
  assert.match(outputs[0]!.engine, /^studio\//u);
});

test("create.new_fx tells what it understood without making a sound", async () => {
  const request = { prompt: "two knocks on wood", duration: 0.5 };
  const { outputs } = await runAction(action, { request, engines });
  assert.deepEqual(await understandRequest(action, request, { engines }), outputs[0]!.report!.understood);
});

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

test("through the front door: one effect, peak at -1 dBTP, with echo, seed and report", async () => {
  const had = await tonwerk.credits();
  const operation = await tonwerk.perform(action.name, {
    prompt: "three knocks, then a creaking door",
    duration: 2.5,
    seed: 11,
  });
  assert.deepEqual([operation.status, operation.error], ["ready", null]);
  assert.deepEqual([operation.prompt, operation.duration], ["three knocks, then a creaking door", 2.5]);
  assert.equal(await tonwerk.credits(), had - 3);
  const { output } = operation;
  assert.equal(output.duration, 2.5);
  assert.equal(output.seed, 11);
  assert.ok(
    output.loudness.true_peak_dbtp <= -1 && output.loudness.true_peak_dbtp > -1.2,
    `${output.loudness.true_peak_dbtp} dBTP`,
  );
  assert.deepEqual(
    output.report.sequence.map(({ layers }: { layers: { sound: string }[] }) => layers.map(({ sound }) => sound)),
    [["knock"], ["door_creak"]],
  );
  const bytes = async (url: string) => new Uint8Array(await (await tonwerk.call("GET", url)).arrayBuffer());
  const again = await tonwerk.perform(action.name, {
    prompt: "three knocks, then a creaking door",
    duration: 2.5,
    seed: 11,
  });
  assert.deepEqual(await bytes(again.output.url), await bytes(output.url));
});

test("through the front door: without a duration it echoes null and chooses one; another language works", async () => {
  const operation = await tonwerk.perform(action.name, { prompt: "ein bellender Hund 🐶" });
  assert.equal(operation.status, "ready");
  assert.equal(operation.duration, null);
  assert.ok(operation.output.duration > 0.3 && operation.output.duration < 5, `${operation.output.duration} s`);
  assert.equal(operation.output.report.sequence[0].layers[0].sound, "dog");
});

test("through the front door: a prompt against the policy fails as tos_violation and is refunded", async () => {
  const had = await tonwerk.credits();
  const operation = await tonwerk.perform(action.name, { prompt: "I'll bomb the station tomorrow" });
  assert.deepEqual([operation.status, operation.error?.code, operation.output], ["failed", "tos_violation", null]);
  assert.equal(await tonwerk.credits(), had);
});
