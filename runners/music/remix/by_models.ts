/** Remixes by the operator's models; where none can, by our own engine, which hears the source then and no sooner. */
import type { Audio, Job, Making, Output, Streamed } from "../../../contract/mod.ts";
import { framesOf } from "../../samples.ts";
import { type ModelPiece, modelPieces, share } from "../studio/mod.ts";
import { ENGINE } from "./engine.ts";
import type { RemixInput, RemixSongInput } from "./input.ts";
import { folded, likeness } from "./likeness.ts";

/** Likeness of waveforms from which a remix is its source. */
const ALIKE = 0.5;

/**
 * @param report of a variation that a model made
 * @param remix all variations by our own engine
 */
export function byModels(
  task: "remix" | "remix_song",
  { source, prompt = "", seconds, seeds, ...rest }: RemixInput & Partial<Pick<RemixSongInput, "lyrics">>,
  report: ModelPiece["report"],
  job: Job,
  remix: () => Promise<readonly (Output | Making)[]>,
): readonly Making[] {
  let own: ReturnType<typeof remix> | undefined;
  const perform = async (index: number): Promise<Output> => {
    own ??= remix();
    const made = (await own)[index]!;
    return typeof made === "function" ? made() : made;
  };
  const words = { prompt, reference: source, ...(rest.lyrics === undefined ? {} : { lyrics: rest.lyrics }) };
  const piece = {
    what: "the remix",
    words,
    seconds: () => seconds ?? framesOf(source) / source.sample_rate,
    report,
    faultOf: (audio: Audio) => (isAlike(source, audio) ? "what it made is too much like the source" : undefined),
    built_in: ENGINE,
  };
  return seeds.map((seed, index) => async () => {
    const byModel = await modelPieces.load();
    const width = 1 / seeds.length;
    return byModel(task, { ...piece, seed }, share(job, index * width, width), () => perform(index));
  });
}

function isAlike(source: Audio | Streamed, made: Audio): boolean {
  const [one, other] = [folded(source), folded(made)];
  return Math.max(likeness(one, other), likeness(other, one)) > ALIKE;
}
