/** Chords and key of a source on its grid, and how they move to another key. */
import { pitchClass } from "../../notes.ts";
import { type Analysis, type Chord, SUFFIXES } from "../../signal/analyse/mod.ts";
import type { GivenChord, Key } from "../compose/mod.ts";
import type { BeatGrid } from "./grid.ts";

/** Below this share of chords that are known a source has no harmony to keep. */
const KNOWN = 0.3;

type Name = Pick<GivenChord, "root" | "suffix">;

/**
 * One chord a bar or two, in order, without gaps; holes take what is beside them. Undefined where hardly any is heard.
 */
export function chordsOn({ tonality }: Analysis, { times, metre }: BeatGrid): GivenChord[] | undefined {
  const heard: (Name | null)[] = [];
  for (let beat = 0; beat + 1 < times.length; beat++)
    heard.push(chordIn(tonality.chords, times[beat]!, times[beat + 1]!));
  const known = heard.filter((chord) => chord !== null).length;
  if (known < KNOWN * heard.length || tonality.confidence <= 0) return undefined;
  const filled = withoutHoles(heard);
  const count = metre.beats_per_bar;
  const chords: GivenChord[] = [];
  for (let bar = 0; bar < filled.length; bar += count)
    for (const [at, beats] of halves(filled.slice(bar, bar + count), filled[bar + count])) {
      const chord = mostOf(filled.slice(bar + at, bar + at + beats));
      const before = chords.at(-1);
      if (before !== undefined && same(before, chord))
        chords[chords.length - 1] = { ...before, beats: before.beats + beats };
      else chords.push({ beat: bar + at, beats, ...chord });
    }
  return chords;
}

function chordIn(chords: readonly Chord[], start: number, end: number): Name | null {
  let [most, found]: [number, Chord | null] = [0, null];
  for (const chord of chords) {
    const shared = Math.min(end, chord.end) - Math.max(start, chord.start);
    if (shared > most) [most, found] = [shared, chord];
  }
  return found === null || found.root === null || found.quality === "none"
    ? null
    : { root: found.root, suffix: SUFFIXES[found.quality] };
}

function withoutHoles(heard: readonly (Name | null)[]): Name[] {
  let last = heard.find((chord) => chord !== null)!;
  return heard.map((chord) => {
    if (chord !== null) last = chord;
    return last;
  });
}

/** Where a bar is cut: not at all, or once, where most beats on either side agree. What only anticipates the next bar is no cut. */
function halves(bar: readonly Name[], next: Name | undefined): (readonly [at: number, beats: number])[] {
  const whole = mostOf(bar);
  let [best, gain] = [0, 0];
  const agreeing = bar.filter((chord) => same(chord, whole)).length;
  for (let cut = 1; cut < bar.length; cut++) {
    const [left, right] = [mostOf(bar.slice(0, cut)), mostOf(bar.slice(cut))];
    if (same(left, right)) continue;
    const late = bar.length - cut === 1 && bar.length > 2 && next !== undefined && same(right, next);
    const even = bar.length % 2 === 0 && cut === bar.length / 2 ? 0.5 : 0;
    const agrees =
      bar.slice(0, cut).filter((chord) => same(chord, left)).length +
      bar.slice(cut).filter((chord) => same(chord, right)).length;
    const won = agrees - agreeing + even - (late ? 1 : 0);
    if (won > gain && agrees > agreeing) [best, gain] = [cut, won];
  }
  return best === 0
    ? [[0, bar.length]]
    : [
        [0, best],
        [best, bar.length - best],
      ];
}

function mostOf(chords: readonly Name[]): Name {
  let [best, most] = [chords[0]!, 0];
  for (const chord of chords) {
    const count = chords.filter((other) => same(chord, other)).length;
    if (count > most) [best, most] = [chord, count];
  }
  return best;
}

function same(one: Name, other: Name): boolean {
  return one.root === other.root && one.suffix === other.suffix;
}

const DARK = new Set<Key["mode"]>(["minor", "dorian", "phrygian"]);
/** Third, sixth and seventh of a major key as its minor has them, and back. */
const DARKER: Readonly<Record<number, number>> = { 4: 3, 9: 8, 11: 10 };
const BRIGHTER: Readonly<Record<number, number>> = { 3: 4, 8: 9, 10: 11 };

/** Moves pitches from one key to another, by the nearest way, and from major to minor and back by degrees. */
export class Transposition {
  readonly #from: Key;
  readonly #shift: number;
  readonly #degrees: Readonly<Record<number, number>>;

  constructor(from: Key, to: Key) {
    this.#from = from;
    const up = pitchClass(to.tonic - from.tonic);
    this.#shift = up > 6 ? up - 12 : up;
    this.#degrees = DARK.has(from.mode) === DARK.has(to.mode) ? {} : DARK.has(to.mode) ? DARKER : BRIGHTER;
  }

  pitch(pitch: number): number {
    const degree = (((pitch - this.#from.tonic) % 12) + 12) % 12;
    return pitch + (this.#degrees[degree] ?? degree) - degree + this.#shift;
  }

  /** A dominant stays one: with its major third it leads home in minor too. */
  chord(chord: GivenChord): GivenChord {
    const degree = (((chord.root - this.#from.tonic) % 12) + 12) % 12;
    const root = ((this.pitch(chord.root) % 12) + 12) % 12;
    const turned = Object.keys(this.#degrees).length > 0;
    const dominant = degree === 7 && (chord.suffix === "" || chord.suffix === "7");
    return { ...chord, root, suffix: turned && !dominant ? this.#turned(chord) : chord.suffix };
  }

  #turned({ root, suffix }: GivenChord): string {
    const third = suffix.startsWith("m") && !suffix.startsWith("maj") ? 3 : suffix === "dim" ? 3 : 4;
    if (suffix === "sus4" || suffix === "aug") return suffix === "aug" ? "" : suffix;
    const own = this.pitch(root);
    const up = (this.pitch(root + third) - own + 12) % 12;
    const fifth = (this.pitch(root + (suffix === "dim" ? 6 : 7)) - own + 12) % 12;
    if (fifth === 6) return "dim";
    const seventh = suffix.endsWith("7") ? "7" : "";
    return up === 3 ? `m${seventh}` : seventh;
  }
}
