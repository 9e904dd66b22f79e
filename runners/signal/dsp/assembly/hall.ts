// The reverberator of ../hall.ts, sample by sample, with the same operations in the same order. ../hall_kernel.ts lays out the memory.

import { firsts, seconds } from "./lanes";

const GAINS: usize = 64;
const THROUGH: usize = 128;
const EARLY: usize = 136;
const SCALE: usize = 144;
const LENGTHS: usize = 160;
const INNER: usize = 192;
const DIFFUSE: usize = 224;
const TAPS: usize = 256;
const PREDELAY: usize = 304;
const MASK: usize = 308;
const PAST_MASK: usize = 312;
const STARTS: usize = 320;
const SLOPES: usize = 352;
const LINES: usize = 384;
/** Bytes after a line, and of a diffuser with its gap. */
const GAP: usize = 192;
const DIFFUSER: usize = 8 * 512 + 192;

/** One value of each of two lines, which lie one after the other: next to one another their reads would share no cache line. */
function both(one: usize, at_one: i32, other: usize, at_other: i32): v128 {
  return f64x2(load<f64>(one + ((<usize>at_one) << 3)), load<f64>(other + ((<usize>at_other) << 3)));
}

function put(one: usize, other: usize, at: usize, values: v128): void {
  store<f64>(one + at, f64x2.extract_lane(values, 0));
  store<f64>(other + at, f64x2.extract_lane(values, 1));
}

/** What both channels held at two moments of the past. */
function then(past: usize, mask: i32, left: i32, right: i32): v128 {
  return f64x2(load<f64>(past + ((<usize>(left & mask)) << 4)), load<f64>(past + ((<usize>(right & mask)) << 4), 8));
}

/** A swaying line's end: the value between two, and how far. */
function swayed(line: usize, mask: i32, frame: i32, back: f64): f64 {
  const whole = Math.floor(back);
  const at = frame - <i32>whole;
  const near = load<f64>(line + ((<usize>(at & mask)) << 3));
  const far = load<f64>(line + ((<usize>((at - 1) & mask)) << 3));
  return near + (back - whole) * (far - near);
}

/** `count` frames (64 at most) of `left` and `right`, in place; `frame` is the first one's number. */
export function hall(base: usize, left: usize, right: usize, count: i32, frame: i32): void {
  const mask = load<i32>(base, MASK);
  const past_mask = load<i32>(base, PAST_MASK);
  // Lines do not begin a power of two apart, or they would push one another out of the cache.
  const stride = ((<usize>(mask + 1)) << 3) + GAP;
  const l0 = base + LINES;
  const l1 = l0 + stride;
  const l2 = l1 + stride;
  const l3 = l2 + stride;
  const l4 = l3 + stride;
  const l5 = l4 + stride;
  const l6 = l5 + stride;
  const l7 = l6 + stride;
  const p0 = l7 + stride;
  const p1 = p0 + stride;
  const p2 = p1 + stride;
  const p3 = p2 + stride;
  const p4 = p3 + stride;
  const p5 = p4 + stride;
  const p6 = p5 + stride;
  const p7 = p6 + stride;
  const diffusers = p7 + stride;
  const past = diffusers + 8 * DIFFUSER;
  const through = v128.load64_splat(base, THROUGH);
  const early = v128.load64_splat(base, EARLY);
  const scale = v128.load64_splat(base, SCALE);
  const inner_gain = f64x2.splat(0.5);
  const diffusion = f64x2.splat(0.62);
  const floor = f64x2.splat(1e-18);
  const minus_left = v128(0, 0, 0, 0, 0, 0, 0, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  const minus_right = v128(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -128);
  const predelay = load<i32>(base, PREDELAY);
  let damped0 = v128.load(base);
  let damped1 = v128.load(base, 16);
  let damped2 = v128.load(base, 32);
  let damped3 = v128.load(base, 48);
  for (let n = 0; n < count; n++) {
    const at = frame + n;
    const x_left = left + ((<usize>n) << 3);
    const x_right = right + ((<usize>n) << 3);
    v128.store(past + ((<usize>(at & past_mask)) << 4), f64x2(load<f64>(x_left), load<f64>(x_right)));

    const r0 = then(past, past_mask, at - load<i32>(base, TAPS), at - load<i32>(base, TAPS + 24));
    const r1 = then(past, past_mask, at - load<i32>(base, TAPS + 4), at - load<i32>(base, TAPS + 28));
    const r2 = then(past, past_mask, at - load<i32>(base, TAPS + 8), at - load<i32>(base, TAPS + 32));
    const r3 = then(past, past_mask, at - load<i32>(base, TAPS + 12), at - load<i32>(base, TAPS + 36));
    const r4 = then(past, past_mask, at - load<i32>(base, TAPS + 16), at - load<i32>(base, TAPS + 40));
    const r5 = then(past, past_mask, at - load<i32>(base, TAPS + 20), at - load<i32>(base, TAPS + 44));
    const near = f64x2.sub(f64x2.mul(f64x2.splat(0.62), r0), f64x2.mul(f64x2.splat(0.51), r1));
    const middle = f64x2.add(f64x2.mul(f64x2.splat(0.44), r2), f64x2.mul(f64x2.splat(0.37), r3));
    const distant = f64x2.sub(f64x2.mul(f64x2.splat(0.23), r5), f64x2.mul(f64x2.splat(0.3), r4));
    const reflected = f64x2.mul(early, f64x2.add(f64x2.add(near, middle), distant));

    let input = f64x2.add(v128.load(past + ((<usize>((at - predelay) & past_mask)) << 4)), floor);
    const here = (<usize>(at & 511)) << 3;
    let diffuser = diffusers;
    for (let stage: usize = 0; stage < 4; stage++) {
      const l = (at - load<i32>(base + (stage << 2), DIFFUSE)) & 511;
      const r = (at - load<i32>(base + (stage << 2), DIFFUSE + 16)) & 511;
      const x = both(diffuser, l, diffuser + DIFFUSER, r);
      const u = f64x2.sub(input, f64x2.mul(diffusion, x));
      put(diffuser, diffuser + DIFFUSER, here, u);
      input = f64x2.add(x, f64x2.mul(diffusion, u));
      diffuser += 2 * DIFFUSER;
    }

    // Lines 0 and 2, 1 and 3, 4 and 6, 5 and 7 go together, for the sake of the matrix.
    const moment = <f64>n;
    const e0 = swayed(l0, mask, at, load<f64>(base, STARTS) + load<f64>(base, SLOPES) * moment);
    const e1 = swayed(l2, mask, at, load<f64>(base, STARTS + 8) + load<f64>(base, SLOPES + 8) * moment);
    const e2 = swayed(l4, mask, at, load<f64>(base, STARTS + 16) + load<f64>(base, SLOPES + 16) * moment);
    const e3 = swayed(l6, mask, at, load<f64>(base, STARTS + 24) + load<f64>(base, SLOPES + 24) * moment);
    const s0 = f64x2(e0, e1);
    const s1 = both(l1, (at - load<i32>(base, LENGTHS + 4)) & mask, l3, (at - load<i32>(base, LENGTHS + 12)) & mask);
    const s2 = f64x2(e2, e3);
    const s3 = both(l5, (at - load<i32>(base, LENGTHS + 20)) & mask, l7, (at - load<i32>(base, LENGTHS + 28)) & mask);

    const x0 = both(p0, (at - load<i32>(base, INNER)) & mask, p2, (at - load<i32>(base, INNER + 8)) & mask);
    const x1 = both(p1, (at - load<i32>(base, INNER + 4)) & mask, p3, (at - load<i32>(base, INNER + 12)) & mask);
    const x2 = both(p4, (at - load<i32>(base, INNER + 16)) & mask, p6, (at - load<i32>(base, INNER + 24)) & mask);
    const x3 = both(p5, (at - load<i32>(base, INNER + 20)) & mask, p7, (at - load<i32>(base, INNER + 28)) & mask);
    const u0 = f64x2.sub(s0, f64x2.mul(inner_gain, x0));
    const u1 = f64x2.sub(s1, f64x2.mul(inner_gain, x1));
    const u2 = f64x2.sub(s2, f64x2.mul(inner_gain, x2));
    const u3 = f64x2.sub(s3, f64x2.mul(inner_gain, x3));
    const now = (<usize>(at & mask)) << 3;
    put(p0, p2, now, u0);
    put(p1, p3, now, u1);
    put(p4, p6, now, u2);
    put(p5, p7, now, u3);
    const y0 = f64x2.add(x0, f64x2.mul(inner_gain, u0));
    const y1 = f64x2.add(x1, f64x2.mul(inner_gain, u1));
    const y2 = f64x2.add(x2, f64x2.mul(inner_gain, u2));
    const y3 = f64x2.add(x3, f64x2.mul(inner_gain, u3));
    damped0 = f64x2.add(damped0, f64x2.mul(through, f64x2.sub(y0, damped0)));
    damped1 = f64x2.add(damped1, f64x2.mul(through, f64x2.sub(y1, damped1)));
    damped2 = f64x2.add(damped2, f64x2.mul(through, f64x2.sub(y2, damped2)));
    damped3 = f64x2.add(damped3, f64x2.mul(through, f64x2.sub(y3, damped3)));
    const o02 = f64x2.mul(damped0, v128.load(base, GAINS));
    const o13 = f64x2.mul(damped1, v128.load(base, GAINS + 16));
    const o46 = f64x2.mul(damped2, v128.load(base, GAINS + 32));
    const o57 = f64x2.mul(damped3, v128.load(base, GAINS + 48));

    const a02 = f64x2.add(o02, o13);
    const a13 = f64x2.sub(o02, o13);
    const a46 = f64x2.add(o46, o57);
    const a57 = f64x2.sub(o46, o57);
    const a01 = firsts(a02, a13);
    const a23 = seconds(a02, a13);
    const a45 = firsts(a46, a57);
    const a67 = seconds(a46, a57);
    const b01 = f64x2.add(a01, a23);
    const b23 = f64x2.sub(a01, a23);
    const b45 = f64x2.add(a45, a67);
    const b67 = f64x2.sub(a45, a67);
    put(l0, l1, now, f64x2.add(f64x2.add(b01, b45), input));
    put(l2, l3, now, f64x2.add(f64x2.add(b23, b67), v128.xor(input, minus_right)));
    put(l4, l5, now, f64x2.add(f64x2.sub(b01, b45), v128.xor(input, minus_left)));
    put(l6, l7, now, f64x2.add(f64x2.sub(b23, b67), input));

    const first = firsts(o02, o13);
    const second = v128.xor(seconds(o02, o13), minus_left);
    const third = v128.xor(firsts(o46, o57), minus_right);
    const fourth = seconds(o46, o57);
    const out = f64x2.mul(scale, f64x2.add(f64x2.add(f64x2.add(f64x2.add(reflected, first), second), third), fourth));
    store<f64>(x_left, f64x2.extract_lane(out, 0));
    store<f64>(x_right, f64x2.extract_lane(out, 1));
  }
  v128.store(base, damped0);
  v128.store(base, damped1, 16);
  v128.store(base, damped2, 32);
  v128.store(base, damped3, 48);
}
