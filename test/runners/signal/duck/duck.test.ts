import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { SampleFile } from "../../../../runners/sample_file.ts";
import { wholeOf } from "../../../../runners/samples.ts";
import { useScratch } from "../../../../runners/scratch.ts";
import { integratedLoudness } from "../../../../runners/signal/dsp/loudness.ts";
import { run } from "../../../../runners/signal/duck/duck.ts";
import type { Ducked, DuckInput } from "../../../../runners/signal/duck/mod.ts";
import { music, noise, silence, sine } from "../../../audio.ts";
import { add, CHILD, knock, MAN, speech, thump, timetable, WOMAN } from "../../../speech.ts";

const RATE = 44_100;
const PHRASES = timetable(12, 1.5, [2, 1.2], [0.5, 2.4]);
const audio = (...channels: Float32Array[]): Audio => ({ sample_rate: RATE, channels });
type Held = DuckInput & { readonly music: Audio; readonly voice: Audio };
const quiet = { signal: new AbortController().signal, progress: () => undefined };
const duck = async (input: DuckInput): Promise<Ducked & { readonly audio: Audio }> => {
  const made = await run(input, quiet);
  return { ...made, audio: wholeOf(made.audio) };
};

/** What became of the music, in dB every 10 ms: what is left when the voice, at its own level, is taken off. */
function gainOf(mixed: Audio, { music: bed, voice }: Held): number[] {
  const out: number[] = [];
  for (let hop = 0; hop + 882 <= bed.channels[0]!.length; hop += 441) {
    let made = 0;
    let given = 0;
    for (const [side, channel] of mixed.channels.entries()) {
      const m = bed.channels[side] ?? bed.channels[0]!;
      const v = voice.channels[side] ?? voice.channels[0]!;
      for (let n = hop; n < hop + 882; n++) {
        made += (channel[n]! - (v[n] ?? 0)) * m[n]!;
        given += m[n]! * m[n]!;
      }
    }
    out.push(given > 1e-6 ? 20 * Math.log10(made / given) : Number.NaN);
  }
  return out;
}

test("the music is down by the depth in every phrase, bridges short pauses, is up between, and the voice is untouched", async () => {
  for (const [name, voice_of] of Object.entries({ MAN, WOMAN, CHILD })) {
    const input = { music: audio(...music(1, 12)), voice: audio(speech(2, 12, PHRASES, voice_of).samples) };
    const { audio: mixed, report } = await duck(input);
    const gain = gainOf(mixed, input);
    const rest = report.balance.music_db;
    const down = rest - report.depth_db;
    for (const { start, end } of PHRASES) {
      for (let hop = Math.round(start * 100); hop < end * 100 - 2; hop++) {
        assert.ok(Math.abs(gain[hop]! - down) < 0.3, `${name}: ${gain[hop]} dB at ${hop / 100} s, expected ${down}`);
      }
    }
    for (let hop = 350; hop < 400; hop++)
      assert.ok(gain[hop]! - down < 0.3, `${name}: ${gain[hop]} dB in the short pause`);
    for (const hop of [50, 640, 650]) assert.ok(Math.abs(gain[hop]! - rest) < 0.3, `${name}: ${gain[hop]} dB at rest`);
  }
});

test("the voice comes out 14 LU above the music, by depth and, beyond 18 dB, by balance", async () => {
  const voice = speech(3, 12, PHRASES).samples;
  for (const [level, balanced] of [
    [-26, false],
    [-12, false],
    [8, true],
  ] as const) {
    const bed = music(4, 12).map((channel) => channel.map((sample) => sample * 10 ** (level / 20)));
    const { report } = await duck({ music: audio(...bed), voice: audio(voice) });
    const { before, after } = report.voice_to_music_lu;
    assert.ok(before !== null && after !== null);
    assert.ok(report.depth_db >= 6 && report.depth_db <= 18, `${report.depth_db} dB`);
    assert.ok(after >= 13.99, `${level} dB: ${after} LU`);
    assert.ok(Math.abs(after - before - report.depth_db + report.balance.music_db) < 0.002);
    assert.equal(report.balance.music_db < 0, balanced, `${level} dB: ${report.balance.music_db} dB of balance`);
  }
});

test("duck_db is the depth, exactly, and 0 is the plain sum", async () => {
  const input = { music: audio(...music(5, 8)), voice: audio(speech(6, 8, [{ start: 2, end: 5 }]).samples) };
  const plain = await duck({ ...input, duck_db: 0 });
  for (const [side, channel] of plain.audio.channels.entries()) {
    for (let n = 0; n < channel.length; n += 97) {
      assert.equal(channel[n], Math.fround(input.voice.channels[0]![n]! + input.music.channels[side]![n]!));
    }
  }
  const deep = await duck({ ...input, duck_db: 9.5 });
  assert.equal(deep.report.depth_db, 9.5);
  assert.deepEqual(deep.report.balance, { music_db: 0, voice_db: 0 });
  assert.ok(Math.abs(gainOf(deep.audio, input)[350]! + 9.5) < 0.001);
});

test("the mix lasts as long as the longer, and music that would stop dead is faded", async () => {
  const [left, right] = music(7, 10);
  const voice = speech(8, 10, [
    { start: 0.5, end: 3 },
    { start: 7, end: 9.5 },
  ]).samples;
  const short = audio(left.slice(0, 5 * RATE), right.slice(0, 5 * RATE));
  const cut = await duck({ music: short, voice: audio(voice), duck_db: 8 });
  assert.equal(cut.audio.channels[0]!.length, 10 * RATE);
  assert.equal(cut.report.music_fade_seconds, 0.5);
  const gain = gainOf(cut.audio, { music: short, voice: audio(voice) });
  assert.ok(gain[440]! > -0.5 && gain[496]! < -20, `${gain[440]} dB before, ${gain[496]} dB at the end`);
  for (let n = 5 * RATE; n < 10 * RATE; n++) assert.ok(cut.audio.channels[1]![n] === voice[n]);

  const long = await duck({ music: audio(left, right), voice: audio(voice.slice(0, 4 * RATE)) });
  assert.equal(long.audio.channels[0]!.length, 10 * RATE);
  assert.equal(long.report.music_fade_seconds, 0);
  const rest = 10 ** (long.report.balance.music_db / 20);
  for (let n = 5 * RATE; n < 10 * RATE; n += 31)
    assert.ok(Math.abs(long.audio.channels[0]![n]! - rest * left[n]!) < 1e-4);
});

test("mono and stereo in every combination: a mono source goes to both sides at its level", async () => {
  const [left, right] = music(9, 5);
  const voice = speech(10, 5, [{ start: 1, end: 4 }]).samples;
  const rows: [string, Audio, Audio, number][] = [
    ["mono and mono", audio(left), audio(voice), 1],
    ["mono under stereo", audio(left), audio(voice, voice), 2],
    ["stereo under mono", audio(left, right), audio(voice), 2],
    ["a voice on one side only", audio(left, right), audio(voice, silence(5)), 2],
  ];
  for (const [what, bed, speaker, sides] of rows) {
    const { audio: mixed } = await duck({ music: bed, voice: speaker, duck_db: 0 });
    assert.equal(mixed.channels.length, sides, what);
    for (const [side, channel] of mixed.channels.entries()) {
      const m = bed.channels[side] ?? left;
      for (let n = 0; n < voice.length; n += 53) assert.equal(channel[n], Math.fround(voice[n]! + m[n]!), what);
    }
  }
});

test("a silent voice, thumps and noise leave the music alone; silent music leaves the voice", async () => {
  const bed = audio(...music(11, 8));
  const thumps = noise(12, 8, RATE, 0.001);
  for (const at of [1, 3.2, 6]) add(thumps, thump(at), at);
  for (const voice of [silence(8), thumps]) {
    const { audio: mixed, report } = await duck({ music: bed, voice: audio(voice) });
    assert.deepEqual([report.depth_db, report.speech, report.gain], [0, [], [{ time: 0, db: 0 }]]);
    assert.equal(report.voice_to_music_lu.before, null);
    for (let n = 0; n < voice.length; n += 41) {
      assert.equal(mixed.channels[0]![n], Math.fround(voice[n]! + bed.channels[0]![n]!));
    }
  }
  const voice = speech(13, 8, [{ start: 1, end: 5 }]).samples;
  const { audio: mixed, report } = await duck({ music: audio(silence(6)), voice: audio(voice) });
  for (const [n, sample] of mixed.channels[0]!.entries()) assert.ok(sample === voice[n], `frame ${n}`);
  assert.deepEqual(report.voice_to_music_lu, { before: null, after: null });
});

test("speech from the first sample to the last keeps the music down throughout", async () => {
  const input = { music: audio(...music(14, 6)), voice: audio(speech(15, 6, [{ start: 0, end: 6 }]).samples) };
  const { audio: mixed, report } = await duck(input);
  const down = report.balance.music_db - report.depth_db;
  for (const value of gainOf(mixed, input)) assert.ok(Math.abs(value - down) < 0.3, `${value} dB, expected ${down}`);
});

test("the report is JSON and tells the gain that was applied", async () => {
  const input = { music: audio(sine(440, 9)), voice: audio(speech(16, 9, [{ start: 3, end: 5 }]).samples) };
  const { audio: mixed, report } = await duck(input);
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
  assert.equal(report.speech.length, 1);
  assert.equal(report.gain.length, 5);
  const gain = gainOf(mixed, input);
  for (const { time, db } of report.gain) {
    assert.ok(
      Math.abs(gain[Math.round(time * 100)]! - db) < 0.3,
      `${gain[Math.round(time * 100)]} dB at ${time} s, told ${db}`,
    );
  }
});

test("for a loudness, peaks of the voice are taken down by themselves: music and soft speech stay, and the mix has room", async () => {
  const spoken = speech(19, 12, PHRASES).samples;
  // And a knock that is no speech.
  const voice = spoken.map((x) => 2 * x);
  add(
    voice,
    knock(3).map((x) => 2 * x),
    0.7,
  );
  const bed = music(20, 12).map((channel) => channel.map((x) => 0.2 * x));
  const input = { music: audio(...bed), voice: audio(voice), duck_db: 12 };
  const plain = await duck(input);
  const { audio: mixed, report } = await duck({ ...input, limit_for_lufs: -14 });
  assert.deepEqual(report.gain, plain.report.gain);
  assert.equal(plain.report.voice_peaks_db, 0);
  assert.ok(report.voice_peaks_db < -3, `${report.voice_peaks_db} dB`);
  let [least, most, stray, peak] = [1, 0, 0, 0];
  for (const [side, channel] of mixed.channels.entries()) {
    const sum = plain.audio.channels[side]!;
    for (let n = 0; n < channel.length; n++) {
      const v = voice[n] ?? 0;
      const change = channel[n]! - sum[n]!;
      peak = Math.max(peak, Math.abs(channel[n]!));
      if (Math.abs(v) < 1e-3) stray = Math.max(stray, Math.abs(change) - Math.abs(v));
      else {
        // The difference from the plain sum is a gain of the voice, and nothing else.
        least = Math.min(least, 1 + change / v);
        most = Math.max(most, 1 + change / v);
      }
    }
  }
  assert.ok(least > 0 && most < 1.001 && stray < 1e-6, `${least} ${most} ${stray}`);
  assert.ok(
    Math.abs(20 * Math.log10(least) - report.voice_peaks_db) < 0.2,
    `${least}, told ${report.voice_peaks_db} dB`,
  );
  const room = peak * 10 ** ((-14 - integratedLoudness(mixed.channels, RATE)) / 20);
  assert.ok(room < 10 ** (-0.5 / 20), `peaks at ${room} when brought to -14 LUFS`);
});

test("a voice of spikes keeps most of its loudness: what no gentle limiter can take down is left to the master", async () => {
  const spikes = speech(23, 8, [{ start: 1, end: 7 }]).samples.map((x) => 3 * Math.sign(x) * Math.abs(x) ** 1.5);
  const input = { music: audio(...music(24, 8).map((one) => one.map((x) => 0.1 * x))), voice: audio(spikes) };
  const limited = await duck({ ...input, limit_for_lufs: -14 });
  const { before, after } = limited.report.voice_to_music_lu;
  assert.ok(limited.report.voice_peaks_db < -6, `${limited.report.voice_peaks_db} dB`);
  const { depth_db, balance } = limited.report;
  assert.ok(Math.abs(after! - before! - depth_db + balance.music_db) < 5.01, `${before} to ${after} LU`);
  assert.ok(after! >= 12.5, `${after} LU`);
});

test("loud music whose strokes would work the limiter where nobody speaks is lowered throughout; under the voice it stays", async () => {
  // Strokes far above the mean.
  const bed = music(25, 12).map((channel) => channel.map((x, n) => (n % 22_050 < 400 ? 4 : 0.7) * x));
  const input = { music: audio(...bed), voice: audio(speech(26, 12, PHRASES).samples) };
  const plain = (await duck(input)).report;
  const { report } = await duck({ ...input, limit_for_lufs: -14 });
  const eased = plain.balance.music_db - report.balance.music_db;
  assert.ok(eased > 1, `${plain.balance.music_db} dB, then ${report.balance.music_db} dB`);
  assert.ok(
    report.depth_db >= 10 && plain.depth_db > report.depth_db,
    `${plain.depth_db} dB, then ${report.depth_db} dB`,
  );
  const { after } = report.voice_to_music_lu;
  assert.ok(after! >= 12.9, `${after} LU`);
  const asked = await duck({ ...input, duck_db: 16, limit_for_lufs: -14 });
  assert.deepEqual([asked.report.depth_db, asked.report.balance.music_db], [16, 0]);
});

test("a mix that reaches its loudness below the ceiling keeps every sample of the voice", async () => {
  const input = { music: audio(...music(21, 6)), voice: audio(speech(22, 6, [{ start: 1, end: 5 }]).samples) };
  const plain = await duck(input);
  const limited = await duck({ ...input, limit_for_lufs: -40 });
  assert.deepEqual(limited, plain);
});

test("the work stops when told to, and its input is not written to", async () => {
  const input = { music: audio(...music(17, 3)), voice: audio(speech(18, 3, [{ start: 1, end: 2 }]).samples) };
  const copies = [...input.music.channels, ...input.voice.channels].map((channel) => channel.slice());
  await duck(input);
  assert.deepEqual([...input.music.channels, ...input.voice.channels], copies);
  const job = { signal: AbortSignal.abort(new Error("enough")), progress: () => undefined };
  await assert.rejects(run(input, job), /enough/u);
});

test("sources on the disk make the same mix as those in memory, and a long one is never in memory as a whole", async () => {
  useScratch(tmpdir());
  const onDisk = ({ channels }: Audio): SampleFile => {
    const file = new SampleFile(channels.length, RATE);
    file.push(channels, channels[0]!.length);
    return file;
  };
  const voice = audio(speech(2, 14, PHRASES, WOMAN).samples);
  const loud = audio(...music(1, 12).map((channel) => channel.map((sample) => 2 * sample)));
  for (const asked of [{ limit_for_lufs: -9 }, { duck_db: 12 }]) {
    const { audio: held, report } = await duck({ music: loud, voice, ...asked });
    // One of them is enough.
    for (const input of [
      { music: onDisk(loud), voice: onDisk(voice) },
      { music: loud, voice: onDisk(voice) },
    ]) {
      assert.deepEqual((await duck({ ...input, ...asked })).audio, held);
      const streamed = await run({ ...input, ...asked }, quiet, 10);
      assert.deepEqual(streamed.report, report);
      assert.ok("samples" in streamed.audio && streamed.audio.frames === held.channels[0]!.length);
      const made = held.channels.map((channel) => new Float32Array(channel.length));
      for (let from = 0; from < streamed.audio.frames; from += 50_000) {
        const to = Math.min(streamed.audio.frames, from + 50_000);
        streamed.audio.samples(
          from,
          to,
          made.map((channel) => channel.subarray(from, to)),
        );
      }
      assert.deepEqual(made, held.channels);
    }
  }
  useScratch(undefined);
});
