import { breathe } from "../../breathe.ts";
import type { Views } from "../../samples.ts";
import type { Span } from "../analyse/mod.ts";
import { fromDecibel } from "../dsp/decibel.ts";
import { GainCurve, LimiterScratch, limiterGain, PACES, type Pace, PeakMap } from "../dsp/limiter.ts";
import { LoudnessMeter } from "../dsp/loudness.ts";
import { release } from "../dsp/release.ts";
import type { Corner } from "./gain.ts";
import { fillGains, type Placed } from "./mix.ts";

/** What the mix may peak at when it has its loudness: the ceiling of deliveries, and a little for what cells and samples hide. */
const CEILING_DBTP = -1.2;

/**
 * Of the room under the ceiling the music beneath gets what it needs, up to this share; beyond, its peaks are the master's. What is in the
 * voice's file where nobody speaks, thumps above all, gives way almost altogether.
 */
const MUSIC_SHARE_MAX = 0.4;
const MUSIC_SHARE_MAX_AT_REST = 0.9;
/** Seconds about speech that count as speech. */
const EDGE_SECONDS = 0.1;

/**
 * Attack 4 ms, hold 10 ms (half a period of 50 Hz, below any voice), release 40 ms; faster ones, which bend the wave more, for voices whose
 * peaks stand so high that they would become this much softer.
 */
const PACES_TRIED = PACES.slice(1, 4);
/** LU. Where no pace keeps within it, the rest is the master's. */
const LOSS_LU_MAX = 5;
const STEP_DB = 0.5;

/** About a beat. */
const REST_SECONDS = 0.4;

/** Energy bins of the meters: 10 ms. */
const BINS_PER_HOP = 10;

const BLOCK = 16_384;
/** Cells that are looked at together. */
const CELLS = 1024;

/** Limiting makes the mix softer, so that it is raised further, which asks for more limiting: settled to this after a few rounds. */
const SETTLED_DB = 0.02;
const ROUNDS_MAX = 8;

export interface Limited {
  /** Undefined where there is nothing to take down. */
  readonly curve: GainCurve | undefined;
  /** Loudness of the mix with the voice so limited. */
  readonly lufs: number;
  /** Deepest gain, dB. */
  readonly deepest_db: number;
  /** By how much the voice is softer for it while it speaks, LU. */
  readonly loss_lu: number;
}

/**
 * Takes the voice's peaks down so far that the mix, brought to `target_lufs`, has next to none that mastering must limit: a limiter on the
 * whole would move the music with every peak of the voice, and undo the steadiness of the duck. Undefined where the mix has no loudness.
 *
 * @param bed the music as it will be in the mix
 * @throws the signal's reason
 */
export async function limitVoice(
  voice: Placed,
  bed: Views,
  speech: readonly Span[],
  target_lufs: number,
  signal: AbortSignal,
): Promise<Limited | undefined> {
  const { sample_rate } = bed;
  const { whole, spoken } = await metered(voice, bed, signal);
  const unlimited_lufs = whole.integrated();
  if (!Number.isFinite(unlimited_lufs)) return undefined;
  const ceilingAt = (lufs: number): number => fromDecibel(CEILING_DBTP - (target_lufs - lufs));
  // Limiting lowers the ceiling further, by a few dB at most.
  const threshold = 0.4 * (1 - MUSIC_SHARE_MAX) * ceilingAt(unlimited_lufs);
  const map = await peaksOf(voice, threshold, signal);
  const beneath = await cellPeaks(bed, map, signal);
  const shares = sharesOf(speech, map, sample_rate);
  const bare = map.peaks.slice();
  const scratch = new LimiterScratch(bare.length);
  const power = new Float32Array(whole.bins);
  const of_voice = new Float64Array(spoken.bins);
  // Asked once: each time makes an object, and there are a million bins in three hours.
  const [energies, spoken_energies] = [whole.energies, spoken.energies];
  const lossFor = lossOf(spoken, speech, sample_rate);
  let gains: Float32Array | undefined;
  let loss_lu = 0;
  /** Loudness of the mix when the voice is limited as a mix of `lufs` needs it. */
  const limitedFor = (lufs: number, pace: Pace): number => {
    const ceiling = ceilingAt(lufs);
    // The same as a lower ceiling where the music is loud.
    for (let cell = 0; cell < bare.length; cell++) {
      map.peaks[cell] = bare[cell]! / (1 - Math.min(shares[cell]!, beneath[cell]! / ceiling));
    }
    gains = limiterGain(map, 1, ceiling, sample_rate, pace, scratch);
    if (gains === undefined) return lufs;
    powersOf(gains, map, whole.bin, of_voice);
    loss_lu = lossFor(of_voice);
    for (let bin = 0; bin < power.length; bin++) {
      // Voice and music taken as uncorrelated.
      const taken = (1 - (of_voice[bin] ?? 1)) * voice.sides * (spoken_energies[bin] ?? 0);
      const all = energies[bin]!;
      power[bin] = all > 0 ? Math.max(0, 1 - taken / all) : 1;
    }
    return whole.integrated(power);
  };
  let lufs = unlimited_lufs;
  let pace = PACES_TRIED[0]!;
  for (pace of PACES_TRIED) {
    lufs = unlimited_lufs;
    for (let round = 1; round <= ROUNDS_MAX; round++) {
      await breathe(signal);
      const now = limitedFor(lufs, pace);
      if (loss_lu > LOSS_LU_MAX || Math.abs(now - lufs) < SETTLED_DB) break;
      lufs = now;
    }
    if (loss_lu <= LOSS_LU_MAX) break;
  }
  for (; loss_lu > LOSS_LU_MAX; lufs += STEP_DB) limitedFor(lufs + STEP_DB, pace);
  release(bare, map.peaks, shares, beneath, ...scratch.spare);
  if (gains === undefined) return { curve: undefined, lufs, deepest_db: 0, loss_lu: 0 };
  const deepest = gains.reduce((least: number, gain: number) => Math.min(least, gain), 1);
  return { curve: new GainCurve(gains, map), lufs, deepest_db: 20 * Math.log10(deepest), loss_lu };
}

/**
 * dB by which the highest peak of `bed` passes the ceiling where nobody speaks, when a mix of `lufs` is brought to
 * `target_lufs`. Such music works the limiter of the mastering by itself, and every knock in the voice's file deepens
 * it.
 */
export function overAtRest(bed: Views, corners: readonly Corner[], lufs: number, target_lufs: number): number {
  const { frames, sample_rate } = bed;
  const rest_db = Math.max(...corners.map(({ db }) => db));
  const window = Math.round(REST_SECONDS * sample_rate);
  let peak = 0;
  const gains = new Float32Array(1);
  const rests = (frame: number): boolean => {
    fillGains(corners, sample_rate, frame, frame + 1, gains);
    return gains[0]! > fromDecibel(rest_db - 0.5);
  };
  for (let from = 0; from + window <= frames; from += window) {
    if (!rests(from) || !rests(from + window - 1)) continue;
    const { channels, at } = bed.view(from, from + window);
    for (const channel of channels) {
      for (let n = at; n < at + window; n++) {
        const value = Math.abs(channel[n]!);
        if (value > peak) peak = value;
      }
    }
  }
  return 20 * Math.log10(peak + 1e-9) + target_lufs - lufs - CEILING_DBTP;
}

/** Meters of the mix with the voice as it is, and of the voice alone. */
async function metered({ sound: voice }: Placed, bed: Views, signal: AbortSignal) {
  const { frames, sample_rate } = bed;
  const whole = new LoudnessMeter(sample_rate, bed.channels, BINS_PER_HOP);
  const spoken = new LoudnessMeter(sample_rate, voice.channels, BINS_PER_HOP);
  const sum = Array.from({ length: bed.channels }, () => new Float32Array(BLOCK));
  for (let from = 0; from < frames; from += BLOCK) {
    if ((from / BLOCK) % 32 === 0) await breathe(signal);
    const to = Math.min(frames, from + BLOCK);
    const count = Math.max(0, Math.min(to, voice.frames) - from);
    const music = bed.view(from, to);
    const spoken_here = count > 0 ? voice.view(from, from + count) : undefined;
    for (const [side, target] of sum.entries()) {
      target.set(music.channels[side]!.subarray(music.at, music.at + to - from));
      if (spoken_here === undefined) continue;
      const speech = spoken_here.channels[side] ?? spoken_here.channels[0]!;
      for (let n = 0; n < count; n++) target[n]! += speech[spoken_here.at + n]!;
    }
    whole.push(sum, 0, to - from);
    if (spoken_here !== undefined) spoken.push(spoken_here.channels, spoken_here.at, spoken_here.at + count);
  }
  return { whole, spoken };
}

async function peaksOf({ sound }: Placed, threshold: number, signal: AbortSignal): Promise<PeakMap> {
  const { frames } = sound;
  const map = new PeakMap(sound.channels, frames, threshold);
  for (let from = 0; from < frames; from += BLOCK) {
    if ((from / BLOCK) % 32 === 0) await breathe(signal);
    const count = Math.min(BLOCK, frames - from);
    const { channels, at } = sound.view(from, from + count);
    map.push(channels, at, at + count);
  }
  map.finish();
  return map;
}

/** Largest sample of the bed in each cell of the voice, or in one beside it. */
async function cellPeaks(bed: Views, map: PeakMap, signal: AbortSignal): Promise<Float32Array> {
  const cells = map.peaks.length;
  const { cell: per_cell } = map;
  const own = new Float32Array(cells);
  for (let first = 0; first < cells; first += CELLS) {
    if ((first / CELLS) % 32 === 0) await breathe(signal);
    const last = Math.min(cells, first + CELLS);
    const from = first * per_cell;
    const to = Math.min(bed.frames, last * per_cell);
    const { channels, at } = bed.view(from, to);
    for (const channel of channels) {
      for (let cell = first; cell < last; cell++) {
        const end = at - from + Math.min(to, (cell + 1) * per_cell);
        let peak = own[cell]!;
        for (let n = at - from + cell * per_cell; n < end; n++) {
          const value = Math.abs(channel[n]!);
          if (value > peak) peak = value;
        }
        own[cell] = peak;
      }
    }
  }
  let before = 0;
  for (let cell = 0; cell < cells; cell++) {
    const peak = own[cell]!;
    own[cell] = Math.max(peak, before, own[cell + 1] ?? 0);
    before = peak;
  }
  return own;
}

function sharesOf(speech: readonly Span[], map: PeakMap, sample_rate: number): Float32Array {
  const shares = new Float32Array(map.peaks.length).fill(MUSIC_SHARE_MAX_AT_REST);
  const cellAt = (seconds: number): number => Math.max(0, Math.round(seconds * sample_rate * map.cells_per_sample));
  for (const { start, end } of speech) {
    shares.fill(MUSIC_SHARE_MAX, cellAt(start - EDGE_SECONDS), cellAt(end + EDGE_SECONDS));
  }
  return shares;
}

/** Mean squared gain in each bin of `frames` frames. */
function powersOf(gains: Float32Array, map: PeakMap, frames: number, out: Float64Array): void {
  const per_bin = frames * map.cells_per_sample;
  for (let bin = 0; bin < out.length; bin++) {
    const from = Math.min(gains.length - 1, Math.floor(bin * per_bin));
    const to = Math.min(gains.length, Math.max(from + 1, Math.floor((bin + 1) * per_bin)));
    let sum = 0;
    for (let cell = from; cell < to; cell++) sum += gains[cell]! * gains[cell]!;
    out[bin] = sum / (to - from);
  }
}

/** LU that the voice loses while it speaks under squared gains, one a bin. */
function lossOf(spoken: LoudnessMeter, speech: readonly Span[], sample_rate: number): (powers: Float64Array) => number {
  const gate = new Float64Array(spoken.bins);
  for (const { start, end } of speech) {
    gate.fill(1, Math.round((start * sample_rate) / spoken.bin), Math.round((end * sample_rate) / spoken.bin));
  }
  const before = spoken.integrated(gate);
  const left = new Float64Array(gate.length);
  return (powers) => {
    for (let bin = 0; bin < left.length; bin++) left[bin] = gate[bin]! * powers[bin]!;
    const loss = before - spoken.integrated(left);
    return Number.isFinite(loss) ? Math.max(0, loss) : 0;
  };
}
