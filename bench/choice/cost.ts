/** What choosing costs of a piece, in processor time of the whole process: beside other work only its share says something. */
import { composer } from "../../runners/music/compose/mod.ts";
import { makeInstrumentals } from "../../runners/music/studio/instrumental.ts";
import { makeSongs } from "../../runners/music/studio/song.ts";
import { ownCpuSeconds } from "../measure.ts";
import { LYRICS, PIECES } from "./pieces.ts";

/** The first round loads and warms everything. */
const ROUNDS = 2;

export async function printCost(): Promise<void> {
  await composer.load();
  for (let round = 0; round < ROUNDS; round++) {
    console.log(round === 0 ? "first in the process" : "afterwards");
    for (const { prompt, sung } of PIECES.slice(0, 4)) {
      const stages: { readonly stage: string; readonly cpu: number }[] = [];
      const progress = (_: number, stage?: string): void => {
        stages.push({ stage: stage ?? "", cpu: ownCpuSeconds() });
      };
      const job = { signal: new AbortController().signal, progress };
      const from = ownCpuSeconds();
      const [make] = sung
        ? await makeSongs({ lyrics: LYRICS, prompt, seconds: undefined, seeds: [3] }, job)
        : await makeInstrumentals({ prompt, seeds: [3] }, job);
      const { audio } = await make!();
      const all = ownCpuSeconds() - from;
      const at = stages.findIndex(({ stage }) => stage === "composing");
      const choosing = stages[at + 1]!.cpu - stages[at]!.cpu;
      console.log(
        `  ${prompt.padEnd(40)} ${(audio.channels[0]!.length / audio.sample_rate).toFixed(0).padStart(4)} s  ${all.toFixed(2)} s of processor time, choosing ${choosing.toFixed(2)} s, ${((100 * choosing) / all).toFixed(1)} %`,
      );
    }
  }
}
