import { arena } from "../../../signal/dsp/arena.ts";
import { log2 } from "../../../signal/dsp/log2.ts";

/** Frames that go through the kernel at once. */
const AT_ONCE = 16;
/** Of the mean energy of a bin: what is added to each before its logarithm, and what is told of it at most. */
const LEAST = 1e-6;
const MOST = 5000;
/** Natural logarithms that a byte's step stands for, and the byte of a level of 1. */
const STEP = (Math.log(MOST) - Math.log(LEAST)) / 255;
const ZERO = Math.round(-Math.log(LEAST) / STEP);
const PER_DOUBLING = Math.fround(Math.LN2 / STEP);

/**
 * What a graph may take instead of spectra, a quarter of their size: in each frame the level in the middle, that at the
 * sides, the balance of left and right and how alike they are (128: balanced, unlike), `bins` bytes each. Levels are in
 * terms of the block's mean.
 *
 * @param spectra frame by frame: left real, left imaginary, right real, right imaginary
 * @param energy sum of all their squares
 */
export function featuresOf(spectra: Float32Array, frames: number, bins: number, energy: number, out: Uint8Array): void {
  const row = 4 * bins;
  const mean = energy / (frames * bins) + 1e-9;
  const [scale, floor, least] = [0.25 / mean, 1e-4 * mean, LEAST].map(Math.fround) as [number, number, number];
  const memory = arena(5 * AT_ONCE * row);
  if (memory === undefined) {
    for (let frame = 0; frame < frames; frame++) tellPlainly(spectra, frame * row, bins, scale, least, floor, out);
    return;
  }
  const { kernels, address } = memory;
  const made = address + 4 * AT_ONCE * row;
  for (let first = 0; first < frames; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, frames - first);
    memory.floats(0, count * row).set(spectra.subarray(first * row, (first + count) * row));
    for (let k = 0; k < count; k++)
      kernels.features(address + 4 * k * row, bins, scale, least, PER_DOUBLING, ZERO, floor, made + k * row);
    out.set(new Uint8Array(kernels.memory.buffer, made, count * row), first * row);
  }
}

/** As the kernel `features`: see runners/signal/dsp/assembly/features.ts. */
function tellPlainly(
  spectra: Float32Array,
  at: number,
  bins: number,
  scale: number,
  least: number,
  floor: number,
  out: Uint8Array,
): void {
  const { fround } = Math;
  const sum = (one: number, other: number): number => fround(fround(one) + fround(other));
  const level = (energy: number): number => {
    const told = Math.max(least, sum(energy * scale, least));
    return rounded(sum(log2(told) * PER_DOUBLING, ZERO));
  };
  for (let bin = 0; bin < bins; bin++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => spectra[at + k * bins + bin]!) as [number, number, number, number];
    const [left, right] = [sum(a * a, b * b), sum(c * c, d * d)];
    const alike = sum(a * c, b * d);
    const both = sum(left, right);
    const part = fround(127.5 / sum(both, floor));
    out[at + bin] = level(sum(both, 2 * alike));
    out[at + bins + bin] = level(sum(both, -2 * alike));
    out[at + 2 * bins + bin] = rounded(sum(fround(left - right) * part, 128));
    out[at + 3 * bins + bin] = rounded(sum(2 * alike * part, 128));
  }
}

/** To the nearest byte, halves to the even one. */
function rounded(value: number): number {
  const whole = Math.round(value);
  return Math.max(0, Math.min(255, whole - value === 0.5 && whole % 2 !== 0 ? whole - 1 : whole));
}
