import type { Audio, Streamed } from "../../../contract/mod.ts";
import type { Level, LoudnessReport } from "../../../core/ports/mod.ts";
import { type Samples, samplesOf } from "../../samples.ts";
import { SourceError } from "../../source_error.ts";
import { fromDecibel } from "../dsp/decibel.ts";
import type { GainCurve } from "../dsp/limiter.ts";
import { Drive, type Solution } from "./drive.ts";
import { binsPerHop, eachBlock, type Measured, measure } from "./measure.ts";
import { Rendering } from "./rendering.ts";

/** No delivered sample, nor what lies between two, is above this; stems (`gain`) excepted. */
const CEILING_DBTP = -1;

/**
 * What we measure on what we changed stays at or below this: noise up to half the sample rate, the hardest case, reads up to
 * 0.016 dB higher in a reconstruction from the spectrum of the whole file.
 */
const SAFE_DBTP = -1.015;

/**
 * The same for what the limiter made, whose corners hold more near half the sample rate: clicks in noise, driven to -8 LUFS, read up to
 * 0.027 dB higher.
 */
const SAFE_LIMITED_DBTP = -1.045;

/** Plain gain aims this much lower: rounding cannot reach above it from here. */
const GAIN_MARGIN_DB = 0.003;

/** The limiter aims this much lower: its peaks come from the coarse grid, and its curve moves a little between them. */
const LIMITER_MARGIN_DB = 0.05;

/**
 * What the grid of those peaks reads low in the sound itself, as noise up to half the sample rate is, it reads low in
 * what is limited too: the limiter aims lower by so many times that, for not all peaks were looked at.
 */
const UNDERREAD_FACTOR = 1.25;
/** Where it reads low by less, the margin will do. */
const UNDERREAD_MIN_DB = 0.1;

/** LU between what was asked and what was measured at which the limiter is not adjusted again. */
const LOUDNESS_TOLERANCE_LU = 0.01;

const ROUNDS_MAX = 6;

export interface Form {
  readonly bits: 16 | 24;
  /** The audio is a ring: limiter and true peak look across its seam. */
  readonly ring: boolean;
}

export interface Mastered {
  readonly rendering: Rendering;
  readonly loudness: LoudnessReport;
  /** The gain applied before the limiter. */
  readonly gain_db: number;
}

/**
 * Brings `audio` to `level` and measures what came out, after rounding. Never writes to it, never delays it, never changes its length.
 *
 * One gain wherever one gain will do; the limiter only for `loudness` with `allow_compression`, and then no harder than the
 * target needs. Where the target is out of reach the report says what was reached.
 *
 * @throws SourceError `source_silent` where loudness is asked of what has none: silence, or nothing above -70 LUFS
 */
export async function master(
  audio: Audio | Streamed,
  level: Level,
  form: Form,
  signal: AbortSignal,
): Promise<Mastered> {
  const sound = samplesOf(audio);
  if (sound.frames === 0) throw new Error("Cannot master the output: it has no samples");
  if (level.kind === "gain")
    return await settle(sound, level.gain_db, undefined, Number.POSITIVE_INFINITY, form, signal);
  const limits = level.kind === "loudness" && level.allow_compression;
  const bins_per_hop = limits ? binsPerHop(sound) : 1;
  const before = await measure(sound, form.ring, signal, bins_per_hop);
  if (before.true_peak_dbtp === Number.NEGATIVE_INFINITY && level.kind !== "loudness") {
    return await settle(sound, 0, undefined, CEILING_DBTP, form, signal);
  }
  const room_db = roomOf(before);
  if (level.kind === "peak") return await settle(sound, room_db, undefined, SAFE_DBTP, form, signal);
  // Audio that is at the ceiling already, as our own outputs are, is left as it is.
  const keeps = before.true_peak_dbtp <= CEILING_DBTP;
  if (level.kind === "ceiling") {
    return await settle(sound, keeps ? 0 : room_db, undefined, keeps ? CEILING_DBTP : SAFE_DBTP, form, signal);
  }
  if (before.lufs === Number.NEGATIVE_INFINITY) {
    throw new SourceError("source_silent", "Cannot bring the audio to a loudness: all of it is below -70 LUFS");
  }
  const wanted_db = level.target_lufs - before.lufs;
  if (wanted_db <= room_db || !level.allow_compression) {
    return await settle(sound, Math.min(wanted_db, room_db), undefined, SAFE_DBTP, form, signal);
  }
  return await limited(sound, before, level.target_lufs, form, signal);
}

/** The largest plain gain, in dB, that keeps peaks below the ceiling. */
export function roomOf({ true_peak_dbtp }: Pick<Measured, "true_peak_dbtp">): number {
  return SAFE_DBTP - GAIN_MARGIN_DB - true_peak_dbtp;
}

/** Gain on top of the limiter's curve, if any; lowered where the rounded samples turn out above `ceiling_dbtp` after all. */
async function settle(
  sound: Samples,
  gain_db: number,
  curve: GainCurve | undefined,
  ceiling_dbtp: number,
  form: Form,
  signal: AbortSignal,
): Promise<Mastered> {
  const dither = form.bits === 16 && (await hasSound(sound, signal));
  for (let gain = gain_db; ; ) {
    const rendering = new Rendering(sound, fromDecibel(gain), curve, form.bits, dither);
    const measured = await measure(rendering, form.ring, signal);
    const over = measured.true_peak_dbtp - ceiling_dbtp;
    if (!(over > 0)) return { rendering, loudness: report(sound, measured, curve !== undefined), gain_db: gain };
    gain -= over + GAIN_MARGIN_DB;
  }
}

/** Gain and limiter, adjusted until the rounded samples have the loudness that was asked. */
async function limited(
  sound: Samples,
  before: Measured,
  target_lufs: number,
  form: Form,
  signal: AbortSignal,
): Promise<Mastered> {
  const drive = new Drive(sound, form.ring, before.meter, signal);
  const least_db = target_lufs - before.lufs;
  let ceiling_dbtp = SAFE_LIMITED_DBTP - LIMITER_MARGIN_DB;
  const underread_db = await drive.underread(least_db, ceiling_dbtp);
  if (underread_db > UNDERREAD_MIN_DB) ceiling_dbtp -= UNDERREAD_FACTOR * underread_db;
  let bias = 0;
  let last: Solution | undefined;
  for (let round = 1; ; round++) {
    // The way is chosen once; what was measured then only moves the gain.
    const solution: Solution =
      last === undefined
        ? await drive.solve(target_lufs, ceiling_dbtp, least_db)
        : await drive.again(target_lufs - bias, ceiling_dbtp, least_db, last);
    last = solution;
    const { gain_db, way, reached } = solution;
    const curve = await drive.curve(gain_db, ceiling_dbtp, way);
    if (round === ROUNDS_MAX) return await settle(sound, gain_db, curve, SAFE_LIMITED_DBTP, form, signal);
    const rendering = new Rendering(sound, fromDecibel(gain_db), curve, form.bits, true);
    const measured = await measure(rendering, form.ring, signal);
    const over = measured.true_peak_dbtp - SAFE_LIMITED_DBTP;
    const met = !reached || Math.abs(measured.lufs - target_lufs) <= LOUDNESS_TOLERANCE_LU;
    if (over <= 0 && met) return { rendering, loudness: report(sound, measured, curve !== undefined), gain_db };
    bias = measured.lufs - (await drive.lufs(gain_db, ceiling_dbtp, way));
    if (over > 0) ceiling_dbtp -= over + GAIN_MARGIN_DB;
  }
}

function report(sound: Samples, measured: Measured, compressed: boolean): LoudnessReport {
  const measurable = sound.frames >= 0.4 * sound.sample_rate && Number.isFinite(measured.lufs);
  return {
    lufs: measurable ? measured.lufs : null,
    true_peak_dbtp: Number.isFinite(measured.true_peak_dbtp) ? measured.true_peak_dbtp : null,
    compressed,
  };
}

async function hasSound(sound: Samples, signal: AbortSignal): Promise<boolean> {
  let found = false;
  // The first block tells, save for silence.
  await eachBlock(sound, signal, (channels, from, to) => {
    found ||= channels.some((channel) => channel.subarray(from, to).some((sample) => sample !== 0));
    return found;
  });
  return found;
}
