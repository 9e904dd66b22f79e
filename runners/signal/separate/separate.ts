import type { Audio, Job, Stem, Streamed, StreamedOutput } from "../../../contract/mod.ts";
import { serve } from "../../engines.ts";
import { type Blocks, streamed } from "./blocks.ts";
import { type Engines, separateByModels } from "./by_model.ts";
import { Renderer } from "./render.ts";
import { Rising } from "./rising.ts";
import { sharesOf } from "./shares.ts";
import { trained } from "./weights.ts";

/** The four stems and the instrumental, each as long as the source and with as many channels. */
export type Separated = Readonly<Record<Stem, StreamedOutput & { readonly engine: string }>>;

/** Of `Output.engine`, for what no model made. */
const ENGINE = "separate";

/**
 * By the operator's model where one can serve, else by what is built in, which decides on the whole piece at once, in bytes: of a share for
 * each band and frame, 45 MB for 10 minutes. The stems' samples are made only as they are read.
 */
export async function separate(audio: Audio | Streamed, job: Job): Promise<Separated> {
  const rising = new Rising(job);
  const { made, passed_over } = await serve<"separate", Made>(
    "separate",
    job,
    (models, passOver) => separateByModels(models, ENGINE, audio, rising, passOver),
    {
      name: ENGINE,
      async run() {
        const blocks = new Renderer(audio, await sharesOf(audio, trained(), rising.part(1)));
        return {
          blocks,
          engines: { vocals: ENGINE, drums: ENGINE, bass: ENGINE, other: ENGINE, instrumental: ENGINE },
        };
      },
    },
  );
  const report = passed_over.length === 0 ? {} : { report: { passed_over } };
  const stem = (kind: keyof Separated): Separated[typeof kind] => ({
    audio: streamed(made.blocks, kind),
    engine: made.engines[kind],
    ...report,
  });
  return {
    vocals: stem("vocals"),
    drums: stem("drums"),
    bass: stem("bass"),
    other: stem("other"),
    instrumental: stem("instrumental"),
  };
}

interface Made {
  readonly blocks: Blocks;
  readonly engines: Engines;
}
