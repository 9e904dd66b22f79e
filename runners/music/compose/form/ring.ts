import { log2 } from "../../../signal/dsp/exact.ts";
import type { Brief } from "../brief.ts";
import { beatsIn } from "../clock.ts";

/** Hz; lengths are exact to its frame. */
const RATE = 44_100;

export interface Measure {
  readonly bars: number;
  /** Beats of a bar: the metre's, or fewer where not even one bar would fit. */
  readonly beats_per_bar: number;
  /** Beats a minute, such that `bars * beats_per_bar * 60 / bpm` is the length to the frame. */
  readonly bpm: number;
}

/** How ill a number of bars suits a loop. */
const ODDITY: Readonly<Record<number, number>> = { 1: 0.05, 2: 0.01, 4: 0, 8: 0, 16: 0.02, 32: 0.1 };

/**
 * Whole bars for a loop of exactly `seconds`: the number whose tempo is nearest to the brief's, where numbers of bars
 * that make phrases are worth a slightly worse tempo.
 *
 * @param seconds more than 0
 */
export function ringOf(seconds: number, brief: Brief): Measure {
  const frames = Math.max(1, Math.round(seconds * RATE));
  const { bpm, beats_per_bar } = tempoOf(brief);
  const explicit = brief.explicit.includes("bpm");
  let best: { cost: number; bars: number; beats: number } | null = null;
  const offer = (bars: number, beats: number, oddity: number): void => {
    const away = Math.abs(log2((bars * beats * 60 * RATE) / frames / bpm));
    // Where the tempo was asked for, 2 % weighs as much as the oddest number of bars.
    // Past an eighth of the tempo most genres turn into others.
    const cost = (explicit ? 12 : 2.2) * away + 4 * Math.max(0, away - 0.17) + oddity;
    if (best === null || cost < best.cost) best = { cost, bars, beats };
  };
  for (let bars = 1; bars <= 64; bars++)
    offer(bars, beats_per_bar, ODDITY[bars] ?? (bars % 4 === 0 ? 0.06 : bars % 2 === 0 ? 0.18 : 0.6));
  for (let beats = 1; beats < beats_per_bar; beats++) offer(1, beats, 0.25);
  const { bars, beats } = best!;
  return { bars, beats_per_bar: beats, bpm: (bars * beats * 60 * RATE) / frames };
}

/**
 * Bars for a clip that is over, its last note fading, within `seconds`. The tempo moves up to 6 % where it was not asked for.
 */
export function clipOf(seconds: number, brief: Brief): Measure {
  const { bpm, beats_per_bar } = tempoOf(brief);
  // A tenth of a short clip, 0.7 s of a long one, are left at least for the last sound.
  const usable = Math.max(0.05, seconds - Math.min(0.7, 0.1 * seconds));
  const give = brief.explicit.includes("bpm") ? 1.005 : 1.06;
  const beats = beatsIn(bpm * give, usable);
  let bars = Math.floor(beats / beats_per_bar);
  if (bars < 1) {
    const few = Math.max(1, Math.floor(beats));
    return { bars: 1, beats_per_bar: few, bpm: Math.max(bpm, (few * 60) / usable) };
  }
  if (bars > 4 && bars % 2 === 1 && (bars * beats_per_bar) / beats < 0.85) bars--;
  return { bars, beats_per_bar, bpm: Math.max(bpm, (bars * beats_per_bar * 60) / usable) };
}

/** The brief's tempo and metre where they make sense; 100 in four where they do not. */
export function tempoOf(brief: Brief): { bpm: number; beats_per_bar: number } {
  const bpm = Number.isFinite(brief.bpm) && brief.bpm > 0 ? Math.min(320, Math.max(20, brief.bpm)) : 100;
  const beats = Math.round(brief.metre.beats_per_bar);
  return { bpm, beats_per_bar: beats >= 1 && beats <= 16 ? beats : 4 };
}
