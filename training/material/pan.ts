/** Adds a part to both sides: `pan` from -1, left, to 1, right, at equal power. */
export function mix(mono: Float32Array, left: Float32Array, right: Float32Array, gain: number, pan: number): void {
  const [l, r] = [gain * Math.sqrt((1 - pan) / 2), gain * Math.sqrt((1 + pan) / 2)];
  for (let n = 0; n < mono.length; n++) {
    left[n]! += l * mono[n]!;
    right[n]! += r * mono[n]!;
  }
}
