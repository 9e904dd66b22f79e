/**
 * Open-Unmix (Stöter, Uhlich, Liutkus, Mitsufuji, 2019): one graph for each stem, magnitudes in, magnitudes out. Phases come from the mix,
 * as it is or by ratio masks, and then by rounds of expectation maximisation (a multichannel Wiener filter).
 */
import { Type } from "@sinclair/typebox";
import type { GivenFile, Recognised } from "../../family.ts";
import { defineFamily } from "../../family.ts";
import { File, type ManifestOf, overlap, STEM_NAMES, StemName } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { isShaped, sizeAt } from "../../ports.ts";
import { type Separator, separateBlocks } from "../../separator.ts";
import { createSynthesis, reflect, StereoStft } from "../../stft.ts";
import { floats, floatsOf, release } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";
import { addResidual, ratioMasks, spectraOf, underMixPhase, wienerRounds } from "../../wiener.ts";

/** One graph for each stem. */
const files = Type.Partial(Type.Record(StemName, File), { minProperties: 1, additionalProperties: false });
const fields = {
  /** Frames of one block; a graph of fixed length has its own. */
  dim_t: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192 })),
  /** Rounds of expectation maximisation, as the package's `niter`. */
  wiener: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
  /** Begins with ratio masks, whose sum is the mix, instead of the estimates themselves. */
  softmask: Type.Optional(Type.Boolean()),
  /** Adds what no stem claims, as "other". */
  residual: Type.Optional(Type.Boolean()),
  overlap,
};
type Umx = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "separate",
  files,
  fields,
  stems: stemsOf,
  exported: "one graph a stem: magnitudes [batch, 2, 2049, frames] in and out",
  recognise,
  layouts,
  create,
});

const N_FFT = 4096;
const HOP = 1024;
const BINS = N_FFT / 2 + 1;
/** About 6 s, which the models were trained on. */
const FRAMES = 256;
const OVERLAP = 0.25;
const CENTRE = N_FFT / 2;

function recognise(given: readonly GivenFile[]): Recognised | undefined {
  const roles: Record<string, number> = {};
  for (const [index, { name, graph }] of given.entries()) {
    const [input] = graph?.inputs ?? [];
    if (graph?.inputs.length !== 1 || !isShaped(input, null, 2, BINS, null) || sizeAt(input, 2) !== BINS)
      return undefined;
    const stem = STEM_NAMES.find((one) => name.toLowerCase().includes(one));
    if (stem === undefined || stem in roles) return undefined;
    roles[stem] = index;
  }
  return { roles, fields: {}, notes: ["each file's stem is told by its name"] };
}

function layouts({ files, dim_t = FRAMES }: Umx): Record<string, Layout> {
  const port = { type: "float32", dims: ["batch", 2, BINS, "frames"] } as const;
  const layout: Layout = {
    inputs: [{ logical: "magnitude", names: ["magnitude", "input", "mix"], ...port }],
    outputs: [{ logical: "estimate", names: ["estimate", "output"], ...port }],
    sizes: { batch: 1, frames: dim_t },
  };
  return Object.fromEntries(Object.keys(files).map((stem) => [stem, layout]));
}

function stemsOf({ files: given, residual }: Umx): readonly StemName[] {
  const targets = Object.keys(given) as StemName[];
  return residual === true && !targets.includes("other") ? [...targets, "other"] : targets;
}

function create(manifest: Umx, model: LoadedModel): Separator {
  const targets = Object.keys(manifest.files) as StemName[];
  const frames = model.size(targets[0]!, "frames") ?? manifest.dim_t ?? FRAMES;
  const other = targets.find((stem) => (model.size(stem, "frames") ?? frames) !== frames);
  if (other !== undefined) throw model.fault(`its graphs "${targets[0]}" and "${other}" are of different lengths`);
  const block = HOP * (frames - 1);
  if (block <= N_FFT) throw model.fault(`its ${frames} frames are too few`);
  const stems = stemsOf(manifest);
  const stft = new StereoStft(N_FFT, HOP);
  const synthesise = createSynthesis(stft, frames, BINS);
  const plane = BINS * frames;

  const rounds = manifest.wiener ?? 1;
  const spectra = spectraOf(stems.length, plane);
  const others = rounds === 0 ? [] : spectraOf(stems.length, plane);
  const mix = new Float32Array(4 * plane);

  const separateBlock = async (l: Float32Array, r: Float32Array): Promise<Float32Array[]> => {
    stft.forward(reflect(l, CENTRE, CENTRE), reflect(r, CENTRE, CENTRE), 0, frames, BINS, mix);
    const magnitudes = new Float32Array(2 * plane);
    for (let n = 0; n < plane; n++) {
      magnitudes[n] = Math.sqrt(mix[n]! ** 2 + mix[plane + n]! ** 2);
      magnitudes[plane + n] = Math.sqrt(mix[2 * plane + n]! ** 2 + mix[3 * plane + n]! ** 2);
    }
    const estimates: Float32Array[] = [];
    for (const role of targets) {
      const feeds = { magnitude: floats(magnitudes, [1, 2, BINS, frames]) };
      estimates.push(floatsOf(await model.run({ role, feeds, outputs: ["estimate"] }), "estimate"));
    }
    const initial = manifest.softmask === true ? ratioMasks : underMixPhase;
    initial(mix, estimates, plane, spectra);
    if (stems.length > targets.length) addResidual(mix, spectra, targets.length);
    const made = wienerRounds(mix, BINS, frames, rounds, spectra, others);
    release(magnitudes, ...estimates);
    return made.flatMap((spectrum) => synthesise(spectrum));
  };

  return {
    id: manifest.id,
    stems,
    separate: separateBlocks(model, {
      block,
      stride: Math.max(1, Math.round(block * (1 - (manifest.overlap ?? OVERLAP)))),
      lead: CENTRE,
      channels: 2 * stems.length,
      process: async ([one]) => [await separateBlock(...one!)],
    }),
  };
}
