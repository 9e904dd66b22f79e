/**
 * Band-Split RoFormer and Mel-Band RoFormer (Lu, Wang, Kong, Hung, 2023; Wang, Lu, Won, 2023): spectrum in, for each stem a complex mask or a spectrum
 * out. Transforms lie outside of the graph, as exports cut it; bins of both sides alternate there: left, right, left, …
 */
import { cut, hannWeight, throughBlocks } from "../blocks.ts";
import type { Layout } from "../layout.ts";
import type { ManifestOf } from "../manifest.ts";
import type { Model } from "../model.ts";
import { emitStems, type Separator, stereoOf } from "../separator.ts";
import { reflect, StereoStft } from "../stft.ts";
import { floats, floatsOf, release } from "../tensor.ts";

/** The published models' figures: blocks of 8 s. */
const DEFAULTS = { n_fft: 2048, hop: 441, dim_t: 801, overlap: 0.5, gives: "masks", zero_dc: false } as const;

function settingsOf(manifest: ManifestOf<"roformer">) {
  const settings = { ...DEFAULTS, ...manifest };
  return { ...settings, bins: settings.n_fft / 2 + 1 };
}

export function roformerLayouts(manifest: ManifestOf<"roformer">): Record<string, Layout> {
  const { stems, bins, dim_t } = settingsOf(manifest);
  const type = "float32";
  return {
    model: {
      inputs: [
        { logical: "spectrum", names: ["stft_repr", "spectrum", "input", "x"], type, dims: [1, 2 * bins, "frames", 2] },
      ],
      outputs: [
        {
          logical: "stems",
          names: ["masks", "mask", "stems", "output"],
          type,
          dims: [1, stems.length, 2 * bins, "frames", 2],
          // Where there is one stem alone, exports leave its axis out.
          ...(stems.length === 1 ? { also: [1, 2 * bins, "frames", 2] } : {}),
        },
      ],
      sizes: { frames: dim_t },
    },
  };
}

export function createRoformer(manifest: ManifestOf<"roformer">, model: Model): Separator {
  const { stems, n_fft, hop, bins, gives, zero_dc, overlap, ...settings } = settingsOf(manifest);
  const frames = model.size("model", "frames") ?? settings.dim_t;
  const block = hop * (frames - 1);
  const lead = n_fft / 2;
  if (block <= n_fft) throw model.fault(`its ${frames} frames are too few`);
  const stft = new StereoStft(n_fft, hop);
  const envelope = stft.envelope(frames);
  const plane = bins * frames;
  const planes = new Float32Array(4 * plane);
  const left = new Float64Array(envelope.length);
  const right = new Float64Array(envelope.length);

  /** Where a bin of a side lies in the graph's tensors; there the parts of a number stand together. */
  const rowOf = (side: number, bin: number): number => (2 * bin + side) * frames * 2;
  const interleave = (): Float32Array => {
    const out = new Float32Array(4 * plane);
    for (let side = 0; side < 2; side++) {
      for (let bin = 0; bin < bins; bin++) {
        const to = rowOf(side, bin);
        const from = 2 * side * plane + bin * frames;
        for (let t = 0; t < frames; t++) {
          out[to + 2 * t] = planes[from + t]!;
          out[to + 2 * t + 1] = planes[from + plane + t]!;
        }
      }
    }
    return out;
  };
  /** Planes of one stem from what the graph gives from `at` on, and the mix's own spectrum. */
  const stemOf = (mix: Float32Array, made: Float32Array, at: number): void => {
    for (let side = 0; side < 2; side++) {
      for (let bin = 0; bin < bins; bin++) {
        const from = rowOf(side, bin);
        const to = 2 * side * plane + bin * frames;
        for (let t = 0; t < frames; t++) {
          const real = made[at + from + 2 * t]!;
          const imaginary = made[at + from + 2 * t + 1]!;
          const mix_real = mix[from + 2 * t]!;
          const mix_imaginary = mix[from + 2 * t + 1]!;
          const is_mask = gives === "masks";
          planes[to + t] = is_mask ? mix_real * real - mix_imaginary * imaginary : real;
          planes[to + plane + t] = is_mask ? mix_real * imaginary + mix_imaginary * real : imaginary;
        }
        if (zero_dc && bin === 0) {
          planes.fill(0, to, to + frames);
          planes.fill(0, to + plane, to + plane + frames);
        }
      }
    }
  };
  const synthesise = (): readonly Float32Array[] => {
    left.fill(0);
    right.fill(0);
    stft.inverse(planes, 0, 0, frames, bins, left, right);
    return [left, right].map((sum) =>
      Float32Array.from({ length: block }, (_, n) => sum[lead + n]! / envelope[lead + n]!),
    );
  };

  return {
    id: manifest.id,
    stems,
    async separate(audio, job, emit) {
      const channels = stereoOf(audio);
      await throughBlocks(
        {
          frames: channels[0].length,
          block,
          stride: Math.max(1, Math.round(block * (1 - overlap))),
          lead,
          tail: lead,
          weight: overlap === 0 ? new Float64Array(block).fill(1) : hannWeight(block),
          centre: 0,
          batch: 1,
        },
        2 * stems.length,
        (from) => channels.map((channel) => reflect(cut(channel, from, block), lead, lead)),
        async ([one]) => {
          job.signal.throwIfAborted();
          stft.forward(one![0]!, one![1]!, 0, frames, bins, planes);
          const mix = interleave();
          // What is sent is given away.
          const feeds = { spectrum: floats(mix.slice(), [1, 2 * bins, frames, 2]) };
          const made = floatsOf(await model.run({ role: "model", feeds, outputs: ["stems"] }), "stems");
          const results = stems.flatMap((_, stem) => {
            stemOf(mix, made, stem * 4 * plane);
            return synthesise();
          });
          release(mix, made);
          return [results];
        },
        emitStems(model, audio, job, emit),
      );
    },
  };
}
