/** Hybrid Transformer Demucs exported without its transforms, which are done here: a spectral and a temporal branch, added up. */

import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import type { Layout } from "../../layout.ts";
import { isShaped, onlyGraph, sizeAt } from "../../ports.ts";
import type { Separator } from "../../separator.ts";
import { reflect, StereoStft } from "../../stft.ts";
import { floats, floatsOf, release, type Tensors } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";
import { createDemucs, type Demucs, fields, files, recogniseStems, SEGMENT } from "./demucs.ts";

export default defineFamily({
  serves: "separate",
  files,
  fields,
  stems: ({ stems }) => stems,
  exported:
    "the core without its transforms: a mix [batch, 2, 343980] and its spectrum [batch, 4, 2048, 336] in, spectra and waveforms of the stems out",
  recognise,
  layouts,
  create,
});

const N_FFT = 4096;
const HOP = 1024;
/** The last bin, of half the sample rate, is left out. */
const BINS = N_FFT / 2;
/** Samples mirrored before a block, so that frames lie symmetrically about it; torch's `center` mirrors half a transform beyond. */
const PAD = (HOP / 2) * 3;
/** Frames at either end that the model does not get. */
const EDGE = 2;
function recognise(files: readonly GivenFile[]): Recognised | undefined {
  const graph = onlyGraph(files);
  const mix = graph?.inputs.find((port) => isShaped(port, null, 2, null));
  const spectrum = graph?.inputs.find((port) => isShaped(port, null, 4, BINS, null));
  const frequency = graph?.outputs.find((port) => isShaped(port, null, null, 4, BINS, null));
  if (mix === undefined || spectrum === undefined || frequency === undefined) return undefined;
  return recogniseStems(sizeAt(frequency, 1), sizeAt(mix, 2));
}

function layouts({ stems, segment = SEGMENT, batch = 1 }: Demucs): Record<string, Layout> {
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

function create(manifest: Demucs, model: LoadedModel): Separator {
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

  return createDemucs(manifest, model, segment, async (mix, rows) => {
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
