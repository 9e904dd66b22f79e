/** Whole pieces by the operator's models: songs, and what is made anew of another piece; where none can, by our own engine. */
import type { Audio, Job, Output, Streamed } from "../../../contract/mod.ts";
import { serve } from "../../engines.ts";
import { framesOf, wholeOf } from "../../samples.ts";
import { roundTo } from "../../signal/dsp/numbers.ts";
import { stereo } from "./shared.ts";

interface Words {
  readonly prompt: string;
  /** As the client wrote them: models read markers as well as we do. */
  readonly lyrics?: string;
  readonly reference?: Audio | Streamed;
}

type Report = NonNullable<Output["report"]>;

export interface ModelPiece {
  /** For the reason why a model is passed over. */
  readonly what: string;
  readonly words: Words;
  /** What was asked for, else what our own engine would take. Asked only where there is a model. */
  readonly seconds: () => number;
  readonly seed: number;
  /** Asked only where a model made it. */
  readonly report: () => Report | Promise<Report>;
  /** Why it cannot be delivered. */
  readonly faultOf?: (audio: Audio) => string | undefined;
  readonly built_in: string;
}

export async function byModel(
  task: "song" | "remix" | "remix_song",
  { what, words, seconds, seed, report, faultOf, built_in }: ModelPiece,
  job: Job,
  perform: () => Promise<Output>,
): Promise<Output> {
  const { made, passed_over } = await serve<typeof task, Output>(
    task,
    job,
    async (model, passOver) => {
      const lasts = seconds();
      const { reference } = words;
      const heard = reference === undefined ? 0 : framesOf(reference) / reference.sample_rate;
      // A shorter piece would lose words, a shorter source what it says.
      if (Math.max(lasts, heard) > model.seconds_max) {
        const most = `it makes ${roundTo(model.seconds_max, 1)} s at most`;
        const needs = lasts >= heard ? `${what} takes ${roundTo(lasts, 1)} s` : `the source ${roundTo(heard, 1)} s`;
        passOver(model.id, `${most}, and ${needs}`);
        return undefined;
      }
      const whole = reference === undefined ? {} : { reference: wholeOf(reference) };
      const audio = stereo(await model.generate({ ...words, ...whole, seconds: lasts, seed } as never, job));
      const fault = faultOf?.(audio);
      if (fault === undefined) return { audio, engine: model.id, report: await report() };
      passOver(model.id, fault);
      return undefined;
    },
    { name: built_in, run: perform },
  );
  if (passed_over.length === 0) return made;
  // A singer of the operator's may have been passed over as well.
  const { passed_over: within = [] } = (made.report ?? {}) as { readonly passed_over?: typeof passed_over };
  return { ...made, report: { ...made.report, passed_over: [...passed_over, ...within] } };
}
