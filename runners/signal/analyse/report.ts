/** What an output's `report` says of an analysis: rounded, and small enough to travel with every answer. */
import { FLATS, SHARPS } from "../../notes.ts";
import { roundTo } from "../dsp/numbers.ts";
import type { Analysis, Chord, Curve, Metre, Mode, Quality } from "./analysis.ts";
import { STEADY } from "./analysis.ts";

/** Times are seconds, rounded to milliseconds. */
export interface AnalysisReport {
  readonly seconds: number;
  /** Beats a minute; 0 where there is no beat to rely on. */
  readonly tempo_bpm: number;
  readonly beat_confidence: number;
  /** "4/4", "3/4", "6/8" …; null where there is no beat to rely on. */
  readonly metre: string | null;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  /** "A minor", "Eb major" …; null where nothing sounds. */
  readonly key: string | null;
  readonly key_confidence: number;
  readonly tuning_hz: number;
  /** Labels as "C", "Am7", "Bdim"; "N" for none. */
  readonly chords: readonly { readonly start: number; readonly end: number; readonly label: string }[];
  readonly sections: readonly {
    readonly start: number;
    readonly end: number;
    readonly label: string;
    readonly level_db: number;
  }[];
  /** 0 to 1. */
  readonly energy: { readonly hop_seconds: number; readonly values: readonly number[] };
  /** Momentary loudness, LUFS, the mean power of each hop. */
  readonly loudness: { readonly hop_seconds: number; readonly values: readonly number[] };
}

/** Curves in the report are sampled at 2 Hz where they are finer. */
const CURVE_HOP_SECONDS = 0.5;

export function reportOf(analysis: Analysis): AnalysisReport {
  const { rhythm, tonality, form } = analysis;
  const steady = rhythm.confidence >= STEADY && rhythm.beats.length > 0;
  const flats = spellsFlats(tonality.tonic, tonality.mode);
  return {
    seconds: milliseconds(analysis.seconds),
    tempo_bpm: steady ? roundTo(rhythm.tempo_bpm, 2) : 0,
    beat_confidence: roundTo(rhythm.confidence, 2),
    metre: steady ? metreName(rhythm.metre) : null,
    beats: steady ? rhythm.beats.map(milliseconds) : [],
    downbeats: steady ? rhythm.beats.filter((_, index) => rhythm.positions[index] === 1).map(milliseconds) : [],
    key: tonality.confidence > 0 ? `${(flats ? FLATS : SHARPS)[tonality.tonic]} ${tonality.mode}` : null,
    key_confidence: roundTo(tonality.confidence, 2),
    tuning_hz: roundTo(tonality.tuning_hz, 1),
    chords: tonality.chords.map((chord) => ({
      start: milliseconds(chord.start),
      end: milliseconds(chord.end),
      label: chordName(chord, flats),
    })),
    sections: form.sections.map(({ start, end, label, level_db }) => ({
      start: milliseconds(start),
      end: milliseconds(end),
      label,
      level_db: roundTo(level_db, 1),
    })),
    energy: coarse(form.energy, 2, (values) => values.reduce((sum, value) => sum + value, 0) / values.length),
    loudness: coarse(form.loudness, 1, meanLevel),
  };
}

/** Major keys whose signature has flats; a minor key has that of the major a minor third above. */
const FLAT_MAJORS = new Set([5, 10, 3, 8, 1]);

function spellsFlats(tonic: number, mode: Mode): boolean {
  // C# minor and G# minor are written with sharps, though E and B major's neighbours Db and Ab are not.
  // Eb minor has as many flats as D# minor has sharps, and is the usual name.
  return FLAT_MAJORS.has(mode === "major" ? tonic : (tonic + 3) % 12) || (mode === "minor" && tonic === 3);
}

/** Of chords, as they are written. */
export const SUFFIXES: Readonly<Record<Quality, string>> = {
  maj: "",
  min: "m",
  dim: "dim",
  aug: "aug",
  sus: "sus4",
  "7": "7",
  maj7: "maj7",
  min7: "m7",
  none: "",
};

/** "C", "Am7", "Bbdim"; "N" where there is none. */
function chordName({ root, quality }: Chord, flats: boolean): string {
  return root === null || quality === "none" ? "N" : `${(flats ? FLATS : SHARPS)[root]}${SUFFIXES[quality]}`;
}

/** Crotchets where the beat divides in two; dotted crotchets, counted in quavers, where it divides in three. */
function metreName({ beats_per_bar, division }: Metre): string {
  return division === 3 ? `${3 * beats_per_bar}/8` : `${beats_per_bar}/4`;
}

function coarse(
  { hop_seconds, values }: Curve,
  digits: number,
  join: (values: readonly number[]) => number,
): { hop_seconds: number; values: number[] } {
  const step = Math.max(1, Math.round(CURVE_HOP_SECONDS / hop_seconds));
  const count = Math.ceil(values.length / step);
  return {
    hop_seconds: roundTo(step * hop_seconds, 4),
    values: Array.from({ length: count }, (_, k) =>
      roundTo(join([...values.subarray(k * step, (k + 1) * step)]), digits),
    ),
  };
}

/** dB of the mean power. */
function meanLevel(values: readonly number[]): number {
  return 10 * Math.log10(values.reduce((sum, value) => sum + 10 ** (value / 10), 0) / values.length);
}

function milliseconds(value: number): number {
  return roundTo(value, 3);
}

/** Without a negative zero, which JSON would not keep. */
