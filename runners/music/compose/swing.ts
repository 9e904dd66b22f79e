import { beatSeconds } from "./clock.ts";

/**
 * Where a written beat is played in swing: each beat is bent so that its middle falls on `swing`, and what lies between
 * follows in proportion. Whole beats stay. Parts are written straight; their writers bend every note's beginning, and
 * end, through this once.
 *
 * @param beat any, negative too
 * @param swing 0.5 straight to 0.75; 0.67 makes triplets of quavers
 */
export function swung(beat: number, swing: number): number {
  if (swing === 0.5) return beat;
  const whole = Math.floor(beat);
  const part = beat - whole;
  return whole + (part < 0.5 ? part * 2 * swing : swing + (part - 0.5) * 2 * (1 - swing));
}

/** The short stroke of a ride cymbal lasts so long from medium tempi on. Seconds. */
const SHORT = 0.1;
/** The most that packs write, 3:1; drummers go to 3.5:1. */
export const SWING_MAX = 0.75;
/** How much of the way from even quavers to the drummer's a soloist goes; ours. */
const SOLOIST = 0.4;
/** And never further behind than this. Seconds; ours. */
const BEHIND = 0.05;

/**
 * Place of the off-beat on the ride cymbal: 3.5:1 at slow tempi, even at 300 beats a minute, the short stroke about 100 ms between.
 * Friberg and Sundström (2002), "Swing ratios and ensemble timing in jazz performance", Music Perception 19(3).
 */
export function rideSwing(bpm: number): number {
  return Math.min(SWING_MAX, Math.max(0.5, 1 - SHORT / beatSeconds(bpm)));
}

/**
 * Seconds by which a soloist is behind the ride: on downbeats, while off-beats are played together, so that his own
 * swing is less (the same study).
 *
 * @param beat as played, bent by `swing`
 */
export function rideDelay(beat: number, swing: number, beat_seconds: number): number {
  const ratio = 1 + SOLOIST * (swing / (1 - swing) - 1);
  const delay = Math.min(BEHIND, (beat_seconds * (swing - ratio * (1 - swing))) / (1 + ratio));
  const part = beat - Math.floor(beat + 1e-6);
  return delay * (part < swing ? 1 - part / swing : (part - swing) / (1 - swing));
}
