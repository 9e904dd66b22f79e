/** The decoders that run in the thread beside ffmpeg: the same samples of the same files. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import type { Limits } from "../../contract/mod.ts";
import { decode } from "../../runners/signal/media/decode.ts";
import { ffmpeg } from "../../runners/signal/media/ffmpeg.ts";
import { codecs } from "../../runners/signal/media/readers.ts";
import { unpackerOf } from "../../runners/signal/media/wav_samples.ts";
import {
  decibel,
  inFolder,
  joined,
  music,
  noise,
  seeded,
  silence,
  sine,
  toneLevel,
  type WavSamples,
  wav,
} from "../audio.ts";

const exec = promisify(execFile);
const LIMITS: Limits = { seconds_min: 0, seconds_max: 20, bytes_max: 5_000_000 };
const signal = new AbortController().signal;
const program = await ffmpeg().then(
  ({ path }) => path,
  () => undefined,
);
const skip = program === undefined && "there is no ffmpeg to compare with";

async function both(bytes: Uint8Array) {
  return await inFolder(async (path) => {
    await writeFile(path("source"), bytes);
    const own = await decode(path("source"), LIMITS, signal, "own");
    const theirs = await decode(path("source"), LIMITS, signal, "ffmpeg");
    return { own, theirs };
  });
}

async function assertSame(bytes: Uint8Array, what: string): Promise<void> {
  const { own, theirs } = await both(bytes);
  assert.deepEqual(own.facts, theirs.facts, what);
  assert.ok(own.audio.channels[0]!.length > 0, what);
  for (const [index, channel] of own.audio.channels.entries()) {
    const other = theirs.audio.channels[index]!;
    assert.equal(channel.length, other.length, what);
    const n = channel.findIndex((sample, at) => !Object.is(sample, other[at]) && sample !== other[at]);
    assert.equal(n, -1, `${what}: channel ${index}, sample ${n}: ${channel[n]}, by ffmpeg ${other[n]}`);
  }
}

/** What ffmpeg makes of `channels` by `options`. */
async function made(channels: readonly Float32Array[], extension: string, ...options: string[]): Promise<Uint8Array> {
  return await inFolder(async (path) => {
    await writeFile(path("in.wav"), wav(channels, { samples: "f32" }));
    const quiet = ["-v", "error", "-nostdin", "-y"];
    await exec(program!, [...quiet, "-i", path("in.wav"), ...options, path(`out.${extension}`)]);
    return await readFile(path(`out.${extension}`));
  });
}

// ------------------------------------------------------------------------------------------------------------------- WAV

for (const samples of ["u8", "s16", "s24", "s32", "f32", "f64"] satisfies WavSamples[]) {
  test(`decode() gives the samples of ${samples} WAV bit for bit as ffmpeg does`, { skip }, async () => {
    const loud = noise(1, 0.3, 44_100, 1.2);
    for (const channels of [[loud], [loud, noise(2, 0.3)], [1, 2, 3, 4, 5, 6].map((seed) => noise(seed, 0.2))]) {
      await assertSame(wav(channels, { samples }), `${channels.length} channels`);
    }
    await assertSame(wav(music(3, 0.4, 48_000), { samples, sample_rate: 48_000, mask: 3 }), "48 kHz, extensible");
  });
}

test("decode() gives the samples of companded WAV bit for bit as ffmpeg does", { skip }, async () => {
  for (const codec of ["pcm_alaw", "pcm_mulaw"]) {
    for (const channels of [[noise(4, 0.3, 44_100, 1)], music(5, 0.3)]) {
      await assertSame(await made(channels, "wav", "-c:a", codec), `${codec}, ${channels.length} channels`);
    }
  }
});

for (const codec of ["adpcm_ima_wav", "adpcm_ms"]) {
  test(`decode() gives the samples of ${codec} bit for bit as ffmpeg does, cut off or with noise in it too`, {
    skip,
  }, async () => {
    for (const channels of [[joined(noise(6, 0.2, 44_100, 1), sine(300, 0.2))], music(7, 0.7)]) {
      const file = await made(channels, "wav", "-c:a", codec);
      await assertSame(file, `${channels.length} channels`);
      await assertSame(file.subarray(0, file.length - 1501), `${channels.length} channels, cut off`);
      const data = Buffer.from(file).indexOf("data") + 8;
      const block = new DataView(file.buffer, file.byteOffset).getUint16(32, true);
      const next = seeded(8);
      // Codes, not heads of blocks: any are valid, and these drive the predictor into its corners.
      const wild = file.map((byte, n) => (n > data && (n - data) % block >= 14 ? Math.floor(256 * next()) : byte));
      await assertSame(wild, `${channels.length} channels, noise`);
    }
  });
}

test("decode() knows the ends and the middle of both laws of G.711", async () => {
  const file = (tag: number, codes: readonly number[]): Uint8Array => {
    const bytes = wav([new Float32Array(codes.length)], { samples: "u8" });
    bytes[20] = tag;
    bytes.set(codes, 44);
    return bytes;
  };
  const values = async (bytes: Uint8Array): Promise<number[]> =>
    await inFolder(async (path) => {
      await writeFile(path("a.wav"), bytes);
      const { audio } = await decode(path("a.wav"), LIMITS, signal, "own");
      return [...audio.channels[0]!].map((sample) => sample * 32_768);
    });
  // ITU-T G.711 tables 1a to 2b, scaled to 16 bits.
  assert.deepEqual(await values(file(6, [0xaa, 0x2a, 0xd5, 0x55])), [32_256, -32_256, 8, -8]);
  assert.deepEqual(await values(file(7, [0x80, 0x00, 0xff, 0x7f])), [32_124, -32_124, 0, 0]);
});

/** A chunk as it stands in a file, with the byte that pads an odd one. */
function chunk(id: string, size: number, claimed = size): Uint8Array {
  const bytes = new Uint8Array(8 + size + (size & 1)).fill(0x64, 8);
  for (let n = 0; n < 4; n++) bytes[n] = id.charCodeAt(n);
  new DataView(bytes.buffer).setUint32(4, claimed, true);
  return bytes;
}

test("decode() passes over chunks before and behind the samples, odd and unknown ones too", { skip }, async () => {
  const plain = wav(music(9, 0.2), { samples: "s24" });
  const around = (before: readonly Uint8Array[], behind: readonly Uint8Array[]): Uint8Array =>
    Buffer.concat([plain.subarray(0, 12), ...before, plain.subarray(12), ...behind]);
  const files: readonly [string, Uint8Array][] = [
    ["a JUNK chunk", around([chunk("JUNK", 28)], [])],
    ["odd chunks", around([chunk("bext", 603), chunk("zzzz", 1)], [chunk("LIST", 27)])],
    ["an empty chunk", around([chunk("JUNK", 0)], [chunk("id3 ", 900)])],
    ["a chunk behind that claims more than there is", around([], [chunk("LIST", 40, 0x7fff_fff0)])],
    ["a fact", Buffer.concat([plain.subarray(0, 36), chunk("fact", 4), plain.subarray(36)])],
  ];
  const { own } = await both(plain);
  for (const [name, bytes] of files) {
    await assertSame(bytes, name);
    assert.deepEqual((await both(bytes)).own.audio, own.audio, name);
  }
});

test("decode() reads RF64 by the sizes of its ds64 chunk", { skip }, async () => {
  const plain = wav(music(10, 0.2));
  const samples = plain.length - 44;
  const file = (size: number): Uint8Array => {
    const ds64 = chunk("ds64", 28);
    const fields = new DataView(ds64.buffer);
    ds64.fill(0, 8);
    fields.setBigUint64(8, BigInt(plain.length + 28), true);
    fields.setBigUint64(16, BigInt(size), true);
    const bytes = Buffer.concat([plain.subarray(0, 12), ds64, plain.subarray(12), chunk("LIST", 30)]);
    bytes.write("RF64", 0, "latin1");
    bytes.fill(0xff, 4, 8);
    bytes.fill(0xff, 48 + 28, 52 + 28);
    return bytes;
  };
  const { own } = await both(plain);
  assert.deepEqual((await both(file(samples))).own.audio, own.audio);
  await assertSame(file(samples), "RF64");
  // Far more than a double or a disk holds: what there is is taken.
  await assertSame(file(2 ** 52), "RF64 that lies");
});

test("decode() reads samples that come in several chunks as one", async () => {
  const whole = music(19, 0.3);
  const cut = (from: number, to: number): Uint8Array =>
    wav(whole.map((channel) => channel.subarray(from, to))).subarray(36);
  const head = wav(whole).subarray(0, 36);
  const bytes = Buffer.concat([
    ...[head, cut(0, 4001), chunk("JUNK", 27), cut(4001, 9000), chunk("LIST", 40), cut(9000, whole[0].length)],
    ...[chunk("data", 0), chunk("id3 ", 31)],
  ]);
  await inFolder(async (path) => {
    await writeFile(path("parts.wav"), bytes);
    await writeFile(path("whole.wav"), wav(whole));
    const [parts, one] = await Promise.all(
      ["parts.wav", "whole.wav"].map(async (name) => (await decode(path(name), LIMITS, signal, "own")).audio),
    );
    assert.deepEqual(parts, one);
  });
});

test("decode() reads a list of waves, and refuses one with silence by its length alone", async () => {
  const [left] = music(20, 0.2);
  const wave = wav([left]).subarray(36);
  const silent = chunk("slnt", 4);
  new DataView(silent.buffer).setUint32(8, 1000, true);
  const listed = (...waves: readonly Uint8Array[]): Uint8Array => {
    const list = chunk("LIST", 4, 4 + waves.reduce((sum, one) => sum + one.length, 0)).subarray(0, 12);
    list.set(Buffer.from("wavl"), 8);
    return Buffer.concat([wav([left]).subarray(0, 36), list, ...waves, chunk("JUNK", 9)]);
  };
  await inFolder(async (path) => {
    await writeFile(path("a.wav"), listed(wave, wave));
    await writeFile(path("b.wav"), wav([left]));
    const plain = (await decode(path("b.wav"), LIMITS, signal, "own")).audio.channels[0]!;
    const { audio } = await decode(path("a.wav"), LIMITS, signal, "own");
    assert.deepEqual(audio.channels, [joined(plain, plain)]);
    // Four bytes stand for a day of it.
    await writeFile(path("a.wav"), listed(wave, silent, wave));
    for (const choice of ["own", "best"] as const)
      await assert.rejects(decode(path("a.wav"), LIMITS, signal, choice), { code: "source_unsupported_format" });
  });
});

/** Blocks of one channel of ADPCM: a head that is right, then any codes. */
function adpcm(seed: number, head: readonly number[], bytes: number, blocks: number): Uint8Array[] {
  const next = seeded(seed);
  return Array.from({ length: blocks }, () => {
    const block = Uint8Array.from({ length: bytes }, () => Math.floor(256 * next()));
    block.set(head);
    return block;
  });
}

test("unpackerOf() gives each of many channels of ADPCM what it has alone", () => {
  const unpacked = (coding: "ima_adpcm" | "ms_adpcm", blocks: readonly Uint8Array[], channels: number) => {
    const out = Array.from({ length: channels }, () => new Float32Array(5000));
    const bytes = Uint8Array.from(Buffer.concat(blocks));
    const frames = unpackerOf(coding, blocks[0]!.length)(bytes, channels, out);
    return out.map((channel) => channel.slice(0, frames));
  };
  for (const channels of [3, 4, 6]) {
    const ima = Array.from({ length: channels }, (_, n) => adpcm(n, [n, 1, 10 + n, 0], 36, 5));
    const words = ima[0]!.map((_, b) =>
      Buffer.concat(
        Array.from({ length: 9 }, (_, word) => ima.map((one) => one[b]!.subarray(4 * word, 4 * word + 4))).flat(),
      ),
    );
    assert.deepEqual(
      unpacked("ima_adpcm", words, channels),
      ima.flatMap((one) => unpacked("ima_adpcm", one, 1)),
    );
    // Predictor, delta of 16 bits, two samples.
    const ms = Array.from({ length: channels }, (_, n) => adpcm(n, [n, 40 + n, 0, n, 2, n, 1], 7 + 12, 5));
    const apart = ms[0]!.map((_, b) => Buffer.concat(ms.map((one) => one[b]!)));
    const turns = apart.map((block) => inTurns(block, channels));
    const alone = ms.flatMap((one) => unpacked("ms_adpcm", one, 1));
    assert.deepEqual(unpacked("ms_adpcm", apart, channels), alone);
    assert.deepEqual(unpacked("ms_adpcm", turns, channels), alone);
  }
});

/** The same block with heads field by field and codes in turns. */
function inTurns(block: Uint8Array, channels: number): Uint8Array {
  const size = block.length / channels;
  const result: number[] = [];
  for (const [from, width] of [
    [0, 1],
    [1, 2],
    [3, 2],
    [5, 2],
  ] as const) {
    for (let n = 0; n < channels; n++) result.push(...block.subarray(n * size + from, n * size + from + width));
  }
  const codes: number[] = [];
  for (let code = 0; code < 2 * (size - 7); code++) {
    for (let n = 0; n < channels; n++) {
      const byte = block[n * size + 7 + (code >> 1)]!;
      codes.push(code & 1 ? byte & 15 : byte >> 4);
    }
  }
  for (let n = 0; n < codes.length; n += 2) result.push((codes[n]! << 4) | codes[n + 1]!);
  return Uint8Array.from(result);
}

test("decode() takes the whole samples of a file that was cut off within one", { skip }, async () => {
  const plain = wav(music(11, 0.2), { samples: "s24" });
  for (const less of [1, 2, 3, 4, 5, 6]) await assertSame(plain.subarray(0, plain.length - less), `${less} bytes less`);
});

test("decode() of a WAV with coding or chunks beyond all reason is source_undecodable without ffmpeg", async () => {
  const odd = (at: number, ...bytes: number[]): Uint8Array => {
    const file = wav([silence(0.2)]);
    file.set(bytes, at);
    return file;
  };
  const many = Buffer.concat([
    wav([silence(0.1)]).subarray(0, 12),
    ...Array.from({ length: 5000 }, () => chunk("a", 0)),
  ]);
  const files: readonly [string, Uint8Array][] = [
    ["an unknown tag", odd(20, 0x50, 0x00)],
    ["12 bytes a sample", odd(34, 96)],
    ["ADPCM without blocks", odd(20, 0x11, 0, 1, 0, 0x44, 0xac, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0)],
    ["ADPCM of 16 bits", odd(20, 0x02, 0)],
    ["thousands of chunks", many],
    ["samples before their format", Buffer.concat([odd(0).subarray(0, 12), chunk("data", 400)])],
  ];
  for (const [name, bytes] of files) {
    await inFolder(async (path) => {
      await writeFile(path("a.wav"), bytes);
      const refused = { name: "SourceError", code: "source_undecodable" };
      await assert.rejects(decode(path("a.wav"), LIMITS, signal, "own"), refused, name);
      await assert.rejects(decode(path("a.wav"), LIMITS, signal), refused, name);
    });
  }
});

// ------------------------------------------------------------------------------------------------------------------ FLAC

test("decode() gives the samples of FLAC bit for bit as ffmpeg does", { skip }, async () => {
  const six = [1, 2, 3, 4, 5, 6].map((seed) => noise(seed, 0.2));
  for (const format of ["s16", "s32"]) {
    for (const channels of [[noise(12, 0.5)], music(13, 0.5), six]) {
      for (const level of ["0", "8"]) {
        const file = await made(channels, "flac", "-sample_fmt", format, "-compression_level", level);
        await assertSame(file, `${channels.length} channels, ${format}, level ${level}`);
      }
    }
  }
  await assertSame(await made(music(14, 0.5), "flac", "-ar", "96000"), "96 kHz");
});

test("decode() of FLAC that is damaged on the way takes what ffmpeg can, and nothing without one", {
  skip,
}, async () => {
  const file = await made(music(15, 2), "flac");
  file.fill(0x55, file.length >> 1, (file.length >> 1) + 900);
  await inFolder(async (path) => {
    await writeFile(path("a.flac"), file);
    await assert.rejects(decode(path("a.flac"), LIMITS, signal, "own"), { code: "source_undecodable" });
    assert.deepEqual(
      await decode(path("a.flac"), LIMITS, signal),
      await decode(path("a.flac"), LIMITS, signal, "ffmpeg"),
    );
  });
});

// ------------------------------------------------------------------------------------------------------------------- MP3

const MP3: readonly (readonly string[])[] = [
  ["-b:a", "128k"],
  ["-b:a", "320k", "-ar", "32000"],
  ["-q:a", "2"],
  ["-q:a", "6", "-ar", "48000"],
  ["-b:a", "64k", "-write_xing", "0"],
  ["-q:a", "4", "-write_xing", "0"],
  ["-ar", "22050"],
  ["-ar", "16000", "-ac", "1"],
  ["-ar", "11025", "-b:a", "32k"],
  ["-ac", "1"],
  ["-joint_stereo", "0", "-b:a", "96k"],
];

test("decode() gives MP3 of the same length as ffmpeg does, within -90 dB", { skip }, async (context) => {
  if (!(await canMakeMp3(context))) return;
  for (const options of MP3) {
    const name = options.join(" ");
    const file = await made(music(16, 1.1234), "mp3", ...options);
    const { own, theirs } = await both(file);
    assert.deepEqual(own.facts, theirs.facts, name);
    assert.equal(own.audio.channels.length, theirs.audio.channels.length, name);
    for (const [index, channel] of own.audio.channels.entries()) {
      const other = theirs.audio.channels[index]!;
      assert.equal(channel.length, other.length, name);
      const most = channel.reduce((worst, sample, n) => Math.max(worst, Math.abs(sample - other[n]!)), 0);
      assert.ok(most > 0 && decibel(most) < -90, `${name}: ${decibel(most).toFixed(1)} dB`);
    }
  }
});

test("decode() reads MP3 in a WAV as it is alone, and as ffmpeg does", { skip }, async (context) => {
  if (!(await canMakeMp3(context))) return;
  for (const options of [
    ["-b:a", "128k"],
    ["-ac", "1", "-ar", "22050"],
  ]) {
    const name = options.join(" ");
    const file = await made(music(21, 1.1), "wav", "-c:a", "libmp3lame", ...options);
    const data = Buffer.from(file).indexOf("data") + 8;
    const { own, theirs } = await both(file);
    assert.deepEqual(own.facts, theirs.facts, name);
    assert.equal(own.facts.format, "wav");
    const alone = (await both(file.subarray(data))).own.audio;
    assert.deepEqual(own.audio, alone, name);
    for (const [index, channel] of own.audio.channels.entries()) {
      const other = theirs.audio.channels[index]!;
      assert.equal(channel.length, other.length, name);
      const most = channel.reduce((worst, sample, n) => Math.max(worst, Math.abs(sample - other[n]!)), 0);
      assert.ok(most > 0 && decibel(most) < -90, `${name}: ${decibel(most).toFixed(1)} dB`);
    }
    // What stands behind the samples is none of them.
    assert.deepEqual((await both(Buffer.concat([file, chunk("LIST", 9000)]))).own.audio, alone, name);
    const hollow = Uint8Array.from(file).fill(0x11, data);
    await inFolder(async (path) => {
      await writeFile(path("a.wav"), hollow);
      await assert.rejects(decode(path("a.wav"), LIMITS, signal, "own"), { code: "source_undecodable" });
    });
  }
});

test("decode() passes over what is between MP3 frames, and ends where they end", { skip }, async (context) => {
  if (!(await canMakeMp3(context))) return;
  const file = await made([noise(17, 3)], "mp3", "-b:a", "128k", "-write_xing", "0");
  const next = seeded(18);
  const rubbish = Uint8Array.from({ length: 100_000 }, () => Math.floor(256 * next()));
  const closing = Buffer.concat([Buffer.from("TAG"), Buffer.alloc(125, 0xff)]);
  const clean = (await both(file)).own.facts.seconds;
  const half = file.length >> 1;
  const rough = Buffer.concat([file.subarray(0, half), rubbish, file.subarray(half), closing]);
  // The frame that was torn apart and one that the decoder needs to find its feet again, of 26 ms each.
  const { seconds } = (await both(rough)).own.facts;
  assert.ok(Math.abs(seconds - clean) < 0.11, `${seconds} s of ${clean} s`);
});

async function canMakeMp3(context: TestContext): Promise<boolean> {
  const { stdout } = await exec(program!, ["-hide_banner", "-v", "error", "-encoders"]);
  const can = stdout.includes("libmp3lame");
  if (!can) context.skip("this ffmpeg has no MP3 encoder to make the files with");
  return can;
}

test("decode() reads MP3 of free format", async () => {
  const bytes = await readFile(new URL("./fixtures/free_format_64.mp3", import.meta.url));
  await inFolder(async (path) => {
    await writeFile(path("a.mp3"), bytes);
    const { audio, facts } = await decode(path("a.mp3"), LIMITS, signal, "own");
    assert.deepEqual([facts.format, facts.sample_rate, facts.channels], ["mp3", 44_100, 1]);
    // 0.3 s of 441 Hz at an eighth of full scale, which the encoder takes down to 0.95, with delay and padding.
    assert.equal(audio.channels[0]!.length, 13 * 1152);
    assert.ok(Math.abs(toneLevel(audio.channels[0]!, 441, 44_100, 3000, 12_000) - 0.95 * 0.125) < 0.001);
    // Cut off within a frame, all but that one is there.
    await writeFile(path("a.mp3"), bytes.subarray(0, bytes.length - 100));
    const cut = await decode(path("a.mp3"), LIMITS, signal, "own");
    assert.deepEqual(cut.audio.channels[0], audio.channels[0]!.subarray(0, 12 * 1152));
    assert.equal(audio.channels[0]!.length, 13 * 1152);
  });
});

test("decode() reads MP3 that was cut out of a longer stream, within a frame", async () => {
  const frame = Buffer.alloc(417, 0x55);
  frame.set([0xff, 0xfb, 0x90, 0xc4, ...new Array<number>(17).fill(0)]);
  const frames = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => frame));
  await inFolder(async (path) => {
    for (const less of [1, 100, 350]) {
      await writeFile(path("a.mp3"), frames(13).subarray(less));
      const { facts } = await decode(path("a.mp3"), LIMITS, signal, "own");
      assert.deepEqual([facts.format, facts.seconds], ["mp3", (12 * 1152) / 44_100]);
    }
    // Few frames behind something else may be chance, and what is longer than a frame is no rest of one.
    for (const bytes of [frames(6).subarray(100), Buffer.concat([Buffer.alloc(3000, 0x55), frames(12)])]) {
      await writeFile(path("a.mp3"), bytes);
      await assert.rejects(decode(path("a.mp3"), LIMITS, signal, "own"), { code: "source_unsupported_format" });
    }
  });
});

test("codecs() names what reads each format here", async () => {
  const { wav: wave, flac, mp3, fallback } = await codecs();
  assert.deepEqual([wave, flac], ["built-in", "built-in"]);
  assert.match(mp3 ?? "", /^mpg123-decoder \d/);
  assert.equal(fallback?.startsWith("ffmpeg "), program === undefined ? undefined : true);
});
