/** Tempo, beats, bars and attacks of a piece. */
import { release } from "../../dsp/release.ts";
import type { Rhythm } from "../analysis.ts";
import { RATE } from "../front.ts";
import { bandsOf } from "./bands.ts";
import { PAIRED_BPM_MAX, type Track, trackBars } from "./bars.ts";
import { certaintyOf } from "./certainty.ts";
import { changesOf } from "./change.ts";
import { features } from "./features.ts";
import { type Feel, feelOf } from "./feel.ts";
import { activations } from "./network.ts";
import { onsetsOf } from "./onsets.ts";
import { doubled, everyOther } from "./pulse.ts";
import { onTheBeat, threeInBar } from "./readings.ts";
import { type Settled, settle } from "./settle.ts";
import { between, type Heard, highest } from "./strokes.ts";

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
  const rows = features(bands, changes);
  release(bands.level, bands.rise, changes);
  const heard: Heard = { rows, activations: await activations(rows, signal), onsets };
  progress(0.8);
  const rhythm = await rhythmFrom(heard, samples.length / RATE, signal);
  progress(1);
  return rhythm;
}

/**
 * What rhythm there is in what was heard.
 *
 * @param seconds length of the piece
 * @throws the signal's reason on abort
 */
export async function rhythmFrom(heard: Heard, seconds: number, signal: AbortSignal): Promise<Rhythm> {
  const onsets = heard.onsets.map(({ time }) => time);
  let found = await follow(heard, seconds, signal);
  const other = found && otherPulse(found.settled.beats, heard);
  if (other !== undefined) found = (await follow(heard, seconds, signal, other)) ?? found;
  const bar = found && otherBar(found, heard);
  if (bar !== undefined) found = (await follow(heard, seconds, signal, bar.tempo, [bar.beats])) ?? found;
  if (found !== undefined && (onTheBeat(found.settled.beats, heard) ?? 1) < OFF_BEAT)
    found = felt(offBeat(found.track, heard), heard, seconds) ?? found;
  if (found === undefined) return { ...NONE, onsets };
  const { track, settled, feel } = found;
  return {
    tempo_bpm: medianTempo(settled.beats),
    ...certaintyOf(settled, heard.activations, track.margin),
    beats: settled.beats,
    positions: settled.positions,
    metre: { beats_per_bar: track.beats_per_bar, division: feel.division },
    swing: feel.swing,
    onsets,
  };
}

export interface Followed {
  readonly track: Track;
  readonly settled: Settled;
  readonly feel: Feel;
}

/**
 * The pulse as the tracker has it, which may be twice or half the beat; undefined where there is none.
 *
 * @param near beats a minute, from which the tempo is at most a third away
 * @param metres beats a bar to choose from
 */
export async function follow(
  heard: Heard,
  seconds: number,
  signal: AbortSignal,
  near?: number,
  metres?: readonly (2 | 3 | 4)[],
): Promise<Followed | undefined> {
  const along = async (wanted: typeof metres, tempo = near): Promise<Followed | undefined> => {
    const track = await trackBars(heard.activations, signal, wanted, tempo);
    return track && felt(track, heard, seconds);
  };
  const found = await along(metres);
  // Two beats that divide in two are half of a bar of four.
  return found?.track.beats_per_bar === 2 && found.feel.division === 2
    ? await along([4], medianTempo(found.track.beats))
    : found;
}

/** Where the beats of `track` are, and how they divide; undefined where there are none. */
function felt(track: Track, { activations, onsets }: Heard, seconds: number): Followed | undefined {
  const settled = settle(track, activations, seconds, onsets);
  if (settled.beats.length < 2 || onsets.length === 0) return undefined;
  return { track, settled, feel: feelOf(settled.beats, onsets) };
}

/** How sure it has to be that the beat is another pulse than the one that was followed: chosen on pieces that nothing was learnt from. */
const SURE = 0.8;
/** Beats a minute: hardly any music is slower, so nothing is halved to less. */
const HALVED_MIN = 46;

/** Beats a minute of the beat where it is half or twice as fast as `beats`; undefined where they are the beat, as far as can be told. */
function otherPulse(beats: readonly number[], heard: Heard): number | undefined {
  const half = medianTempo(beats) / 2;
  if (half >= HALVED_MIN && (everyOther(beats, heard) ?? 0) > SURE) return half;
  return (everyOther(doubled(beats), heard) ?? 1) < 1 - SURE ? medianTempo(beats) * 2 : undefined;
}

/**
 * Likelihoods under which strokes are taken for the off-beat, bars of three for bars of two in three, and the other way
 * round; half a bar of 12/8 too.
 */
const OFF_BEAT = 0.45;
const THREE = 0.3;
const TWO = 0.55;
const PAIR = 0.8;

/**
 * The bar that it is where three beats were heard for two in three, or two or four in three for three; undefined where
 * it is as it was heard.
 */
function otherBar({ track, settled, feel }: Followed, heard: Heard): { beats: 2 | 3; tempo: number } | undefined {
  const barsOf = (length: number): number[] =>
    settled.beats.filter((_, n) => (settled.positions[n]! - 1) % length === 0);
  const downbeats = barsOf(track.beats_per_bar);
  const tempo = medianTempo(settled.beats);
  // Two bars of 3/4 heard as one of 12/8.
  if (track.beats_per_bar === 4 && feel.division === 3)
    return (threeInBar(barsOf(2), heard) ?? 0) > PAIR ? { beats: 3, tempo: (tempo * 3) / 2 } : undefined;
  if (track.beats_per_bar === 3 && feel.division === 2 && (tempo * 2) / 3 < PAIRED_BPM_MAX)
    return (threeInBar(downbeats, heard) ?? 1) < THREE ? { beats: 2, tempo: (tempo * 2) / 3 } : undefined;
  if (track.beats_per_bar === 2 && feel.division === 3)
    return (threeInBar(downbeats, heard) ?? 0) > TWO ? { beats: 3, tempo: (tempo * 3) / 2 } : undefined;
  return undefined;
}

/** The track half a beat on, its bars begun where most downbeats are heard. */
function offBeat(track: Track, { activations }: Heard): Track {
  const beats = between(track.beats);
  const sums = Array.from({ length: track.beats_per_bar }, () => 0);
  for (const [n, down] of highest(activations.downbeat, beats, 1).entries()) sums[n % sums.length]! += down;
  const first = sums.indexOf(Math.max(...sums));
  return { ...track, beats, positions: beats.map((_, n) => ((n + sums.length - first) % sums.length) + 1) };
}

/** Beats a minute. Over up to four beats at once, so that single beats off their place do not count. */
function medianTempo(beats: readonly number[]): number {
  const span = Math.min(4, beats.length - 1);
  const intervals = beats.slice(span).map((beat, n) => (beat - beats[n]!) / span);
  intervals.sort((a, b) => a - b);
  return 60 / intervals[intervals.length >> 1]!;
}
