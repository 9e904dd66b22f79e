/**
 * A complex Fourier transform of float32 values, real and imaginary parts apart: Stockham's form in steps of four, and of two at last where
 * the size is no power of four.
 *
 * `real` and `imaginary` are overwritten, as is the room of the same size after each; the return value is how many bytes from either the
 * result begins. `turns` holds, for k below size / 4, cos(2πk/size), cos(4πk/size), cos(6πk/size) and the negative sines of the same, six rows
 * of size / 4. `size` is a power of two from 64 on. With the first two arguments exchanged it is the inverse, `size` times too large.
 */
export function transformPair(real: usize, imaginary: usize, turns: usize, size: i32): usize {
  const bytes = (<usize>size) << 2;
  let fr = real;
  let fi = imaginary;
  let tr = real + bytes;
  let ti = imaginary + bytes;
  firstFour(fr, fi, tr, ti, turns, size);
  let length = size >> 2;
  let stride = 4;
  while (length > 1) {
    let swap = fr;
    fr = tr;
    tr = swap;
    swap = fi;
    fi = ti;
    ti = swap;
    if (length >= 4) {
      four(fr, fi, tr, ti, turns, size, length >> 2, stride);
      length >>= 2;
      stride <<= 2;
    } else {
      two(fr, fi, tr, ti, stride);
      length >>= 1;
      stride <<= 1;
    }
  }
  return tr - real;
}

/** The first step: stride 1, so vectors run over neighbouring angles and the results are interleaved. */
function firstFour(real: usize, imaginary: usize, toReal: usize, toImaginary: usize, turns: usize, size: i32): void {
  const step = <usize>size; // A quarter of the values, in bytes.
  for (let p: usize = 0; p < step; p += 16) {
    const ar = v128.load(real + p);
    const ai = v128.load(imaginary + p);
    const br = v128.load(real + p + step);
    const bi = v128.load(imaginary + p + step);
    const cr = v128.load(real + p + 2 * step);
    const ci = v128.load(imaginary + p + 2 * step);
    const dr = v128.load(real + p + 3 * step);
    const di = v128.load(imaginary + p + 3 * step);
    const c1 = v128.load(turns + p);
    const c2 = v128.load(turns + p + step);
    const c3 = v128.load(turns + p + 2 * step);
    const s1 = v128.load(turns + p + 3 * step);
    const s2 = v128.load(turns + p + 4 * step);
    const s3 = v128.load(turns + p + 5 * step);
    const evenR = f32x4.add(ar, cr);
    const evenI = f32x4.add(ai, ci);
    const oddR = f32x4.add(br, dr);
    const oddI = f32x4.add(bi, di);
    const acR = f32x4.sub(ar, cr);
    const acI = f32x4.sub(ai, ci);
    const bdR = f32x4.sub(br, dr);
    const bdI = f32x4.sub(bi, di);
    const ur = f32x4.add(acR, bdI);
    const ui = f32x4.sub(acI, bdR);
    const vr = f32x4.sub(evenR, oddR);
    const vi = f32x4.sub(evenI, oddI);
    const wr = f32x4.sub(acR, bdI);
    const wi = f32x4.add(acI, bdR);
    interleave(
      toReal + 4 * p,
      f32x4.add(evenR, oddR),
      f32x4.sub(f32x4.mul(ur, c1), f32x4.mul(ui, s1)),
      f32x4.sub(f32x4.mul(vr, c2), f32x4.mul(vi, s2)),
      f32x4.sub(f32x4.mul(wr, c3), f32x4.mul(wi, s3)),
    );
    interleave(
      toImaginary + 4 * p,
      f32x4.add(evenI, oddI),
      f32x4.add(f32x4.mul(ur, s1), f32x4.mul(ui, c1)),
      f32x4.add(f32x4.mul(vr, s2), f32x4.mul(vi, c2)),
      f32x4.add(f32x4.mul(wr, s3), f32x4.mul(wi, c3)),
    );
  }
}

/** a0 b0 c0 d0 a1 b1 … */
function interleave(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(ab, cd, 0, 2));
  v128.store(to + 16, v128.shuffle<f64>(ab, cd, 1, 3));
  v128.store(to + 32, v128.shuffle<f64>(abHigh, cdHigh, 0, 2));
  v128.store(to + 48, v128.shuffle<f64>(abHigh, cdHigh, 1, 3));
}

/** Any later step of four: stride at least 4, so vectors run within one angle. */
function four(
  real: usize,
  imaginary: usize,
  toReal: usize,
  toImaginary: usize,
  turns: usize,
  size: i32,
  quarter: i32,
  stride: i32,
): void {
  const row = <usize>size; // Bytes of a row of `turns`, and of a quarter of the values.
  const width = (<usize>stride) << 2;
  for (let p = 0; p < quarter; p++) {
    const at = turns + ((<usize>(p * stride)) << 2);
    const c1 = v128.load32_splat(at);
    const c2 = v128.load32_splat(at + row);
    const c3 = v128.load32_splat(at + 2 * row);
    const s1 = v128.load32_splat(at + 3 * row);
    const s2 = v128.load32_splat(at + 4 * row);
    const s3 = v128.load32_splat(at + 5 * row);
    const from = width * <usize>p;
    const to = 4 * from;
    for (let q: usize = 0; q < width; q += 16) {
      const r = real + from + q;
      const i = imaginary + from + q;
      const ar = v128.load(r);
      const ai = v128.load(i);
      const br = v128.load(r + row);
      const bi = v128.load(i + row);
      const cr = v128.load(r + 2 * row);
      const ci = v128.load(i + 2 * row);
      const dr = v128.load(r + 3 * row);
      const di = v128.load(i + 3 * row);
      const evenR = f32x4.add(ar, cr);
      const evenI = f32x4.add(ai, ci);
      const oddR = f32x4.add(br, dr);
      const oddI = f32x4.add(bi, di);
      const acR = f32x4.sub(ar, cr);
      const acI = f32x4.sub(ai, ci);
      const bdR = f32x4.sub(br, dr);
      const bdI = f32x4.sub(bi, di);
      const ur = f32x4.add(acR, bdI);
      const ui = f32x4.sub(acI, bdR);
      const vr = f32x4.sub(evenR, oddR);
      const vi = f32x4.sub(evenI, oddI);
      const wr = f32x4.sub(acR, bdI);
      const wi = f32x4.add(acI, bdR);
      const outR = toReal + to + q;
      const outI = toImaginary + to + q;
      v128.store(outR, f32x4.add(evenR, oddR));
      v128.store(outI, f32x4.add(evenI, oddI));
      v128.store(outR + width, f32x4.sub(f32x4.mul(ur, c1), f32x4.mul(ui, s1)));
      v128.store(outI + width, f32x4.add(f32x4.mul(ur, s1), f32x4.mul(ui, c1)));
      v128.store(outR + 2 * width, f32x4.sub(f32x4.mul(vr, c2), f32x4.mul(vi, s2)));
      v128.store(outI + 2 * width, f32x4.add(f32x4.mul(vr, s2), f32x4.mul(vi, c2)));
      v128.store(outR + 3 * width, f32x4.sub(f32x4.mul(wr, c3), f32x4.mul(wi, s3)));
      v128.store(outI + 3 * width, f32x4.add(f32x4.mul(wr, s3), f32x4.mul(wi, c3)));
    }
  }
}

/** The last step where the size is not a power of four. */
function two(real: usize, imaginary: usize, toReal: usize, toImaginary: usize, stride: i32): void {
  const width = (<usize>stride) << 2;
  for (let q: usize = 0; q < width; q += 16) {
    const ar = v128.load(real + q);
    const ai = v128.load(imaginary + q);
    const br = v128.load(real + q + width);
    const bi = v128.load(imaginary + q + width);
    v128.store(toReal + q, f32x4.add(ar, br));
    v128.store(toImaginary + q, f32x4.add(ai, bi));
    v128.store(toReal + q + width, f32x4.sub(ar, br));
    v128.store(toImaginary + q + width, f32x4.sub(ai, bi));
  }
}
