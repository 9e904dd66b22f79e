/** Where the voice speaks: by an operator's detector where one serves, else by what is built in. */
import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { type Served, serve } from "../../engines.ts";
import { framesOf, wholeOf } from "../../samples.ts";
import { type Span, voiceActivity } from "../analyse/mod.ts";

/** Of `Output.engine`. */
export const ENGINE = "duck";

/** Silero's own figures: probabilities at which speech begins and ends, and the seconds of speech, of a pause and around speech. */
const BEGINS = 0.5;
const ENDS = 0.35;
const SPEECH_MIN = 0.25;
const PAUSE_MIN = 0.1;
const MARGIN = 0.03;

/** Detectors take a voice whole: longer ones are passed over. */
const DETECTED_SECONDS = 600;

export function findSpeech(voice: Audio | Streamed, job: Job): Promise<Served<readonly Span[]>> {
  const own: Job = { ...job, progress: (done, stage) => job.progress(0.6 * done, stage) };
  return serve<"voice_activity", readonly Span[]>(
    "voice_activity",
    own,
    async (model) => {
      const seconds = framesOf(voice) / voice.sample_rate;
      if (seconds > DETECTED_SECONDS) return undefined;
      const { hop_seconds, values } = await model.detect(wholeOf(voice), own);
      return spansOf(values, hop_seconds, seconds);
    },
    { name: ENGINE, run: async () => (await voiceActivity(voice, job.signal)).speech },
  );
}

export function spansOf(probabilities: Float32Array, hop: number, seconds: number): readonly Span[] {
  const spans: { start: number; end: number }[] = [];
  let start: number | undefined;
  for (let n = 0; n <= probabilities.length; n++) {
    const value = probabilities[n] ?? 0;
    if (start === undefined && value >= BEGINS) start = n * hop;
    if (start === undefined || value >= ENDS) continue;
    const last = spans.at(-1);
    if (last !== undefined && start - last.end < PAUSE_MIN) last.end = n * hop;
    else spans.push({ start, end: n * hop });
    start = undefined;
  }
  return spans
    .filter((span) => span.end - span.start >= SPEECH_MIN)
    .map((span) => ({ start: Math.max(0, span.start - MARGIN), end: Math.min(seconds, span.end + MARGIN) }));
}
