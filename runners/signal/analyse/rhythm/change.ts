/** How much the harmony and the bass change at a moment: bar lines are where chords change, drums or none. */
import { breathe } from "../../../breathe.ts";
import { Frames, RATE } from "../front.ts";

/** 186 ms: long enough to tell semitones from 130 Hz on. */
const SIZE = 4096;
/** Frames of the result; 40 ms. */
const CHANGE_HOP = 880;
/** Reaches on each side of the moment, in frames: 0.24, 0.48 and 0.96 s. */
const REACHES = [6, 12, 24];
/** Values a frame: for each reach the change of the chroma and that of the bass. */
export const CHANGES: number = 2 * REACHES.length;

/**
 * 0 (the same) to 1 (nothing in common), `CHANGES` values for each frame of `CHANGE_HOP` samples.
 *
 * @throws the signal's reason on abort
 */
export async function changesOf(samples: Float32Array, signal: AbortSignal): Promise<Float32Array> {
  const spectra = new Frames(samples, SIZE, CHANGE_HOP);
  const frames = spectra.count;
  const chroma = new Float32Array(frames * 12);
  const bass = new Float32Array(frames * 12);
  const first = new Float64Array(BINS);
  const second = new Float64Array(BINS);
  for (let index = 0; index < frames; index += 2) {
    if (index % 256 === 0) await breathe(signal);
    spectra.pair(index, first, second);
    fill(first, chroma, bass, index * 12);
    if (index + 1 < frames) fill(second, chroma, bass, (index + 1) * 12);
  }
  const out = new Float32Array(frames * CHANGES);
  for (const [n, reach] of REACHES.entries()) {
    differences(chroma, frames, reach, out, 2 * n);
    differences(bass, frames, reach, out, 2 * n + 1);
  }
  return out;
}

/** Pitch class of each bin, in semitones from C with fraction; -1 outside of what is looked at. */
const PITCH = Float64Array.from({ length: SIZE / 2 + 1 }, (_, bin) => {
  const hertz = (bin * RATE) / SIZE;
  return hertz < 40 || hertz > 2000 ? -1 : (((12 * Math.log2(hertz / 440) + 9) % 12) + 12) % 12;
});
/** Up to the last of them, and one more to tell a peak. */
const BINS = PITCH.findLastIndex((pitch) => pitch >= 0) + 2;
const BASS_BIN = Math.round((200 * SIZE) / RATE);
const CHROMA_BIN = Math.round((150 * SIZE) / RATE);

function fill(power: Float64Array, chroma: Float32Array, bass: Float32Array, at: number): void {
  for (let bin = 2; bin < BINS - 1; bin++) {
    const pitch = PITCH[bin]!;
    if (pitch < 0) continue;
    const p = power[bin]!;
    // Only peaks: what lies between two partials belongs to neither.
    if (p < power[bin - 1]! || p < power[bin + 1]!) continue;
    const amplitude = Math.sqrt(p);
    const low = Math.floor(pitch);
    const part = pitch - low;
    if (bin <= BASS_BIN) {
      bass[at + low]! += amplitude * (1 - part);
      bass[at + ((low + 1) % 12)]! += amplitude * part;
    }
    if (bin >= CHROMA_BIN) {
      chroma[at + low]! += amplitude * (1 - part);
      chroma[at + ((low + 1) % 12)]! += amplitude * part;
    }
  }
}

/** 1 - cosine between the sums over `reach` frames before and after each frame. */
function differences(vectors: Float32Array, frames: number, reach: number, out: Float32Array, column: number): void {
  // Of all frames before each.
  const sums = new Float64Array(vectors.length + 12);
  for (let n = 0; n < vectors.length; n++) sums[n + 12] = sums[n]! + vectors[n]!;
  for (let frame = 0; frame < frames; frame++) {
    const first = Math.max(0, frame - reach) * 12;
    const here = frame * 12;
    const last = Math.min(frames, frame + 1 + reach) * 12;
    let product = 0;
    let one = 0;
    let two = 0;
    for (let k = 0; k < 12; k++) {
      const before = sums[here + k]! - sums[first + k]!;
      const after = sums[last + k]! - sums[here + 12 + k]!;
      product += before * after;
      one += before * before;
      two += after * after;
    }
    out[frame * CHANGES + column] = one > 0 && two > 0 ? 1 - product / Math.sqrt(one * two) : 0;
  }
}
