/** Tunes a stroke as a sampler does: it is listened to, and played faster or slower until it rings where it was asked to. */
import type { Audio } from "../../../../contract/mod.ts";
import { cosine, log2 } from "../../../signal/dsp/exact.ts";
import { Fft } from "../../../signal/dsp/fft.ts";
import { resample } from "../../../signal/dsp/resample.ts";
import { nearest } from "../../play/mod.ts";
import type { Tuned } from "./clip.ts";

/**
 * Seconds from the loudest sample on: by then the beater is gone, and the pitch has nearly settled. What is loud counts
 * most: later the room alone may be left of a short drum.
 */
const FROM = 0.018;
const FADE = 0.006;
const SPAN = 0.35;
const SIZE = 65_536;
/** Share of the power between its limits that has to lie within a semitone of the peak: noise rings on nothing. */
const CLEAR = 0.12;
/** A drum that is played further than that from its own pitch is another one. */
const RATIO_MAX = 2.5;

/** Its own pitch moves while it rings: what is heard of it then is tuned once more, and again. */
const ROUNDS = 3;
/** What is heard a minor third beside where it was just put has no pitch of its own, but a room's or its noise's. */
const ASTRAY = 1.19;
/** Share of its length by which that may lengthen it. */
const ROOM = 1.08;

/**
 * @param play the stroke for so many seconds, and played that much faster afterwards
 * @returns `frames` that ring where they are to, and by how much faster they are played; null where nothing rings
 */
export async function tuned(
  stroke: Audio,
  to: Tuned,
  frames: number,
  play: (seconds: number, faster: number) => Promise<Audio>,
): Promise<{ readonly audio: Audio; readonly ratio: number } | null> {
  const found = ringOf(stroke, to.rings);
  if (found === null) return null;
  const target = to.hertz ?? nearest(found, to.tonic!, [0]);
  let ratio = target / found;
  if (ratio > RATIO_MAX || ratio < 1 / RATIO_MAX) return null;
  const longest = ROOM * ratio;
  const played = await play((longest * frames) / stroke.sample_rate, ratio);
  let audio = playedFaster(played, ratio, frames);
  for (let round = 1; round < ROUNDS; round++) {
    const heard = ringOf(audio, to.rings);
    if (heard === null || heard > ASTRAY * target || heard < target / ASTRAY) return null;
    ratio = Math.min(longest, (ratio * target) / heard);
    audio = playedFaster(played, ratio, frames);
  }
  return { audio, ratio };
}

/** The first `frames` of what is played faster by `ratio`. */
function playedFaster({ sample_rate, channels }: Audio, ratio: number, frames: number): Audio {
  // In steps of two thousandths of a cent.
  const out = resample(channels, Math.round(ratio * 1_000_000), 1_000_000).map((channel) => {
    const whole = new Float32Array(frames);
    whole.set(channel.subarray(0, frames));
    return whole;
  });
  return { sample_rate, channels: out };
}

/** Hz on which it rings; null where it is noise. */
export function ringOf({ sample_rate, channels }: Audio, [low, high]: Tuned["rings"]): number | null {
  const real = new Float64Array(SIZE);
  const imaginary = new Float64Array(SIZE);
  const [first] = channels;
  const level = (n: number): number => channels.reduce((sum, channel) => sum + channel[n]!, 0);
  let loudest = 0;
  for (let n = 1; n < first!.length; n++) if (Math.abs(level(n)) > Math.abs(level(loudest))) loudest = n;
  const from = loudest + Math.round(FROM * sample_rate);
  const span = Math.min(SIZE, Math.round(SPAN * sample_rate), first!.length - from);
  const fade = FADE * sample_rate;
  for (let n = 0; n < span; n++)
    real[n] = level(from + n) * Math.min(1, n / fade) * (0.5 + 0.5 * cosine((0.5 * n) / span));
  new Fft(SIZE).transform(real, imaginary);
  const power = (k: number): number => real[k]! * real[k]! + imaginary[k]! * imaginary[k]!;
  const bin = sample_rate / SIZE;
  let [total, peak] = [0, Math.ceil(low / bin)];
  for (let k = Math.ceil(low / bin); k <= high / bin; k++) {
    total += power(k);
    if (power(k) > power(peak)) peak = k;
  }
  let near = 0;
  for (let k = Math.ceil(peak / 1.0595); k <= peak * 1.0595; k++) near += power(k);
  if (!(near >= CLEAR * total) || total === 0) return null;
  // The top of a parabola through the logarithms beside the peak.
  const [before, at, after] = [-1, 0, 1].map((by) => log2(power(peak + by) + 1e-30)) as [number, number, number];
  const bend = before - 2 * at + after;
  return (peak + (bend === 0 ? 0 : (0.5 * (before - after)) / bend)) * bin;
}
