import type { Audio, Job, ReportOutput, Streamed } from "../../../contract/mod.ts";
import { analyse, reportOf } from "../analyse/mod.ts";
import { separate } from "../separate/mod.ts";
import { levelsOf } from "./levels.ts";
import { voicesIn } from "./voices.ts";

/** Shares of the work, as ten minutes of music take it. */
const MEASURED = 0.1;
const HEARD = 0.3;
const SEPARATED = 0.9;

/** @throws the signal's reason on abort */
export async function describeTrack(audio: Audio | Streamed, job: Job): Promise<ReportOutput> {
  const part = (from: number, to: number): Job => ({
    signal: job.signal,
    progress: (fraction, stage) => job.progress(from + fraction * (to - from), stage),
  });
  job.progress(0, "measuring");
  const loudness = await levelsOf(audio, job.signal);
  const listener = await analyse.load();
  const { energy, loudness: momentary, ...music } = reportOf(await listener.run({ audio }, part(MEASURED, HEARD)));
  const separator = await separate.load();
  const { vocals } = await separator.run({ audio }, part(HEARD, SEPARATED));
  job.progress(SEPARATED, "listening for voices");
  const voices = await voicesIn(audio, vocals.audio, job.signal);
  return {
    report: {
      loudness,
      ...music,
      speech: voices.map(({ start, end }) => ({ start: thousandths(start), end: thousandths(end) })),
      curves: { energy, momentary_lufs: momentary },
      // What the separation has to say: models that could not serve.
      ...vocals.report,
    },
  };
}

const thousandths = (seconds: number): number => Math.round(1000 * seconds) / 1000;
