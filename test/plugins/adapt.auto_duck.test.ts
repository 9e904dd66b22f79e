import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { checkAction, runAction } from "../../packages/plugin/testing.ts";
import action from "../../plugins/adapt.auto_duck/action.ts";
import { createPluginEngines as engines } from "../../runners/plugin_engines.ts";
import { music as bed, silence, sine, wav } from "../audio.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";
import { speech } from "../speech.ts";

const RATE = 44_100;
const song = { url: "https://example.com/song.wav" };
const speaker = { url: "https://example.com/speaker.wav" };
const both = { music: song, voice: speaker };

test("adapt.auto_duck accepts and refuses what the specification says", () => {
  checkAction(action, {
    accepts: [
      both,
      { ...both, duck_db: 0 },
      { ...both, duck_db: 24 },
      { ...both, duck_db: 7.25 },
      { ...both, duck_db: null, loudness: null },
      { ...both, loudness: { target_lufs: -23, allow_compression: false }, callback_url: "https://example.com/hook" },
    ],
    refuses: [
      [
        {},
        [
          ["music", "missing"],
          ["voice", "missing"],
        ],
      ],
      [{ music: song }, [["voice", "missing"]]],
      [{ voice: speaker }, [["music", "missing"]]],
      [{ ...both, duck_db: -0.1 }, [["duck_db", "greater_than_equal"]]],
      [{ ...both, duck_db: 24.1 }, [["duck_db", "less_than_equal"]]],
      [{ ...both, duck_db: "6" }, [["duck_db", "number_type"]]],
      [{ ...both, source: song }, [["source", "extra_forbidden"]]],
      [{ music: song, voice: { url: `${song.url}#chorus` } }, [["voice.url", "same_source"]]],
      [{ ...both, seed: 1 }, [["seed", "extra_forbidden"]]],
      [{ ...both, loudness: { preset: "podcast", target_lufs: -16 } }, [["loudness", "one_of"]]],
    ],
  });
});

test("adapt.auto_duck costs one credit, mixes both sources and reports what it did", async () => {
  const audio = (...channels: Float32Array[]) => ({ sample_rate: RATE, channels });
  const voice = speech(1, 6, [{ start: 2, end: 4 }]).samples;
  const { outputs, cost, progress } = await runAction(action, {
    request: { ...both, duck_db: 12 },
    sources: { music: audio(...bed(2, 8)), voice: audio(voice) },
    engines,
  });
  assert.equal(cost, 1);
  assert.equal(outputs.length, 1);
  const [output] = outputs;
  assert.equal(output!.engine, "duck");
  assert.equal(output!.audio.channels.length, 2);
  assert.equal(output!.audio.channels[0]!.length, 8 * RATE);
  assert.equal(output!.report?.depth_db, 12);
  assert.equal(progress.at(-1)?.fraction, 1);
});

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

const upload = (channels: readonly Float32Array[], sample_rate = RATE) =>
  tonwerk.upload(wav(channels, { sample_rate }));

function put(fields: object): Promise<Answer> {
  return tonwerk.json("PUT", "/v1/adapt.auto_duck", { idempotency_key: randomUUID(), ...fields });
}

/** What a FLAC file says of itself: RFC 9639, section 8.2. */
function streamInfo(file: Uint8Array): { channels: number; frames: number } {
  const view = new DataView(file.buffer, file.byteOffset);
  return {
    channels: ((view.getUint8(20) >> 1) & 7) + 1,
    frames: (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22),
  };
}

test("through the front door: two files of differing rates and channels become one mix at -14 LUFS", async () => {
  const voice_48k = Float32Array.from({ length: 7 * 48_000 }, () => 0);
  const spoken = speech(3, 4, [{ start: 1, end: 3.6 }]).samples;
  // Played a little faster, at 48 kHz: still a voice, one semitone and a half higher.
  voice_48k.set(spoken, 48_000);
  const sources = { music: await upload(bed(4, 6)), voice: await upload([voice_48k], 48_000) };
  const had = await tonwerk.credits();
  const operation = await tonwerk.perform(action.name, sources);
  assert.deepEqual([operation.status, operation.error, operation.duck_db], ["ready", null, null]);
  assert.deepEqual(operation.loudness, { target_lufs: -14, allow_compression: true });
  assert.equal(await tonwerk.credits(), had - 1);
  const { output } = operation;
  assert.equal(output.duration, 7);
  assert.ok(Math.abs(output.loudness.lufs + 14) <= 0.05, `${output.loudness.lufs} LUFS`);
  assert.ok(output.loudness.true_peak_dbtp <= -1, `${output.loudness.true_peak_dbtp} dBTP`);
  const { report } = output;
  assert.ok(report.depth_db >= 6 && report.depth_db <= 18, `${report.depth_db} dB`);
  assert.ok(report.voice_to_music_lu.after >= 12, `${report.voice_to_music_lu.after} LU`);
  assert.equal(report.speech.length, 1);
  assert.ok(Math.abs(report.speech[0].start - (1 + RATE / 48_000)) < 0.05, `speech from ${report.speech[0].start} s`);
  const file = new Uint8Array(await (await tonwerk.call("GET", output.url)).arrayBuffer());
  assert.deepEqual(streamInfo(file), { channels: 2, frames: 7 * RATE });
});

test("the loudness block, the depth and a mono mix are echoed and delivered; the same request gives the same samples", async () => {
  const [left] = bed(5, 4);
  const sources = {
    music: await upload([left]),
    voice: await upload([speech(6, 4, [{ start: 1, end: 3 }]).samples]),
  };
  const request = { ...sources, duck_db: 6.5, loudness: { preset: "podcast" } };
  const one = await tonwerk.perform(action.name, request);
  const two = await tonwerk.perform(action.name, request);
  assert.deepEqual(one.loudness, { preset: "podcast", target_lufs: -16, allow_compression: true });
  assert.deepEqual([one.duck_db, one.output.report.depth_db], [6.5, 6.5]);
  assert.ok(Math.abs(one.output.loudness.lufs + 16) <= 0.05, `${one.output.loudness.lufs} LUFS`);
  const files = await Promise.all(
    [one, two].map(async ({ output }) => new Uint8Array(await (await tonwerk.call("GET", output.url)).arrayBuffer())),
  );
  assert.deepEqual(files[0], files[1]);
  assert.deepEqual(streamInfo(files[0]!), { channels: 1, frames: 4 * RATE });
});

test("a failure names the input that it concerns and gives the credit back", async () => {
  const fine = await upload([sine(440, 2)]);
  const voice = await upload([speech(7, 2, [{ start: 0.5, end: 1.5 }]).samples]);
  const tiny = await upload([sine(440, 0.2)]);
  const gone = { url: "https://name.invalid/song.wav" };
  const had = await tonwerk.credits();
  for (const [fields, code, source] of [
    [{ music: fine, voice: tiny }, "source_too_short", "voice"],
    [{ music: tiny, voice }, "source_too_short", "music"],
    [{ music: gone, voice }, "source_unreachable", "music"],
    [{ music: fine, voice: gone }, "source_unreachable", "voice"],
  ] as const) {
    const { status, error, output } = await tonwerk.perform(action.name, fields);
    assert.deepEqual([status, error.code, error.source, output], ["failed", code, source, null]);
  }
  const mute = await tonwerk.perform(action.name, {
    music: await upload([silence(2)]),
    voice: await upload([silence(3)]),
  });
  assert.deepEqual([mute.status, mute.error.code], ["failed", "source_silent"]);
  assert.equal(await tonwerk.credits(), had);
});

test("same_source: one URL at once, equal audio behind two URLs after the fetch", async () => {
  const one = await upload([sine(440, 1)]);
  const { status, body } = await put({ music: one, voice: one });
  assert.deepEqual([status, body.code], [422, "same_source"]);
  assert.deepEqual([body.detail[0].loc, body.detail[0].type], [["body", "voice", "url"], "same_source"]);
  const { status: state, error } = await tonwerk.perform(action.name, {
    music: one,
    voice: await upload([sine(440, 1)]),
  });
  assert.deepEqual([state, error.code, error.source], ["failed", "same_source", "voice"]);
});

test("a silent voice leaves the music, silent music the voice, each at the loudness asked", async () => {
  const quiet = await upload([silence(3)]);
  const music = await upload(bed(8, 4));
  const voice = await upload([speech(9, 4, [{ start: 0.5, end: 3.5 }]).samples]);
  for (const fields of [
    { music, voice: quiet },
    { music: quiet, voice },
  ]) {
    const { status, output } = await tonwerk.perform(action.name, fields);
    assert.equal(status, "ready");
    assert.equal(output.duration, 4);
    assert.ok(Math.abs(output.loudness.lufs + 14) <= 0.05, `${output.loudness.lufs} LUFS`);
    assert.deepEqual(output.report.voice_to_music_lu, { before: null, after: null });
  }
});
