/** Where the formants of a phrase's sounds are and how they move from one to the next. */
import { type Control, control } from "../../../signal/dsp/control.ts";
import { isVowel } from "../phonemes.ts";
import { drawn, type Lane, lane, reach } from "./lane.ts";
import { CONSONANT_TARGETS, locus, VOWEL_TARGETS } from "./targets.ts";
import type { Segment } from "./timing.ts";
import type { Voice } from "./voices.ts";

type Triple = readonly [f1: number, f2: number, f3: number];

export interface Formants {
  readonly hertz: readonly [Control, Control, Control];
  readonly width: readonly [Control, Control, Control];
}

/** How long a vowel takes to leave or to reach a sound beside it, seconds, by that sound's manner and place. */
function travelOf(segment: Segment): number {
  if (isVowel(segment.phoneme)) return 0.05;
  const { manner, place } = CONSONANT_TARGETS[segment.phoneme];
  if (manner === "approximant") return segment.phoneme === "L" || segment.phoneme === "RR" ? 0.045 : 0.075;
  if (manner === "breath") return 0.02;
  return place === "labial" ? 0.042 : place === "velar" || place === "palatal" ? 0.06 : 0.05;
}

/** In frames from `origin`; `frames` of them. */
export function formantsOf(
  segments: readonly Segment[],
  voice: Voice,
  origin: number,
  frames: number,
  rate: number,
): Formants {
  const starts = segments.map((segment, n) => anchor(segments, n, -1) ?? placed(segment, null, null));
  const ends = segments.map((segment, n) => anchor(segments, n, 1) ?? placed(segment, null, null));
  const first = starts[0] ?? [500, 1500, 2500];
  const lanes = [lane(first[0]), lane(first[1]), lane(first[2])] as const;
  const widths = [lane(70), lane(90), lane(150)] as const;
  for (let n = 0; n < segments.length; n++) {
    const segment = segments[n]!;
    const [from, to] = [segment.from - origin, segment.to - origin];
    const [a, b] = [starts[n]!, ends[n]!];
    const vowel = isVowel(segment.phoneme) ? VOWEL_TARGETS[segment.phoneme] : null;
    const width = vowel?.width ?? (isVowel(segment.phoneme) ? [80, 90, 150] : CONSONANT_TARGETS[segment.phoneme].width);
    for (let k = 0; k < 3; k++) {
      const w = widths[k]!;
      const ramp = 0.012 * rate;
      reach(w, Math.max(0, from - ramp), w.values.at(-1)!);
      reach(w, from + ramp, width[k]! * voice.damping);
    }
    const left = adjacent(segments, n, -1);
    const right = adjacent(segments, n, 1);
    for (let k = 0; k < 3; k++) moveThrough(lanes[k]!, k, segment, left, right, a, b, from, to, rate);
  }
  const draw = (line: Lane, k: number): Control => {
    const out = drawn(line, control(frames), true);
    for (let n = 0; n < out.length; n++) out[n] = out[n]! * voice.scale[k]!;
    return out;
  };
  return {
    hertz: [draw(lanes[0], 0), draw(lanes[1], 1), draw(lanes[2], 2)],
    width: [
      drawn(widths[0], control(frames), false),
      drawn(widths[1], control(frames), false),
      drawn(widths[2], control(frames), false),
    ],
  };
}

function moveThrough(
  line: Lane,
  k: number,
  segment: Segment,
  left: Segment | null,
  right: Segment | null,
  a: Triple,
  b: Triple,
  from: number,
  to: number,
  rate: number,
): void {
  const length = to - from;
  if (isVowel(segment.phoneme)) {
    const target = VOWEL_TARGETS[segment.phoneme];
    // F1 is through sooner than F2 and F3: it depends on the opening alone.
    const quick = k === 0 ? 0.6 : 1;
    let enters = left === null ? 0 : travelOf(left) * quick * rate;
    let leaves = right === null ? 0 : travelOf(right) * quick * rate;
    const squeeze = Math.min(1, (0.75 * length) / Math.max(1, enters + leaves));
    enters *= squeeze;
    leaves *= squeeze;
    reach(line, from, left === null ? target.at[k]! : edge(target.at, left, k, true));
    reach(line, from + enters, target.at[k]!);
    const last = target.to ?? target.at;
    if (target.to !== undefined) {
      // A diphthong is held on its first half and glides late; in a short one the glide takes most of it.
      const free = length - enters - leaves;
      const glide = Math.min(0.16 * rate, 0.55 * free);
      const done = to - leaves - Math.min(0.02 * rate, 0.1 * free);
      reach(line, done - glide, target.at[k]!);
      reach(line, done, last[k]!);
    } else reach(line, to - leaves, last[k]!);
    reach(line, to, right === null ? last[k]! : edge(last, right, k, false));
    return;
  }
  const target = CONSONANT_TARGETS[segment.phoneme];
  if (target.manner === "breath" || target.manner === "approximant") {
    const breath = target.manner === "breath";
    const inner = breath ? 0 : Math.min(0.3 * length, 0.025 * rate);
    const leaves = breath || segment.part !== "onset" ? inner : Math.min(0.58 * length, 0.042 * rate);
    reach(line, from + inner, a[k]!);
    reach(line, to - leaves, b[k]!);
    return;
  }
  // Obstruents and nasals: their own F1 while closed; F2 and F3 follow from where the vowels meet them.
  const inner = Math.min(0.25 * length, 0.008 * rate);
  const opens = Math.min(segment.release - segment.from, length);
  if (k === 0) {
    reach(line, from + inner, target.at[0]);
    reach(line, from + Math.max(inner, opens - inner), target.at[0]);
    return;
  }
  // What is not let go moves to where the next sound begins: a formant that jumped while the voice sounds would crack.
  const leaves = segment.release < segment.to ? 0 : Math.min(0.35 * length, 0.022 * rate);
  reach(line, from + inner, a[k]!);
  reach(line, from + Math.max(inner, opens - leaves), b[k]!);
}

/** Value at the border of a vowel whose steady formants are `target` and the sound `other`, which the vowel comes out of or goes into. */
function edge(target: Triple, other: Segment, k: number, out_of: boolean): number {
  if (isVowel(other.phoneme)) return 0.5 * (target[k]! + VOWEL_TARGETS[other.phoneme].at[k]!);
  const { manner, place, at, voiced } = CONSONANT_TARGETS[other.phoneme];
  if (manner === "breath") return target[k]!;
  // On the beat a vowel that comes out of a glide is nearer to itself than to the glide: that is where it is heard to begin.
  if (manner === "approximant") {
    const there = out_of ? 0.74 : 0.42;
    return there * target[k]! + (1 - there) * glided(other)[k]!;
  }
  // After a voiceless release the mouth is open by the time the voice comes; before a closure the voice goes all the way.
  const late = out_of && !voiced && manner !== "fricative";
  if (k === 0) {
    const closed = manner === "nasal" ? 0.25 : late ? 0.2 : voiced ? 0.5 : 0.4;
    return (1 - closed) * target[0] + closed * at[0];
  }
  const [f2, f3] = locus(place, target[1], target[2]);
  const reached = k === 1 ? f2 : f3;
  return late ? reached + 0.35 * (target[k]! - reached) : reached;
}

/** A glide's own formants; an l that closes a syllable is dark. */
function glided({ phoneme, part }: Segment): Triple {
  if (isVowel(phoneme)) return VOWEL_TARGETS[phoneme].at;
  return phoneme === "L" && part === "coda" ? DARK_L : CONSONANT_TARGETS[phoneme].at;
}

const DARK_L: Triple = [460, 860, 2700];

/** Neighbour that touches, or null. */
function adjacent(segments: readonly Segment[], n: number, step: 1 | -1): Segment | null {
  const [one, other] = [segments[n]!, segments[n + step]];
  if (other === undefined) return null;
  const apart = step === 1 ? other.from - one.to : one.from - other.to;
  return apart < 900 ? other : null;
}

/** Formants of a segment at its begin (-1) or end (1), by the vowel on that side; else by that on the other. */
function anchor(segments: readonly Segment[], n: number, side: 1 | -1): Triple | null {
  const segment = segments[n]!;
  const near = vowelFrom(segments, n, side);
  const far = vowelFrom(segments, n, side === 1 ? -1 : 1);
  // Where the tongue shuts at the end of a syllable is its own vowel's matter, whatever comes next.
  return segment.part === "coda" && side === 1 ? placed(segment, far, near) : placed(segment, near, far);
}

function placed(segment: Segment, near: Triple | null, far: Triple | null): Triple {
  if (isVowel(segment.phoneme)) return VOWEL_TARGETS[segment.phoneme].at;
  const target = CONSONANT_TARGETS[segment.phoneme];
  const vowel = near ?? far;
  if (vowel === null) return glided(segment);
  if (target.manner === "breath") return vowel;
  if (target.manner === "approximant") {
    const lean = 0.14;
    const own = glided(segment);
    return [own[0], own[1] + lean * (vowel[1] - own[1]), own[2] + lean * (vowel[2] - own[2])];
  }
  const [f2, f3] = locus(target.place, vowel[1], vowel[2]);
  return [target.at[0], 0.75 * f2 + 0.25 * target.at[1], 0.75 * f3 + 0.25 * target.at[2]];
}

/** Steady formants of the next vowel (or glide) on a side, at the end that faces this way; null over a gap or at the phrase's edge. */
function vowelFrom(segments: readonly Segment[], n: number, side: 1 | -1): Triple | null {
  for (let k = n; adjacent(segments, k, side) !== null; k += side) {
    const { phoneme } = segments[k + side]!;
    if (isVowel(phoneme)) {
      const { at, to } = VOWEL_TARGETS[phoneme];
      return side === 1 ? at : (to ?? at);
    }
    const target = CONSONANT_TARGETS[phoneme];
    if (target.manner === "approximant") return glided(segments[k + side]!);
  }
  return null;
}
