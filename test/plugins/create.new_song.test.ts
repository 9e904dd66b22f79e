import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/create.new_song/action.ts";
import { music, wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";

const LYRICS = `[Verse]
Morning on the river, silver on the stone
Every road I wander leads me back to home

[Chorus: loud]
Carry me over (carry me on)
Sing till the night is gone

[Instrumental]`;

test("create.new_song accepts and refuses what the specification says", () => {
  const reference = { url: "https://example.com/a.flac" };
  const lyrics = LYRICS;
  checkAction(action, {
    accepts: [
      { lyrics, prompt: "x" },
      { lyrics, reference, prompt: null, n_variations: 3 },
      { lyrics, prompt: "x", duration: 30 },
      { lyrics, reference, duration: 300 },
      { lyrics: "7", prompt: "x", loudness: { preset: "podcast" } },
      { lyrics: "愛".repeat(3000), prompt: "x", seed: 4294967295 },
    ],
    refuses: [
      [{ prompt: "x" }, [["lyrics", "missing"]]],
      [{ lyrics }, [["", "one_of"]]],
      [{ lyrics, prompt: "x", reference }, [["", "one_of"]]],
      [{ lyrics: "", prompt: "x" }, [["lyrics", "string_too_short"]]],
      [{ lyrics: "a".repeat(3001), prompt: "x" }, [["lyrics", "string_too_long"]]],
      [{ lyrics: "[Verse]\n…!?\n🎵", prompt: "x" }, [["lyrics", "value_error"]]],
      [{ lyrics, prompt: "x", n_variations: 4 }, [["n_variations", "less_than_equal"]]],
      [{ lyrics, prompt: "x", duration: 9.9 }, [["duration", "greater_than_equal"]]],
      [{ lyrics, prompt: "x", duration: 300.1 }, [["duration", "less_than_equal"]]],
      [{ lyrics: "word ".repeat(600), prompt: "x", duration: 30 }, [["duration", "value_error"]]],
    ],
  });
});

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

test("through the front door: every line is sung, in order, within its section", async () => {
  const had = await tonwerk.credits();
  const prompt = "indie folk, acoustic guitar, low male voice, 104 bpm, in D major";
  const operation = await tonwerk.perform(action.name, { lyrics: LYRICS, prompt, duration: 10, seed: 2 });
  assert.deepEqual([operation.status, operation.error], ["ready", null]);
  assert.deepEqual([operation.lyrics, operation.prompt, operation.reference], [LYRICS, prompt, null]);
  assert.equal(operation.duration, 10);
  assert.equal(await tonwerk.credits(), had - 3);
  const [output] = operation.outputs;
  assert.ok(Math.abs(output.loudness.lufs + 14) < 0.06, `${output.loudness.lufs} LUFS`);
  const { lines, composed, voice } = output.report;
  assert.equal(voice, "baritone");
  assert.equal(composed.key, "D major");
  const written = LYRICS.split("\n").filter((line) => line !== "" && !line.startsWith("["));
  assert.deepEqual(
    lines.map(({ line }: { line: string }) => line),
    written,
  );
  let before_this = 0;
  for (const { start, end, section, syllables, line } of lines) {
    assert.ok(start >= before_this && end > start && end <= output.duration, `${line}: ${start} to ${end}`);
    assert.ok(syllables >= line.split(" ").length, `${line}: ${syllables} syllables`);
    const span = composed.sections[section];
    assert.ok(start >= span.start - 1 && end <= span.end + 1, `${line} lies outside of its ${span.kind}`);
    before_this = start;
  }
  const kinds = composed.sections.map(({ kind }: { kind: string }) => kind);
  assert.ok(kinds.indexOf("verse") < kinds.indexOf("chorus"), kinds.join());
});

test("through the front door: lyrics against the policy fail as content_policy and are refunded", async () => {
  const had = await tonwerk.credits();
  const operation = await tonwerk.perform(action.name, { lyrics: "I'll bomb the station tomorrow", prompt: "folk" });
  assert.deepEqual([operation.status, operation.error?.code, operation.outputs], ["failed", "content_policy", null]);
  assert.equal(await tonwerk.credits(), had);
});

test("through the front door: a reference is as long as a source of create.remix_song", async () => {
  const had = await tonwerk.credits();
  const reference = await tonwerk.upload(wav(music(1, 9)));
  const operation = await tonwerk.perform(action.name, { lyrics: LYRICS, reference });
  assert.deepEqual([operation.status, operation.error?.code], ["failed", "source_too_short"]);
  assert.equal(await tonwerk.credits(), had);
});
