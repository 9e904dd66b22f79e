import type { Audio, Job } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { master } from "./master.ts";

interface WholeInput {
  readonly audio: Audio;
  readonly target_lufs: number;
  readonly allow_compression: boolean;
}

const BLOCK = 1 << 16;

/** All samples of the audio at its loudness, in steps of 24 bits. */
export async function masterWhole({ audio, ...to }: WholeInput, { signal }: Job): Promise<Audio> {
  const { rendering } = await master(audio, { kind: "loudness", ...to }, { bits: 24, ring: false }, signal);
  const { frames, sample_rate } = rendering;
  const channels = Array.from({ length: rendering.channels }, () => new Float32Array(frames));
  for (let from = 0; from < frames; from += BLOCK) {
    await breathe(signal);
    const to = Math.min(frames, from + BLOCK);
    rendering.samples(
      from,
      to,
      channels.map((channel) => channel.subarray(from, to)),
    );
  }
  return { sample_rate, channels };
}
