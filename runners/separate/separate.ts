import type { Audio, Job, Stem, Streamed } from "../../core/plugin.ts";
import type { Separated } from "./mod.ts";
import { BLOCK, Renderer } from "./render.ts";
import { sharesOf } from "./shares.ts";
import { trained } from "./weights.ts";

/** As `/v1/capabilities` names it. */
const ENGINE = "separate";

/**
 * Decides on the whole piece at once, in bytes: of a share for each band and frame, 45 MB for 10 minutes. The stems' samples are made only
 * as they are read.
 */
export async function separate(audio: Audio, job: Job): Promise<Separated> {
  const renderer = new Renderer(audio, await sharesOf(audio, trained(), job));
  const stem = (kind: Stem) => ({ audio: streamed(renderer, kind), engine: ENGINE });
  return {
    vocals: stem("vocals"),
    drums: stem("drums"),
    bass: stem("bass"),
    other: stem("other"),
    instrumental: stem("instrumental"),
  };
}

function streamed(renderer: Renderer, kind: Stem): Streamed {
  const { frames, channels, peak } = renderer;
  return {
    sample_rate: 44_100,
    frames,
    channels,
    peak,
    samples(from, to, out) {
      for (let at = from; at < to; ) {
        const block = Math.floor(at / BLOCK);
        const until = Math.min(to, (block + 1) * BLOCK);
        const stem = renderer.block(block)[kind];
        for (let channel = 0; channel < channels; channel++) {
          out[channel]!.set(stem[channel]!.subarray(at - block * BLOCK, until - block * BLOCK), at - from);
        }
        at = until;
      }
    },
  };
}
