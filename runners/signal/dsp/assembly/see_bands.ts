import { log2 } from "./log2";

/**
 * What a frame's spectrum is in bands of neighbouring bins, a byte each: level, likeness of the channels, balance between them.
 *
 * @param spectrum left real, left imaginary, right real, right imaginary, `bins` each; half the sample rate is the
 *   imaginary part of bin 0, and
 * goes with the last band
 * @param groups of 12 bytes: the first bin that is not in it, how often its neighbours are added up, its first band; `count` of them
 * @param shares of each band, what its energy is times for the mean of its bins
 * @param base of a level of 1; a doubling is `step` more
 * @param room 12 · bins bytes
 * @param out [3][bands]
 */
export function seeBands(
  spectrum: usize,
  bins: i32,
  groups: usize,
  count: i32,
  shares: usize,
  bands: i32,
  base: f32,
  step: f32,
  room: usize,
  out: usize,
): void {
  const row = (<usize>bins) << 2;
  const lefts = room;
  const rights = lefts + row;
  const both = rights + row;
  for (let at: usize = 0; at < row; at += 16) {
    const a = v128.load(spectrum + at);
    const b = v128.load(spectrum + row + at);
    const c = v128.load(spectrum + 2 * row + at);
    const d = v128.load(spectrum + 3 * row + at);
    v128.store(lefts + at, f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b)));
    v128.store(rights + at, f32x4.add(f32x4.mul(c, c), f32x4.mul(d, d)));
    v128.store(both + at, f32x4.add(f32x4.mul(a, c), f32x4.mul(b, d)));
  }
  const a = load<f32>(spectrum);
  const b = load<f32>(spectrum + row);
  const c = load<f32>(spectrum + 2 * row);
  const d = load<f32>(spectrum + 3 * row);
  store<f32>(lefts, a * a);
  store<f32>(rights, c * c);
  store<f32>(both, a * c);
  gather(lefts, groups, count);
  gather(rights, groups, count);
  gather(both, groups, count);
  const last = (<usize>(bands - 1)) << 2;
  store<f32>(lefts + last, load<f32>(lefts + last) + b * b);
  store<f32>(rights + last, load<f32>(rights + last) + d * d);
  store<f32>(both + last, load<f32>(both + last) + b * d);

  const middle = f32x4.splat(127.5);
  for (let at: usize = 0; at <= last; at += 16) {
    const l = v128.load(lefts + at);
    const r = v128.load(rights + at);
    const energy = f32x4.add(l, r);
    const level = f32x4.add(
      f32x4.splat(base),
      f32x4.mul(f32x4.splat(step), log2(f32x4.mul(energy, v128.load(shares + at)))),
    );
    const one = f32x4.div(f32x4.splat(1), energy);
    const part = v128.and(one, f32x4.gt(energy, f32x4.splat(1e-30)));
    const shared = v128.load(both + at);
    const alike = f32x4.mul(f32x4.add(shared, shared), part);
    const aside = f32x4.mul(f32x4.sub(l, r), part);
    const to = out + (at >> 2);
    storeBytes(to, level);
    storeBytes(to + <usize>bands, f32x4.add(middle, f32x4.mul(middle, within(alike))));
    storeBytes(to + 2 * <usize>bands, f32x4.add(middle, f32x4.mul(middle, within(aside))));
  }
}

function within(x: v128): v128 {
  return f32x4.max(f32x4.splat(-1), f32x4.min(f32x4.splat(1), x));
}

/** Rounded half up, 0 to 255. */
function storeBytes(to: usize, x: v128): void {
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.max(f32x4.splat(0), f32x4.add(x, f32x4.splat(0.5))));
  const words = i16x8.narrow_i32x4_s(whole, whole);
  v128.store32_lane(to, i8x16.narrow_i16x8_u(words, words), 0);
}

/** Adds up the bins of each band, in place: a band never lies behind its bins. */
function gather(row: usize, groups: usize, count: i32): void {
  let first = 0;
  for (let group = 0; group < count; group++) {
    const end = load<i32>(groups);
    const to = row + ((<usize>load<i32>(groups, 8)) << 2);
    let values = end - first;
    let from = row + ((<usize>first) << 2);
    for (let times = load<i32>(groups, 4); times > 0; times--) {
      values >>= 1;
      for (let at: usize = 0; at < (<usize>values) << 2; at += 16) {
        const x = v128.load(from + 2 * at);
        const y = v128.load(from + 2 * at, 16);
        v128.store(to + at, f32x4.add(v128.shuffle<i32>(x, y, 0, 2, 4, 6), v128.shuffle<i32>(x, y, 1, 3, 5, 7)));
      }
      from = to;
    }
    first = end;
    groups += 12;
  }
}
