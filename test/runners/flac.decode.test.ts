import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { BitWriter } from "../../runners/signal/flac/bit_writer.ts";
import { crc8, crc16 } from "../../runners/signal/flac/crc.ts";
import { headOf, MD5_UNKNOWN, type StreamInfo } from "../../runners/signal/flac/metadata.ts";
import {
  decodeFlac,
  encodeFlacToBytes,
  FlacDecoder,
  FlacError,
  type FlacSource,
} from "../../runners/signal/flac/mod.ts";
import { type Workspace, workspace } from "../../runners/signal/flac/workspace.ts";
import { ffmpeg } from "../../runners/signal/media/ffmpeg.ts";
import { inFolder, seeded, silentFlac } from "../audio.ts";

const exec = promisify(execFile);

/** Decodes with kernels and without: samples, or what is wrong, must be the same. */
function decoded(bytes: Uint8Array): number[][] {
  const [ours, plain] = [workspace(), null].map((kernels) => outcome(bytes, kernels));
  assert.deepEqual(ours, plain);
  if (plain!.error !== undefined) throw plain!.error;
  return plain!.channels;
}

function outcome(bytes: Uint8Array, kernels: Workspace | null): { channels: number[][]; error: unknown } {
  const channels: number[][] = [];
  try {
    for (const frame of decodeFlac(bytes, { kernels })) {
      if (channels.length === 0) channels.push(...frame.channels.map(() => []));
      for (const [n, samples] of frame.channels.entries()) for (const sample of samples) channels[n]!.push(sample);
    }
    return { channels, error: undefined };
  } catch (error) {
    return { channels, error };
  }
}

/** Speech-like in its unevenness: bursts, a sweep, silence, full scale at times. */
function lively(frames: number, channels: number, bits: number, seed = 1): number[][] {
  const next = seeded(seed);
  const full = 2 ** (bits - 1);
  return Array.from({ length: channels }, (_, channel) =>
    Array.from({ length: frames }, (_, n) => {
      const level = Math.max(0, Math.sin(n * 0.0007 + channel)) ** 2;
      const value = level * Math.sin(0.02 * n + 1e-6 * n * n * (1 + channel)) + 0.02 * level * (next() - 0.5);
      // Adding 0 turns -0 into 0, as files do.
      return Math.max(-full, Math.min(full - 1, Math.round(1.05 * full * value))) + 0;
    }),
  );
}

const raw = (channels: readonly number[][], bits: 16 | 24): Buffer => {
  // ffmpeg takes 24 bits at the top of 32.
  const width = bits === 16 ? 2 : 4;
  const bytes = Buffer.alloc(channels[0]!.length * channels.length * width);
  for (const [channel, samples] of channels.entries()) {
    for (const [n, sample] of samples.entries()) {
      bytes.writeIntLE(bits === 16 ? sample : sample * 256, (n * channels.length + channel) * width, width);
    }
  }
  return bytes;
};

test("FlacDecoder decodes what ffmpeg writes at every level", async (context) => {
  let program: string;
  try {
    program = (await ffmpeg()).path;
  } catch (error) {
    return context.skip(error instanceof Error ? error.message : String(error));
  }
  const cases: [16 | 24, number, number, string[]][] = [
    [16, 2, 44_100, ["-compression_level", "0"]],
    [24, 2, 48_000, ["-compression_level", "0"]],
    [16, 1, 8000, ["-compression_level", "5"]],
    [24, 2, 96_000, ["-compression_level", "5"]],
    [16, 6, 44_100, ["-compression_level", "5"]],
    [24, 6, 48_000, ["-compression_level", "8"]],
    [16, 2, 12_345, ["-compression_level", "8"]],
    [24, 1, 192_000, ["-compression_level", "12"]],
    [16, 2, 44_100, ["-compression_level", "12", "-frame_size", "1155"]],
    [24, 2, 44_100, ["-compression_level", "12", "-max_prediction_order", "32", "-strict", "-2"]],
    [16, 8, 32_000, ["-lpc_type", "fixed", "-ch_mode", "indep"]],
    [24, 2, 44_100, ["-ch_mode", "mid_side", "-exact_rice_parameters", "1"]],
  ];
  await inFolder(async (path) => {
    for (const [n, [bits, channels, rate, options]] of cases.entries()) {
      const meant = lively(20_011, channels, bits, n);
      await writeFile(path("in.raw"), raw(meant, bits));
      await exec(program, [
        ...["-nostdin", "-v", "error", "-y", "-f", bits === 16 ? "s16le" : "s32le", "-ar", String(rate)],
        ...["-ac", String(channels), "-i", path("in.raw"), "-c:a", "flac"],
        ...(bits === 24 ? ["-sample_fmt", "s32", "-bits_per_raw_sample", "24"] : ["-sample_fmt", "s16"]),
        ...[...options, path("out.flac")],
      ]);
      const bytes = await readFile(path("out.flac"));
      const [first] = decodeFlac(bytes);
      const { info } = first!;
      assert.deepEqual([info.bits, info.channels, info.sample_rate, info.frames], [bits, channels, rate, 20_011]);
      assert.notEqual(info.md5, MD5_UNKNOWN);
      assert.deepEqual(decoded(bytes), meant, `case ${n}`);
    }
  });
});

test("FlacDecoder decodes 32 bits, and a side of 33", () => {
  // By the reference encoder 1.4.2: opposite squares from end to end, then noise, as middle and side.
  const bytes = Buffer.from(FULL_32, "base64");
  let state = 12_345;
  const left = Array.from({ length: 40 }, (_, n) => {
    if (n < 16) return (n >> 2) % 2 === 0 ? 0x7fff_ffff : -0x8000_0000;
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state - 0x8000_0000;
  });
  const right = left.map((value, n) => (n < 16 ? -value - 1 : -value));
  assert.deepEqual(decoded(bytes), [left, right]);
});

interface Made {
  readonly channels?: number;
  readonly bits?: number;
  readonly frames?: number;
  readonly md5?: string;
  readonly points?: number;
  readonly block_min?: number;
  readonly block_max?: number;
}

/** A file of 44.1 kHz by hand: each block as its size, its number, and what writes its subframes. */
function byHand(
  blocks: readonly [number, number, (out: BitWriter) => void][],
  { channels = 1, bits = 16, frames = 0, md5 = MD5_UNKNOWN, block_min = 16, block_max = 65_535 }: Made = {},
  variable = false,
): Uint8Array {
  const info: StreamInfo = {
    ...{ sample_rate: 44_100, channels, bits, frames, md5 },
    ...{ block_min, block_max, frame_bytes_min: 0, frame_bytes_max: 0 },
  };
  const parts = [headOf(info, [], {})];
  for (const [count, number, write] of blocks) {
    const out = new BitWriter(1 << 20);
    out.put(variable ? 0xfff9 : 0xfff8, 16);
    out.put(0x79, 8);
    out.put((channels - 1) << 4, 8);
    for (const byte of utf8(number)) out.put(byte, 8);
    out.put(count - 1, 16);
    out.align();
    out.put(crc8(out.bytes, 0, out.length), 8);
    write(out);
    out.align();
    out.put(crc16(out.bytes, 0, out.length), 16);
    out.align();
    parts.push(out.bytes.slice());
  }
  return Buffer.concat(parts);
}

/** Up to 36 bits, longer than UTF-8 itself goes. */
function utf8(number: number): number[] {
  if (number < 0x80) return [number];
  const following = [1, 2, 3, 4, 5, 6].find((count) => number < 2 ** (6 + 5 * count))!;
  const digit = (place: number): number => Math.floor(number / 64 ** place);
  const lead = ((0xff00 >> (following + 1)) & 0xff) | digit(following);
  return [lead, ...Array.from({ length: following }, (_, n) => 0x80 | (digit(following - 1 - n) % 64))];
}

const verbatim =
  (samples: readonly number[], bits = 16) =>
  (out: BitWriter): void => {
    out.put(1 << 1, 8);
    for (const sample of samples) out.put(sample, bits);
  };

test("FlacDecoder reads partitions that are not coded, and long runs", () => {
  const bytes = byHand([
    [
      32,
      0,
      (out) => {
        out.put(8 << 1, 8);
        out.put(1, 2);
        out.put(2, 4);
        // No bits at all: zeros.
        out.put(31, 5);
        out.put(0, 5);
        // Five bits each.
        out.put(31, 5);
        out.put(5, 5);
        for (let n = 0; n < 8; n++) out.put(n - 16, 5);
        // Rice of parameter 0: runs of up to 100 zeros.
        out.put(0, 5);
        for (let n = 0; n < 8; n++) {
          out.zeros(n * 14);
          out.put(1, 1);
        }
        // Parameter 30.
        out.put(30, 5);
        for (let n = 0; n < 8; n++) out.put(2 ** 30 + n, 31);
      },
    ],
  ]);
  const runs = Array.from({ length: 8 }, (_, n) => n * 7);
  const small = [0, -1, 1, -2, 2, -3, 3, -4];
  const fives = Array.from({ length: 8 }, (_, n) => n - 16);
  assert.deepEqual(decoded(bytes), [[...Array(8).fill(0), ...fives, ...runs, ...small]]);
});

test("FlacDecoder restores channels side by side whose predictors are unlike, and refuses what leaves its bits in one", () => {
  const next = seeded(17);
  // Verbatim, then fixed and linear predictors, one too long to go beside another.
  const types = [1, 8, 9, 10, 32, 38, 39, 43];
  for (const first of types) {
    for (const second of types) {
      const wasted = first === 1 ? 3 : 0;
      const written = (out: BitWriter): void => {
        filled(out, first, next, wasted);
        filled(out, second, next, 0);
      };
      const found = decoded(byHand([[64, 0, written]], { channels: 2 }));
      assert.deepEqual(
        found.map((channel) => channel.length),
        [64, 64],
      );
      assert.ok(found[0]!.every((sample) => sample % 2 ** wasted === 0));
    }
  }
  for (const place of [0, 1]) {
    const written = (out: BitWriter): void => {
      for (const channel of [0, 1]) filled(out, 39, next, 0, channel === place ? 2 ** 14 - 1 : undefined);
    };
    assert.throws(() => decoded(byHand([[64, 0, written]], { channels: 2 })), fault("damaged", /leaves its 16 bits/));
  }
});

/** A subframe of 64 samples of 16 bits with something in it; coefficients of 15 bits are in all less than 1, or are `tap`. */
function filled(out: BitWriter, type: number, next: () => number, wasted: number, tap?: number): void {
  const order = type > 31 ? type - 31 : type > 1 ? type - 8 : 64;
  out.put((type << 1) | (wasted > 0 ? 1 : 0), 8);
  if (wasted > 0) out.put(1, wasted);
  for (let n = 0; n < order; n++) out.put(Math.floor(200 * next()) & 0xffff, 16 - wasted);
  if (type === 1) return;
  if (type > 31) {
    out.put(14, 4);
    out.put(13, 5);
    for (let n = 0; n < order; n++) out.put((tap ?? Math.floor(((next() - 0.5) * 2 ** 14) / order)) & 0x7fff, 15);
  }
  // One partition, parameter 3.
  out.put(0, 6);
  out.put(3, 4);
  for (let n = order; n < 64; n++) {
    out.zeros(Math.floor(3 * next()));
    out.put(1, 1);
    out.put(Math.floor(8 * next()), 3);
  }
}

test("FlacDecoder reads blocks of varying size, with numbers of up to 36 bits", () => {
  const first = 2 ** 35 + 77;
  const blocks: [number, number, (out: BitWriter) => void][] = [
    [3, first, verbatim([1, -2, 3])],
    [1, first + 3, verbatim([-32_768])],
    [20, first + 4, verbatim(Array.from({ length: 20 }, (_, n) => n))],
  ];
  assert.deepEqual(decoded(byHand(blocks, {}, true)), [
    [1, -2, 3, -32_768, ...Array.from({ length: 20 }, (_, n) => n)],
  ]);
  assert.throws(() => decoded(byHand([blocks[0]!, blocks[2]!], {}, true)), fault("damaged", /missing at sample 3/));
});

test("FlacDecoder reads blocks of varying size as encoders from before FLAC 1.1.3 number them", () => {
  const blocks = (first: number): [number, number, (out: BitWriter) => void][] => [
    [3, first, verbatim([1, -2, 3])],
    [1, first + 3, verbatim([-32_768])],
    [20, first + 4, verbatim(Array.from({ length: 20 }, (_, n) => n))],
  ];
  const meant = [[1, -2, 3, -32_768, ...Array.from({ length: 20 }, (_, n) => n)]];
  for (const first of [0, 4608]) assert.deepEqual(decoded(byHand(blocks(first))), meant);
  const [one, , three] = blocks(0);
  assert.throws(() => decoded(byHand([one!, three!])), fault("damaged", /missing at sample 3/));
  // Blocks that are all alike are numbered one by one.
  assert.throws(() => decoded(byHand(blocks(0), { block_min: 20, block_max: 20 })), fault("damaged", /missing/));
});

test("FlacDecoder passes over what stands around the stream", () => {
  const meant = [5, 6, 7];
  const stream = byHand([[3, 0, verbatim(meant)]], { frames: 3 });
  const id3 = Buffer.concat([Buffer.from("ID3\x04\x00\x10\x00\x00\x01\x05"), Buffer.alloc(133 + 10, 0xff)]);
  assert.deepEqual(decoded(Buffer.concat([id3, id3, stream])), [meant]);
  assert.deepEqual(decoded(Buffer.concat([stream, Buffer.from("TAG"), Buffer.alloc(125)])), [meant]);
  assert.deepEqual(decoded(Buffer.concat([stream, Buffer.alloc(1)])), [meant]);
  // Without a count, only a tag of another format may follow.
  const open = byHand([[3, 0, verbatim(meant)]]);
  assert.deepEqual(decoded(Buffer.concat([open, Buffer.from("TAG"), Buffer.alloc(125)])), [meant]);
  assert.deepEqual(decoded(Buffer.concat([open, Buffer.from("APETAGEX")])), [meant]);
  assert.throws(() => decoded(Buffer.concat([open, Buffer.alloc(40)])), fault("damaged"));
  // Other metadata, padding of 70,000 bytes among them.
  const [head, frame] = [stream.slice(0, 42), stream.subarray(stream.indexOf(0xff, 60))];
  const padding = Buffer.concat([Buffer.from([0x81, 0x01, 0x11, 0x70]), Buffer.alloc(70_000)]);
  assert.deepEqual(decoded(Buffer.concat([head, Buffer.from([0x7e, 0, 0, 1, 9]), padding, frame])), [meant]);
});

test("FlacDecoder takes bytes as they come", () => {
  const meant = lively(9000, 2, 16);
  const bytes = small(meant);
  for (const size of [1, 7, 1000, 5_000_000]) {
    const decoder = new FlacDecoder();
    const left: number[] = [];
    const drain = (): void => {
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) left.push(...frame.channels[0]!);
    };
    for (let at = 0; at < bytes.length; at += size) {
      decoder.push(bytes.subarray(at, at + size));
      drain();
    }
    assert.equal(decoder.done, false);
    decoder.end();
    drain();
    assert.equal(decoder.done, true);
    assert.equal(decoder.info?.frames, 9000);
    assert.deepEqual(left, meant[0]);
    assert.equal(decoder.next(), undefined);
  }
});

test("FlacDecoder keeps decoders apart that take turns, and outlives memory that grows", () => {
  const meant = [lively(30_000, 2, 24, 1), lively(30_000, 2, 24, 2)];
  const generators = meant.map((channels) => decodeFlac(small(channels, 24)));
  const got: number[][] = [[], []];
  for (let left = 2; left > 0; ) {
    left = 2;
    for (const [n, frames] of generators.entries()) {
      const step = frames.next();
      // What others do with the memory of the kernels while a frame is looked at.
      encodeFlacToBytes(sourceOf(lively(5000, 1, 16, 3)), 44_100);
      workspace()?.kernels.reserve(200_000);
      if (step.done) left--;
      else got[n]!.push(...step.value.channels[0]!);
    }
  }
  assert.deepEqual(got, [meant[0]![0], meant[1]![0]]);
});

test("FlacDecoder gives floats that are the whole numbers, with kernels and without", () => {
  for (const [bits, channels] of [
    [16, 1],
    [24, 2],
  ] as const) {
    const meant = lively(9001, channels, bits);
    const file = small(meant, bits);
    for (const kernels of [workspace(), null]) {
      const got: number[][] = meant.map(() => []);
      for (const frame of decodeFlac(file, { floats: true, kernels })) {
        assert.deepEqual(frame.channels, []);
        for (const [n, samples] of frame.floats.entries())
          got[n]!.push(...Array.from(samples, (sample) => sample * 2 ** (bits - 1) + 0));
      }
      assert.deepEqual(got, meant);
    }
  }
});

test("FlacDecoder never takes a changed byte for sound", () => {
  const meant = lively(300, 2, 16);
  const bytes = small(meant);
  let refused = 0;
  for (let at = 0; at < bytes.length; at++) {
    for (const mask of [0x01, 0x80, 0xff, 0x10]) {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= mask;
      try {
        // Tags, sizes and the like may change; the samples may not.
        assert.deepEqual(decoded(changed), meant, `byte ${at}, mask ${mask}`);
      } catch (error) {
        if (!(error instanceof FlacError)) throw error;
        refused++;
      }
    }
  }
  assert.ok(refused > 3.5 * (bytes.length - 70), `${refused} of ${4 * bytes.length}`);
});

test("FlacDecoder says where a file is cut off, and gives what came before", () => {
  const meant = lively(9000, 1, 24);
  const bytes = small(meant, 24);
  for (let length = 0; length < bytes.length; length += 1 + (length >> 5)) {
    assert.throws(
      () => decoded(bytes.subarray(0, length)),
      fault(length < 4 ? "not_flac" : "truncated"),
      String(length),
    );
  }
  const got: number[] = [];
  assert.throws(() => {
    for (const frame of decodeFlac(bytes.subarray(0, -10))) got.push(...frame.channels[0]!);
  }, fault("truncated"));
  assert.deepEqual(got, meant[0]!.slice(0, 8192));
  const decoder = new FlacDecoder();
  decoder.push(bytes.subarray(0, -10));
  decoder.end();
  decoder.next();
  decoder.next();
  // The error stays.
  assert.throws(() => decoder.next(), fault("truncated"));
  assert.throws(() => decoder.next(), fault("truncated"));
});

test("FlacDecoder refuses samples that are not those of the MD5, and a count that is not reached", () => {
  const md5 = createHash("md5")
    .update(Buffer.from([1, 0, 2, 0]))
    .digest("hex");
  const file = (samples: number[], frames = 2) => byHand([[samples.length, 0, verbatim(samples)]], { frames, md5 });
  assert.deepEqual(decoded(file([1, 2])), [[1, 2]]);
  assert.throws(() => decoded(file([1, 3])), fault("damaged", /MD5/));
  assert.throws(() => decoded(file([1, 2], 3)), fault("truncated", /2 of 3/));
  assert.throws(() => decoded(file([1, 2, 3], 2)), fault("damaged", /MD5/));
});

test("FlacDecoder refuses what is no FLAC, and what the format does not allow", () => {
  const cases: [Uint8Array, FlacError["fault"], RegExp][] = [
    [Buffer.alloc(0), "not_flac", /head/],
    [Buffer.from("OggS and so on"), "not_flac", /fLaC/],
    [Buffer.from("<!DOCTYPE html><html></html>"), "not_flac", /fLaC/],
    [Buffer.from("ID3\x04\x00\x00\x7f\x7f\x7f\x7f"), "not_flac", /head/],
    [Buffer.from("fLaC\x84\x00\x00\x04abcd"), "damaged", /STREAMINFO/],
    [byHand([[4, 0, (out) => out.put(0x80, 8)]]), "damaged", /begins with a one/],
    [byHand([[4, 0, (out) => out.put(2 << 1, 8)]]), "damaged", /reserved type 2/],
    [byHand([[4, 0, (out) => out.put(20 << 1, 8)]]), "damaged", /reserved type 20/],
    [byHand([[4, 0, (out) => out.put(0x300_0001, 32)]]), "damaged", /wastes/],
    [byHand([[2, 0, (out) => verbatim([0, 0, 0, 0])(out)]]), "damaged", /check/],
    [byHand([[3, 0, predicted(12, 4)]]), "damaged", /predicted from 4/],
    [byHand([[8, 0, predicted(9, 1, 2)]]), "damaged", /reserved way 2/],
    [byHand([[8, 0, predicted(9, 1, 0, 4)]]), "damaged", /16 partitions/],
    [byHand([[8, 0, predicted(10, 2, 0, 3)]]), "damaged", /8 partitions/],
    [byHand([[8, 0, predicted(32, 1, 0, 0, (15 << 5) | 1)]]), "damaged", /reserved precision/],
    [byHand([[8, 0, predicted(32, 1, 0, 0, (3 << 5) | 16)]]), "damaged", /negative shift/],
    // A predictor that doubles: out of 16 bits after a while.
    [byHand([[64, 0, predicted(32, 1, 0, 0, 3 << 5, 2)]]), "damaged", /leaves its 16 bits/],
    [byHand([[4, 0, verbatim([1, 2, 3, 4], 24)]], { bits: 24 }), "unsupported", /form changes/],
  ];
  // The last one says 16 bits in its frame, by hand: 24 in STREAMINFO.
  const form = cases.at(-1)!;
  const header = form[0].indexOf(0xff, 60);
  form[0][header + 3]! |= 4 << 1;
  form[0][header + 7] = crc8(form[0], header, header + 7);
  for (const [bytes, expected, why] of cases) assert.throws(() => decoded(bytes), fault(expected, why), String(why));
});

test("FlacDecoder ends on hostile files, and takes no memory for what they claim", () => {
  // A residual whose first value never ends, then one whose value is too large.
  const endless = byHand([[16, 0, (out) => out.put((8 << 25) | (8 << 5), 32)]]).subarray(0, -2);
  assert.throws(() => decoded(Buffer.concat([endless, Buffer.alloc(3_000_000)])), fault("truncated"));
  assert.throws(() => decoded(Buffer.concat([endless, Buffer.alloc(40_000_000)])), fault("damaged", /no end/));
  const large = byHand([
    [
      16,
      0,
      (out) => {
        out.put(8 << 1, 8);
        out.put(1, 2);
        out.put(0, 4);
        out.put(30, 5);
        out.zeros(4);
        out.put(1, 1);
        out.zeros(2000);
      },
    ],
  ]);
  assert.throws(() => decoded(large), fault("damaged", /32 bits/));
  // Ten hours in a few hundred kilobytes: whoever takes frames can stop.
  let taken = 0;
  for (const frame of decodeFlac(silentFlac(36_000))) {
    taken += frame.count;
    if (taken > 44_100 * 60) break;
  }
  assert.ok(taken < 44_100 * 63);
  // Noise behind a good head, with sync codes strewn in.
  const next = seeded(5);
  const head = byHand([]);
  for (let round = 0; round < 300; round++) {
    const junk = Uint8Array.from({ length: 200 + round }, () => 256 * next());
    for (let at = 0; at < junk.length - 6; at += 40) junk.set([0xff, 0xf8, 0x79, 0x00, 0x00, 0x00], at);
    for (let at = 0; at < junk.length - 9; at += 40) junk[at + 7] = crc8(junk, at, at + 7);
    assert.throws(() => decoded(Buffer.concat([head, junk])), FlacError);
  }
});

/** A subframe of `type` with `order` zeros to start from, `fields` of nine bits, and a coefficient; the residual is zeros without codes. */
function predicted(type: number, order: number, method = 0, partitions = 0, fields?: number, tap = 1) {
  return (out: BitWriter): void => {
    out.put(type << 1, 8);
    for (let n = 0; n < order; n++) out.put(1, 16);
    if (fields !== undefined) {
      out.put(fields, 9);
      out.put(tap, (fields >> 5) + 1);
    }
    out.put(method, 2);
    out.put(partitions, 4);
    out.put(0, 4);
    for (let n = 0; n < 64; n++) out.put(1, 1);
  };
}

function small(channels: readonly number[][], bits: 16 | 24 = 16): Uint8Array {
  return encodeFlacToBytes(sourceOf(channels, bits), 44_100, { title: "T" });
}

function sourceOf(channels: readonly number[][], bits: 16 | 24 = 16): FlacSource {
  return {
    frames: channels[0]!.length,
    channels: channels.length,
    bits,
    samples(from, to, out) {
      for (const [n, samples] of channels.entries()) {
        for (let at = from; at < to; at++) out[n]![at - from] = samples[at]! / 2 ** (bits - 1);
      }
    },
  };
}

function fault(expected: FlacError["fault"], why = /^/): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof FlacError, String(error));
    assert.equal(error.fault, expected, error.message);
    assert.match(error.message, why);
    return true;
  };
}

const FULL_32 =
  "ZkxhQwAAACIAIAAgAAAuAACZCsRD8AAAACjJcRf1Vgdw3LK/thXRKcahAwAAEgAAAAAAAAAAAAAAAAAAAAAAIIQAAFQgAAAAcmVm" +
  "ZXJlbmNlIGxpYkZMQUMgMS40LjIgMjAyMjEwMjIBAAAAKAAAAFdBVkVGT1JNQVRFWFRFTlNJQkxFX0NIQU5ORUxfTUFTSz0weDAw" +
  "MDP/+GmuAB91Ev////8AP/+f/+BP////9/////v////9/////wAAAAGAAAAAwAAAAGAAAAAv////9/////v////9/////wAAAAGA" +
  "AAAAwAAAAGAAAAAqe4LPwnBCffKzKOFiNqpb1IQ+ORS+rWL7Jo7njAvWq1xUG07qwv5TPXdNZiYgWG6+tUw9ZcTSXzZzcom0mD+c" +
  "JmpACEj/+GmuAQcoEAA/wOzPI2XHbZjZ+J+9C4oCBOyj//eHW0MgHXt15ckfrBqcICYs";
