import type { Audio, Job, Output } from "../../core/plugin.ts";
import { type Brief, composer, type Outline, type Score } from "../compose/mod.ts";
import { cosine, sine } from "../dsp/exact.ts";
import { effect } from "../effects/mod.ts";
import { serve } from "../engines.ts";
import { RATE } from "../play/mod.ts";
import { oneShot } from "./one_shot.ts";
import { record } from "./record.ts";
import { scoreReport } from "./score_report.ts";
import { ENGINE, share, stereo } from "./shared.ts";

/** What a sound without a beginning is crossed over at the seam of its ring, seconds at most. */
const CROSSING_SECONDS = 1;

/** One clip of round(seconds · 44,100) frames, stereo, not mastered. Equal input gives equal samples. */
export async function makeSample(
  { prompt, seconds, loop, seed }: { prompt: string; seconds: number; loop: boolean; seed: number },
  job: Job,
): Promise<Output> {
  const builtIn = (): Promise<Output> => make(prompt, seconds, loop, seed, job);
  // A model knows nothing of rings.
  if (loop) return builtIn();
  const { made, engine, passed_over } = await serve<"generate", Output>(
    "generate",
    job,
    async (model) =>
      seconds > model.seconds_max
        ? undefined
        : { audio: stereo(await model.generate({ prompt, seconds, seed }, job)), engine: model.id },
    { name: ENGINE, run: builtIn },
  );
  return passed_over.length === 0 ? { ...made, engine } : { ...made, engine, report: { ...made.report, passed_over } };
}

async function make(prompt: string, seconds: number, loop: boolean, seed: number, job: Job): Promise<Output> {
  const { understand, compose, reportOf } = await composer.load();
  job.progress(0, "understanding the prompt");
  const brief = understand(prompt);
  const heard = isMusical(brief) ? undefined : await soundOf(prompt, seconds, loop, seed, share(job, 0.02, 0.98));
  if (heard !== undefined) return heard;
  job.progress(0.01, "composing");
  const outline: Outline = loop ? { seconds, ring: true } : { seconds, clip: true };
  const score = oneShot(prompt, brief, seconds, loop) ?? alone(prompt, brief, compose(brief, outline, seed));
  const frames = Math.round(seconds * RATE);
  const audio = await record(score, seed, share(job, 0.02, 0.98), { frames });
  return {
    audio,
    engine: ENGINE,
    ...(loop ? { loop: true } : {}),
    report: { understood: reportOf(brief), composed: scoreReport(score) },
  };
}

/** Whether the words name anything of music. */
function isMusical({ explicit, wanted }: Brief): boolean {
  return wanted.length > 0 || ["genre", "bpm", "key", "metre", "wanted"].some((field) => explicit.includes(field));
}

/** A sound rather than music ("rain on a window", "crowd"); undefined where the effects do not know it either. */
async function soundOf(
  prompt: string,
  seconds: number,
  loop: boolean,
  seed: number,
  job: Job,
): Promise<Output | undefined> {
  const { run } = await effect.load();
  const crossing = loop ? Math.min(CROSSING_SECONDS, seconds / 2) : 0;
  const made = await run({ prompt, seconds: seconds + crossing, seed }, job);
  const { guessed, unknown_words, sequence, background } = made.report;
  const known = sequence.length + background.length > 0 && Object.keys(guessed).length === 0;
  if (!known || unknown_words.length > 1) return undefined;
  return loop ? { ...made, audio: ringOf(made.audio, Math.round(seconds * RATE)), loop: true } : made;
}

/** The first `frames`, with what follows them crossed over their beginning at constant power. */
function ringOf({ sample_rate, channels }: Audio, frames: number): Audio {
  const rings = channels.map((channel) => {
    const ring = channel.slice(0, frames);
    const crossing = channel.length - frames;
    for (let n = 0; n < crossing; n++) {
      const turns = (n + 0.5) / (4 * crossing);
      ring[n] = ring[n]! * sine(turns) + channel[frames + n]! * cosine(turns);
    }
    return ring;
  });
  return { sample_rate, channels: rings };
}

/** Words that ask for a whole arrangement although instruments are named. */
const WHOLE = /\b(?:beat|track|song|band|full|music|orchestra|ensemble|mix|instrumental|backing|arrangement)\b/iu;

/** Of a clip for which instruments were named, these alone: "a walking bass" is no jazz trio. */
function alone(prompt: string, { wanted }: Brief, score: Score): Score {
  if (wanted.length === 0 || WHOLE.test(prompt)) return score;
  const parts = score.parts.filter(({ instrument }) => wanted.includes(instrument));
  return parts.some(({ notes }) => notes.length > 0) ? { ...score, parts } : score;
}
