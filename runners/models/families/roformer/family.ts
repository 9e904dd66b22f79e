/**
 * Band-Split RoFormer and Mel-Band RoFormer (Lu, Wang, Kong, Hung, 2023; Wang, Lu, Won, 2023): spectrum in, for each
 * stem a complex mask or a spectrum out. Transforms lie outside of the graph, as exports cut it; bins of both sides
 * alternate there: left, right, left, …
 */
import { Type } from "@sinclair/typebox";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { type ManifestOf, overlap, STEM_NAMES, singleGraph, stems } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { isShaped, known, onlyGraph, sizeAt } from "../../ports.ts";
import { type Separator, separateBlocks } from "../../separator.ts";
import { createSynthesis, reflect, StereoStft } from "../../stft.ts";
import { floats, floatsOf, release } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";

const files = singleGraph;
const fields = {
  /** In the order of the graph's output. */
  stems,
  n_fft: Type.Optional(Type.Integer({ minimum: 512, maximum: 8192, multipleOf: 2 })),
  hop: Type.Optional(Type.Integer({ minimum: 64, maximum: 4096 })),
  /** Frames of one block; a graph of fixed length has its own. */
  dim_t: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192 })),
  /** Complex masks for the mix's spectrum, or spectra of the stems. */
  gives: Type.Optional(Type.Union([Type.Literal("masks"), Type.Literal("spectra")])),
  /** Leaves out the first bin of the stems, as the model's configuration says. */
  zero_dc: Type.Optional(Type.Boolean()),
  overlap,
};
type Roformer = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "separate",
  files,
  fields,
  stems: ({ stems: named }) => named,
  exported: "transforms outside: spectrum [1, 2050, frames, 2] in, masks or spectra [1, stems, 2050, frames, 2] out",
  recognise,
  layouts,
  create,
});

/** The published models' figures: blocks of 8 s. */
const DEFAULTS = { n_fft: 2048, hop: 441, dim_t: 801, overlap: 0.5, gives: "masks", zero_dc: false } as const;

function settingsOf(manifest: Roformer) {
  const settings = { ...DEFAULTS, ...manifest };
  return { ...settings, bins: settings.n_fft / 2 + 1 };
}

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const graph = onlyGraph(given);
  const [input] = graph?.inputs ?? [];
  const [output] = graph?.outputs ?? [];
  const rows = sizeAt(input, 1);
  if (graph?.inputs.length !== 1 || !isShaped(input, null, null, null, 2) || sizeAt(input, 3) !== 2) return undefined;
  if (rows === undefined || rows % 4 !== 2 || output === undefined) return undefined;
  const count = output.dims.length === 5 ? sizeAt(output, 1) : 1;
  const n_fft = rows - 2;
  const stem = STEM_NAMES.find((one) => given[0]!.name.toLowerCase().includes(one));
  const stems = count === 1 && stem !== undefined ? [stem] : undefined;
  const gives = /mask/i.test(output.name) ? undefined : "spectra";
  return {
    roles: { model: 0 },
    fields: known({ stems, n_fft: n_fft === DEFAULTS.n_fft ? undefined : n_fft, gives }),
    notes: [
      `hop ${DEFAULTS.hop} is the usual one: the model's configuration says it`,
      ...(gives === undefined
        ? []
        : [`"gives" is spectra, for its output is "${output.name}": masks if the model multiplies nothing itself`]),
    ],
  };
}

function layouts(manifest: Roformer): Record<string, Layout> {
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

function create(manifest: Roformer, model: LoadedModel): Separator {
  const { stems, n_fft, hop, bins, gives, zero_dc, overlap, ...settings } = settingsOf(manifest);
  const frames = model.size("model", "frames") ?? settings.dim_t;
  const block = hop * (frames - 1);
  const lead = n_fft / 2;
  if (block <= n_fft) throw model.fault(`its ${frames} frames are too few`);
  const stft = new StereoStft(n_fft, hop);
  const synthesise = createSynthesis(stft, frames, bins);
  const plane = bins * frames;
  const planes = new Float32Array(4 * plane);

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

  return {
    id: manifest.id,
    stems,
    separate: separateBlocks(model, {
      block,
      stride: Math.max(1, Math.round(block * (1 - overlap))),
      lead,
      ...(overlap === 0 ? { weight: new Float64Array(block).fill(1) } : {}),
      channels: 2 * stems.length,
      async process([one]) {
        const [l, r] = one!.map((channel) => reflect(channel, lead, lead));
        stft.forward(l!, r!, 0, frames, bins, planes);
        const mix = interleave();
        // What is sent is given away.
        const feeds = { spectrum: floats(mix.slice(), [1, 2 * bins, frames, 2]) };
        const made = floatsOf(await model.run({ role: "model", feeds, outputs: ["stems"] }), "stems");
        const results = stems.flatMap((_, stem) => {
          stemOf(mix, made, stem * 4 * plane);
          return synthesise(planes);
        });
        release(mix, made);
        return [results];
      },
    }),
  };
}
