/** Hybrid Transformer Demucs (Rouard, Massa, Défossez, 2022): what its two families share, which is all but the transforms. */

import { Type } from "@sinclair/typebox";
import type { Audio, Job } from "../../../../contract/mod.ts";
import { cut, throughBlocks, triangle } from "../../blocks.ts";
import type { Recognised } from "../../family.ts";
import { type ManifestOf, overlap, singleGraph, stems } from "../../fields.ts";
import { known } from "../../ports.ts";
import { type Emit, emitStems, type Separator, stereoOf } from "../../separator.ts";
import { release } from "../../tensor.ts";
import type { LoadedModel } from "../../types.ts";

export const files = singleGraph;
export const fields = {
  stems,
  overlap,
  /** Frames of one block: 343,980 (7.8 s) in the published models. */
  segment: Type.Optional(Type.Integer({ minimum: 4096, maximum: 44_100 * 120 })),
};
export type Demucs = ManifestOf<typeof fields, typeof files>;

export const SEGMENT = 343_980;
const OVERLAP = 0.25;
/**
 * Without those frames a block's first and last 1536 samples come back too soft, which the weights hide where blocks overlap. A little
 * silence keeps the ends of the piece away from there.
 */
const LEAD = 2048;

/** The order that Demucs's own models have. */
const SOURCES = ["drums", "bass", "other", "vocals", "guitar", "piano"] as const;

export function recogniseStems(count: number | undefined, segment: number | undefined): Recognised | undefined {
  if (count === undefined || count > SOURCES.length) return undefined;
  const usual = count === 4 || count === 6;
  return {
    roles: { model: 0 },
    fields: known({
      stems: usual ? SOURCES.slice(0, count) : undefined,
      segment: segment === SEGMENT ? undefined : segment,
    }),
    notes: usual
      ? [`stems ${SOURCES.slice(0, count).join(", ")} are Demucs's order: another model may have another`]
      : [],
  };
}

/** `run` takes `rows` blocks of two channels and gives what finds channel c (stem by stem, left and right) of a block. */
export function createDemucs(
  manifest: Demucs,
  model: LoadedModel,
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
