import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { ORDER_MAX } from "../../runners/signal/flac/lpc.ts";
import {
  decodeFlac,
  encodeFlac,
  encodeFlacToBytes,
  type FlacSource,
  readBack,
  readFlacFile,
  writeFlacFile,
} from "../../runners/signal/flac/mod.ts";
import { residual } from "../../runners/signal/flac/prediction.ts";
import { workspace } from "../../runners/signal/flac/workspace.ts";
import { ffmpeg } from "../../runners/signal/media/ffmpeg.ts";
import { inFolder, music, seeded } from "../audio.ts";

const exec = promisify(execFile);
const signal = new AbortController().signal;

type Signal = (n: number, full: number, channel: number) => number;

const next = seeded(7);
const table = Array.from({ length: 1 << 16 }, () => next());
const uniform = (n: number): number => table[n & 0xffff]!;
let walked = 0;

/** Whole numbers from -full to full - 1; those beyond are clipped. */
const SIGNALS: Readonly<Record<string, Signal>> = {
  silence: () => 0,
  "lowest value": (_, full) => -full,
  sine: (n, full) => 0.9 * full * Math.sin(0.05 * n),
  "two sines": (n, full, channel) => full * (0.5 * Math.sin(0.031 * n + channel) + 0.4 * Math.sin(0.4 * n)),
  noise: (n, full, channel) => full * (2 * uniform(n + 9000 * channel) - 1),
  "noise of three steps": (n, _, channel) => 3 * uniform(n + 5000 * channel) - 1,
  "noise of the left alone": (n, full, channel) => (channel === 0 ? full * (2 * uniform(n) - 1) : 0),
  "square, opposite in the channels": (n, full, channel) => ((n >> 3) % 2 === channel ? full - 1 : -full),
  "every sample the other end": (n, full, channel) => ((n + channel) % 2 === 0 ? full - 1 : -full),
  "ends at random": (n, full, channel) => (uniform(n + 300 * channel) < 0.5 ? full - 1 : -full),
  "random walk": (n, full) => {
    walked = n === 0 ? 0 : walked + 0.004 * full * (uniform(n) - 0.5);
    return walked;
  },
  "click in silence": (n, full) => (n % 3001 === 2999 ? full - 1 : 0),
  "click on a tone": (n, full) => (n % 777 === 400 ? -full : 0.1 * full * Math.sin(0.02 * n)),
  "wasted bits": (n, full) => 16 * Math.round((full / 40) * Math.sin(0.1 * n)),
  "ramp across the range": (n, full) => ((n * 0.001 * full) % (2 * full)) - full,
};
const LENGTHS = [1, 2, 4, 5, 6, 9, 16, 32, 33, 255, 256, 257, 4095, 4096, 4097, 8192, 10_000];

function source(shape: Signal, frames: number, channels: number, bits: 16 | 24): FlacSource {
  const full = 2 ** (bits - 1);
  return pcm(
    Array.from({ length: channels }, (_, channel) =>
      Int32Array.from({ length: frames }, (_, n) =>
        Math.max(-full, Math.min(full - 1, Math.round(shape(n, full, channel)))),
      ),
    ),
    bits,
  );
}

function pcm(whole: readonly Int32Array[], bits: 16 | 24): FlacSource & { readonly whole: readonly Int32Array[] } {
  return {
    frames: whole[0]!.length,
    channels: whole.length,
    bits,
    whole,
    samples(from, to, out) {
      for (const [channel, samples] of whole.entries()) {
        for (let n = from; n < to; n++) out[channel]![n - from] = samples[n]! / 2 ** (bits - 1);
      }
    },
  };
}

function wholeOf({ frames, channels, bits, samples }: FlacSource): Int32Array[] {
  const floats = Array.from({ length: channels }, () => new Float32Array(frames));
  samples(0, frames, floats);
  return floats.map((channel) => Int32Array.from(channel, (value) => value * 2 ** (bits - 1)));
}

function decoded(bytes: Uint8Array, channels: number): Int32Array[] {
  const blocks: Int32Array[][] = Array.from({ length: channels }, () => []);
  for (const frame of decodeFlac(bytes))
    for (const [n, samples] of frame.channels.entries()) blocks[n]!.push(samples.slice());
  return blocks.map((list) => Int32Array.from(list.flatMap((block) => [...block])));
}

const bytesOf = (channels: readonly Int32Array[], width: number): Buffer => {
  const bytes = Buffer.alloc(channels[0]!.length * channels.length * width);
  for (const [channel, samples] of channels.entries()) {
    for (let n = 0; n < samples.length; n++)
      bytes.writeIntLE(samples[n]!, (n * channels.length + channel) * width, width);
  }
  return bytes;
};

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

for (const [name, shape] of Object.entries(SIGNALS)) {
  test(`encodeFlac() keeps every sample of ${name}`, () => {
    for (const bits of [16, 24] as const) {
      for (const channels of [1, 2]) {
        for (const frames of LENGTHS) {
          const meant = source(shape, frames, channels, bits);
          const bytes = encodeFlacToBytes(meant, 44_100);
          const which = `${frames} samples, ${channels} channels, ${bits} bits`;
          assert.deepEqual(decoded(bytes, channels), wholeOf(meant), which);
          // The plain form chooses the same and writes the same.
          assert.ok(Buffer.compare(encodeFlacToBytes(meant, 44_100, {}, null), bytes) === 0, which);
          // A frame that does not shrink is stored as it is: head 60 bytes, some 20 a frame.
          const most = (frames * channels * bits) / 8 + 100 + 20 * Math.ceil(frames / 4096);
          assert.ok(bytes.length <= most, `${bytes.length} bytes of ${most}`);
        }
      }
    }
  });
}

test("encodeFlac() gives the same bytes on every runtime", () => {
  // To change them on purpose: the reference decoder and ffmpeg took the files with these.
  // By whole numbers alone, for Math.sin need not be the same everywhere.
  let [a, b, slow] = [1, 2, 0];
  const whole = [new Int32Array(50_000), new Int32Array(50_000)];
  for (let n = 0; n < 50_000; n++) {
    a = (Math.imul(a, 1_103_515_245) + 12_345) | 0;
    b = (Math.imul(b, 22_695_477) + 1) | 0;
    slow = (slow + (a >> 20)) | 0;
    slow -= slow >> 6;
    whole[0]![n] = slow + (b >> 26);
    whole[1]![n] = (slow >> 1) - (a >> 25);
  }
  const hashes = ([16, 24] as const).map((bits) => sha256(encodeFlacToBytes(pcm(whole, bits), 44_100, { title: "T" })));
  assert.deepEqual(hashes, [
    "7a776dd8f96119fafce1ccbee295d2d93c9dc74b482c7c3545730b57f2292559",
    "ca3b8550c108b0cf6ec2c81d32b5cc0c542c5c712f5c58fb409f1013a181432e",
  ]);
});

test("encodeFlac() gives the same bytes and sums with kernels and without, on music and on what changes block by block", () => {
  assert.ok(workspace(), "the kernels are missing: run `npm run setup`");
  const [left, right] = music(4, 6);
  const shapes = Object.values(SIGNALS);
  const patched = (channel: number, full: number) =>
    Int32Array.from({ length: 60 * 1500 }, (_, n) =>
      Math.max(-full, Math.min(full - 1, Math.round(shapes[Math.floor(n / 1500) % shapes.length]!(n, full, channel)))),
    );
  for (const bits of [16, 24] as const) {
    const full = 2 ** (bits - 1);
    const whole = [left, right].map((channel) => Int32Array.from(channel, (value) => Math.round(value * full)));
    const quiet = whole.map((channel) => channel.map((value) => value >> 9));
    const patches = [patched(0, full), patched(1, full)];
    for (const channels of [whole, quiet, patches, patches.slice(1), [whole[0]!, whole[0]!.map((value) => -value)]]) {
      const [ours, plain] = [workspace(), null].map((kernels) => {
        const encoding = encodeFlac(pcm(channels, bits), 44_100, {}, kernels);
        const parts: Uint8Array[] = [];
        let step = encoding.next();
        for (; !step.done; step = encoding.next()) parts.push(step.value.slice());
        return { file: sha256(Buffer.concat(parts)), end: step.value };
      });
      assert.deepEqual(ours, plain);
    }
  }
});

test("encodeFlac() predicts: a tone, music and shared channels shrink", () => {
  const size = (shape: Signal, channels: number, bits: 16 | 24 = 16): number =>
    encodeFlacToBytes(source(shape, 44_100, channels, bits), 44_100).length / ((44_100 * channels * bits) / 8);
  assert.ok(size(SIGNALS.sine!, 1) < 0.2);
  assert.ok(size(SIGNALS.silence!, 2) < 0.01);
  // The same in both channels costs as much as one.
  assert.ok(size((n, full) => 0.5 * full * uniform(n), 2) < 0.51);
  // The lowest 4 bits are never used.
  assert.ok(size((n, full) => 16 * Math.round((full / 32) * (uniform(n) - 0.5)), 1, 24) < 20 / 24);
  const [left, right] = music(3, 4);
  const whole = [left, right].map((channel) => Int32Array.from(channel, (value) => Math.round(value * 32_767)));
  assert.ok(encodeFlacToBytes(pcm(whole, 16), 44_100).length < 0.8 * 4 * left.length);
});

test("encodeFlac() writes facts, tags and seek points, and a head that is valid before the end", () => {
  const meant = source(SIGNALS["two sines"]!, 25 * 8000, 2, 16);
  const tags = { TITLE: "Café ♪", engine: "own = own" };
  const parts: Uint8Array[] = [];
  const encoding = encodeFlac(meant, 8000, tags);
  let step = encoding.next();
  for (; !step.done; step = encoding.next()) parts.push(step.value.slice());
  const { head, info } = step.value;
  const provisional = Buffer.concat(parts);
  assert.deepEqual(decoded(provisional, 2), wholeOf(meant));
  assert.equal(head.length, parts[0]!.length);
  const file = Buffer.concat([head, ...parts.slice(1)]);
  assert.deepEqual(decoded(file, 2), wholeOf(meant));
  assert.equal(
    info.md5,
    createHash("md5")
      .update(bytesOf(wholeOf(meant), 2))
      .digest("hex"),
  );

  const blocks = new Map<number, Buffer>();
  let at = 4;
  for (let last = false; !last; ) {
    last = file[at]! > 127;
    const length = file.readUIntBE(at + 1, 3);
    blocks.set(file[at]! & 127, file.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  assert.equal(at, head.length);
  const facts = blocks.get(0)!;
  assert.equal(facts.readUInt16BE(0), 4096);
  assert.equal(facts.readUInt16BE(2), 4096);
  assert.equal(facts.toString("hex", 18), info.md5);
  const comments = blocks.get(4)!;
  const texts: string[] = [];
  for (let n = 0, from = 0; n < 3; n++) {
    const length = comments.readUInt32LE(from);
    texts.push(comments.toString("utf8", from + 4, from + 4 + length));
    from += 4 + length;
    if (n === 0) {
      assert.equal(comments.readUInt32LE(from), 2);
      from += 4;
    }
  }
  assert.deepEqual(texts, ["Tonwerk", "TITLE=Café ♪", "engine=own = own"]);

  // A point every 10 s names the frame that holds that sample.
  const points = blocks.get(3)!;
  assert.equal(points.length, 3 * 18);
  const sizes: number[] = [];
  for (let n = 0; n < 3; n++) {
    const sample = Number(points.readBigUInt64BE(18 * n));
    const offset = Number(points.readBigUInt64BE(18 * n + 8));
    assert.ok(sample <= n * 80_000 && n * 80_000 < sample + points.readUInt16BE(18 * n + 16));
    assert.equal(file.readUInt16BE(at + offset), 0xfff8);
    const tail = Buffer.concat([parts[0]!, file.subarray(at + offset)]);
    const first = decodeFlac(tail).next();
    assert.deepEqual(first.value?.channels[0]?.slice(), wholeOf(meant)[0]!.slice(sample, sample + 4096));
    sizes.push(offset);
  }
  // Smallest and largest frame are those of the file.
  assert.ok(info.frame_bytes_min > 0 && info.frame_bytes_min <= info.frame_bytes_max);
  assert.equal(facts.readUIntBE(4, 3), info.frame_bytes_min);
  assert.equal(facts.readUIntBE(7, 3), info.frame_bytes_max);
});

test("encodeFlac() refuses what is not in whole steps, and forms that it does not write", () => {
  const one = (value: number, bits: 16 | 24 = 16): FlacSource => ({
    frames: 1,
    channels: 1,
    bits,
    samples: (_from, _to, out) => void out[0]!.fill(value),
  });
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 1, -1 - 2 ** -15, 2 ** -16, 0.3]) {
    assert.throws(() => encodeFlacToBytes(one(wrong), 44_100), RangeError, String(wrong));
  }
  assert.doesNotThrow(() => encodeFlacToBytes(one(2 ** -16, 24), 44_100));
  assert.throws(() => encodeFlacToBytes({ ...one(0), channels: 3 }, 44_100), /3 channels/);
  assert.throws(() => encodeFlacToBytes({ ...one(0), bits: 20 as 24 }, 44_100), /20 bits/);
  assert.throws(() => encodeFlacToBytes({ ...one(0), frames: 2 ** 36 }, 44_100), /samples/);
  for (const rate of [0, 44_100.5, 2 ** 20]) assert.throws(() => encodeFlacToBytes(one(0), rate), /Hz/);
  for (const name of ["", "a=b", "ä", "a\n"]) {
    assert.throws(() => encodeFlacToBytes(one(0), 44_100, { [name]: "x" }), TypeError, name);
  }
});

test("encodeFlac() writes a valid file of no samples", () => {
  const bytes = encodeFlacToBytes(
    { frames: 0, channels: 2, bits: 24, samples: () => assert.fail("not asked") },
    44_100,
  );
  assert.deepEqual([...decodeFlac(bytes)], []);
});

test("residual() equals whole-number arithmetic, or says that a value is out of reach", () => {
  const count = 64;
  const folded = new Int32Array(count);
  let [within, beyond] = [0, 0];
  for (let round = 0; round < 400; round++) {
    // Up to the 25 bits of a side channel, up to 15 bits of coefficient, ends preferred.
    const full = 2 ** (round % 2 === 0 ? 24 : 16);
    const x = new Float64Array(ORDER_MAX + count);
    for (let n = 0; n < count; n++) {
      const value = uniform(round * 97 + n);
      x[ORDER_MAX + n] = round % 3 === 0 ? (value < 0.5 ? full - 1 : -full) : Math.floor((2 * value - 1) * full);
    }
    const order = 1 + (round % ORDER_MAX);
    const shift = round % 16;
    const coefficients = new Float64Array(ORDER_MAX);
    const reach = 2 ** (round % 5 === 0 ? 14 : 1 + (round % 14));
    for (let j = 0; j < order; j++) coefficients[j] = Math.floor((2 * uniform(round * 31 + 7 * j) - 1) * reach);
    const exact = Array.from({ length: count }, (_, n) => {
      if (n < order) return 0n;
      let sum = 0n;
      for (let j = 0; j < order; j++) sum += BigInt(coefficients[j]!) * BigInt(x[ORDER_MAX + n - 1 - j]!);
      return BigInt(x[ORDER_MAX + n]!) - (sum >> BigInt(shift));
    });
    const fits = exact.every((value) => value > -(2n ** 30n) && value < 2n ** 30n);
    assert.equal(residual(x, count, { order, coefficients, precision: 15, shift }, folded), fits, `round ${round}`);
    if (!fits) {
      beyond++;
      continue;
    }
    within++;
    const unfolded = Array.from(folded.subarray(order), (value) => BigInt((value >>> 1) ^ -(value & 1)));
    assert.deepEqual(unfolded, exact.slice(order), `round ${round}`);
  }
  assert.ok(within > 100 && beyond > 20, `${within} within, ${beyond} beyond`);
});

test("writeFlacFile() and readFlacFile() keep samples, and readBack() shows every byte", async () => {
  await inFolder(async (path) => {
    const meant = source(SIGNALS["two sines"]!, 300_000, 2, 24);
    const written = await writeFlacFile(meant, 48_000, path("a.flac"), { engine: "own" }, signal);
    const file = await readFile(path("a.flac"));
    assert.equal(file.length, written.bytes);
    assert.ok(file.equals(encodeFlacToBytes(meant, 48_000, { engine: "own" })));
    const whole = wholeOf(meant);
    let at = 0;
    for await (const { info, sample, count, channels } of readFlacFile(path("a.flac"), signal)) {
      assert.deepEqual(info, written.info);
      assert.equal(sample, at);
      for (const [n, samples] of channels.entries()) assert.deepEqual(samples.slice(), whole[n]!.slice(at, at + count));
      at += count;
    }
    assert.equal(at, meant.frames);
    for (const kernels of [workspace(), null]) {
      const hash = createHash("sha256");
      await readBack(path("a.flac"), written, signal, (bytes) => void hash.update(bytes), kernels);
      assert.equal(hash.digest("hex"), sha256(file));
    }
  });
});

test("writeFlacFile() leaves nothing behind when it is aborted or its samples are wrong", async () => {
  await inFolder(async (path) => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const meant = source(SIGNALS.noise!, 400_000, 2, 24);
    const stopping: FlacSource = {
      ...meant,
      samples(from, to, out) {
        if (from > 100_000) abort.abort(reason);
        meant.samples(from, to, out);
      },
    };
    await assert.rejects(writeFlacFile(stopping, 44_100, path("a.flac"), {}, abort.signal), reason);
    const wrong: FlacSource = { ...meant, samples: (_from, _to, out) => void out[0]!.fill(0.3) };
    await assert.rejects(writeFlacFile(wrong, 44_100, path("a.flac"), {}, signal), RangeError);
    assert.deepEqual(await readdir(dirname(path("a.flac"))), []);
  });
});

test("ffmpeg decodes what encodeFlac() writes, to the bit and with the MD5 that it carries", async (context) => {
  const program = await located(context);
  if (program === undefined) return;
  const cases: [Signal, number, number, 16 | 24, number][] = [
    [SIGNALS["two sines"]!, 30_000, 2, 16, 44_100],
    [SIGNALS["two sines"]!, 30_000, 2, 24, 44_100],
    [SIGNALS["square, opposite in the channels"]!, 9000, 2, 24, 96_000],
    [SIGNALS["ends at random"]!, 9000, 2, 24, 48_000],
    [SIGNALS.noise!, 4097, 1, 24, 12_345],
    [SIGNALS["wasted bits"]!, 5000, 1, 24, 37_000],
    [SIGNALS["click in silence"]!, 9000, 2, 16, 350_000],
    [SIGNALS["random walk"]!, 1, 2, 16, 8000],
    // Frame numbers of two and three bytes.
    [SIGNALS.silence!, 4096 * 2100, 1, 16, 44_100],
  ];
  await inFolder(async (path) => {
    for (const [n, [shape, frames, channels, bits, rate]] of cases.entries()) {
      const meant = source(shape, frames, channels, bits);
      const name = path(`${n}.flac`);
      await writeFile(name, encodeFlacToBytes(meant, rate, { title: "T" }));
      const format = bits === 16 ? "s16le" : "s24le";
      const { stdout, stderr }: { stdout: Buffer; stderr: Buffer } = await exec(
        program,
        [
          ...["-nostdin", "-v", "warning", "-xerror", "-err_detect", "crccheck+bitstream+explode", "-i", name],
          ...["-c:a", `pcm_${format}`, "-f", format, "pipe:1"],
        ],
        { encoding: "buffer", maxBuffer: 2 ** 26 },
      );
      assert.equal(stderr.toString(), "");
      assert.ok(stdout.equals(bytesOf(wholeOf(meant), bits / 8)), `case ${n}`);
    }
  });
});

/** The ffmpeg to compare with; skips the test, with the reason, where there is none. */
async function located(context: TestContext): Promise<string | undefined> {
  try {
    return (await ffmpeg()).path;
  } catch (error) {
    context.skip(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
