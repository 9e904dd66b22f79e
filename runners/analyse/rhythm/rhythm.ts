/** Tempo, beats, bars and attacks of a piece. */
import type { Rhythm } from "../analysis.ts";
import { RATE } from "../front.ts";
import { bandsOf } from "./bands.ts";
import { trackBars } from "./bars.ts";
import { certaintyOf } from "./certainty.ts";
import { changesOf } from "./change.ts";
import { features } from "./features.ts";
import { feelOf } from "./feel.ts";
import { type Activations, activations } from "./network.ts";
import { type Onset, onsetsOf } from "./onsets.ts";
import { settle } from "./settle.ts";

/** What there is to say of silence, and of less than two beats. */
const NONE: Rhythm = {
  tempo_bpm: 0,
  confidence: 0,
  beats: [],
  positions: [],
  metre: { beats_per_bar: 4, division: 2 },
  downbeat_confidence: 0,
  swing: 0.5,
  onsets: [],
};

/**
 * @param samples one channel at 22.05 kHz, as `fold` gives it
 * @param progress told from 0 to 1
 * @throws the signal's reason on abort
 */
export async function rhythmOf(
  samples: Float32Array,
  signal: AbortSignal,
  progress: (fraction: number) => void = () => undefined,
): Promise<Rhythm> {
  const bands = await bandsOf(samples, signal);
  progress(0.3);
  const onsets = onsetsOf(samples, bands);
  const changes = await changesOf(samples, signal);
  progress(0.5);
  const heard = await activations(features(bands, changes), signal);
  progress(0.8);
  const rhythm = await rhythmFrom(heard, onsets, samples.length / RATE, signal);
  progress(1);
  return rhythm;
}

/**
 * What rhythm there is in what was heard.
 *
 * @param seconds length of the piece
 * @throws the signal's reason on abort
 */
export async function rhythmFrom(
  heard: Activations,
  onsets: readonly Onset[],
  seconds: number,
  signal: AbortSignal,
): Promise<Rhythm> {
  const times = onsets.map(({ time }) => time);
  let track = await trackBars(heard, signal);
  let settled = track && settle(track, heard, seconds, onsets);
  let feel = settled && feelOf(settled.beats, onsets);
  if (track?.beats_per_bar === 2 && feel?.division === 2) {
    // Two beats that divide in two are half of a bar of four.
    track = await trackBars(heard, signal, [4], medianTempo(track.beats));
    settled = track && settle(track, heard, seconds, onsets);
    feel = settled && feelOf(settled.beats, onsets);
  }
  if (
    track === undefined ||
    settled === undefined ||
    feel === undefined ||
    settled.beats.length < 2 ||
    onsets.length === 0
  )
    return { ...NONE, onsets: times };
  return {
    tempo_bpm: medianTempo(settled.beats),
    ...certaintyOf(settled, heard, track.margin),
    beats: settled.beats,
    positions: settled.positions,
    metre: { beats_per_bar: track.beats_per_bar, division: feel.division },
    swing: feel.swing,
    onsets: times,
  };
}

/** Beats a minute. Over up to four beats at once, so that single beats off their place do not count. */
function medianTempo(beats: readonly number[]): number {
  const span = Math.min(4, beats.length - 1);
  const intervals = beats.slice(span).map((beat, n) => (beat - beats[n]!) / span);
  intervals.sort((a, b) => a - b);
  return 60 / intervals[intervals.length >> 1]!;
}
