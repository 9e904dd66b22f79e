import type { Audio, Job } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { collectGarbage, isLong } from "../../collect.ts";
import { cosine } from "../../signal/dsp/exact.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import { clockOf, type Part, type Score } from "../compose/mod.ts";
import { loadDesk } from "../mix/mod.ts";
import { orchestra, RATE, type Stem } from "../play/mod.ts";

/** What the last sounds may ring on, seconds. */
const TAIL_SECONDS = 8;
/** Below this, against the loudest sample, a tail is over: -60 dB. */
const AUDIBLE = 1e-3;
/** Silence that is left after the last audible sample, seconds. */
const MARGIN_SECONDS = 0.1;
/** What is cut off while it rings is faded over this, seconds. */
const FADE_SECONDS = 1;
/** Share of the progress that playing takes; the rest is the mix. */
const PLAYED = 0.75;

/** A part that somebody else than the orchestra makes. */
export interface Guest {
  readonly part: Part;
  /** Its stem of `frames` samples, whose memory is given back once the desk has heard it. */
  perform(frames: number): Stem | Promise<Stem>;
}

export interface RecordOptions {
  /** Exact length of the result; absent: as long as the score and its tail sound. */
  readonly frames?: number;
  /** What rings on beyond this, and beyond what was written, is faded out before. */
  readonly frames_max?: number;
  /** Recorded after the band. */
  readonly guests?: readonly Guest[];
}

/**
 * Plays every part of a score and mixes them, one part at a time: a stem is given up as soon as the desk has heard it.
 *
 * @returns stereo at 44.1 kHz, not mastered
 */
export async function record(
  score: Score,
  seed: number,
  job: Job,
  { frames, frames_max, guests = [] }: RecordOptions = {},
): Promise<Audio> {
  const [{ perform, forgetRecordings }, createDesk] = await Promise.all([orchestra.load(), loadDesk()]);
  const written = Math.round(clockOf(score).seconds(score.beats) * RATE);
  const length = frames ?? written + TAIL_SECONDS * RATE;
  // The desk knows who will sing, and when: the band makes way.
  const expected =
    guests.length === 0 ? score : { ...score, parts: [...score.parts, ...guests.map(({ part }) => part)] };
  const desk = createDesk(expected, { frames: length, ring: score.ring, seed: hash32(seed, 1) });
  const count = score.parts.length + guests.length;
  // Thousands of forms were looked at for the score.
  collectGarbage(length / RATE);
  for (const [index, part] of score.parts.entries()) {
    job.progress((PLAYED * index) / count, `playing ${part.name}`);
    const options = {
      frames: length,
      ring: score.ring ? length : 0,
      seed: hash32(seed, 16 + index),
      ensemble: hash32(seed, 2),
      signal: job.signal,
    };
    const stem = await perform(part, score, options);
    await desk.add(part, stem, job.signal, true);
    release(...stem);
    await breathe(job.signal);
  }
  // Singers and the mix need the room, and none of them.
  if (isLong(length / RATE)) forgetRecordings();
  for (const [index, { part, perform: sing }] of guests.entries()) {
    job.progress((PLAYED * (score.parts.length + index)) / count, `recording ${part.name}`);
    const stem = await sing(length);
    await desk.add(part, stem, job.signal, true);
    release(...stem);
    await breathe(job.signal);
  }
  // Takes and recordings, 40 to 80 MB of them, before all of a mix comes into memory.
  collectGarbage(length / RATE);
  job.progress(PLAYED, "mixing");
  const mixed = await desk.finish(job.signal);
  if (frames !== undefined) return mixed;
  return trimmed(mixed, written, frames_max);
}

/**
 * Without the silence after the last sound, but never shorter than what was written. In the memory of what was given:
 * a buffer that changes its length is copied.
 */
function trimmed({ sample_rate, channels }: Audio, written: number, frames_max?: number): Audio {
  let peak = 0;
  for (const channel of channels) for (let n = 0; n < channel.length; n++) peak = Math.max(peak, Math.abs(channel[n]!));
  let end = written;
  for (const channel of channels) {
    let n = channel.length;
    while (n > end && Math.abs(channel[n - 1]!) < AUDIBLE * peak) n--;
    end = Math.max(end, n);
  }
  const margin = Math.round(MARGIN_SECONDS * sample_rate);
  const whole = Math.min(channels[0]!.length, end + margin);
  const length = frames_max === undefined ? whole : Math.min(whole, Math.max(written + margin, frames_max));
  if (length < whole)
    for (const channel of channels) fade(channel, length, Math.min(length, FADE_SECONDS * sample_rate));
  return { sample_rate, channels: channels.map((channel) => channel.subarray(0, length)) };
}

/** Down to nothing at `end`, over the `frames` before it, by a quarter of a cosine. */
function fade(channel: Float32Array, end: number, frames: number): void {
  for (let n = 0; n < frames; n++) channel[end - frames + n]! *= cosine((n + 1) / (4 * frames));
}
