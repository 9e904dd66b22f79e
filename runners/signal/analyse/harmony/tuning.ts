/** How far a piece is tuned from A4 = 440 Hz. */

/** Partials of MIDI 52 to 95 (165 Hz to 2 kHz) count: below, a bin is too wide; above, strings and voices stray from the scale. */
const [LOWEST, HIGHEST] = [52, 95];
/** Cents on each side that one partial speaks for: what vibrato and inharmonic strings spread over. */
const REACH_CENTS = 15;

/**
 * The offset in semitones, -0.5 to 0.5, at which most of the partials' loudness falls on semitones: the highest point of a circular
 * histogram of their distances, one cent wide, smoothed. A histogram rather than a mean, because noise and slides move a mean.
 *
 * @param semitones of all partials, at A4 = 440 Hz
 * @param amplitudes of the same
 * @param first frame i holds partials first[i] to first[i + 1]
 */
export function tuningOf(semitones: Float32Array, amplitudes: Float32Array, first: Uint32Array): number {
  const counts = new Float64Array(100);
  for (let frame = 0; frame + 1 < first.length; frame++) {
    let peak = 0;
    for (let n = first[frame]!; n < first[frame + 1]!; n++) peak = Math.max(peak, amplitudes[n]!);
    for (let n = first[frame]!; n < first[frame + 1]!; n++) {
      const pitch = semitones[n]!;
      if (pitch < LOWEST || pitch > HIGHEST || amplitudes[n]! < 0.03 * peak) continue;
      const cents = 100 * (pitch - Math.round(pitch)) + 50;
      const low = Math.floor(cents);
      const weight = amplitudes[n]! / peak;
      counts[low % 100]! += weight * (1 - (cents - low));
      counts[(low + 1) % 100]! += weight * (cents - low);
    }
  }
  const smooth = smoothed(counts);
  let best = 0;
  for (let k = 1; k < 100; k++) if (smooth[k]! > smooth[best]!) best = k;
  const [before, top, after] = [smooth[(best + 99) % 100]!, smooth[best]!, smooth[(best + 1) % 100]!];
  const bend = before - 2 * top + after;
  // No partials, or evenly spread ones: nothing speaks against 440.
  if (!(bend < 0)) return 0;
  return (best - 50 + (0.5 * (before - after)) / bend) / 100;
}

/** With a raised cosine of ± REACH_CENTS, around the circle. */
function smoothed(counts: Float64Array): Float64Array {
  return counts.map((_, k) => {
    let sum = 0;
    for (let d = -REACH_CENTS; d <= REACH_CENTS; d++) {
      sum += counts[(k + d + 100) % 100]! * (1 + Math.cos((Math.PI * d) / (REACH_CENTS + 1)));
    }
    return sum;
  });
}
