/**
 * Masks from a graph that looks at the spectrum in bands, of which `runners/signal/separate/model` holds the one that
 * Tonwerk ships: the mix's spectrum in, for each stem and side a mask out. Masks are multiplied here, so that phases
 * are the mix's own.
 */
import { Type } from "@sinclair/typebox";
import { sine } from "../../../signal/dsp/exact.ts";
import { StereoFrames } from "../../../signal/dsp/stereo_frames.ts";
import { defineFamily } from "../../family.ts";
import { closed, type ManifestOf, overlap, singleGraph, stems } from "../../fields.ts";
import type { Layout } from "../../layout.ts";
import { type Beside, type Separator, type Stereo, separateBlocks } from "../../separator.ts";
import { reflect } from "../../stft.ts";
import { floats, floatsOf, release, type Tensor, type Tensors } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";
import { featuresOf } from "./features.ts";

const files = singleGraph;
const fields = {
  /** In the order of the graph's masks. */
  stems,
  /** Frames of one block; a graph of fixed length has its own. */
  dim_t: Type.Optional(Type.Integer({ minimum: 16, maximum: 8192 })),
  overlap,
  /** What the graph is given; `spectrum` where absent. */
  takes: Type.Optional(Type.Union([Type.Literal("spectrum"), Type.Literal("features")])),
  /** Share of the built-in engine's own estimate in each stem: their errors are of different kinds and partly cancel. */
  blend: Type.Optional(
    Type.Partial(
      closed({
        vocals: Type.Number({ minimum: 0, maximum: 1 }),
        drums: Type.Number({ minimum: 0, maximum: 1 }),
        bass: Type.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
  ),
};
type Bands = ManifestOf<typeof fields, typeof files>;

export default defineFamily({
  serves: "separate",
  files,
  fields,
  stems: ({ stems: named }) => named,
  layouts,
  create,
});

const N_FFT = 4096;
const HOP = 1024;
/** The last bin, of half the sample rate, is left out: it has no mask and goes to what is left of the mix. */
const BINS = N_FFT / 2;
/** About 10 s. */
const FRAMES = 432;
const OVERLAP = 0.25;
const CENTRE = N_FFT / 2;
/** What the window, applied twice, adds up to over all frames. */
const GAIN = 1.5;

function layouts({ stems, dim_t = FRAMES, takes = "spectrum" }: Bands): Record<string, Layout> {
  const type = "float32";
  const given = takes === "features" ? "uint8" : type;
  return {
    model: {
      inputs: [{ logical: takes, names: [takes], type: given, dims: [1, "frames", 4, BINS] }],
      outputs: [{ logical: "masks", names: ["masks"], type, or: "uint8", dims: [1, "frames", 2 * stems.length, BINS] }],
      sizes: { frames: dim_t },
    },
  };
}

function create(manifest: Bands, model: LoadedModel): Separator {
  const { stems, takes = "spectrum" } = manifest;
  const frames = model.size("model", "frames") ?? manifest.dim_t ?? FRAMES;
  const block = HOP * (frames - 1);
  if (block <= N_FFT) throw model.fault(`its ${frames} frames are too few`);
  const window = Float64Array.from({ length: N_FFT }, (_, n) => squaredSine(n / N_FFT));
  const stft = new StereoFrames(
    window,
    window.map((weight) => weight / GAIN),
    HOP,
    BINS,
    false,
  );

  const roomsOf = () => ({
    spectrum: new Float32Array(frames * 4 * BINS),
    features: takes === "features" ? new Uint8Array(frames * 4 * BINS) : undefined,
    made: stems.flatMap(() => [0, 1].map(() => new Float32Array(block + N_FFT))),
  });
  /** Used for one block after another: memory that is taken anew costs as much as filling it. */
  let rooms: ReturnType<typeof roomsOf> | undefined;

  /** The block is given back. */
  const separateBlock = async ([left, right]: Stereo, from: number, beside?: Beside): Promise<Float32Array[]> => {
    rooms ??= roomsOf();
    const { spectrum, features, made } = rooms;
    // Nothing is in them yet, and they are as long.
    const [one, other] = made as [Float32Array, Float32Array];
    const [l, r] = [reflect(left, CENTRE, CENTRE, one), reflect(right, CENTRE, CENTRE, other)];
    const energy = stft.forward(l, r, 0, frames, spectrum);
    release(left, right);
    const dims = [1, frames, 4, BINS];
    if (features !== undefined) featuresOf(spectrum, frames, BINS, energy, features);
    const given: Tensor = features === undefined ? floats(spectrum, dims) : { type: "uint8", dims, data: features };
    const feeds = { [takes]: given };
    const masks = masksIn(await model.run({ role: "model", feeds, outputs: ["masks"] }));
    const fill = fillerOf(masks, manifest, from / HOP, beside);
    stft.inverse(spectrum, fill, frames, made, 0);
    release(masks);
    return made.map((channel) => {
      const out = channel.subarray(CENTRE, CENTRE + block);
      evenOut(out, window);
      return out;
    });
  };

  const separate = separateBlocks(model, {
    block,
    // Whole hops: the frames of all blocks lie where those of the built-in engine do.
    stride: HOP * Math.max(1, Math.round((frames - 1) * (1 - (manifest.overlap ?? OVERLAP)))),
    lead: CENTRE,
    // Hann's window without its zeros, in arithmetic that is the same everywhere: this model is shipped.
    weight: Float64Array.from({ length: block }, (_, n) => squaredSine((n + 0.5) / block)),
    channels: 2 * stems.length,
    reuses: true,
    process: async ([one], [from], beside) => [await separateBlock(one!, from!, beside)],
  });
  const tidied: typeof separate = async (...given) => {
    try {
      await separate(...given);
    } finally {
      if (rooms !== undefined) release(rooms.spectrum, rooms.features, ...rooms.made);
      rooms = undefined;
    }
  };
  return {
    id: manifest.id,
    stems,
    blends: manifest.blend !== undefined,
    separate: tidied,
    separateStreamed: tidied,
  };
}

/** Factors, or whole numbers up to 255 that stand for 0 to 1. */
function masksIn(outputs: Tensors): Float32Array | Uint8Array {
  const { masks } = outputs;
  return masks?.type === "uint8" ? masks.data : floatsOf(outputs, "masks");
}

/**
 * Writes masks of some frames of a block, moved towards what the built-in engine found as far as the manifest says.
 *
 * @param first hops of the piece before the block
 */
function fillerOf(given: Float32Array | Uint8Array, { stems, blend }: Bands, first: number, beside?: Beside) {
  const scale = given instanceof Uint8Array ? 1 / 255 : 1;
  const found = new Float32Array(BINS);
  return (from: number, count: number, masks: Float32Array): void => {
    let at = 2 * from * stems.length * BINS;
    for (let frame = from, to = 0; frame < from + count; frame++) {
      for (const stem of stems) {
        const kind = stem === "vocals" || stem === "drums" || stem === "bass" ? stem : undefined;
        const share = kind && beside ? (blend?.[kind] ?? 0) : 0;
        if (share > 0) beside!.share(kind!, first + frame, found);
        mix(given, at, scale * (1 - share), found, share, masks, to);
        at += 2 * BINS;
        to += 2 * BINS;
      }
    }
  };
}

/** Both sides of a stem: what was found is the same for them. */
function mix(
  given: Float32Array | Uint8Array,
  at: number,
  scale: number,
  found: Float32Array,
  share: number,
  masks: Float32Array,
  to: number,
): void {
  for (let bin = 0; bin < BINS; bin++) {
    const beside = share * found[bin]!;
    masks[to + bin] = scale * given[at + bin]! + beside;
    masks[to + BINS + bin] = scale * given[at + BINS + bin]! + beside;
  }
}

/** sin²(π · place): Hann's window, periodic at n / size. */
function squaredSine(place: number): number {
  const value = sine(place / 2);
  return value * value;
}

/**
 * Towards both ends of a block one frame less covers what a frame of silence beyond it would: there the windows add up
 * to less than `GAIN`.
 */
function evenOut(block: Float32Array, window: Float64Array): void {
  for (let n = 0; n < CENTRE; n++) {
    // Of the frames that begin at -CENTRE, -CENTRE + HOP, …
    let sum = 0;
    for (let at = n + CENTRE; at >= 0; at -= HOP) sum += window[at]! * window[at]!;
    const factor = GAIN / sum;
    block[n]! *= factor;
    // The window is even around its middle, so the end mirrors the begin around the sample behind it.
    if (n > 0) block[block.length - n]! *= factor;
  }
}
