import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/create.remix_song/action.ts";
import { faded, silence, sine, wav } from "../audio.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

const LYRICS = "[Verse]\nNew words upon an old refrain\nThe summer washes off the rain\n[Chorus]\nTurn it around again";

test("create.remix_song accepts and refuses what the specification says", () => {
  const source = { url: "https://example.com/a.flac" };
  const given = { source, lyrics: LYRICS, prompt: "soul" };
  checkAction(action, {
    accepts: [
      given,
      { ...given, n_variations: 3, seed: 0 },
      { ...given, loudness: { preset: "broadcast" } },
      { ...given, duration: 300 },
    ],
    refuses: [
      [{ source, prompt: "soul" }, [["lyrics", "missing"]]],
      [{ source, lyrics: LYRICS }, [["prompt", "missing"]]],
      [{ lyrics: LYRICS, prompt: "soul" }, [["source", "missing"]]],
      [{ ...given, lyrics: "[Chorus]\n!" }, [["lyrics", "value_error"]]],
      [{ ...given, lyrics: "a".repeat(3001) }, [["lyrics", "string_too_long"]]],
      [{ ...given, prompt: "" }, [["prompt", "string_too_short"]]],
      [{ ...given, duration: 9 }, [["duration", "greater_than_equal"]]],
      [{ ...given, n_variations: 4 }, [["n_variations", "less_than_equal"]]],
      [{ ...given, reference: source }, [["reference", "extra_forbidden"]]],
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

/** Eight bars at 120 BPM, C F G C and again, a chord on every beat with its bass. */
function piece(): Uint8Array {
  const samples = new Float32Array(16 * 44_100);
  const chords = [
    [48, 60, 64, 67],
    [53, 60, 65, 69],
    [55, 59, 62, 67],
    [48, 60, 64, 67],
  ];
  for (let beat = 0; beat < 32; beat++) {
    for (const midi of chords[(beat >> 2) % 4]!) {
      const tone = faded(sine(440 * 2 ** ((midi - 69) / 12), 0.42, 44_100, 0.15), 0.01);
      for (let n = 0; n < tone.length; n++) samples[beat * 22_050 + n]! += tone[n]!;
    }
  }
  return wav([samples]);
}

test("through the front door: the source's tempo and key, every new line sung in order", async () => {
  const had = await tonwerk.credits();
  const operation = await perform(piece(), { lyrics: LYRICS, prompt: "indie folk, female voice", seed: 3 });
  assert.deepEqual([operation.status, operation.error], ["ready", null]);
  assert.deepEqual([operation.lyrics, operation.prompt], [LYRICS, "indie folk, female voice"]);
  assert.equal("duration" in operation, false);
  assert.equal(await tonwerk.credits(), had - 3);
  const [output] = operation.outputs;
  assert.ok(Math.abs(output.loudness.lufs + 14) < 0.06, `${output.loudness.lufs} LUFS`);
  const { composed, lines, voice, heard } = output.report;
  assert.ok(
    [0.5, 1, 2].some((factor) => Math.abs(composed.tempo_bpm / (120 * factor) - 1) < 0.02),
    composed.tempo_bpm,
  );
  assert.deepEqual([heard.key, composed.key], ["C major", "C major"]);
  assert.ok(["alto", "soprano"].includes(voice), voice);
  assert.deepEqual(
    lines.map(({ line }: { line: string }) => line),
    LYRICS.split("\n").filter((line) => !line.startsWith("[")),
  );
  let time = 0;
  for (const { line, start, end } of lines) {
    assert.ok(start >= time && end > start && end <= output.duration, `${line}: ${start} to ${end}`);
    time = start;
  }
});

test("through the front door: a silent source fails as source_silent and is refunded", async () => {
  const had = await tonwerk.credits();
  const operation = await perform(wav([silence(11)]), { lyrics: LYRICS, prompt: "soul" });
  assert.deepEqual([operation.status, operation.error?.code], ["failed", "source_silent"]);
  assert.equal(await tonwerk.credits(), had);
});
