/** Our engines for plugins that import none of them. Light: each loads when it is asked for. */
import type { Audio, Job, PluginEngines, Runner, Step } from "../core/plugin.ts";
import { effect } from "./effects/mod.ts";
import { instrumental } from "./music/studio/mod.ts";
import { runNested } from "./pool/nested.ts";
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
    master: (audio, { target_lufs, allow_compression = true }, step) =>
      run(master, { audio, target_lufs, allow_compression }, step),
    compose: ({ prompt, seconds, seed }, step) =>
      during(step, async (job) => {
        const [make] = await runNested(instrumental, { prompt, seconds, seeds: [seed] }, job);
        return make!();
      }),
    effect: ({ prompt, seconds, seed }, step) => run(effect, { prompt, seconds, seed }, step),
  };
}
