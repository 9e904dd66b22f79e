/** Our engines for plugins, our own actions among them. Light: each loads when it is asked for. */
import type { AskedWords, Audio, Job, PluginEngines, Runner, Step, Understood } from "../contract/mod.ts";
import { effect, understandEffect } from "./effects/mod.ts";
import { remixInstrumental, remixSong, understandRemix } from "./music/remix/mod.ts";
import { instrumental, sample, song, understandPiece, understandSample } from "./music/studio/mod.ts";
import { runNested } from "./pool/nested.ts";
import { cut } from "./signal/cut/mod.ts";
import { duck } from "./signal/duck/mod.ts";
import { album } from "./signal/master/mod.ts";
import { separate } from "./signal/separate/mod.ts";
import { track } from "./signal/track/mod.ts";

interface MasterInput {
  readonly audio: Audio;
  readonly target_lufs: number;
  readonly allow_compression: boolean;
}

export const master: Runner<MasterInput, Audio> = {
  name: "master",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./signal/master/whole.ts")).masterWhole }),
};

/** @param during does work as a step of the action's */
export function createPluginEngines(
  during: <Made>(step: Step | undefined, work: (job: Job) => Promise<Made>) => Promise<Made>,
): PluginEngines {
  const run = <Input, Made>(runner: Runner<Input, Made>, input: Input, step: Step | undefined): Promise<Made> =>
    during(step, (job) => runNested(runner, input, job));
  return {
    separate: (audio, step) => run(separate, { audio }, step),
    analyse: async (audio, step) => (await run(track, { audio }, step)).report,
    cut: (audio, { seconds }, step) => run(cut, { audio, seconds }, step),
    duck: (both, step) => run(duck, both, step),
    master: (audio, { target_lufs, allow_compression = true }, step) =>
      run(master, { audio, target_lufs, allow_compression }, step),
    levelAlbum: (tracks, { target_lufs }, step) => run(album, { tracks, target_lufs }, step),
    compose: ({ prompt, seconds, seed }, step) =>
      during(step, async (job) => {
        const [make] = await runNested(instrumental, { prompt, seconds, seeds: [seed] }, job);
        return make!();
      }),
    makeInstrumentals: (words, step) => run(instrumental, words, step),
    makeSongs: (words, step) => run(song, words, step),
    makeSample: (words, step) => run(sample, words, step),
    effect: (words, step) => run(effect, words, step),
    remixInstrumental: (words, step) => run(remixInstrumental, words, step),
    remixSong: (words, step) => run(remixSong, words, step),
    understand: (words, step) => during(step, (job) => understandWords(words, job)),
  };
}

function understandWords(words: AskedWords, job: Job): Promise<Understood> {
  if (words.for === "effect") return runNested(understandEffect, { prompt: words.prompt }, job);
  if (words.for === "sample") return runNested(understandSample, words, job);
  const input = { prompt: words.prompt, sung: words.for === "song" || words.for === "remixed_song" };
  return runNested(words.for.startsWith("remixed") ? understandRemix : understandPiece, input, job);
}
