/** Which notes sound in each row of a grid: partials gathered into semitones, whitened, and explained by notes with harmonics. */
import type { Pitch } from "./pitch.ts";

/** MIDI numbers of the notes that are told apart: C1 to C7. */
export const [LOWEST_NOTE, HIGHEST_NOTE] = [24, 96];
export const NOTES: number = HIGHEST_NOTE - LOWEST_NOTE + 1;
/** Semitones of the spectrum above, which hold harmonics only. */
const SEMITONES = NOTES + 12;
/** Semitones on each side that the spectrum is whitened over. */
const WHITEN_REACH = 9;
/** Power of the level around that a semitone is divided by: 0 leaves the spectrum, 1 makes all registers equal. */
const WHITENING = 0.5;
/** Added to the level around, against the strongest semitone. */
const FLOOR = 0.02;
/** Amplitude of a harmonic against the one below it. */
const DECAY = 0.65;
/** Standard deviation of a partial from its semitone. */
const SPREAD = 0.18;
/** Power of a frame's strongest partial that its partials are divided by: a chord's decay counts nearly as much as its attack. */
const LEVELLING = 0.6;
/** Harmonics of a note. */
const HARMONICS = 12;
/** Rounds of coordinate descent; the activations move by less than a hundredth after that. */
const ROUNDS = 12;

/**
 * Activations of the notes, `NOTES` values a row, each row's largest 1 (or all 0 where nothing sounds). Rows are weighted towards their
 * middle, because a frame is longer than the gap between notes.
 *
 * The decomposition is that of Mauch & Dixon, "Approximate note transcription for the improved identification of difficult chords"
 * (ISMIR 2010): non-negative least squares over notes with geometrically falling harmonics; here over partials rather than bins.
 */
export function notesOf(pitch: Pitch, edges: readonly number[]): Float32Array {
  const rows = edges.length - 1;
  const notes = new Float32Array(rows * NOTES);
  const solver = new Solver();
  const spectrum = new Float64Array(SEMITONES);
  const white = new Float64Array(SEMITONES);
  for (let row = 0; row < rows; row++) {
    gather(pitch, edges[row]!, edges[row + 1]!, spectrum);
    whiten(spectrum, white);
    solver.solve(white, notes, row * NOTES);
  }
  return notes;
}

/** Sums the partials of the frames between `start` and `end` by semitone; those between two semitones count little. */
function gather(pitch: Pitch, start: number, end: number, spectrum: Float64Array): void {
  const { first, semitones, amplitudes, hop_seconds } = pitch;
  spectrum.fill(0);
  const last = first.length - 2;
  if (last < 0) return;
  const from = Math.min(last, Math.max(0, Math.ceil(start / hop_seconds)));
  const to = Math.min(last, Math.max(from, Math.ceil(end / hop_seconds) - 1));
  const half = Math.max(1e-3, (end - start) / 2);
  const narrow = -0.5 / (SPREAD * SPREAD);
  for (let frame = from; frame <= to; frame++) {
    const away = Math.abs(frame * hop_seconds - (start + half)) / half;
    const weight = Math.max(0.1, 1 - 0.8 * away);
    let peak = 0;
    for (let n = first[frame]!; n < first[frame + 1]!; n++) peak = Math.max(peak, amplitudes[n]!);
    const level = peak > 0 ? peak ** -LEVELLING : 0;
    for (let n = first[frame]!; n < first[frame + 1]!; n++) {
      const near = Math.round(semitones[n]!);
      const bin = near - LOWEST_NOTE;
      if (bin < 0 || bin >= SEMITONES) continue;
      const off = semitones[n]! - near;
      spectrum[bin]! += level * weight * Math.exp(narrow * off * off) * amplitudes[n]!;
    }
  }
}

/** Divides by the level around, partly: strong and weak registers come closer, noise at the floor stays down. */
function whiten(spectrum: Float64Array, white: Float64Array): void {
  let peak = 0;
  for (let k = 0; k < SEMITONES; k++) peak = Math.max(peak, spectrum[k]!);
  if (peak === 0) {
    white.fill(0);
    return;
  }
  for (let k = 0; k < SEMITONES; k++) {
    const low = Math.max(0, k - WHITEN_REACH);
    const high = Math.min(SEMITONES - 1, k + WHITEN_REACH);
    let sum = 0;
    for (let j = low; j <= high; j++) sum += spectrum[j]! * spectrum[j]!;
    const around = Math.sqrt(sum / (high - low + 1)) + FLOOR * peak;
    white[k] = (spectrum[k]! / peak) * (peak / around) ** WHITENING;
  }
}

/** Non-negative least squares by coordinate descent on the normal equations. */
class Solver {
  /** SEMITONES values a note. */
  readonly #templates = new Float64Array(NOTES * SEMITONES);
  readonly #gram = new Float64Array(NOTES * NOTES);
  readonly #target = new Float64Array(NOTES);
  readonly #x = new Float64Array(NOTES);

  constructor() {
    for (let note = 0; note < NOTES; note++) {
      for (let h = 1; h <= HARMONICS; h++) {
        const exact = note + 12 * Math.log2(h);
        const bin = Math.round(exact);
        if (bin < SEMITONES) {
          const off = exact - bin;
          this.#templates[note * SEMITONES + bin]! +=
            DECAY ** (h - 1) * Math.exp((-0.5 * off * off) / (SPREAD * SPREAD));
        }
      }
    }
    for (let a = 0; a < NOTES; a++) {
      for (let b = 0; b < NOTES; b++) this.#gram[a * NOTES + b] = this.#dot(a, this.#templates, b * SEMITONES);
    }
  }

  solve(spectrum: Float64Array, out: Float32Array, at: number): void {
    const gram = this.#gram;
    const target = this.#target;
    const x = this.#x;
    for (let note = 0; note < NOTES; note++) target[note] = this.#dot(note, spectrum, 0);
    x.fill(0);
    for (let round = 0; round < ROUNDS; round++) {
      for (let a = 0; a < NOTES; a++) {
        const row = a * NOTES;
        let rest = target[a]!;
        for (let b = 0; b < NOTES; b++) rest -= gram[row + b]! * x[b]!;
        x[a] = Math.max(0, x[a]! + rest / gram[row + a]!);
      }
    }
    let peak = 0;
    for (let note = 0; note < NOTES; note++) peak = Math.max(peak, x[note]!);
    for (let note = 0; note < NOTES; note++) out[at + note] = peak > 0 ? x[note]! / peak : 0;
  }

  #dot(note: number, values: Float64Array, at: number): number {
    let sum = 0;
    for (let k = 0; k < SEMITONES; k++) sum += this.#templates[note * SEMITONES + k]! * values[at + k]!;
    return sum;
  }
}
