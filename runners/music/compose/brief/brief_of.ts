/** A reference to a brief: its tempo, key, groove and timbre, and the nearest genre; neither its melody nor its chords. */

import { type Analysis, STEADY } from "../../../signal/analyse/mod.ts";
import { clamp, rounded } from "../../../signal/dsp/numbers.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import type { Brief } from "../brief.ts";
import { type Genre, genrePack, genres, profileOf } from "../genres.ts";
import { isTriple } from "../metres.ts";
import type { OutlineSection } from "../plan.ts";

/** What a piece measures, on the scales of packs and `Brief`. */
interface Heard {
  /** 0 where there is no steady beat. */
  readonly bpm: number;
  readonly percussive: number;
  readonly onsets: number;
  readonly bass_db: number;
  readonly treble_db: number;
  readonly minor: boolean;
  readonly triple: boolean;
  readonly swing: number;
}

/** @param colour what sets one brief of the same reference apart from another; unsigned 32 bits */
export function briefOf(analysis: Analysis, colour: number): Brief {
  const { rhythm, tonality, timbre } = analysis;
  const steady = rhythm.confidence >= STEADY && rhythm.tempo_bpm > 0;
  const heard = hear(analysis, steady);
  const [first, second] = nearest(heard);
  const profile = profileOf(first.genre);
  const tonal = tonality.confidence > 0;
  const metre = steady ? rhythm.metre : profile.metre;
  const bpm = steady ? tempoIn(rhythm.tempo_bpm) : profile.bpm.usual;
  const swing = steady && metre.division === 2 ? clamp(rhythm.swing, 0.5, 0.7) : 0.5;
  const active = clamp((heard.onsets - 0.5) / 8, 0, 1);
  const bright = clamp(0.85 + heard.treble_db / 32, 0, 1);
  const wide = clamp((finite(timbre.width_db, -120) + 24) / 24, 0, 1);
  const energy =
    0.35 * active + 0.35 * clamp(heard.percussive / 0.5, 0, 1) + 0.15 * bright + 0.15 * clamp((bpm - 60) / 110, 0, 1);
  const explicit = ["genre"];
  if (steady) explicit.push("bpm", "metre", "swing");
  if (tonal) explicit.push("key");
  explicit.push("energy", "brightness", "density", "space");
  return {
    genre: first.genre,
    second_genre: second.far < first.far * 1.25 ? second.genre : null,
    moods: [],
    bpm,
    key: tonal
      ? { tonic: tonality.tonic, mode: tonality.mode }
      : {
          tonic: hash32(colour, 1) % 12,
          mode: (profile.modes.minor ?? 0) > (profile.modes.major ?? 0) ? "minor" : "major",
        },
    metre,
    swing: rounded(swing),
    energy: rounded(mix(profile.energy, energy)),
    valence: rounded(
      mix(profile.valence, tonal ? (heard.minor ? 0.3 : 0.65) + 0.15 * (energy - 0.5) : profile.valence),
    ),
    brightness: rounded(mix(profile.brightness, bright)),
    density: rounded(mix(profile.density, active)),
    space: rounded(mix(profile.space, clamp(0.25 + 0.5 * wide + 0.25 * (1 - active), 0, 1))),
    drive: profile.drive,
    age: rounded(clamp(profile.age + 0.25 * clamp((-heard.treble_db - 18) / 20, 0, 1), 0, 1)),
    wanted: [],
    unwanted: { instruments: [], roles: [] },
    era: null,
    scene: [],
    traits: [],
    explicit,
    unknown: [],
    colour: colour >>> 0,
  };
}

/** What was measured counts for more than what the genre is used to. */
function mix(usual: number, measured: number): number {
  return clamp(0.3 * usual + 0.7 * measured, 0.02, 0.98);
}

/** Nobody counts outside of 50 to 220: half or double it is. */
function tempoIn(bpm: number): number {
  let out = bpm;
  while (out < 50) out *= 2;
  while (out > 220) out /= 2;
  return Math.round(out * 100) / 100;
}

function hear({ rhythm, tonality, timbre }: Analysis, steady: boolean): Heard {
  const octave = (index: number): number => Math.max(-80, finite(timbre.octaves_db[index] ?? -80, -80));
  const middle = (octave(4) + octave(5)) / 2;
  return {
    bpm: steady ? rhythm.tempo_bpm : 0,
    percussive: clamp(finite(timbre.percussive, 0), 0, 1),
    onsets: Math.max(0, finite(timbre.onset_density, 0)),
    bass_db: clamp((octave(1) + octave(2)) / 2 - middle, -30, 30),
    treble_db: clamp((octave(7) + octave(8)) / 2 - middle, -50, 20),
    minor: tonality.mode === "minor",
    triple: steady && isTriple(rhythm.metre),
    swing: steady ? rhythm.swing : 0.5,
  };
}

/** The two nearest genres, nearest first. */
function nearest(heard: Heard): readonly [{ genre: Genre; far: number }, { genre: Genre; far: number }] {
  const found = genres()
    .filter((genre) => genrePack(genre).guessed.from_sound !== "never")
    .map((genre) => ({ genre, far: distance(genre, heard) }))
    .sort((a, b) => a.far - b.far || (a.genre < b.genre ? -1 : 1));
  return [found[0]!, found[1]!];
}

function distance(genre: Genre, heard: Heard): number {
  const profile = profileOf(genre);
  const usual = genrePack(genre).heard;
  // How dense and lively the genre is tells as much of its attacks as recordings do.
  const attacks = 0.7 * usual.attacks_per_second + 0.3 * (1 + 9 * profile.density * Math.sqrt(profile.energy));
  let sum = 0;
  const add = (difference: number, scale: number, weight = 1): void => {
    sum += weight * (difference / scale) * (difference / scale);
  };
  add(heard.percussive - usual.percussive, 0.12, 1.5);
  add(heard.onsets - attacks, 1.8);
  add(heard.bass_db - usual.bass_db, 7);
  add(heard.treble_db - usual.treble_db, 7);
  const { low, usual: middle, high } = profile.bpm;
  if (heard.bpm > 0) {
    // Trackers take half or double the tempo; being at the right level is still nearer.
    const off = (bpm: number): number =>
      (bpm < low ? (low - bpm) / low : bpm > high ? (bpm - high) / high : 0) * 4 +
      Math.abs(bpm - middle) / (high - low) / 2;
    const best = Math.min(off(heard.bpm), off(heard.bpm * 2) + 0.5, off(heard.bpm / 2) + 0.5);
    sum += 2 * Math.min(4, best * best);
  } else sum += 6 * profile.energy * profile.energy;
  const bright = (profile.modes.major ?? 0) + (profile.modes.mixolydian ?? 0) + (profile.modes.lydian ?? 0);
  const all = Object.values(profile.modes).reduce((total, weight) => total + weight, 0);
  sum += 1.5 * (heard.minor ? bright / all : 1 - bright / all);
  if (heard.bpm > 0 && isTriple(profile.metre) !== heard.triple) sum += 3;
  if (heard.bpm > 0) add(clamp(heard.swing, 0.5, 0.7) - profile.swing, 0.07);
  return sum;
}

/** Loudest section from which another is as loud, dB. */
const LOUD_DB = 1.5;
const QUIET_DB = 5;

/** The sections of a reference that keeps a steady beat, in whole bars; empty where it does not, or has but one. */
export function outlineOf({ rhythm, form, seconds }: Analysis): OutlineSection[] {
  const bar = (60 / rhythm.tempo_bpm) * rhythm.metre.beats_per_bar;
  if (rhythm.confidence < STEADY || !(bar > 0) || !Number.isFinite(bar) || form.sections.length < 2) return [];
  const sections = form.sections.map((section) => ({
    ...section,
    bars: Math.max(1, Math.round((section.end - section.start) / bar)),
    level_db: finite(section.level_db, -40),
  }));
  const loudest = Math.max(...sections.map(({ level_db }) => level_db));
  const times = new Map<string, number>();
  for (const { label } of sections) times.set(label, (times.get(label) ?? 0) + 1);
  // The chorus: what comes back and is loudest; where nothing comes back, what is loud.
  const mean = (label: string): number => {
    const levels = sections.filter((other) => other.label === label).map(({ level_db }) => level_db);
    return levels.reduce((sum, level) => sum + level, 0) / levels.length;
  };
  const returning = [...times].filter(([, count]) => count > 1).sort(([a], [b]) => mean(b) - mean(a));
  const chorus = returning[0]?.[0] ?? null;
  const last = sections.length - 1;
  return sections.map(({ label, bars, level_db, start }, index) => {
    const below = loudest - level_db;
    const again = times.get(label)! > 1;
    const short = bars <= 8 || bars * bar < 0.2 * seconds;
    const kind: OutlineSection["kind"] =
      index === 0 && short && label !== chorus
        ? "intro"
        : index === last && short && label !== chorus
          ? "outro"
          : label === chorus && below <= QUIET_DB
            ? "chorus"
            : again
              ? "verse"
              : below >= QUIET_DB
                ? "break"
                : below <= LOUD_DB && chorus === null
                  ? "chorus"
                  : start > seconds / 2
                    ? "bridge"
                    : "verse";
    return { kind, label, lines: 0, bars, energy: rounded(clamp(1 - below / 14, 0.1, 1)) };
  });
}

function finite(value: number, otherwise: number): number {
  return Number.isFinite(value) ? value : otherwise;
}
