/**
 * MDX-Net (Kim et al., KUIELab-MDX-Net, 2021) as Ultimate Vocal Remover publishes it: one graph, spectrum in, spectrum of one stem out.
 * Of vocals and instrumental, the one that it does not give is what is left of the mix.
 */
import { Type } from "@sinclair/typebox";
import { hannWeight } from "../../blocks.ts";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { closed, type ManifestOf, overlap, StemName, singleGraph } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { isShaped, known, onlyGraph, sizeAt } from "../../ports.ts";
import { type Separator, separateBlocks } from "../../separator.ts";
import { createSynthesis, reflect, StereoStft } from "../../stft.ts";
import { floats, floatsOf, release } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";

const files = singleGraph;
const fields = {
  /** The one stem that the graph gives; the other is what is left of the mix. */
  stem: StemName,
  stft: closed({
    n_fft: Type.Integer({ minimum: 512, maximum: 32_768 }),
    hop: Type.Integer({ minimum: 64, maximum: 8192 }),
    dim_f: Type.Integer({ minimum: 16, maximum: 16_384 }),
    dim_t: Type.Integer({ minimum: 8, maximum: 4096 }),
  }),
  /** Gain of the stem; the publisher's figure. */
  compensate: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10 })),
  overlap,
};
type Mdx = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "separate",
  files,
  fields,
  stems: stemsOf,
  exported:
    "a spectrum [batch, 4, dim_f, dim_t] in and out; the files that Ultimate Vocal Remover publishes fit as they are",
  recognise,
  layouts,
  create,
});

const OVERLAP = 0.25;
/** Bins below 17 Hz carry nothing that the models were trained on. */
const BINS_MUTED = 3;
const OPPOSITE: Readonly<Partial<Record<StemName, StemName>>> = { vocals: "instrumental", instrumental: "vocals" };

/** What a model of drums, say, leaves of the mix has no name. */
function stemsOf({ stem }: Mdx): readonly StemName[] {
  const opposite = OPPOSITE[stem];
  return [stem, ...(opposite === undefined ? [] : [opposite])];
}

/** Frames of a transform by the bins that are given; most published models. */
const N_FFTS: Readonly<Record<number, number>> = { 3072: 7680, 2048: 6144 };

function recognise(files: readonly GivenFile[]): Recognised | undefined {
  const graph = onlyGraph(files);
  const [input] = graph?.inputs ?? [];
  if (
    graph?.inputs.length !== 1 ||
    !isShaped(input, null, 4, null, null) ||
    !isShaped(graph.outputs[0], null, 4, null, null)
  )
    return undefined;
  const [dim_f, dim_t] = [sizeAt(input, 2), sizeAt(input, 3)];
  if (dim_f === undefined || dim_t === undefined) return undefined;
  const n_fft = N_FFTS[dim_f] ?? 2 * dim_f;
  const stem = (["vocals", "drums", "bass", "other", "instrumental"] as const).find((name) =>
    new RegExp(name === "instrumental" ? "inst" : name, "i").test(files[0]!.name),
  );
  const notes = [
    `stft.n_fft ${n_fft} and hop 1024 are guessed from ${dim_f} bins (some models of 2048 bins have 5120): the publisher says them`,
    ...(stem === undefined ? [] : [`stem "${stem}" is guessed from the file's name`]),
  ];
  return { roles: { model: 0 }, fields: known({ stem, stft: { n_fft, hop: 1024, dim_f, dim_t } }), notes };
}

function layouts({ stft, batch = 1 }: Mdx): Record<string, Layout> {
  const dims = ["batch", 4, stft.dim_f, stft.dim_t];
  const port = { type: "float32", dims } as const;
  return {
    model: {
      inputs: [{ logical: "input", names: ["input"], ...port }],
      outputs: [{ logical: "output", names: ["output"], ...port }],
      sizes: { batch },
    },
  };
}

function create(manifest: Mdx, model: LoadedModel): Separator {
  const { n_fft, hop, dim_f, dim_t } = manifest.stft;
  const block = hop * (dim_t - 1);
  const lead = n_fft / 2;
  if (n_fft % 2 !== 0 || dim_f > n_fft / 2 + 1 || block <= n_fft) {
    throw model.fault(`its stft of ${n_fft} cannot have ${dim_f} bins and ${dim_t} frames of ${hop}`);
  }
  const batch = model.size("model", "batch") ?? manifest.batch ?? 1;
  const stft = new StereoStft(n_fft, hop);
  const synthesise = createSynthesis(stft, dim_t, dim_f, manifest.compensate);
  const size = 4 * dim_f * dim_t;
  const overlap = manifest.overlap ?? OVERLAP;
  // Without overlap the ends of a block, which see mirrored samples, are left to its neighbours all the same.
  const stride = overlap === 0 ? block - 2 * lead : Math.max(1, Math.round(block * (1 - overlap)));
  const weight = overlap === 0 ? new Float64Array(block).fill(1, lead, block - lead) : hannWeight(block);

  /** Spectrum of one block, mirrored at its ends. */
  const analyse = (left: Float32Array, right: Float32Array): Float32Array => {
    const planes = new Float32Array(size);
    const l = reflect(left, lead, lead);
    const r = reflect(right, lead, lead);
    stft.forward(l, r, 0, dim_t, dim_f, planes);
    release(l, r);
    for (let plane = 0; plane < 4; plane++) {
      planes.fill(0, plane * dim_f * dim_t, (plane * dim_f + Math.min(BINS_MUTED, dim_f)) * dim_t);
    }
    return planes;
  };

  const stems = stemsOf(manifest);

  return {
    id: manifest.id,
    stems,
    separate: separateBlocks(model, {
      block,
      stride,
      lead,
      weight,
      batch,
      channels: 2,
      async process(blocks) {
        // A graph of a fixed batch gets silence where the piece ends within one.
        const rows = model.size("model", "batch") ?? blocks.length;
        const planes = new Float32Array(rows * size);
        for (const [row, [l, r]] of blocks.entries()) planes.set(analyse(l, r), row * size);
        const input = floats(planes, [rows, 4, dim_f, dim_t]);
        const outputs = await model.run({ role: "model", feeds: { input }, outputs: ["output"] });
        const made = floatsOf(outputs, "output");
        const results = blocks.map((_, row) => synthesise(made, row * size));
        release(planes, made);
        return results;
      },
      finish(from, made, mix) {
        if (stems.length === 1) return made;
        const rest = made.map((stem, channel) => stem.map((value, n) => mix[channel]![from + n]! - value));
        return [...made, ...rest];
      },
    }),
  };
}
