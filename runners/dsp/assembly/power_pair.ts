import { transformPair } from "./pair_fft";

/**
 * Power spectra of two real frames at once: both ride on one complex transform of float32 values, Stockham's form in steps of four.
 *
 * `real` and `imaginary` hold the windowed frames and are overwritten, as is the room of the same size after each; `turns` holds, for k below
 * size / 4, cos(2πk/size), cos(4πk/size), cos(6πk/size) and the negative sines of the same, six rows of size / 4. `first` and `second` take size / 2 + 1
 * float64 powers each. `size` is a power of two from 64 on.
 */
export function powerPair(real: usize, imaginary: usize, turns: usize, size: i32, first: usize, second: usize): void {
  const at = transformPair(real, imaginary, turns, size);
  powers(real + at, imaginary + at, size, first, second);
}

/** Takes the two spectra apart: the even part of the transform is the first frame's, the odd part the second's. */
function powers(real: usize, imaginary: usize, size: i32, first: usize, second: usize): void {
  const r0 = <f64>load<f32>(real);
  const i0 = <f64>load<f32>(imaginary);
  store<f64>(first, r0 * r0);
  store<f64>(second, i0 * i0);
  const half = size >> 1;
  for (let k = 1; k <= half; k++) {
    const low = (<usize>k) << 2;
    const high = (<usize>(size - k)) << 2;
    const a = <f64>load<f32>(real + low);
    const b = <f64>load<f32>(imaginary + low);
    const c = <f64>load<f32>(real + high);
    const d = <f64>load<f32>(imaginary + high);
    store<f64>(first + ((<usize>k) << 3), 0.25 * ((a + c) * (a + c) + (b - d) * (b - d)));
    store<f64>(second + ((<usize>k) << 3), 0.25 * ((b + d) * (b + d) + (a - c) * (a - c)));
  }
}
