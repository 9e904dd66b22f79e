/** Bars and beats of a source: where in it each beat of the remix lies. */
import { type Analysis, type Metre, STEADY } from "../../signal/analyse/mod.ts";
import { beatSeconds, beatsIn } from "../compose/mod.ts";

export interface BeatGrid {
  /** Whether the source keeps the beat; else the beats are laid over it. */
  readonly steady: boolean;
  readonly bpm: number;
  readonly metre: Metre;
  readonly swing: number;
  readonly bars: number;
  /**
   * Seconds of the source at which beat 0 … `bars` × beats a bar lie, one more than there are beats. May be before its
   * first and after its last sample.
   */
  readonly times: readonly number[];
}

/** Counted tempi outside of this are a tracker's, nobody's. */
const [SLOWEST, FASTEST] = [30, 260];
/** A bar counts where at least this share of it sounds. */
const SHARE = 0.4;
/** How far a laid beat may stray from the tempo that is usual so that whole bars come out. */
const GIVE = 0.12;

/** @param usual beats a minute and metre for a source without a beat */
export function beatGrid(analysis: Analysis, usual: { readonly bpm: number; readonly metre: Metre }): BeatGrid {
  const { rhythm } = analysis;
  const [from, to] = sounding(analysis);
  const counted = rhythm.tempo_bpm >= SLOWEST && rhythm.tempo_bpm <= FASTEST;
  if (rhythm.confidence >= STEADY && counted && rhythm.beats.length >= 4) {
    const swing = rhythm.metre.division === 2 && rhythm.swing >= 0.55 ? Math.min(0.7, rhythm.swing) : 0.5;
    return { ...kept(analysis, from, to), bpm: hundredths(rhythm.tempo_bpm), metre: rhythm.metre, swing, steady: true };
  }
  return laid(from, to, counted ? { bpm: rhythm.tempo_bpm, metre: usual.metre } : usual);
}

/** The source's own beats, carried on to whole bars at both ends. */
function kept({ rhythm }: Analysis, from: number, to: number): Pick<BeatGrid, "bars" | "times"> {
  const { beats, positions, metre } = rhythm;
  const count = metre.beats_per_bar;
  const period = beatSeconds(rhythm.tempo_bpm);
  // A gap in the beats holds as many as fit.
  const whole: number[] = [beats[0]!];
  const votes = new Float64Array(count);
  votes[(positions[0]! - 1) % count]! += 1;
  for (let k = 1; k < beats.length; k++) {
    const [before, here] = [beats[k - 1]!, beats[k]!];
    const missing = Math.max(1, Math.round((here - before) / period));
    for (let n = 1; n <= missing; n++) whole.push(before + ((here - before) * n) / missing);
    // The place in the bar that beat 0 would have.
    const phase = (((positions[k]! - 1 - (whole.length - 1)) % count) + count) % count;
    votes[phase]! += 1;
  }
  let phase = 0;
  for (let k = 1; k < count; k++) if (votes[k]! > votes[phase]!) phase = k;
  const head = whole[1]! - whole[0]!;
  const tail = whole.at(-1)! - whole.at(-2)!;
  const at = (index: number): number =>
    index < 0
      ? whole[0]! + index * head
      : index < whole.length
        ? whole[index]!
        : whole.at(-1)! + (index - whole.length + 1) * tail;
  // Bar lines are the indices that are -phase modulo the metre.
  let first = -phase;
  while (at(first) > from + SHARE * count * period) first -= count;
  while (at(first + count) < from + SHARE * count * period) first += count;
  // The next bar belongs where enough of it sounds.
  let bars = 1;
  while (at(first + bars * count) + SHARE * count * tail < to) bars++;
  return { bars, times: Array.from({ length: bars * count + 1 }, (_, k) => at(first + k)) };
}

/** Even beats over a source that has none. Less than a bar is a bar of fewer beats. */
function laid(from: number, to: number, usual: { readonly bpm: number; readonly metre: Metre }): BeatGrid {
  const seconds = Math.max(0.5, to - from);
  const beats = beatsIn(usual.bpm, seconds);
  const own = usual.metre.beats_per_bar;
  const bars = Math.max(1, Math.round(beats / own));
  const count = beats < 0.75 * own ? Math.max(1, Math.round(beats)) : own;
  const fitting = (60 * bars * count) / seconds;
  const bpm = hundredths(Math.min(usual.bpm * (1 + GIVE), Math.max(usual.bpm * (1 - GIVE), fitting)));
  const period = seconds / (bars * count);
  return {
    steady: false,
    bpm,
    metre: { ...usual.metre, beats_per_bar: count },
    swing: 0.5,
    bars,
    times: Array.from({ length: bars * count + 1 }, (_, k) => from + k * period),
  };
}

/** LUFS under the loudest moment from which a beginning or an end is silent. */
const SILENT_LU = 36;

/** Seconds between which the source sounds. */
function sounding({ form, seconds }: Analysis): [from: number, to: number] {
  const { values, hop_seconds } = form.loudness;
  let top = -70;
  for (const value of values) if (value > top) top = value;
  const floor = Math.max(-69.5, top - SILENT_LU);
  let first = 0;
  let last = values.length - 1;
  while (first < last && values[first]! < floor) first++;
  while (last > first && values[last]! < floor) last--;
  return [Math.min(seconds, first * hop_seconds), Math.min(seconds, (last + 1) * hop_seconds)];
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * Steps of an even grid over the beats: `per_beat` each, the middle of each beat where the swing puts it. Seconds, one
 * more than there are steps.
 */
export function stepsOf({ times, swing }: BeatGrid, per_beat: number): number[] {
  const edges: number[] = [];
  for (let beat = 0; beat + 1 < times.length; beat++)
    for (let n = 0; n < per_beat; n++) {
      const x = n / per_beat;
      const bent = swing === 0.5 ? x : x < 0.5 ? 2 * x * swing : swing + 2 * (x - 0.5) * (1 - swing);
      edges.push(times[beat]! + bent * (times[beat + 1]! - times[beat]!));
    }
  edges.push(times.at(-1)!);
  return edges;
}
