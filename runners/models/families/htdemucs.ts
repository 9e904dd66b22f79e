/**
 * Hybrid Transformer Demucs (Rouard, Massa, Défossez, 2022): a spectral and a temporal branch, added up. `htdemucs-core` is exported
 * without its transforms, which are done here; `htdemucs-e2e` with them.
 */
import type { Audio, Job } from "../../../core/plugin.ts";
import { cut, throughBlocks, triangle } from "../blocks.ts";
import type { Layout } from "../layout.ts";
import type { ManifestOf } from "../manifest.ts";
import type { Model } from "../model.ts";
import { type Emit, emitStems, type Separator, stereoOf } from "../separator.ts";
import { reflect, StereoStft } from "../stft.ts";
import { floats, floatsOf, release, type Tensors } from "../tensor.ts";

type Core = ManifestOf<"htdemucs-core">;
type End = ManifestOf<"htdemucs-e2e">;

const SEGMENT = 343_980;
const OVERLAP = 0.25;
const N_FFT = 4096;
const HOP = 1024;
/** The last bin, of half the sample rate, is left out. */
const BINS = N_FFT / 2;
/** Samples mirrored before a block, so that frames lie symmetrically about it; torch's `center` mirrors half a transform beyond. */
const PAD = (HOP / 2) * 3;
/** Frames at either end that the model does not get. */
const EDGE = 2;
/**
 * Without those frames a block's first and last 1536 samples come back too soft, which the weights hide where blocks overlap. A little
 * silence keeps the ends of the piece away from there.
 */
const LEAD = N_FFT / 2;

export function htdemucsCoreLayouts({ stems, segment = SEGMENT, batch = 1 }: Core): Record<string, Layout> {
  const frames = Math.ceil(segment / HOP);
  const type = "float32";
  return {
    model: {
      inputs: [
        { logical: "mix", names: ["mix", "input"], type, dims: ["batch", 2, segment] },
        { logical: "spectrum", names: ["x", "spec", "spectrogram"], type, dims: ["batch", 4, BINS, frames] },
      ],
      outputs: [
        {
          logical: "frequency",
          names: ["output", "freq", "x_out", "out_freq"],
          type,
          dims: ["batch", stems.length, 4, BINS, frames],
        },
        {
          logical: "time",
          names: ["time", "xt", "xt_out", "out_time"],
          type,
          dims: ["batch", stems.length, 2, segment],
        },
      ],
      sizes: { batch },
    },
  };
}

export function htdemucsEndLayouts({ stems, segment = SEGMENT, batch = 1 }: End): Record<string, Layout> {
  const type = "float32";
  return {
    model: {
      inputs: [{ logical: "mix", names: ["mix", "input"], type, dims: ["batch", 2, segment] }],
      outputs: [
        { logical: "stems", names: ["stems", "sources", "output"], type, dims: ["batch", stems.length, 2, segment] },
      ],
      sizes: { batch },
    },
  };
}

export function createHtdemucsEnd(manifest: End, model: Model): Separator {
  const segment = manifest.segment ?? SEGMENT;
  const count = manifest.stems.length;
  /** Of the block before, which has been added up by now. */
  let before: Float32Array | undefined;
  return create(manifest, model, segment, async (mix, rows) => {
    const outputs = await model.run({
      role: "model",
      feeds: { mix: floats(mix, [rows, 2, segment]) },
      outputs: ["stems"],
    });
    const made = floatsOf(outputs, "stems");
    release(before);
    before = made;
    return (row, channel) =>
      made.subarray((row * 2 * count + channel) * segment, (row * 2 * count + channel + 1) * segment);
  });
}

export function createHtdemucsCore(manifest: Core, model: Model): Separator {
  const segment = manifest.segment ?? SEGMENT;
  const count = manifest.stems.length;
  const frames = Math.ceil(segment / HOP);
  const stft = new StereoStft(N_FFT, HOP, 1 / Math.sqrt(N_FFT));
  const envelope = stft.envelope(frames + 2 * EDGE);
  const size = 4 * BINS * frames;
  const begin = PAD + N_FFT / 2;
  /** Of the block before, which has been added up by now. */
  let before: Float32Array | undefined;
  const left = new Float64Array(envelope.length);
  const right = new Float64Array(envelope.length);

  const analyse = (channel: Float32Array): Float32Array =>
    reflect(reflect(channel, PAD, PAD + frames * HOP - segment), N_FFT / 2, N_FFT / 2);
  const synthesise = (planes: Float32Array, at: number, time: Float32Array, to: number): void => {
    left.fill(0);
    right.fill(0);
    // Frames 0, 1 and the last two are zero.
    stft.inverse(planes, at, EDGE, frames, BINS, left, right);
    for (let n = 0; n < segment; n++) {
      time[to + n] = time[to + n]! + left[begin + n]! / envelope[begin + n]!;
      time[to + segment + n] = time[to + segment + n]! + right[begin + n]! / envelope[begin + n]!;
    }
  };

  return create(manifest, model, segment, async (mix, rows) => {
    const spectrum = new Float32Array(rows * size);
    for (let row = 0; row < rows; row++) {
      const at = row * 2 * segment;
      const l = analyse(mix.subarray(at, at + segment));
      const r = analyse(mix.subarray(at + segment, at + 2 * segment));
      stft.forward(l, r, EDGE, frames, BINS, spectrum, row * size);
    }
    const outputs: Tensors = await model.run({
      role: "model",
      feeds: { mix: floats(mix, [rows, 2, segment]), spectrum: floats(spectrum, [rows, 4, BINS, frames]) },
      outputs: ["frequency", "time"],
    });
    const frequency = floatsOf(outputs, "frequency");
    const time = floatsOf(outputs, "time");
    for (let stem = 0; stem < rows * count; stem++) synthesise(frequency, stem * size, time, stem * 2 * segment);
    release(spectrum, frequency, before);
    before = time;
    return (row, channel) =>
      time.subarray((row * 2 * count + channel) * segment, (row * 2 * count + channel + 1) * segment);
  });
}

/** `run` takes `rows` blocks of two channels and gives what finds channel c (stem by stem, left and right) of a block. */
function create(
  manifest: Core | End,
  model: Model,
  segment: number,
  run: (mix: Float32Array, rows: number) => Promise<(row: number, channel: number) => Float32Array>,
): Separator {
  const { id, stems } = manifest;
  const batch = model.size("model", "batch") ?? manifest.batch ?? 1;
  return {
    id,
    stems,
    async separate(audio: Audio, job: Job, emit: Emit) {
      const [left, right] = stereoOf(audio);
      const { mean, deviation } = levelOf(left, right);
      const deliver = emitStems(model, audio, job, emit);
      const normal = (channel: Float32Array, from: number): Float32Array => {
        const block = cut(channel, from, segment);
        const first = Math.max(0, -from);
        const last = Math.min(segment, channel.length - from);
        for (let n = first; n < last; n++) block[n] = (block[n]! - mean) / deviation;
        return block;
      };
      await throughBlocks(
        {
          frames: left.length,
          block: segment,
          stride: Math.max(1, Math.floor(segment * (1 - (manifest.overlap ?? OVERLAP)))),
          lead: LEAD,
          tail: LEAD,
          weight: triangle(segment),
          centre: 0.5,
          batch,
        },
        2 * stems.length,
        (from) => [normal(left, from), normal(right, from)] as const,
        async (blocks) => {
          job.signal.throwIfAborted();
          const rows = model.size("model", "batch") ?? blocks.length;
          const mix = new Float32Array(rows * 2 * segment);
          for (const [row, [l, r]] of blocks.entries()) {
            mix.set(l, row * 2 * segment);
            mix.set(r, (row * 2 + 1) * segment);
          }
          const find = await run(mix, rows);
          release(mix);
          return blocks.map((_, row) => stems.flatMap((_, stem) => [find(row, 2 * stem), find(row, 2 * stem + 1)]));
        },
        (from, made) => {
          // A share of the mean for each, so that stems which sum to the model's input sum to the mix.
          const share = mean / stems.length;
          for (const channel of made) {
            for (let n = 0; n < channel.length; n++) channel[n] = channel[n]! * deviation + share;
          }
          deliver(from, made);
        },
      );
    },
  };
}

/** Mean and standard deviation of the channels' middle, which the models were trained to see as 0 and 1. */
function levelOf(left: Float32Array, right: Float32Array): { mean: number; deviation: number } {
  let sum = 0;
  for (let n = 0; n < left.length; n++) sum += left[n]! + right[n]!;
  const mean = sum / (2 * left.length);
  let square = 0;
  for (let n = 0; n < left.length; n++) square += ((left[n]! + right[n]!) / 2 - mean) ** 2;
  // 1e-8: silence stays silence.
  return { mean, deviation: Math.sqrt(square / Math.max(1, left.length - 1)) + 1e-8 };
}
