/** What families of other packages get instead of importing our files: the parts that ours are made of. */
import { Type } from "@sinclair/typebox";
import { random } from "../signal/dsp/random.ts";
import { resample } from "../signal/dsp/resample.ts";
import { cut, hannWeight, throughBlocks, triangle } from "./blocks.ts";
import { defineFamily } from "./family.ts";
import { closed, File, overlap, StemName, singleGraph, stems } from "./fields.ts";
import { monoOf } from "./mono.ts";
import { emitStems, stereoOf } from "./separator.ts";
import { hann, reflect, StereoStft } from "./stft.ts";
import { filled, floats, floatsOf, integers, release, zeros } from "./tensor.ts";

export type FamilyKit = typeof familyKit;

export const familyKit = {
  defineFamily,
  /** Schemas: TypeBox's `Type`, and what our manifests share. */
  Type,
  closed,
  File,
  singleGraph,
  StemName,
  stems,
  overlap,
  /** Pieces in blocks that overlap. */
  throughBlocks,
  cut,
  hannWeight,
  triangle,
  /** Transforms. */
  StereoStft,
  hann,
  reflect,
  /** Tensors. */
  floats,
  integers,
  filled,
  zeros,
  floatsOf,
  release,
  /** Channels, rates, stems, numbers drawn from a seed. */
  stereoOf,
  monoOf,
  emitStems,
  resample,
  random,
} as const;
