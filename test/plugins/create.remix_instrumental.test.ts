import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/create.remix_instrumental/action.ts";
import { faded, silence, sine, wav } from "../audio.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

test("create.remix_instrumental accepts and refuses what the specification says", () => {
  const source = { url: "https://example.com/a.flac" };
  checkAction(action, {
    accepts: [
      { source },
      { source, prompt: null },
      { source, duration: 10 },
      { source, prompt: "🎻".repeat(1024), n_variations: 3, seed: 0 },
      { source, loudness: { target_lufs: -20, allow_compression: false } },
    ],
    refuses: [
      [{}, [["source", "missing"]]],
      [{ source, duration: 301 }, [["duration", "less_than_equal"]]],
      [{ source, prompt: "" }, [["prompt", "string_too_short"]]],
      [{ source, prompt: "a".repeat(1025) }, [["prompt", "string_too_long"]]],
      [{ source, n_variations: 4 }, [["n_variations", "less_than_equal"]]],
      [{ source, n_variations: 0 }, [["n_variations", "greater_than_equal"]]],
      [{ source, lyrics: "la" }, [["lyrics", "extra_forbidden"]]],
    ],
  });
});

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

const perform = async (file: Uint8Array, fields: object): Promise<Answer["body"]> =>
  tonwerk.perform(action.name, { source: await tonwerk.upload(file), ...fields });

/** Four bars of 120 BPM in A minor: a bass note on every beat, a tune over it. */
function piece(): Uint8Array {
  const samples = new Float32Array(8 * 44_100);
  const play = (at: number, seconds: number, midi: number, gain: number): void => {
    const hertz = 440 * 2 ** ((midi - 69) / 12);
    for (const [harmonic, level] of [
      [1, 1],
      [2, 0.4],
      [3, 0.2],
    ] as const) {
      const tone = faded(sine(harmonic * hertz, seconds, 44_100, gain * level), 0.01);
      for (let n = 0; n < tone.length; n++) samples[Math.round(at * 44_100) + n]! += tone[n]!;
    }
  };
  const roots = [45, 41, 48, 45];
  const tune = [69, 72, 76, 72, 69, 72, 77, 72, 67, 72, 76, 79, 76, 74, 72, 69];
  for (let beat = 0; beat < 16; beat++) {
    play(beat / 2, 0.4, roots[beat >> 2]!, 0.25);
    play(beat / 2, 0.45, tune[beat]!, 0.25);
  }
  return wav([samples]);
}

test("through the front door: two remixes of a short piece at -14 LUFS, with what was heard and composed", async () => {
  const had = await tonwerk.credits();
  const operation = await perform(piece(), { prompt: "a gentle music box", n_variations: 2, seed: 5 });
  assert.deepEqual([operation.status, operation.error], ["ready", null]);
  assert.deepEqual([operation.prompt, operation.n_variations], ["a gentle music box", 2]);
  assert.equal(await tonwerk.credits(), had - 6);
  assert.deepEqual(
    operation.outputs.map(({ seed }: { seed: number }) => seed),
    [5, 6],
  );
  for (const output of operation.outputs) {
    assert.match(output.engine, /^remix\//u);
    assert.ok(Math.abs(output.loudness.lufs + 14) < 0.06, `${output.loudness.lufs} LUFS`);
    assert.ok(output.loudness.true_peak_dbtp <= -1, `${output.loudness.true_peak_dbtp} dBTP`);
    assert.ok(output.duration > 6 && output.duration < 17, `${output.duration} s`);
    const { heard, understood, composed, tune } = output.report;
    assert.ok(Math.abs(heard.seconds - 8) < 0.01);
    assert.ok(Array.isArray(heard.chords) && Array.isArray(heard.sections));
    assert.ok(understood.instruments.includes("music box"), JSON.stringify(understood.instruments));
    assert.equal(composed.key, heard.key);
    assert.ok(composed.parts.some(({ instrument }: { instrument: string }) => instrument === "music_box"));
    assert.ok(tune.confidence >= 0 && tune.confidence <= 1);
  }
});

test("through the front door: a silent source fails as source_silent and is refunded", async () => {
  const had = await tonwerk.credits();
  const operation = await perform(wav([silence(2)]), {});
  assert.deepEqual([operation.status, operation.error?.code, operation.outputs], ["failed", "source_silent", null]);
  assert.equal(await tonwerk.credits(), had);
});

test("through the front door: a prompt against the policy fails as content_policy", async () => {
  const operation = await perform(piece(), { prompt: "I'll bomb the station tomorrow" });
  assert.deepEqual([operation.status, operation.error?.code], ["failed", "content_policy"]);
});
