/**
 * Masks from a graph that looks at the spectrum in bands, of which `runners/separate/model` holds the one that Tonwerk ships: the mix's
 * spectrum in, for each stem and side a mask out. Masks are multiplied here, so that phases are the mix's own.
 */
import type { Audio, Job } from "../../../core/plugin.ts";
import { cut, hannWeight, throughBlocks } from "../blocks.ts";
import type { Layout } from "../layout.ts";
import type { ManifestOf } from "../manifest.ts";
import type { Model } from "../model.ts";
import { type Emit, emitStems, type Separator, stereoOf } from "../separator.ts";
import { reflect, StereoStft } from "../stft.ts";
import { floats, floatsOf, release } from "../tensor.ts";

const N_FFT = 4096;
const HOP = 1024;
/** The last bin, of half the sample rate, is left out: it has no mask and goes to what is left of the mix. */
const BINS = N_FFT / 2;
/** About 10 s. */
const FRAMES = 432;
const OVERLAP = 0.25;
const CENTRE = N_FFT / 2;

export function bandsLayouts({ stems, dim_t = FRAMES }: ManifestOf<"bands">): Record<string, Layout> {
  const type = "float32";
  return {
    model: {
      inputs: [{ logical: "spectrum", names: ["spectrum"], type, dims: [1, 4, BINS, "frames"] }],
      outputs: [{ logical: "masks", names: ["masks"], type, dims: [1, 2 * stems.length, BINS, "frames"] }],
      sizes: { frames: dim_t },
    },
  };
}

export function createBands(manifest: ManifestOf<"bands">, model: Model): Separator {
  const { stems } = manifest;
  const frames = model.size("model", "frames") ?? manifest.dim_t ?? FRAMES;
  const block = HOP * (frames - 1);
  if (block <= N_FFT) throw model.fault(`its ${frames} frames are too few`);
  const stft = new StereoStft(N_FFT, HOP);
  const envelope = stft.envelope(frames);
  const plane = BINS * frames;
  const mix = new Float32Array(4 * plane);
  const masked = new Float32Array(4 * plane);
  const sums = [new Float64Array(envelope.length), new Float64Array(envelope.length)] as const;

  const separateBlock = async (left: Float32Array, right: Float32Array): Promise<Float32Array[]> => {
    stft.forward(reflect(left, CENTRE, CENTRE), reflect(right, CENTRE, CENTRE), 0, frames, BINS, mix);
    const feeds = { spectrum: floats(mix, [1, 4, BINS, frames]) };
    const masks = floatsOf(await model.run({ role: "model", feeds, outputs: ["masks"] }), "masks");
    const made = stems.flatMap((_, stem) => {
      for (const side of [0, 1]) {
        const mask = masks.subarray((2 * stem + side) * plane, (2 * stem + side + 1) * plane);
        for (const part of [2 * side, 2 * side + 1]) {
          const at = part * plane;
          for (let n = 0; n < plane; n++) masked[at + n] = mix[at + n]! * mask[n]!;
        }
      }
      for (const sum of sums) sum.fill(0);
      stft.inverse(masked, 0, 0, frames, BINS, sums[0], sums[1]);
      return sums.map((sum) => {
        const out = new Float32Array(block);
        for (let n = 0; n < block; n++) out[n] = sum[CENTRE + n]! / envelope[CENTRE + n]!;
        return out;
      });
    });
    release(masks);
    return made;
  };

  return {
    id: manifest.id,
    stems,
    blend: manifest.blend,
    async separate(audio: Audio, job: Job, emit: Emit) {
      const [left, right] = stereoOf(audio);
      await throughBlocks(
        {
          frames: left.length,
          block,
          stride: Math.max(1, Math.round(block * (1 - (manifest.overlap ?? OVERLAP)))),
          lead: CENTRE,
          tail: CENTRE,
          weight: hannWeight(block),
          centre: 0,
          batch: 1,
        },
        2 * stems.length,
        (from) => [cut(left, from, block), cut(right, from, block)] as const,
        async ([one]) => {
          job.signal.throwIfAborted();
          return [await separateBlock(one![0], one![1])];
        },
        emitStems(model, audio, job, emit),
      );
    },
  };
}
