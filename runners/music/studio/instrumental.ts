import type { Job, Making, Output } from "../../../contract/mod.ts";
import { serve } from "../../engines.ts";
import { roundTo } from "../../signal/dsp/numbers.ts";
import { type Chosen, composer } from "../compose/mod.ts";
import type { InstrumentalInput } from "./input.ts";
import { record } from "./record.ts";
import { scoreReport } from "./score_report.ts";
import { ENGINE, partsOf, share, stereo, within } from "./shared.ts";
import { heard, lasting, read, type Wish } from "./wish.ts";

/** Share of the progress that listening to a reference takes. */
const HEARD = 0.2;
/** Longest piece that a model is asked for, seconds; most can do less. */
const MODEL_SECONDS = 120;

/**
 * One piece for each seed, each made when it is called for, save by a model that makes several at once for less: stereo,
 * not mastered. Equal input gives equal samples.
 */
export async function makeInstrumentals(
  { prompt, reference, seconds, seeds }: InstrumentalInput,
  job: Job,
): Promise<readonly Making[]> {
  const open = prompt === undefined ? await heard(reference!, share(job, 0, HEARD)) : await read(prompt);
  const wish = lasting(open, seconds);
  const from = prompt === undefined ? HEARD : 0;
  const { compose, chooser } = await composer.load();
  const choose = chooser(seeds, (seed) => ({ score: compose(wish.brief, wish.outline, seed) }));
  // Where one fails, what goes on for the others would be for nobody.
  const stop = new AbortController();
  const signal = AbortSignal.any([job.signal, stop.signal]);
  const turns = seeds.map(() => Promise.withResolvers<void>());
  let begun: readonly Promise<Output>[] | undefined;
  const beginAll = () => {
    const parts = partsOf({ ...job, signal }, from, seeds.length);
    return seeds.map((seed, index) => {
      const [own, turn] = [parts[index]!, turns[index]!.promise];
      const made = makeOne(prompt, wish, seed, own, turn, () => composed(wish, () => choose(index), seed, own));
      made.catch((error) => stop.abort(error));
      return made;
    });
  };
  return seeds.map((_, index) => () => {
    turns[index]!.resolve();
    begun ??= beginAll();
    return begun[index]!;
  });
}

/** @param turn when it is called for, which only models that make several at once do not wait for */
async function makeOne(
  prompt: string | undefined,
  wish: Wish,
  seed: number,
  job: Job,
  turn: Promise<void>,
  run: () => Promise<Output>,
): Promise<Output> {
  const inTurn = () => turn.then(run);
  if (prompt === undefined) return inTurn();
  const { made, engine, passed_over } = await serve<"generate", Output>(
    "generate",
    job,
    async (model, passOver) => {
      const asked = wish.outline.seconds;
      // Nobody gets less than was asked for without a word: the next model may reach further, and the built-in engine does.
      if (asked !== undefined && asked > model.seconds_max) {
        passOver(model.id, `it makes ${roundTo(model.seconds_max, 1)} s at most, and ${asked} s were asked for`);
        return undefined;
      }
      if (model.side_by_side !== true) await turn;
      const seconds = asked ?? Math.min(model.seconds_max, MODEL_SECONDS);
      return { audio: stereo(await model.generate({ prompt, seconds, seed }, job)), engine: model.id };
    },
    { name: ENGINE, run: inTurn },
  );
  return passed_over.length === 0 ? { ...made, engine } : { ...made, engine, report: { ...made.report, passed_over } };
}

async function composed({ brief, seconds }: Wish, choose: () => Chosen, seed: number, job: Job): Promise<Output> {
  const { reportOf } = await composer.load();
  job.progress(0, "composing");
  const { score, choice } = choose();
  const audio = await record(score, seed, share(job, 0.02, 0.98), within(seconds));
  return { audio, engine: ENGINE, report: { understood: reportOf(brief), composed: scoreReport(score, choice) } };
}
