/** Who sings: a singer of the operator's where there is one that can, else the built-in voice. */
import type { Job } from "../../../contract/mod.ts";
import { serve } from "../../engines.ts";
import { RATE } from "../play/mod.ts";
import type { SingEngine, Singing, SungPhrase } from "../sing/mod.ts";

export interface Vocalist {
  perform(phrases: readonly SungPhrase[], frames: number, singing: Singing): Promise<Float32Array>;
  /** For `Output.engine`: the band's engine, and the model's id where one has sung. */
  engine(band: string): string;
  /** For the report; empty where nobody was passed over. */
  report(): { readonly passed_over?: readonly { readonly model: string; readonly reason: string }[] };
}

const BUILT_IN = "sing";

export function vocalist(engine: SingEngine, { signal }: Job): Vocalist {
  const quiet: Job = { signal, progress: () => undefined };
  let sang = BUILT_IN;
  /** After a fault the rest of the song is the built-in voice's: a choir of strangers is worse than either. */
  let failed: readonly { model: string; reason: string }[] = [];
  return {
    async perform(phrases, frames, singing) {
      const own = (): Float32Array => engine.sing(phrases, frames, singing);
      if (failed.length > 0 && sang === BUILT_IN) return own();
      const served = await serve<"sing", Float32Array>(
        "sing",
        quiet,
        (model) => model.sing(engine.passagesOf(phrases, singing.voice, singing.seed), frames / RATE, quiet),
        { name: BUILT_IN, run: own },
      );
      if (served.passed_over.length > 0) failed = served.passed_over;
      if (served.engine !== BUILT_IN) sang = served.engine;
      return served.made;
    },
    engine: (band) => (sang === BUILT_IN ? band : `${band}+${sang}`),
    report: () => (failed.length === 0 ? {} : { passed_over: failed }),
  };
}
