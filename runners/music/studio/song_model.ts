/** Songs by the operator's models of the task `song`; where none can, by our own engine. */
import type { Job, Output } from "../../../core/plugin.ts";
import { serve } from "../../engines.ts";
import { roundTo } from "../../signal/dsp/numbers.ts";
import { ENGINE, stereo } from "./shared.ts";

export interface SongWords {
  readonly prompt: string;
  /** As the client wrote them: models read markers as well as we do. */
  readonly lyrics: string;
  readonly language: string;
  /** What was asked for, else what our own layout takes. Asked only where there is a model. */
  readonly seconds: () => number;
  readonly seed: number;
}

export async function byModel(
  { prompt, lyrics, language, seconds, seed }: SongWords,
  job: Job,
  perform: () => Promise<Output>,
): Promise<Output> {
  const { made, passed_over } = await serve<"song", Output>(
    "song",
    job,
    async (model, passOver) => {
      const lasts = seconds();
      // A shorter piece would lose words.
      if (lasts > model.seconds_max) {
        passOver(
          model.id,
          `it makes ${roundTo(model.seconds_max, 1)} s at most, and the song takes ${roundTo(lasts, 1)} s`,
        );
        return undefined;
      }
      const audio = stereo(await model.generate({ prompt, lyrics, seconds: lasts, seed }, job));
      // Nobody knows what it took the words for, nor what is sung when.
      const report = { understood: null, composed: null, voice: null, language, lines: null };
      return { audio, engine: model.id, report };
    },
    { name: ENGINE, run: perform },
  );
  if (passed_over.length === 0) return made;
  // A singer of the operator's may have been passed over as well.
  const { passed_over: within = [] } = (made.report ?? {}) as { readonly passed_over?: typeof passed_over };
  return { ...made, report: { ...made.report, passed_over: [...passed_over, ...within] } };
}
