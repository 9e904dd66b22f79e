/** Note events from activations, frame by frame: what starts at an onset goes on while its key sounds. */

export interface NoteEvent {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  /** MIDI number. */
  readonly pitch: number;
  /** Mean activation, 0 to 1. */
  readonly strength: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly pitch: number;
  readonly strength: number;
}

export const KEYS = 88;
/** MIDI number of the first key. */
const LOWEST = 21;
/** 128 ms: shorter ones are mostly no notes. */
const FRAMES_MIN = 11;
/** A note may fall silent for this long, 128 ms. */
const GAP_MAX = 11;
/** Onsets that the model missed are looked for in rises over up to this many frames. */
const RISE_FRAMES = 2;

/**
 * @param note activations [frame][key], 0 to 1
 * @param onset activations of onsets, alike
 */
export function notesOf(
  note: Float32Array,
  onset: Float32Array,
  threshold: { readonly onset: number; readonly frame: number },
): Span[] {
  const frames = note.length / KEYS;
  const left = note.slice();
  const attacks = withRises(note, onset, frames);
  const spans: Span[] = [];
  // From the end, so that a note ends where the next one of its key began.
  for (let frame = frames - 2; frame > 0; frame--) {
    for (let key = KEYS - 1; key >= 0; key--) {
      const at = frame * KEYS + key;
      const value = attacks[at]!;
      if (value < threshold.onset || value <= attacks[at - KEYS]! || value <= attacks[at + KEYS]!) continue;
      const to = follow(left, frame + 1, key, 1, frames - 1, threshold.frame);
      if (to - frame <= FRAMES_MIN) continue;
      spans.push(spanOf(note, frame, to, key));
      silence(left, frame, to, key, frames);
    }
  }
  rest(note, left, frames, threshold.frame, spans);
  return spans.sort((a, b) => a.from - b.from || a.pitch - b.pitch);
}

/** Onsets, or rises of the activation where these are stronger, brought to the onsets' own scale. */
function withRises(note: Float32Array, onset: Float32Array, frames: number): Float32Array {
  const rises = new Float32Array(note.length);
  let most = 0;
  let loudest = 0;
  for (let at = RISE_FRAMES * KEYS; at < frames * KEYS; at++) {
    let rise = Number.POSITIVE_INFINITY;
    for (let n = 1; n <= RISE_FRAMES; n++) rise = Math.min(rise, note[at]! - note[at - n * KEYS]!);
    rises[at] = Math.max(0, rise);
    most = Math.max(most, rises[at]!);
  }
  for (const value of onset) loudest = Math.max(loudest, value);
  const scale = most > 0 ? loudest / most : 0;
  for (let at = 0; at < rises.length; at++) rises[at] = Math.max(onset[at]!, rises[at]! * scale);
  return rises;
}

/**
 * First frame from `frame` on in direction `step` after which the key stays below `threshold` for longer than a gap.
 *
 * @param visit called with each frame that is looked at, the gap's too, after its value was read
 */
function follow(
  left: Float32Array,
  frame: number,
  key: number,
  step: 1 | -1,
  limit: number,
  threshold: number,
  visit: (frame: number) => void = () => {},
): number {
  let at = frame;
  let quiet = 0;
  while ((limit - at) * step > 0 && quiet < GAP_MAX) {
    quiet = left[at * KEYS + key]! < threshold ? quiet + 1 : 0;
    visit(at);
    at += step;
  }
  return at - quiet * step;
}

/** Notes without an onset, the strongest first. */
function rest(note: Float32Array, left: Float32Array, frames: number, threshold: number, spans: Span[]): void {
  const candidates = Array.from(left.keys())
    .filter((at) => left[at]! > threshold)
    .sort((a, b) => left[b]! - left[a]! || a - b);
  for (const at of candidates) {
    if (left[at]! <= threshold) continue;
    const frame = Math.floor(at / KEYS);
    const key = at % KEYS;
    left[at] = 0;
    // What is looked at is spent, the gap behind a note as well.
    const spend = (at: number): void => silence(left, at, at + 1, key, frames);
    // One frame less than after an onset, as the package has it.
    const to = follow(left, frame + 1, key, 1, frames - 1, threshold, spend) - 1;
    const from = follow(left, frame - 1, key, -1, 0, threshold, spend) + 1;
    if (to - from > FRAMES_MIN) spans.push(spanOf(note, from, to, key));
  }
}

/** Takes a note out of what is left, with the keys beside it, which sound along. */
function silence(left: Float32Array, from: number, to: number, key: number, frames: number): void {
  for (let frame = Math.max(0, from); frame < Math.min(frames, to); frame++) {
    for (let near = Math.max(0, key - 1); near <= Math.min(KEYS - 1, key + 1); near++) left[frame * KEYS + near] = 0;
  }
}

function spanOf(note: Float32Array, from: number, to: number, key: number): Span {
  let sum = 0;
  for (let frame = from; frame < to; frame++) sum += note[frame * KEYS + key]!;
  return { from, to, pitch: LOWEST + key, strength: sum / Math.max(1, to - from) };
}
