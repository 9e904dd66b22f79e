import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { Limits } from "../../contract/mod.ts";
import { decode, probe } from "../../runners/signal/media/decode.ts";
import { faded, inFolder, music, noise, silence, silentFlac, sine, toneLevel, type WavSamples, wav } from "../audio.ts";
import { decoded, flac, LIMITS, mp3, signal, worst } from "./media_files.ts";

// ------------------------------------------------------------------------------------------------------------- refusals

/** Content that is none of the three formats, under a name that says it is. */
const STRANGERS: readonly [string, Uint8Array | string][] = [
  ["nothing", ""],
  ["one byte", "R"],
  ["HTML", "<!doctype html><html><body>Not found</body></html>".repeat(40)],
  ["SVG", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
  ["Ogg", Buffer.concat([Buffer.from("OggS\0\x02"), Buffer.alloc(500, 7)])],
  ["a concat playlist", "ffconcat version 1.0\nfile '/etc/hostname'\n"],
  ["an HLS playlist", "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:10,\nsecret.wav\n#EXT-X-ENDLIST\n"],
  ["AVI", Buffer.from("RIFF\x24\0\0\0AVI LIST".padEnd(400, "\0"), "latin1")],
  [
    "AAC",
    Buffer.concat(Array.from({ length: 20 }, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x3f, 0xfc, 1, 2]))),
  ],
  ["an MP4", Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2mp41".padEnd(600, "\0"), "latin1")],
  ["Wave64", Buffer.from("riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0wave".padEnd(300, "\0"), "latin1")],
  ["RIFX", Buffer.from("RIFX\0\0\x01\0WAVEfmt ".padEnd(300, "\0"), "latin1")],
  ["a lone tag", Buffer.from("ID3\x04\0\0\0\0\0\x10".padEnd(200, "\0"), "latin1")],
  ["zeros", new Uint8Array(10_000)],
  ["noise", Uint8Array.from(noise(1, 0.5), (sample) => Math.floor(256 * (sample + 0.5)))],
];

for (const [name, bytes] of STRANGERS) {
  test(`decode() refuses ${name} as source_unsupported_format`, async () => {
    await assert.rejects(decoded(bytes), { name: "SourceError", code: "source_unsupported_format" });
  });
}

/** WAV and FLAC in name and beginning, with nothing to decode in them. */
const BROKEN: readonly [string, () => Uint8Array][] = [
  ["a WAV header alone", () => wav([silence(1)]).subarray(0, 44)],
  ["a WAV without samples", () => wav([new Float32Array(0)])],
  ["a WAV cut off in its header", () => wav([silence(1)]).subarray(0, 20)],
  ["a WAV of zero channels", () => wav([silence(1)], { claimed_channels: 0 })],
  ["a WAV at zero Hz", () => wav([silence(1)], { claimed_rate: 0 })],
  [
    "a WAV that holds a playlist",
    () => Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE"), Buffer.from("ffconcat version 1.0\n")]),
  ],
  [
    "a WAV with a NaN",
    () => wav([sine(440, 1).map((sample, n) => (n === 20_000 ? Number.NaN : sample))], { samples: "f32" }),
  ],
  [
    "a WAV with an infinity",
    () => wav([sine(440, 1).map((sample, n) => (n === 9 ? Number.POSITIVE_INFINITY : sample))], { samples: "f32" }),
  ],
  ["a FLAC header alone", () => silentFlac(3).subarray(0, 42)],
  ["a FLAC magic alone", () => Buffer.from("fLaC")],
  ["a FLAC of garbage", () => Buffer.concat([silentFlac(3).subarray(0, 42), Buffer.alloc(5000, 0x55)])],
];

for (const [name, bytes] of BROKEN) {
  test(`decode() refuses ${name} as source_undecodable`, async () => {
    await assert.rejects(decoded(bytes()), { name: "SourceError", code: "source_undecodable" });
  });
}

test("decode() refuses rates and channel counts outside its range as source_unsupported_format", async () => {
  const refused = { name: "SourceError", code: "source_unsupported_format" };
  await assert.rejects(decoded(wav([silence(1, 7999)], { sample_rate: 7999 })), refused);
  await assert.rejects(decoded(wav([silence(0.3, 192_001)], { sample_rate: 192_001 })), refused);
  await assert.rejects(decoded(wav(Array.from({ length: 9 }, () => silence(0.3)))), refused);
});

test("decode() holds the limits of length to the sample", async () => {
  const limits: Limits = { seconds_min: 1, seconds_max: 2, bytes_max: 1_000_000 };
  const seconds = async (frames: number): Promise<number> =>
    (await decoded(wav([new Float32Array(frames)]), limits)).facts.seconds;
  assert.equal(await seconds(44_100), 1);
  assert.equal(await seconds(88_200), 2);
  await assert.rejects(seconds(44_099), { name: "SourceError", code: "source_too_short" });
  await assert.rejects(seconds(88_201), { name: "SourceError", code: "source_too_long" });
  await assert.rejects(decoded(wav([new Float32Array(1)]), limits), { name: "SourceError", code: "source_too_short" });
});

test("decode() takes one sample where a limit of 0 s lets it", async () => {
  const { audio } = await decoded(wav([new Float32Array([0.5])]), { ...LIMITS, seconds_min: 0 });
  assert.deepEqual(audio.channels, [new Float32Array([0.5])]);
});

test("decode() holds the limit of bytes before it reads any", async () => {
  const file = wav([silence(1)]);
  assert.equal((await decoded(file, { ...LIMITS, bytes_max: file.length })).facts.seconds, 1);
  await assert.rejects(decoded(file, { ...LIMITS, bytes_max: file.length - 1 }), {
    name: "SourceError",
    code: "source_too_large",
  });
});

test("decode() stops at the limit of a small file that holds ten hours", async () => {
  const bomb = silentFlac(36_000, 2);
  assert.ok(bomb.length < 600_000);
  await assert.rejects(decoded(bomb), { name: "SourceError", code: "source_too_long" });
});

test("decode() of a missing file is not the source's fault", async () => {
  await assert.rejects(decode("/nowhere/at/all.wav", LIMITS, signal), { code: "ENOENT" });
});

// -------------------------------------------------------------------------------------------------------------- formats

for (const samples of ["u8", "s16", "s24", "s32", "f32", "f64"] satisfies WavSamples[]) {
  test(`decode() reads ${samples} WAV sample by sample`, async () => {
    const channels = music(1, 0.5);
    const { audio, facts } = await decoded(wav(channels, { samples }));
    assert.deepEqual(facts, {
      format: "wav",
      content_type: "audio/wav",
      seconds: 0.5,
      sample_rate: 44_100,
      channels: 2,
    });
    const step = { u8: 2 ** -8, s16: 2 ** -16, s24: 2 ** -24, s32: 2 ** -25, f32: 0, f64: 0 }[samples];
    for (const [index, channel] of channels.entries()) {
      assert.ok(worst(channel, audio.channels[index]!) <= step * 1.001, `${worst(channel, audio.channels[index]!)}`);
    }
  });
}

test("decode() keeps mono mono and values above full scale", async () => {
  const { audio } = await decoded(wav([sine(440, 0.5, 44_100, 3)], { samples: "f32" }));
  assert.deepEqual(audio.channels, [sine(440, 0.5, 44_100, 3)]);
});

test("decode() believes the samples, not the sizes in a WAV header", async () => {
  const samples = sine(440, 0.5);
  for (const lie of [
    { riff_size: 0 },
    { riff_size: 0xffffffff },
    { data_size: 0xffffffff },
    { data_size: 0x7ffffff0 },
  ]) {
    const { audio } = await decoded(wav([samples], lie));
    assert.equal(audio.channels[0]!.length, samples.length, JSON.stringify(lie));
  }
});

test("decode() takes what there is of a file that was cut off", async () => {
  const channels = [noise(2, 2)];
  const cut = async (bytes: Uint8Array): Promise<number> =>
    (await decoded(bytes.subarray(0, bytes.length / 2))).facts.seconds;
  assert.ok(Math.abs((await cut(wav(channels))) - 1) < 0.01);
  const half = await cut(await flac(channels));
  assert.ok(half > 0.7 && half < 1.3, `${half} s`);
});

test("decode() reads FLAC of 16 and 24 bits bit for bit, also behind an ID3v2 tag", async () => {
  const channels = music(3, 0.5);
  for (const bits of [16, 24] as const) {
    const file = await flac(channels, bits);
    const tag = Buffer.from("ID3\x04\0\0\0\0\x02\0".padEnd(10 + 256, "\0"), "latin1");
    for (const bytes of [file, Buffer.concat([tag, file])]) {
      const { audio, facts } = await decoded(bytes);
      assert.equal(facts.format, "flac");
      for (const [index, channel] of channels.entries()) {
        assert.deepEqual(
          audio.channels[index],
          channel.map((sample) => Math.round(sample * 2 ** (bits - 1)) / 2 ** (bits - 1)),
        );
      }
    }
  }
});

test("decode() reads MP3, CBR and VBR, without the encoder's delay", async (context) => {
  const tone = faded(sine(1000, 1), 0.1);
  for (const options of [
    ["-b:a", "192k"],
    ["-q:a", "2"],
    ["-b:a", "64k", "-write_xing", "0"],
    ["-ar", "22050"],
  ]) {
    const bytes = await mp3([tone], context, ...options);
    if (bytes === undefined) return;
    const { audio, facts } = await decoded(bytes);
    assert.equal(facts.content_type, "audio/mpeg");
    // The swell of the tone begins where it began: without a tag that tells the delay, an encoder's 1,105 samples stay.
    const late = options.includes("-write_xing") ? 1105 : 0;
    const from = 10_000;
    let error = 0;
    for (let n = from; n < 30_000; n++) error = Math.max(error, Math.abs(audio.channels[0]![n + late]! - tone[n]!));
    assert.ok(error < 0.03, `${options.join(" ")}: ${error}`);
  }
});

test("decode() reads MP3 behind a tag of megabytes, and one that was cut off", async (context) => {
  const bytes = await mp3([noise(4, 2)], context);
  if (bytes === undefined) return;
  const size = 3_000_000;
  const tag = Buffer.alloc(10 + size, 0xff);
  tag.set([0x49, 0x44, 0x33, 3, 0, 0, size >> 21, (size >> 14) & 127, (size >> 7) & 127, size & 127]);
  const tagged = await decoded(Buffer.concat([tag, bytes]));
  assert.equal(tagged.facts.format, "mp3");
  assert.ok(Math.abs(tagged.facts.seconds - 2) < 0.1);
  const { seconds } = (await decoded(bytes.subarray(0, bytes.length / 2))).facts;
  assert.ok(seconds > 0.8 && seconds < 1.2, `${seconds} s`);
});

for (const rate of [8000, 22_050, 48_000, 96_000, 192_000]) {
  test(`decode() brings ${rate} Hz to 44.1 kHz: length, place and level`, async () => {
    const samples = faded(sine(1000, 1, rate), 0.1, rate);
    const { audio, facts } = await decoded(wav([samples, samples], { samples: "s24", sample_rate: rate }));
    assert.equal(facts.sample_rate, rate);
    assert.equal(audio.sample_rate, 44_100);
    assert.equal(audio.channels[1]!.length, 44_100);
    assert.ok(Math.abs(toneLevel(audio.channels[1]!, 1000, 44_100, 8820, 35_280) - 0.5) < 1e-4);
    const meant = sine(1000, 1);
    assert.ok(worst(audio.channels[0]!.subarray(8820, 35_280), meant.subarray(8820, 35_280)) < 1e-4);
  });
}

const C = Math.SQRT1_2;
/** Gains of each channel into left and right by ITU-R BS.775, by count and speaker mask; no mask: the usual order. */
const FOLDS: readonly [string, number | undefined, readonly (readonly [number, number])[]][] = [
  [
    "3.0",
    undefined,
    [
      [1, 0],
      [0, 1],
      [C, C],
    ],
  ],
  [
    "quad",
    undefined,
    [
      [1, 0],
      [0, 1],
      [C, 0],
      [0, C],
    ],
  ],
  [
    "4.0 by its mask",
    0x107,
    [
      [1, 0],
      [0, 1],
      [C, C],
      [C, C],
    ],
  ],
  [
    "5.0",
    undefined,
    [
      [1, 0],
      [0, 1],
      [C, C],
      [C, 0],
      [0, C],
    ],
  ],
  [
    "5.1",
    undefined,
    [
      [1, 0],
      [0, 1],
      [C, C],
      [0, 0],
      [C, 0],
      [0, C],
    ],
  ],
  [
    "5.1 with side surrounds",
    0x60f,
    [
      [1, 0],
      [0, 1],
      [C, C],
      [0, 0],
      [C, 0],
      [0, C],
    ],
  ],
  [
    "6.1",
    undefined,
    [
      [1, 0],
      [0, 1],
      [C, C],
      [0, 0],
      [C, C],
      [C, 0],
      [0, C],
    ],
  ],
  [
    "7.1",
    undefined,
    [
      [1, 0],
      [0, 1],
      [C, C],
      [0, 0],
      [C, 0],
      [0, C],
      [C, 0],
      [0, C],
    ],
  ],
];

for (const [name, mask, gains] of FOLDS) {
  test(`decode() folds ${name} to stereo by BS.775`, async () => {
    // Each channel speaks alone for a tenth of a second.
    const slot = 4410;
    const channels = gains.map((_, index) =>
      new Float32Array(slot * gains.length).fill(0.25, index * slot, (index + 1) * slot),
    );
    const { audio, facts } = await decoded(wav(channels, { samples: "f32", ...(mask === undefined ? {} : { mask }) }));
    assert.equal(facts.channels, gains.length);
    assert.equal(audio.channels.length, 2);
    for (const [index, [left, right]] of gains.entries()) {
      const n = index * slot + 2000;
      assert.ok(
        Math.abs(audio.channels[0]![n]! - 0.25 * left) < 1e-6,
        `channel ${index}, left: ${audio.channels[0]![n]}`,
      );
      assert.ok(
        Math.abs(audio.channels[1]![n]! - 0.25 * right) < 1e-6,
        `channel ${index}, right: ${audio.channels[1]![n]}`,
      );
    }
  });
}

// --------------------------------------------------------------------------------------------------------------- ending

test("decode() ends with the signal's reason when it is aborted, at once or on the way", async () => {
  await inFolder(async (path) => {
    await writeFile(path("long.flac"), silentFlac(700, 2));
    const limits: Limits = { seconds_min: 0, seconds_max: 900, bytes_max: 1_000_000 };
    await assert.rejects(decode(path("long.flac"), limits, AbortSignal.abort(new Error("too late"))), /too late/);
    const stop = new AbortController();
    const work = probe(path("long.flac"), limits, stop.signal);
    // It yields every 30 ms; all of it takes longer.
    setTimeout(() => stop.abort(new Error("enough")), 1);
    await assert.rejects(work, /enough/);
  });
});
