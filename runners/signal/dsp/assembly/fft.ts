import { firsts, seconds } from "./lanes";

const SIN_60: f64 = 0.8660254037844386;

/**
 * The transform of ../fft.ts, with the same bits: `size` float64 at `real` and at `imaginary`, which are overwritten, as is the room of the
 * same size after each; the return value is how many bytes from either the result begins. `cos` and `sin` are its tables. `size` is 16 times
 * a product of twos and threes.
 */
export function fft(real: usize, imaginary: usize, cos: usize, sin: usize, size: i32): usize {
  const bytes = (<usize>size) << 3;
  let fr = real;
  let fi = imaginary;
  let tr = real + bytes;
  let ti = imaginary + bytes;
  firstFour(fr, fi, tr, ti, cos, sin, size >> 2);
  let length = size >> 2;
  let stride = 4;
  while (length > 1) {
    let swap = fr;
    fr = tr;
    tr = swap;
    swap = fi;
    fi = ti;
    ti = swap;
    const width = (<usize>stride) << 3;
    if (length % 4 === 0) {
      four(fr, fi, tr, ti, cos, sin, length >> 2, width);
      length >>= 2;
      stride <<= 2;
    } else if (length % 3 === 0) {
      three(fr, fi, tr, ti, cos, sin, length / 3, width);
      length /= 3;
      stride *= 3;
    } else {
      two(fr, fi, tr, ti, width);
      length >>= 1;
      stride <<= 1;
    }
  }
  return tr - real;
}

/** Two values, `apart` bytes from each other. */
function spaced(at: usize, apart: usize): v128 {
  return v128.load64_lane(at + apart, v128.load64_zero(at), 1);
}

// u c - v s and u s + v c.
function turnedReal(u: v128, v: v128, c: v128, s: v128): v128 {
  return f64x2.sub(f64x2.mul(u, c), f64x2.mul(v, s));
}
function turnedImaginary(u: v128, v: v128, c: v128, s: v128): v128 {
  return f64x2.add(f64x2.mul(u, s), f64x2.mul(v, c));
}

/** The first step: stride 1, so vectors run over neighbouring angles and the results are interleaved. */
function firstFour(fr: usize, fi: usize, tr: usize, ti: usize, cos: usize, sin: usize, quarter: i32): void {
  const step = (<usize>quarter) << 3;
  for (let p: usize = 0; p < step; p += 16) {
    const ar = v128.load(fr + p);
    const ai = v128.load(fi + p);
    const br = v128.load(fr + p + step);
    const bi = v128.load(fi + p + step);
    const cr = v128.load(fr + p + 2 * step);
    const ci = v128.load(fi + p + 2 * step);
    const dr = v128.load(fr + p + 3 * step);
    const di = v128.load(fi + p + 3 * step);
    const acR = f64x2.sub(ar, cr);
    const acI = f64x2.sub(ai, ci);
    const bdR = f64x2.sub(br, dr);
    const bdI = f64x2.sub(bi, di);
    const evenR = f64x2.add(ar, cr);
    const evenI = f64x2.add(ai, ci);
    const oddR = f64x2.add(br, dr);
    const oddI = f64x2.add(bi, di);
    const ur = f64x2.add(acR, bdI);
    const ui = f64x2.sub(acI, bdR);
    const vr = f64x2.sub(evenR, oddR);
    const vi = f64x2.sub(evenI, oddI);
    const wr = f64x2.sub(acR, bdI);
    const wi = f64x2.add(acI, bdR);
    const c1 = v128.load(cos + p);
    const s1 = v128.load(sin + p);
    const c2 = spaced(cos + 2 * p, 16);
    const s2 = spaced(sin + 2 * p, 16);
    const c3 = spaced(cos + 3 * p, 24);
    const s3 = spaced(sin + 3 * p, 24);
    interleave(
      tr + 4 * p,
      f64x2.add(evenR, oddR),
      turnedReal(ur, ui, c1, s1),
      turnedReal(vr, vi, c2, s2),
      turnedReal(wr, wi, c3, s3),
    );
    interleave(
      ti + 4 * p,
      f64x2.add(evenI, oddI),
      turnedImaginary(ur, ui, c1, s1),
      turnedImaginary(vr, vi, c2, s2),
      turnedImaginary(wr, wi, c3, s3),
    );
  }
}

/** a0 b0 c0 d0 a1 b1 c1 d1 */
function interleave(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(to, firsts(a, b));
  v128.store(to, firsts(c, d), 16);
  v128.store(to, seconds(a, b), 32);
  v128.store(to, seconds(c, d), 48);
}

/** Any later step of four: vectors run within one angle. `width`: bytes of a stride. */
function four(fr: usize, fi: usize, tr: usize, ti: usize, cos: usize, sin: usize, quarter: i32, width: usize): void {
  const step = width * <usize>quarter;
  for (let p = 0; p < quarter; p++) {
    const from = width * <usize>p;
    const c1 = v128.load64_splat(cos + from);
    const s1 = v128.load64_splat(sin + from);
    const c2 = v128.load64_splat(cos + 2 * from);
    const s2 = v128.load64_splat(sin + 2 * from);
    const c3 = v128.load64_splat(cos + 3 * from);
    const s3 = v128.load64_splat(sin + 3 * from);
    for (let q: usize = 0; q < width; q += 16) {
      const r = fr + from + q;
      const i = fi + from + q;
      const ar = v128.load(r);
      const ai = v128.load(i);
      const br = v128.load(r + step);
      const bi = v128.load(i + step);
      const cr = v128.load(r + 2 * step);
      const ci = v128.load(i + 2 * step);
      const dr = v128.load(r + 3 * step);
      const di = v128.load(i + 3 * step);
      const acR = f64x2.sub(ar, cr);
      const acI = f64x2.sub(ai, ci);
      const bdR = f64x2.sub(br, dr);
      const bdI = f64x2.sub(bi, di);
      const evenR = f64x2.add(ar, cr);
      const evenI = f64x2.add(ai, ci);
      const oddR = f64x2.add(br, dr);
      const oddI = f64x2.add(bi, di);
      const ur = f64x2.add(acR, bdI);
      const ui = f64x2.sub(acI, bdR);
      const vr = f64x2.sub(evenR, oddR);
      const vi = f64x2.sub(evenI, oddI);
      const wr = f64x2.sub(acR, bdI);
      const wi = f64x2.add(acI, bdR);
      const outR = tr + 4 * from + q;
      const outI = ti + 4 * from + q;
      v128.store(outR, f64x2.add(evenR, oddR));
      v128.store(outI, f64x2.add(evenI, oddI));
      v128.store(outR + width, turnedReal(ur, ui, c1, s1));
      v128.store(outI + width, turnedImaginary(ur, ui, c1, s1));
      v128.store(outR + 2 * width, turnedReal(vr, vi, c2, s2));
      v128.store(outI + 2 * width, turnedImaginary(vr, vi, c2, s2));
      v128.store(outR + 3 * width, turnedReal(wr, wi, c3, s3));
      v128.store(outI + 3 * width, turnedImaginary(wr, wi, c3, s3));
    }
  }
}

function three(fr: usize, fi: usize, tr: usize, ti: usize, cos: usize, sin: usize, third: i32, width: usize): void {
  const step = width * <usize>third;
  const half = f64x2.splat(0.5);
  const turn = f64x2.splat(SIN_60);
  for (let p = 0; p < third; p++) {
    const from = width * <usize>p;
    const c1 = v128.load64_splat(cos + from);
    const s1 = v128.load64_splat(sin + from);
    const c2 = v128.load64_splat(cos + 2 * from);
    const s2 = v128.load64_splat(sin + 2 * from);
    for (let q: usize = 0; q < width; q += 16) {
      const r = fr + from + q;
      const i = fi + from + q;
      const ar = v128.load(r);
      const ai = v128.load(i);
      const br = v128.load(r + step);
      const bi = v128.load(i + step);
      const cr = v128.load(r + 2 * step);
      const ci = v128.load(i + 2 * step);
      const sumR = f64x2.add(br, cr);
      const sumI = f64x2.add(bi, ci);
      const midR = f64x2.sub(ar, f64x2.mul(half, sumR));
      const midI = f64x2.sub(ai, f64x2.mul(half, sumI));
      const turnR = f64x2.mul(turn, f64x2.sub(bi, ci));
      const turnI = f64x2.mul(turn, f64x2.sub(cr, br));
      const ur = f64x2.add(midR, turnR);
      const ui = f64x2.add(midI, turnI);
      const vr = f64x2.sub(midR, turnR);
      const vi = f64x2.sub(midI, turnI);
      const outR = tr + 3 * from + q;
      const outI = ti + 3 * from + q;
      v128.store(outR, f64x2.add(ar, sumR));
      v128.store(outI, f64x2.add(ai, sumI));
      v128.store(outR + width, turnedReal(ur, ui, c1, s1));
      v128.store(outI + width, turnedImaginary(ur, ui, c1, s1));
      v128.store(outR + 2 * width, turnedReal(vr, vi, c2, s2));
      v128.store(outI + 2 * width, turnedImaginary(vr, vi, c2, s2));
    }
  }
}

/** The last step where the twos of the size are no power of four. */
function two(fr: usize, fi: usize, tr: usize, ti: usize, width: usize): void {
  for (let q: usize = 0; q < width; q += 16) {
    const ar = v128.load(fr + q);
    const ai = v128.load(fi + q);
    const br = v128.load(fr + width + q);
    const bi = v128.load(fi + width + q);
    v128.store(tr + q, f64x2.add(ar, br));
    v128.store(ti + q, f64x2.add(ai, bi));
    v128.store(tr + width + q, f64x2.sub(ar, br));
    v128.store(ti + width + q, f64x2.sub(ai, bi));
  }
}
