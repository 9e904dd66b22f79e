/** Where a piece stands on the scales of a genre: its levels, tempo, mode and tonic. The hash of the words decides what they leave open. */
import { clamp, rounded } from "../../../signal/dsp/numbers.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import { type Genre, type ModeName, profileOf } from "../genres.ts";
import type { Special, TempoWord } from "./lexicon.ts";
import type { Shift } from "./shift.ts";

const LEVELS = ["energy", "valence", "brightness", "density", "space", "drive", "age"] as const;
type Levels = Readonly<Record<(typeof LEVELS)[number], number>>;

/** Share of the second genre in what the first one is. */
const SECOND = 0.28;
/** How far the hash moves a level, either way. */
const COLOUR = 0.05;

export function levelsOf(
  genre: Genre,
  second: Genre | null,
  special: Special | null,
  moods: Shift,
  era: number | null,
  colour: number,
): Levels {
  const first = profileOf(genre);
  const other = second === null ? first : profileOf(second);
  const level = (field: keyof Levels, n: number): number => {
    const ground = first[field] + SECOND * (other[field] - first[field]) + (special?.shift[field] ?? 0);
    const aged = field === "age" && era !== null ? Math.max(ground, wear(era)) : ground;
    return rounded(clamp(aged + moods[field] + 2 * COLOUR * (unit(colour, 10 + n) - 0.5), 0.02, 0.98));
  };
  return Object.fromEntries(LEVELS.map((field, n) => [field, level(field, n)])) as Levels;
}

/** How worn a decade's recordings sound. */
function wear(decade: number): number {
  if (decade < 1900) return 0.3;
  if (decade < 1940) return 0.85;
  return clamp(0.8 - (0.75 * (decade - 1940)) / 70, 0, 1);
}

/** Beats a minute within what the genre bears; "slow" and "fast" may go a little beyond. */
export function tempoOf(
  { low, usual, high }: { readonly low: number; readonly usual: number; readonly high: number },
  word: TempoWord | null,
  mood: number,
  colour: number,
): number {
  const grain = 2 * (unit(colour, 3) - 0.5);
  const inside = (place: number): number =>
    place < 0 ? usual + place * (usual - low) : usual + place * (high - usual);
  const slow = low > 105 ? low * 0.96 : Math.min(96, low * 0.94);
  if (word === "very slow") return Math.round(slow * (low > 105 ? 0.92 : 0.84) * (1 + 0.02 * grain));
  if (word === "slow") return Math.round(slow * (1 + 0.03 * grain));
  if (word === "relaxed") return Math.round(inside(-0.5 + 0.1 * grain));
  if (word === "moderate") return Math.round(inside(0.15 * grain));
  if (word === "brisk") return Math.round(inside(0.5 + 0.1 * grain));
  if (word === "fast") return Math.round(Math.max(116, high * 1.02) * (1 + 0.02 * grain));
  if (word === "very fast") return Math.round(Math.max(144, high * 1.1) * (1 + 0.02 * grain));
  return Math.round(inside(clamp(mood, -0.85, 0.85) + 0.25 * grain));
}

const BRIGHT: readonly ModeName[] = ["major", "lydian", "mixolydian"];

/** A mode by the genre's weights, bent by the moods; the hash decides among what is left. */
export function modeOf(weights: Readonly<Partial<Record<ModeName, number>>>, mood: number, colour: number): ModeName {
  const bent: [ModeName, number][] = [];
  for (const mode of ["major", "minor", "dorian", "phrygian", "lydian", "mixolydian"] as const) {
    const ground = (weights[mode] ?? 0) + (mode === "major" || mode === "minor" ? 0.15 : 0);
    const bright = BRIGHT.includes(mode);
    const toward = bright ? mood : -mood;
    // "dorian" is darker than major and lighter than minor.
    const pull = mode === "dorian" ? toward * 0.4 : toward;
    const weight = ground * (pull >= 0 ? 1 + 12 * pull : Math.max(0.004, 1 + 1.15 * pull));
    if (weight > 0) bent.push([mode, weight * weight]);
  }
  return drawn(bent, unit(colour, 4));
}

const TONICS_MAJOR = [6, 2, 6, 3, 5, 5, 1, 6, 3, 5, 4, 1] as const;
const TONICS_MINOR = [5, 3, 6, 2, 6, 4, 3, 4, 2, 7, 2, 4] as const;

/** A tonic that players like: few sharps and flats come up oftener. */
export function tonicOf(mode: ModeName, colour: number): number {
  const weights = BRIGHT.includes(mode) ? TONICS_MAJOR : TONICS_MINOR;
  return drawn(
    weights.map((weight, tonic) => [tonic, weight]),
    unit(colour, 5),
  );
}

function drawn<T>(weighted: readonly (readonly [T, number])[], at: number): T {
  let left = at * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of weighted) {
    left -= weight;
    if (left < 0) return value;
  }
  return weighted.at(-1)![0];
}

function unit(colour: number, index: number): number {
  return hash32(colour, index) / 0x1_0000_0000;
}
