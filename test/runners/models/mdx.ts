/** What tests of one model try it with; apart from the fixtures, which every thread loads. */
import type { Manifest } from "../../../runners/models/fields.ts";
import { file, music } from "./fixtures.ts";

/** A miniature that gives half of what it hears as vocals. */
export const MDX = {
  id: "good",
  family: "mdx",
  licence: "MIT",
  threads: 1,
  stem: "vocals",
  stft: { n_fft: 6144, hop: 1024, dim_f: 2048, dim_t: 256 },
  files: { model: file("mdx_2048.onnx") },
} satisfies Manifest;
export const MUSIC = music(1);
