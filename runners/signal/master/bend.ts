/** Cells in a frame: 22 ms at 44.1 kHz, about one period of the lowest bass. */
export const FRAME = 64;

/** What lies this far (as power) below the mean is not heard beside the rest, and not counted. */
const HEARD = 0.003;

/** A frame whose gain stands still counts as -60 dB. */
const FLOOR = 1e-6;

/**
 * How much a gain curve bends the wave, in dB: in each frame the power of what a gain adds that is not the frame's own mean gain, over the
 * power of the frame; then the mean of these ratios in dB over all frames that are heard. Slow changes count nothing, a dip at a
 * single peak spoils one frame, a gain that follows the waves of a bass spoils all.
 *
 * It ranks gains as a noise-to-mask ratio of the finished sound does, at a thousandth of the work.
 *
 * @param gains amplitude, one a cell
 * @param energies K-weighted, one a cell
 * @param cells_per_frame of cells that are longer than usual, fewer
 */
export function bend(gains: Float32Array, energies: Float32Array, cells_per_frame = FRAME): number {
  const frames = Math.max(1, Math.floor(gains.length / cells_per_frame));
  const least = (HEARD * powerOf(gains, energies, 0, gains.length)) / frames;
  let sum = 0;
  let count = 0;
  for (let frame = 0; frame < frames; frame++) {
    const from = frame * cells_per_frame;
    const to = Math.min(gains.length, from + cells_per_frame);
    const power = powerOf(gains, energies, from, to);
    if (!(power > least)) continue;
    let energy = 0;
    let weighed = 0;
    for (let cell = from; cell < to; cell++) {
      energy += energies[cell]!;
      weighed += energies[cell]! * gains[cell]!;
    }
    const added = Math.max(0, power - (weighed * weighed) / energy);
    sum += 10 * Math.log10(added / power + FLOOR);
    count++;
  }
  return sum / Math.max(1, count);
}

/** dB of reduction, one a cell, as a mean over all cells that are heard. */
export function meanReduction(reduction: Float32Array, energies: Float32Array): number {
  let whole = 0;
  for (let cell = 0; cell < energies.length; cell++) whole += energies[cell]!;
  const least = (HEARD * whole) / energies.length;
  let sum = 0;
  let count = 0;
  for (let cell = 0; cell < energies.length; cell++) {
    if (!(energies[cell]! > least)) continue;
    sum += reduction[cell]!;
    count++;
  }
  return sum / Math.max(1, count);
}

function powerOf(gains: Float32Array, energies: Float32Array, from: number, to: number): number {
  let power = 0;
  for (let cell = from; cell < to; cell++) power += energies[cell]! * gains[cell]! * gains[cell]!;
  return power;
}
