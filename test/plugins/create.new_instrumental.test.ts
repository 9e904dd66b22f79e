import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/create.new_instrumental/action.ts";
import { startTestService, type TestService } from "../service.ts";

test("create.new_instrumental accepts and refuses what the specification says", () => {
  const reference = { url: "https://example.com/a.flac" };
  checkAction(action, {
    accepts: [
      { prompt: "x" },
      { prompt: "🎻".repeat(1024), n_variations: 3, seed: 0 },
      { prompt: null, reference },
      { reference, loudness: {} },
      { prompt: "x", reference: null, loudness: { target_lufs: -20, allow_compression: false } },
    ],
    refuses: [
      [{}, [["", "one_of"]]],
      [{ prompt: "x", reference }, [["", "one_of"]]],
      [{ prompt: "" }, [["prompt", "string_too_short"]]],
      [{ prompt: "a".repeat(1025) }, [["prompt", "string_too_long"]]],
      [{ prompt: "x", n_variations: 4 }, [["n_variations", "less_than_equal"]]],
      [{ prompt: "x", n_variations: 0 }, [["n_variations", "greater_than_equal"]]],
      [{ prompt: "x", lyrics: "la" }, [["lyrics", "extra_forbidden"]]],
    ],
  });
});

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

test("through the front door: a piece at -14 LUFS with what was understood and composed", async () => {
  const had = await tonwerk.credits();
  const prompt = "solo piano waltz in F# minor, 152 bpm";
  const operation = await tonwerk.perform(action.name, { prompt, duration: 50, seed: 5 });
  assert.deepEqual([operation.status, operation.error], ["ready", null]);
  assert.deepEqual([operation.prompt, operation.reference, operation.n_variations], [prompt, null, 1]);
  assert.equal(await tonwerk.credits(), had - 3);
  const [output, ...others] = operation.outputs;
  assert.equal(others.length, 0);
  assert.match(output.engine, /^studio\//u);
  assert.equal(output.seed, 5);
  assert.ok(Math.abs(output.loudness.lufs + 14) < 0.06, `${output.loudness.lufs} LUFS`);
  assert.ok(output.loudness.true_peak_dbtp <= -1, `${output.loudness.true_peak_dbtp} dBTP`);
  const { composed } = output.report;
  assert.deepEqual([composed.key, composed.metre], ["F# minor", "3/4"]);
  assert.ok(Math.abs(composed.tempo_bpm / 152 - 1) < 0.02, `${composed.tempo_bpm} bpm`);
  assert.ok(composed.sections.length > 1 && output.duration > 45, `${output.duration} s`);
});

test("through the front door: a prompt against the policy fails as content_policy and is refunded", async () => {
  const had = await tonwerk.credits();
  const operation = await tonwerk.perform(action.name, { prompt: "I'll bomb the station tomorrow", n_variations: 2 });
  assert.deepEqual([operation.status, operation.error?.code, operation.outputs], ["failed", "content_policy", null]);
  assert.equal(await tonwerk.credits(), had);
});
