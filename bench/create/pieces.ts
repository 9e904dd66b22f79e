/** Makes pieces as core delivers them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Audio, Output } from "../../contract/mod.ts";
import { makeInstrumentals } from "../../runners/music/studio/instrumental.ts";
import type { ScoreReport } from "../../runners/music/studio/score_report.ts";
import { master } from "../../runners/signal/master/master.ts";
import { makeAll, wav } from "../../test/audio.ts";
import { ownCpuSeconds } from "../measure.ts";

export const job = { signal: new AbortController().signal, progress: () => undefined };

export interface Made {
  readonly output: Output;
  readonly report: ScoreReport;
  /** Processor time, seconds. */
  readonly cpu: number;
}

export async function make(prompt: string, seed: number): Promise<Made> {
  const before = ownCpuSeconds();
  const [output] = await makeAll(await makeInstrumentals({ prompt, seeds: [seed] }, job));
  return {
    output: output!,
    report: (output!.report as { composed: ScoreReport }).composed,
    cpu: ownCpuSeconds() - before,
  };
}

/** As core delivers it: -14 LUFS, -1 dBTP. */
export async function mastered(output: Output): Promise<Audio> {
  const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
  const { rendering } = await master(output.audio, level, { bits: 24, ring: output.loop === true }, job.signal);
  const channels = output.audio.channels.map(() => new Float32Array(rendering.frames));
  rendering.samples(0, rendering.frames, channels);
  return { sample_rate: output.audio.sample_rate, channels };
}

/** Writes `folder`/`name`.wav; nothing without a folder. */
export async function keep(folder: string | undefined, name: string, audio: Audio): Promise<void> {
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.wav`), wav(audio.channels, { sample_rate: audio.sample_rate, samples: "s24" }));
}
