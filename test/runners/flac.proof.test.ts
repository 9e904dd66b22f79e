/**
 * A frame that was just written is decoded before it is handed out: whatever is not what was meant is refused, with
 * kernels and without.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimdBlocks } from "../../runners/signal/flac/blocks.ts";
import { byteSum } from "../../runners/signal/flac/byte_sum.ts";
import { crc16 } from "../../runners/signal/flac/crc.ts";
import { FrameProof } from "../../runners/signal/flac/proof.ts";
import { type Workspace, workspace } from "../../runners/signal/flac/workspace.ts";
import { seeded } from "../audio.ts";

const next = seeded(3);
const random = (): number => next() - 0.5;

/**
 * By what the encoder makes of them: constants, wasted bits, verbatim, fixed and linear predictors of several orders,
 * all couplings.
 */
const SIGNALS: Readonly<Record<string, (n: number, channel: number) => number>> = {
  silence: () => 0,
  constants: (_, channel) => 0.25 - channel,
  noise: random,
  "the same noise": (n) => ((n * 7919) % 1009) / 1010 - 0.5,
  "noise on the left": (n, channel) => (channel === 0 ? random() : 0.1 * Math.sin(0.02 * n)),
  "noise on the right": (n, channel) => (channel === 1 ? random() : 0.1 * Math.sin(0.02 * n)),
  sine: (n) => 0.9 * Math.sin(0.03 * n),
  "opposite sines": (n, channel) => (channel === 0 ? 0.7 : -0.69) * Math.sin(0.2 * n) + 0.001 * random(),
  chord: (n, channel) =>
    0.3 * (Math.sin(0.031 * n + channel) + Math.sin(0.4 * n) + Math.sin(1.1 * n)) + 0.0001 * random(),
  steps: (n) => Math.round(20 * Math.sin(0.1 * n)) / 64,
  line: (n) => n / 8192,
};
const FORMS = [
  [2, 24, 4096],
  [2, 16, 4095],
  [1, 24, 577],
  [2, 24, 17],
  [1, 16, 3],
] as const;

/** In whole steps. */
function block(shape: (n: number, channel: number) => number, channels: number, bits: number, count: number) {
  const full = 2 ** (bits - 1);
  return Array.from({ length: channels }, (_, channel) =>
    Float32Array.from({ length: count }, (_, n) =>
      Math.max(-1, Math.min(1 - 1 / full, Math.round(shape(n, channel) * full) / full)),
    ),
  );
}

function refuses(prove: () => void): boolean {
  try {
    prove();
    return false;
  } catch {
    return true;
  }
}

function withCheck(frame: Uint8Array): Uint8Array {
  const check = crc16(frame, 0, frame.length - 2);
  return frame.with(frame.length - 2, check >> 8).with(frame.length - 1, check & 255);
}

for (const [name, shape] of Object.entries(SIGNALS))
  test(`FrameProof refuses other samples and other frames, with kernels and without: ${name}`, () => {
    const space = workspace() as Workspace;
    for (const [channels, bits, count] of FORMS) {
      const form = { sample_rate: 44_100, channels, bits };
      const proof = new FrameProof(form);
      const blocks = new SimdBlocks(space, 44_100, channels, bits);
      const samples = block(shape, channels, bits, count);
      const packed = blocks.take(samples, 0, count).slice();
      const frame = blocks.frame(5).bytes.slice();
      const place = (bytes: Uint8Array): Uint8Array => {
        space.putHead(bytes);
        return space.frame(bytes.length);
      };
      const byKernels = (bytes: Uint8Array, of: number = count, number = 5) =>
        refuses(() => proof.byKernels(space, place(bytes), of, number));
      const plainly = (bytes: Uint8Array, meant = packed, of: number = count, number = 5) =>
        refuses(() => proof.plainly(bytes, of, number, meant));
      assert.ok(!byKernels(frame) && !plainly(frame), "what was meant");
      assert.ok(byKernels(frame, count, 6) && plainly(frame, packed, count, 6), "another number");
      assert.ok(byKernels(frame, count - 1) && plainly(frame, packed, count - 1), "another count");
      // One bit each, the check made right again: both forms decide alike, and only what decodes to the same may pass.
      const step = Math.max(1, Math.floor(frame.length / 60));
      for (let at = 6; at < frame.length - 2; at += step) {
        const other = withCheck(frame.with(at, frame[at]! ^ (1 << Math.floor(8 * next()))));
        assert.equal(byKernels(other), plainly(other), `byte ${at} of ${frame.length}`);
      }
      const last = frame.with(frame.length - 1, frame[frame.length - 1]! ^ 1);
      assert.ok(byKernels(last) && plainly(last), "another check");
      for (const at of [0, 1, count >> 1, count - 1]) {
        const other = samples.map((channel) => channel.slice());
        other[at % channels]![at]! += (other[at % channels]![at]! > 0 ? -1 : 1) * 2 ** (1 - bits);
        const meant = blocks.take(other, 0, count).slice();
        assert.ok(byKernels(frame) && plainly(frame, meant), `another sample ${at}`);
      }
    }
  });

test("byteSum() tells any changed byte, and the kernel has the same", () => {
  const space = workspace() as Workspace;
  for (const length of [0, 1, 3, 4, 63, 64, 65, 127, 1000, 1003]) {
    const bytes = Uint8Array.from({ length }, () => Math.floor(256 * next()));
    for (let at = -1; at < length; at += 7) {
      const other = at < 0 ? bytes : bytes.with(at, bytes[at]! ^ (1 << Math.floor(8 * next())));
      const sum = byteSum(other);
      assert.equal(sum === byteSum(bytes), at < 0);
      space.putBytes(Uint8Array.of(9, ...other, 9));
      assert.equal(space.kernels.flacSumOf(1, 1, length), sum);
    }
  }
});
