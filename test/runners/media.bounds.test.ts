/** What a file may cost: its claims are held to the limits before anything is decoded, its samples while it is. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import type { Limits } from "../../contract/mod.ts";
import { crc8, crc16 } from "../../runners/signal/flac/crc.ts";
import { decode, probe } from "../../runners/signal/media/decode.ts";
import { readFlac } from "../../runners/signal/media/flac.ts";
import { Intake, type Sink, samplesMax } from "../../runners/signal/media/intake.ts";
import { read } from "../../runners/signal/media/readers.ts";
import type { Format } from "../../runners/signal/media/sniff.ts";
import { inFolder, silence, silentFlac, wav } from "../audio.ts";

const LIMITS: Limits = { seconds_min: 1e-6, seconds_max: 600, bytes_max: 50_000_000 };
const signal = new AbortController().signal;

/** How far a file is decoded before it is refused, in samples, and with what. */
async function work(bytes: Uint8Array, format: Format, limits: Limits = LIMITS) {
  return await inFolder(async (path) => {
    await writeFile(path("a"), bytes);
    let [channels, samples] = [0, 0];
    const sink: Sink = {
      begin: (form) => {
        channels = form.channels;
      },
      push: (_, frames) => {
        samples += channels * frames;
      },
    };
    const reading = read(path("a"), format, limits.seconds_max, "own", signal, () => {
      return new Intake(limits, bytes.length, sink);
    });
    const error: unknown = await reading.then(
      () => undefined,
      (error: unknown) => error,
    );
    // What an upload is held to is what a job is held to.
    if (error !== undefined) {
      const code = (error as { code?: unknown }).code;
      await assert.rejects(probe(path("a"), limits, signal, "own"), { name: "SourceError", code });
      await assert.rejects(decode(path("a"), limits, signal, "own"), { name: "SourceError", code });
    }
    return { begun: channels > 0, samples, error: error as (Error & { code: string }) | undefined };
  });
}

/** FLAC of zeros in the largest blocks, a few bytes each. `claimed`: samples of each channel by STREAMINFO, 0 for unknown. */
function zeros(
  seconds: number,
  sample_rate: number,
  channels: number,
  bits: 8 | 16 | 24,
  claimed?: number,
): Uint8Array {
  const size = 65_535;
  const blocks = Math.ceil((seconds * sample_rate) / size);
  const total = BigInt(claimed ?? blocks * size);
  const packed = (BigInt(sample_rate) << 44n) | (BigInt(channels - 1) << 41n) | (BigInt(bits - 1) << 36n) | total;
  const bytes: number[] = [...Buffer.from("fLaC"), 0x80, 0, 0, 34, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0];
  for (let shift = 56n; shift >= 0n; shift -= 8n) bytes.push(Number((packed >> shift) & 255n));
  bytes.push(...new Array<number>(16).fill(0));
  for (let block = 0; block < blocks; block++) {
    const number =
      block < 0x80
        ? [block]
        : block < 0x800
          ? [0xc0 | (block >> 6), 0x80 | (block & 63)]
          : [0xe0 | (block >> 12), 0x80 | ((block >> 6) & 63), 0x80 | (block & 63)];
    const frame = [0xff, 0xf8, 0x70, (channels - 1) << 4, ...number, 255, 254];
    frame.push(crc8(Uint8Array.from(frame), 0, frame.length));
    for (let n = 0; n < channels * (1 + bits / 8); n++) frame.push(0);
    const check = crc16(Uint8Array.from(frame), 0, frame.length);
    bytes.push(...frame, check >> 8, check & 255);
  }
  return Uint8Array.from(bytes);
}

test("a FLAC that says it is too long is refused before anything is decoded", async () => {
  // An hour at 192 kHz in eight channels, 73 KB for a quarter of it: all of it cost 17.7 s of processor time.
  for (const file of [zeros(900, 192_000, 8, 8), silentFlac(601, 2), zeros(1, 44_100, 1, 16, 601 * 44_100)]) {
    const { begun, error } = await work(file, "flac");
    assert.equal(begun, false);
    assert.equal(error?.code, "source_too_long");
  }
});

test("a FLAC of unknown length, or a lying one, is decoded up to what is allowed and no further", async () => {
  const most = samplesMax(60, 10 ** 9);
  assert.equal(most, 60 * 48_000 * 8);
  const limits: Limits = { ...LIMITS, seconds_max: 60 };
  for (const claimed of [0, 1000]) {
    const { begun, samples, error } = await work(zeros(120, 192_000, 8, 16, claimed), "flac", limits);
    assert.equal(begun, true);
    assert.equal(error?.code, "source_too_long");
    assert.match(error!.message, /8 channels at 192000 Hz hold more than the 23,040,000 samples/);
    assert.ok(samples <= most && samples > most - 8 * 65_536, `${samples}`);
  }
});

test("a file of few bytes holds few samples", async () => {
  const file = zeros(598, 48_000, 8, 8);
  assert.ok(file.length < 13_000);
  const { begun, error } = await work(file, "flac");
  assert.equal(begun, false);
  assert.match(error!.message, /allowed in a file of its size/);
  // Ten minutes of silence in stereo are welcome however few bytes they have.
  assert.ok(samplesMax(600, 1) >= 600 * 48_000 * 2);
  // Three minutes of silence in the largest blocks are one kilobyte, and pass.
  const short = await work(zeros(180, 44_100, 2, 16), "flac");
  assert.deepEqual([short.error, short.samples > 180 * 44_100 * 2], [undefined, true]);
});

test("what honest files need is allowed: 600 s of eight channels at 48 kHz, or of two at 192 kHz", async () => {
  assert.ok(samplesMax(600, 50_000_000) >= 600 * 48_000 * 8);
  assert.ok(samplesMax(600, 50_000_000) >= 600 * 192_000 * 2);
});

test("a WAV that is too long is refused by its size, whatever its header says", async () => {
  const limits: Limits = { ...LIMITS, seconds_max: 1 };
  for (const data_size of [0, 0xffff_ffff, 0x7fff_fff0]) {
    const { begun, error } = await work(wav([silence(1.01)], { data_size }), "wav", limits);
    assert.deepEqual([begun, error?.code], [false, "source_too_long"]);
    // What is not there is not counted.
    assert.equal((await work(wav([silence(1)], { data_size }), "wav", limits)).samples, 44_100);
  }
});

/** `frames` frames of MPEG 1 layer III, 128 kbit/s, 44.1 kHz, mono, without sound; `tagged`: what a Xing tag says they are. */
function mp3(frames: number, tagged?: number): Uint8Array {
  const bytes = new Uint8Array(417 * frames);
  for (let at = 0; at < bytes.length; at += 417) bytes.set([0xff, 0xfb, 0x90, 0xc4], at);
  if (tagged !== undefined) {
    bytes.set(Buffer.from("Xing\0\0\0\x01"), 21);
    new DataView(bytes.buffer).setUint32(29, tagged);
  }
  return bytes;
}

test("an MP3 of too many frames is refused before anything is decoded, whatever its tag says", async () => {
  const limits: Limits = { ...LIMITS, seconds_max: 2 };
  for (const file of [mp3(90), mp3(90, 10)]) {
    const { begun, error } = await work(file, "mp3", limits);
    assert.deepEqual([begun, error?.code], [false, "source_too_long"]);
  }
  for (const file of [mp3(70), mp3(70, 1000)]) assert.equal((await work(file, "mp3", limits)).error, undefined);
});

test("a FLAC of more blocks than any encoder makes is refused", async () => {
  await inFolder(async (path) => {
    await writeFile(path("a"), silentFlac(15));
    const nothing: Sink = { begin: () => undefined, push: () => undefined };
    await readFlac(path("a"), nothing, signal, 0.011);
    await assert.rejects(readFlac(path("a"), nothing, signal, 0.01), { code: "source_unsupported_format" });
  });
});

test("a WAV with silence by its length alone is refused, 84 bytes or more", async () => {
  const file = Buffer.alloc(84);
  file.write("RIFF\x4c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x08\0", 0, "latin1");
  file.writeUInt32LE(192_000, 24);
  file.writeUInt16LE(16, 32);
  file.writeUInt16LE(16, 34);
  file.write("LIST\x28\0\0\0wavlslnt\x04\0\0\0", 36, "latin1");
  file.writeUInt32LE(500 * 192_000, 56);
  file.write("data\x10\0\0\0", 60, "latin1");
  const { begun, error } = await work(file, "wav");
  assert.equal(begun, false);
  assert.equal(error?.code, "source_unsupported_format");
  assert.match(error!.message, /slnt/);
});
