import { transformPair } from "./pair_fft";

/**
 * Spectra of `frames` frames of two channels, `hop` samples apart, each pair of frames by one complex transform: for each frame four rows
 * of `bins` float32 values at `out`, left real, left imaginary, right real, right imaginary. The imaginary part of bin 0, which is 0,
 * holds the real part of bin size / 2 where `packed` is not 0.
 *
 * `window` holds half of each weight. `room` takes 16 · size + 16 bytes. `turns` and `size` are those of `transformPair`. `bins` is a multiple
 * of 4, at most size / 2.
 */
export function stereoForward(
  left: usize,
  right: usize,
  hop: i32,
  frames: i32,
  window: usize,
  turns: usize,
  size: i32,
  bins: i32,
  packed: i32,
  room: usize,
  out: usize,
): void {
  const bytes = (<usize>size) << 2;
  const row = (<usize>bins) << 2;
  const real = room;
  const imaginary = room + 2 * bytes;
  for (let frame = 0; frame < frames; frame++) {
    for (let n: usize = 0; n < bytes; n += 16) {
      const weight = v128.load(window + n);
      v128.store(real + n, f32x4.mul(v128.load(left + n), weight));
      v128.store(imaginary + n, f32x4.mul(v128.load(right + n), weight));
    }
    const at = transformPair(real, imaginary, turns, size);
    apart(real + at, imaginary + at, bytes, row, out);
    const middle = at + (bytes >> 1);
    store<f32>(out, 2 * load<f32>(real + at));
    store<f32>(out + row, packed !== 0 ? 2 * load<f32>(real + middle) : 0);
    store<f32>(out + 2 * row, 2 * load<f32>(imaginary + at));
    store<f32>(out + 3 * row, packed !== 0 ? 2 * load<f32>(imaginary + middle) : 0);
    left += (<usize>hop) << 2;
    right += (<usize>hop) << 2;
    out += 4 * row;
  }
}

/** The even part of the transform is the left channel's, the odd part the right one's. Bin 0 is not right: what mirrors it lies outside. */
function apart(real: usize, imaginary: usize, bytes: usize, row: usize, out: usize): void {
  for (let k: usize = 0; k < row; k += 16) {
    const a = v128.load(real + k);
    const b = v128.load(imaginary + k);
    const c = mirrored(real + bytes - k);
    const d = mirrored(imaginary + bytes - k);
    v128.store(out + k, f32x4.add(a, c));
    v128.store(out + row + k, f32x4.sub(b, d));
    v128.store(out + 2 * row + k, f32x4.add(b, d));
    v128.store(out + 3 * row + k, f32x4.sub(c, a));
  }
}

/** Four values down from the one at `high`. */
function mirrored(high: usize): v128 {
  const up = v128.load(high - 12);
  return v128.shuffle<f32>(up, up, 3, 2, 1, 0);
}

/**
 * The way back: rows as `stereoForward` gives them, those of the left channel times `left_mask` and those of the right one times `right_mask`
 * (`bins` values each, the next frame's `mask_step` values on), transformed, windowed and added to the samples at `left` and `right`.
 *
 * `window` holds each weight over `size`.
 */
export function stereoInverse(
  spectra: usize,
  left_mask: usize,
  right_mask: usize,
  mask_step: i32,
  hop: i32,
  frames: i32,
  window: usize,
  turns: usize,
  size: i32,
  bins: i32,
  packed: i32,
  room: usize,
  left: usize,
  right: usize,
): void {
  const bytes = (<usize>size) << 2;
  const row = (<usize>bins) << 2;
  const real = room;
  const imaginary = room + 2 * bytes;
  for (let frame = 0; frame < frames; frame++) {
    for (let k: usize = 0; k < row; k += 16) {
      const l = v128.load(left_mask + k);
      const r = v128.load(right_mask + k);
      const a = f32x4.mul(v128.load(spectra + k), l);
      const b = f32x4.mul(v128.load(spectra + row + k), l);
      const c = f32x4.mul(v128.load(spectra + 2 * row + k), r);
      const d = f32x4.mul(v128.load(spectra + 3 * row + k), r);
      v128.store(real + k, f32x4.sub(a, d));
      v128.store(imaginary + k, f32x4.add(b, c));
      mirror(real + bytes - k, f32x4.add(a, d));
      mirror(imaginary + bytes - k, f32x4.sub(c, b));
    }
    // Bins without a mask; `row` is a multiple of 16, and what is one too many at the top was mirrored before.
    for (let k = row; k <= bytes - row; k += 4) {
      store<f32>(real + k, 0);
      store<f32>(imaginary + k, 0);
    }
    const l = load<f32>(left_mask);
    const r = load<f32>(right_mask);
    store<f32>(real, load<f32>(spectra) * l);
    store<f32>(imaginary, load<f32>(spectra + 2 * row) * r);
    if (packed !== 0) {
      // The mask of the bin below.
      store<f32>(real + (bytes >> 1), load<f32>(spectra + row) * load<f32>(left_mask + row - 4));
      store<f32>(imaginary + (bytes >> 1), load<f32>(spectra + 3 * row) * load<f32>(right_mask + row - 4));
    }
    const at = transformPair(imaginary, real, turns, size);
    for (let n: usize = 0; n < bytes; n += 16) {
      const weight = v128.load(window + n);
      v128.store(left + n, f32x4.add(v128.load(left + n), f32x4.mul(v128.load(real + at + n), weight)));
      v128.store(right + n, f32x4.add(v128.load(right + n), f32x4.mul(v128.load(imaginary + at + n), weight)));
    }
    left_mask += (<usize>mask_step) << 2;
    right_mask += (<usize>mask_step) << 2;
    spectra += 4 * row;
    left += (<usize>hop) << 2;
    right += (<usize>hop) << 2;
  }
}

/** The other way round. */
function mirror(high: usize, values: v128): void {
  v128.store(high - 12, v128.shuffle<f32>(values, values, 3, 2, 1, 0));
}
