/** Which engine makes a sound effect: the operator's model of the task `effect`, else synthesis. */
import type { Job, Output } from "../../contract/mod.ts";
import { serve } from "../engines.ts";
import { roundTo } from "../signal/dsp/numbers.ts";
import { run as synthesise } from "./effect.ts";
import { plan } from "./plan.ts";
import { understand } from "./text/understand.ts";
import type { EffectInput } from "./types.ts";
import { understoodOf } from "./understood.ts";

/** Stereo of round(seconds · 44,100) frames; without `seconds` as long as the text says or its sounds need. */
export async function run(input: EffectInput, job: Job): Promise<Output> {
  const { prompt, seed } = input;
  const { made, passed_over } = await serve<"effect", Output>(
    "effect",
    job,
    async (model, passOver) => {
      const brief = understand(prompt);
      const seconds = input.seconds ?? plan(brief, undefined, seed).seconds;
      if (seconds > model.seconds_max) {
        passOver(model.id, `it makes ${roundTo(model.seconds_max, 1)} s at most, and ${seconds} s were asked for`);
        return undefined;
      }
      const { sample_rate, channels } = await model.generate({ prompt, seconds, seed }, job);
      const [left, right = left!] = channels;
      const report = { understood: understoodOf(brief) };
      return { audio: { sample_rate, channels: [left!, right] }, engine: model.id, report };
    },
    { name: "synthesis", run: () => synthesise(input, job) },
  );
  return passed_over.length === 0 ? made : { ...made, report: { ...made.report, passed_over } };
}
