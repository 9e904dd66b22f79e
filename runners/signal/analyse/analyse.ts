/** The whole analysis of a source, joined from its parts and kept while the source is. */
import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { collectGarbage } from "../../collect.ts";
import { framesOf } from "../../samples.ts";
import { release } from "../dsp/release.ts";
import type { Analysis } from "./analysis.ts";
import { describe } from "./describe.ts";
import { fold } from "./front.ts";
import { rhythmOf } from "./rhythm/rhythm.ts";

/** Within an operation a source stays one object; its analysis goes with it. */
const known = new WeakMap<Audio | Streamed, Analysis>();

/** @throws RangeError where `audio` is not one or two channels of equal length; the signal's reason on abort */
export async function analyse(audio: Audio | Streamed, job: Job): Promise<Analysis> {
  job.signal.throwIfAborted();
  const before = known.get(audio);
  if (before !== undefined) return before;
  check(audio);
  const analysis = await hear(audio, job);
  known.set(audio, analysis);
  return analysis;
}

async function hear(audio: Audio | Streamed, { signal, progress }: Job): Promise<Analysis> {
  const seconds = framesOf(audio) / audio.sample_rate;
  progress(0, "listening");
  const mono = await fold(audio, signal);
  progress(0.05, "finding the beat");
  const rhythm = await rhythmOf(mono, signal, (fraction) => progress(0.05 + 0.45 * fraction, "finding the beat"));
  // Each stage leaves 50 to 80 MB of ten minutes behind.
  collectGarbage(seconds);
  progress(0.5, "hearing harmony and form");
  const { tonality, form, timbre } = await describe(audio, mono, rhythm, signal);
  release(mono);
  collectGarbage(seconds);
  progress(1, "analysed");
  return { seconds, rhythm, tonality, form, timbre };
}

function check(audio: Audio | Streamed): void {
  const { channels, sample_rate } = audio;
  const frames = framesOf(audio);
  const count = typeof channels === "number" ? channels : channels.length;
  if (frames === 0) throw new RangeError("Cannot analyse the audio: it has no samples");
  if (count > 2) throw new RangeError(`Cannot analyse the audio: it has ${count} channels, at most 2 are taken`);
  if (typeof channels !== "number" && channels.some((channel) => channel.length !== frames))
    throw new RangeError("Cannot analyse the audio: its channels differ in length");
  if (!(sample_rate >= 8000))
    throw new RangeError(`Cannot analyse the audio: its sample rate is ${sample_rate} Hz, at least 8000 are needed`);
}
