import type { Audio, Job, Output } from "../../../contract/mod.ts";
import { effect } from "../../effects/mod.ts";
import { serve } from "../../engines.ts";
import type { Ask, Understood } from "../../language/mod.ts";
import { cosine, log2, sine } from "../../signal/dsp/exact.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { type Brief, composer, type Outline, type Score } from "../compose/mod.ts";
import { RATE } from "../play/mod.ts";
import { grooved, LONGER, piecesOf } from "./clip/drum_pattern.ts";
import { isMonophonic } from "./clip/pitched.ts";
import { tuned } from "./clip/tuned.ts";
import { written } from "./clip/write.ts";
import { readSample } from "./read_sample.ts";
import { record } from "./record.ts";
import { scoreReport } from "./score_report.ts";
import { seamBefore } from "./seam.ts";
import { ENGINE, share, stereo } from "./shared.ts";

/** What a sound without a beginning is crossed over at the seam of its ring, seconds at most. */
const CROSSING_SECONDS = 1;
/** The longest take of a sound. */
const EFFECT_SECONDS = 30;

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
  // A sound may have been made by a model of the task "effect".
  const by = { ...made, engine: made.engine ?? engine };
  return passed_over.length === 0
    ? by
    : { ...by, report: { ...made.report, passed_over: [...passed_over, ...passedOver(made)] } };
}

/** By a sound within the sample. */
function passedOver({ report }: Output): readonly unknown[] {
  const { passed_over = [] } = (report ?? {}) as { readonly passed_over?: readonly unknown[] };
  return passed_over;
}

async function make(prompt: string, seconds: number, loop: boolean, seed: number, job: Job): Promise<Output> {
  const { compose, rangeFor, factsOf } = await composer.load();
  job.progress(0, "understanding the prompt");
  const { ask, brief, clip, is_sound, understood } = await readSample(prompt, seconds, loop);
  if (is_sound) {
    const heard = await soundOf(prompt, seconds, loop, seed, share(job, 0.02, 0.98));
    return { ...heard, report: { ...heard.report, understood } };
  }
  job.progress(0.01, "composing");
  const outline: Outline = loop ? { seconds, ring: true } : { seconds, clip: true };
  const room = { seconds, ring: loop, seed };
  const score =
    clip === undefined
      ? alone(ask, brief, compose(brief, outline, seed))
      : clip.kind === "drums"
        ? piecesOf(
            clip,
            room,
            compose(grooved(brief, clip), loop ? outline : { seconds: seconds + LONGER, clip: true }, seed),
          )
        : written(clip, brief, room, { rangeFor, factsOf });
  const frames = Math.round(seconds * RATE);
  const to = clip?.kind === "stroke" ? clip.tuned : undefined;
  const plain = await record(score, seed, share(job, 0.02, to === undefined ? 0.98 : 0.5), { frames });
  const rung =
    to === undefined || clip?.kind !== "stroke"
      ? null
      : await tuned(plain, to, frames, (seconds, faster) => {
          const again = written(clip, brief, { ...room, seconds, faster }, { rangeFor, factsOf });
          return record(again, seed, share(job, 0.5, 0.98), { frames: Math.round(seconds * RATE) });
        });
  const recorded = rung?.audio ?? plain;
  if (clip !== undefined && "reversed" in clip && clip.reversed) for (const one of recorded.channels) one.reverse();
  const told = to !== undefined && rung === null ? untuned(understood) : understood;
  const report = {
    ...{ clip: clip?.kind ?? "phrase", understood: told, composed: scoreReport(score) },
    ...(to === undefined ? {} : { tuned_by_cents: rung && Math.round(12_000 * log2(rung.ratio)) / 10 }),
  };
  if (!loop) {
    // What still rings where the clip ends is let go; music was written to end there.
    if (clip !== undefined) letGo(recorded);
    return { audio: recorded, engine: ENGINE, report };
  }
  const before = seamBefore(recorded.channels);
  return {
    audio: turned(recorded, before),
    engine: ENGINE,
    loop: true,
    report: { ...report, first_beat: Math.round((1e4 * before) / RATE) / 1e4 },
  };
}

/** It was heard to ring on nothing that could be tuned. */
function untuned(understood: Understood): Understood {
  const { articulation = [], not_understood } = understood;
  const left = [...not_understood, "tuned"];
  return {
    ...understood,
    ...{ not_understood: left, unknown_words: left },
    articulation: articulation.filter((one) => !one.startsWith("tuned to ")),
  };
}

/** A sound rather than music ("rain on a window", "crowd"). */
async function soundOf(prompt: string, seconds: number, loop: boolean, seed: number, job: Job): Promise<Output> {
  const { run } = await effect.load();
  const frames = Math.round(seconds * RATE);
  const crossing = loop ? Math.min(CROSSING_SECONDS, seconds / 2) : 0;
  const wanted = seconds + crossing;
  const made = await run({ prompt, seconds: Math.min(EFFECT_SECONDS, wanted), seed }, job);
  const takes = [made.audio];
  // What still sounds at the end of the longest take goes on in further ones; what has ended is followed by silence.
  if (wanted > EFFECT_SECONDS && goesOn(made.audio)) {
    const count = Math.ceil((wanted - CROSSING_SECONDS) / (EFFECT_SECONDS - CROSSING_SECONDS));
    const quiet: Job = { signal: job.signal, progress: () => {} };
    for (let k = 1; k < count; k++)
      takes.push((await run({ prompt, seconds: EFFECT_SECONDS, seed: hash32(seed, k) }, quiet)).audio);
  }
  const audio = joined(takes, frames + Math.round(crossing * RATE));
  return loop ? { ...made, audio: ringOf(audio, frames), loop: true } : { ...made, audio };
}

/** The last 60 ms, of a short clip the last eighth, fall to silence in place. */
function letGo({ channels }: Audio): void {
  for (const channel of channels) {
    const count = Math.min(Math.round(0.06 * RATE), channel.length >> 3);
    for (let n = 0; n < count; n++) {
      const place = channel.length - count + n;
      channel[place] = channel[place]! * (0.5 + 0.5 * cosine((n + 1) / (2 * count)));
    }
  }
}

/** Whether the last second is within 30 dB of the whole. */
function goesOn({ channels }: Audio): boolean {
  const power = (samples: Float32Array): number =>
    samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
  return channels.some((channel) => power(channel.subarray(-RATE)) > 1e-3 * power(channel));
}

/** Takes one after another, crossed over at constant power, cut or followed by silence to `frames`. */
function joined(takes: readonly Audio[], frames: number): Audio {
  if (takes.length === 1 && takes[0]!.channels[0]!.length === frames) return takes[0]!;
  const crossing = Math.round(CROSSING_SECONDS * RATE);
  const channels = takes[0]!.channels.map(() => new Float32Array(frames));
  let at = 0;
  for (const [index, take] of takes.entries()) {
    for (const [c, channel] of take.channels.entries()) {
      const out = channels[c]!;
      for (let n = 0; n < channel.length && at + n < frames; n++) {
        const rise = index > 0 && n < crossing ? sine((n + 0.5) / (4 * crossing)) : 1;
        const left = channel.length - n;
        const fall = index + 1 < takes.length && left <= crossing ? sine((left - 0.5) / (4 * crossing)) : 1;
        out[at + n] = out[at + n]! + rise * fall * channel[n]!;
      }
    }
    at += take.channels[0]!.length - crossing;
  }
  return { sample_rate: RATE, channels };
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

/** A ring that begins `frames` earlier. */
function turned({ sample_rate, channels }: Audio, frames: number): Audio {
  return {
    sample_rate,
    channels: channels.map((channel) => {
      const out = new Float32Array(channel.length);
      const by = frames % channel.length;
      out.set(channel.subarray(channel.length - by));
      out.set(channel.subarray(0, channel.length - by), by);
      return out;
    }),
  };
}

/** Of a clip for which instruments were named, these alone: "a walking bass" is no jazz trio. */
function alone({ mentions }: Ask, { wanted, traits }: Brief, score: Score): Score {
  // "A jazz band with sax" is a band.
  if (wanted.length === 0 || mentions.some(({ concepts }) => concepts.includes("clip:whole"))) return score;
  const named = score.parts.filter(({ instrument }) => wanted.includes(instrument));
  // Nobody accompanies himself on what plays one note at a time.
  const [lead] = named.filter(({ role }) => role === "lead");
  const single = wanted.length === 1 && traits.includes("solo") && isMonophonic(wanted[0]!);
  const parts = single && lead !== undefined ? [lead] : named;
  return parts.some(({ notes }) => notes.length > 0) ? { ...score, parts } : score;
}
