/**
 * Which recorded frames are heard when: the second half of one pair and the first half of the next for each sound, held
 * between them where it is long.
 */
import { isVowel, type Phoneme } from "../phonemes.ts";
import type { Pairs, Side } from "./pairs.ts";
import { CONSONANT_TARGETS, VOWEL_TARGETS } from "./targets.ts";
import type { Segment } from "./timing.ts";

/** A stretch of time and the recorded frames that run through it. */
export interface Piece {
  readonly segment: number;
  /** Samples. */
  readonly from: number;
  readonly to: number;
  /** Sample and place in the recording, in order; straight lines between them. Empty where only `base` sounds. */
  readonly path: readonly (readonly [sample: number, place: number])[];
  /** What stands in for frames of the recording. */
  readonly base: Float64Array | null;
  /** Added to the frames at the piece's begin and at its end, fading across it until `clear` and from there on. */
  readonly at_begin: Float64Array | null;
  readonly at_end: Float64Array | null;
  /** Sample by which what was added at the begin is gone, and from which that of the end comes. */
  readonly gone: number;
  readonly comes: number;
}

/** Seconds from one recorded frame to the next. */
const FRAME = 0.005;
/** Share of a vowel that its two transitions take at most; the rest is at its target. */
const MOVING_MAX = 0.86;

interface Half {
  readonly from: number;
  readonly to: number;
  /** Places in the recording of its begin and end; null where there are no frames for it. */
  readonly path: readonly (readonly [sample: number, place: number])[];
  /** Where what joins it to its other half must be gone. */
  readonly free: number;
}

/** Pieces in order, without gaps between sounds that touch. */
export function timelineOf(segments: readonly Segment[], pairs: Pairs, rate: number): Piece[] {
  return segments.flatMap((segment, n) => {
    const before = touching(segments[n - 1], segment, rate) ? segments[n - 1]! : null;
    const after = touching(segment, segments[n + 1], rate) ? segments[n + 1]! : null;
    const target = targetOf(segment.phoneme, pairs);
    const [left, right] = halvesOf(
      segment,
      before?.phoneme ?? "SIL",
      after?.phoneme ?? "SIL",
      pairs,
      rate,
      target !== null,
    );
    return joined(n, segment, left, right, target, pairs, rate);
  });
}

function touching(one: Segment | undefined, other: Segment | undefined, rate: number): boolean {
  return one !== undefined && other !== undefined && other.from - one.to < 0.02 * rate;
}

/** What is held: vowels and sounds that are voiced or hissed all through have a target, those with a release have none. */
function targetOf(phoneme: Phoneme, pairs: Pairs): Float64Array | null {
  if (!isVowel(phoneme)) {
    const { manner } = CONSONANT_TARGETS[phoneme];
    if (manner === "stop" || manner === "affricate") return null;
  }
  return pairs.targets(phoneme)[0] ?? null;
}

function halvesOf(
  { phoneme, from, to, release }: Segment,
  before: Side,
  after: Side,
  pairs: Pairs,
  rate: number,
  held: boolean,
): [Half | null, Half | null] {
  const frame = FRAME * rate;
  // A voice that sets in or ends is held; what a speaker does there, creaking, is no song.
  const edge = held && (isVowel(phoneme) || CONSONANT_TARGETS[phoneme].voiced);
  const first = before === "SIL" && edge ? null : pairs.pair(before, phoneme, "right");
  // Where two vowels in one end a phrase, the second is heard all the same.
  const glides = isVowel(phoneme) && VOWEL_TARGETS[phoneme].to !== undefined;
  let second = after === "SIL" && edge && !glides ? null : pairs.pair(phoneme, after, "left");
  const bursts = release < to;
  // A stop that a speaker did not let go at the end is let go as before a short vowel.
  if (bursts && (second === null || second.release < 0)) second = pairs.pair(phoneme, "AH", "left") ?? second;
  const length = to - from;
  let enters = first === null ? 0 : (first.count - first.boundary) * frame;
  let leaves = second === null ? 0 : second.boundary * frame;
  if (bursts) {
    // The closure is shared by both halves; the release and what follows it is all of the second one.
    const middle = from + 0.5 * (release - from);
    const left =
      first === null
        ? null
        : half(
            from,
            middle,
            [
              [from, first.first + first.boundary],
              [middle, first.first + first.count - 1],
            ],
            from,
          );
    if (second === null) return [left, null];
    const { first: at, boundary } = second;
    const burst = second.release >= 0 ? second.release : 0.5 * boundary;
    const opens = Math.min(to, release + 2.5 * frame);
    const path: [number, number][] = [
      [middle, at],
      [Math.max(middle, release - frame), at + Math.max(0, burst - 1)],
      // The burst itself keeps its own speed.
      [opens, at + Math.min(boundary, burst + (opens - release) / frame)],
      [to, at + Math.max(boundary, burst + 1)],
    ];
    return [left, half(middle, to, path, Math.max(middle, release - frame))];
  }
  if (!held) {
    const middle = from + length * (enters + leaves > 0 ? enters / (enters + leaves) : 0.5);
    enters = middle - from;
    leaves = to - middle;
  } else {
    const most = isVowel(phoneme) ? MOVING_MAX : 1;
    const squeeze = Math.min(1, (most * length) / Math.max(1, enters + leaves));
    enters *= squeeze;
    leaves *= squeeze;
  }
  return [
    first === null
      ? null
      : half(
          from,
          from + enters,
          [
            [from, first.first + first.boundary],
            [from + enters, first.first + first.count - 1],
          ],
          from,
        ),
    second === null
      ? null
      : half(
          to - leaves,
          to,
          [
            [to - leaves, second.first],
            [to, second.first + second.boundary],
          ],
          to,
        ),
  ];
}

function half(from: number, to: number, path: Half["path"], free: number): Half | null {
  return to - from < 1 ? null : { from, to, path, free };
}

/** The halves so that they meet: at the target where the sound has one, else half-way. */
function joined(
  segment: number,
  { from, to }: Segment,
  left: Half | null,
  right: Half | null,
  target: Float64Array | null,
  pairs: Pairs,
  rate: number,
): Piece[] {
  const { voice } = pairs;
  const fade = 0.06 * rate;
  const read = (place: number): Float64Array => {
    const frame = new Float64Array(voice.width);
    voice.read(place, frame);
    return frame;
  };
  const ends = left === null ? null : read(left.path.at(-1)![1]);
  const begins = right === null ? null : read(right.path[0]![1]);
  const meet =
    target ?? (ends === null ? begins : begins === null ? ends : ends.map((value, d) => 0.5 * (value + begins[d]!)));
  if (meet === null) return [];
  const [begin, end] = [left?.to ?? from, right?.from ?? to];
  const less = (one: Float64Array): Float64Array => meet.map((value, d) => value - one[d]!);
  const pieces: Piece[] = [];
  if (left !== null && ends !== null) {
    pieces.push({
      ...{ segment, from: left.from, to: left.to, path: left.path, base: null, at_begin: null, at_end: less(ends) },
      ...{ gone: left.from, comes: Math.max(left.from, left.to - (target === null ? fade : 2 * fade)) },
    });
  }
  const held = { segment, path: [], base: meet, at_begin: null, at_end: null, gone: begin, comes: end };
  if (end - begin >= 1) pieces.push({ ...held, from: begin, to: end });
  if (right !== null && begins !== null) {
    pieces.push({
      ...{
        segment,
        from: right.from,
        to: right.to,
        path: right.path,
        base: null,
        at_begin: less(begins),
        at_end: null,
      },
      gone: Math.min(right.free, right.from + (target === null ? fade : 2 * fade)),
      comes: right.to,
    });
  }
  return pieces;
}
