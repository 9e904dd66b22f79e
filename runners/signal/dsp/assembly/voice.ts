/** Frames of a step, within which ratio and filter stand still and the level is a straight line. */
const STEP = 128;
/** Bytes of a step's float64 controls: ratio, level at its beginning, rise of the level per frame, and the filter's a1, a2, a3. */
const CONTROLS: usize = 48;

/**
 * Adds `steps` steps of one sampled voice to the float32 samples at `left` and `right` (0 for none): read from `wave` at `position` by
 * third-order Hermite interpolation, low-passed by a state-variable filter where `filtered` is not 0 (its two float64 are at `state`),
 * times the level and the channel's gain. `room` holds 128 float32. The sample before `position` and the two after the last one are read.
 *
 * Returns the position after the last.
 */
export function voice(
  wave: usize,
  position: f64,
  steps: i32,
  controls: usize,
  filtered: i32,
  state: usize,
  room: usize,
  left: usize,
  gainLeft: f32,
  right: usize,
  gainRight: f32,
): f64 {
  for (let s = 0; s < steps; s++, controls += CONTROLS) {
    const ratio = load<f64>(controls);
    read(wave, position, ratio, room);
    position += <f64>STEP * ratio;
    if (filtered !== 0) {
      low(room, state, load<f64>(controls, 24), load<f64>(controls, 32), load<f64>(controls, 40));
    }
    const level = <f32>load<f64>(controls, 8);
    const rise = <f32>load<f64>(controls, 16);
    if (left !== 0) {
      add(room, left, gainLeft * level, gainLeft * rise);
      left += 4 * STEP;
    }
    if (right !== 0) {
      add(room, right, gainRight * level, gainRight * rise);
      right += 4 * STEP;
    }
  }
  return position;
}

/** Places are kept as whole numbers of 2^-32 samples: what they point at is then a shift away. */
function read(wave: usize, from: f64, ratio: f64, room: usize): void {
  const pace = <i64>(ratio * 4294967296.0);
  let place = <i64>(from * 4294967296.0);
  const part = <i32>pace;
  let parts = i32x4.add(i32x4.splat(<i32>place), i32x4.mul(i32x4.splat(part), i32x4(0, 1, 2, 3)));
  const four = i32x4.splat(4 * part);
  const unit = f32x4.splat(4.656612873077393e-10);
  const half = f32x4.splat(0.5);
  const more = f32x4.splat(1.5);
  wave -= 4;
  for (let n: usize = 0; n < 4 * STEP; n += 16) {
    const t = f32x4.mul(f32x4.convert_i32x4_s(i32x4.shr_u(parts, 1)), unit);
    parts = i32x4.add(parts, four);
    // Four points around each of four places, turned so that each vector holds one point of all.
    const a = v128.load(wave + ((<usize>(place >> 32)) << 2));
    place += pace;
    const b = v128.load(wave + ((<usize>(place >> 32)) << 2));
    place += pace;
    const c = v128.load(wave + ((<usize>(place >> 32)) << 2));
    place += pace;
    const d = v128.load(wave + ((<usize>(place >> 32)) << 2));
    place += pace;
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
    const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
    const y0 = v128.shuffle<f64>(ab, cd, 0, 2);
    const y1 = v128.shuffle<f64>(ab, cd, 1, 3);
    const y2 = v128.shuffle<f64>(abHigh, cdHigh, 0, 2);
    const y3 = v128.shuffle<f64>(abHigh, cdHigh, 1, 3);
    const c1 = f32x4.mul(half, f32x4.sub(y2, y0));
    const c3 = f32x4.add(f32x4.mul(half, f32x4.sub(y3, y0)), f32x4.mul(more, f32x4.sub(y1, y2)));
    const c2 = f32x4.sub(f32x4.add(f32x4.sub(y0, y1), c1), c3);
    const y = f32x4.add(f32x4.mul(f32x4.add(f32x4.mul(f32x4.add(f32x4.mul(c3, t), c2), t), c1), t), y1);
    v128.store(room + n, y);
  }
}

/**
 * The filter of ../svf.ts, four samples at once. Its state moves by s' = M s + b v and gives y = o s + a3 v; so four samples on it is
 * M^4 s + M^3 b v0 + M^2 b v1 + M b v2 + b v3, and each of the four outputs a sum of the state and of what came in.
 */
function low(room: usize, state: usize, a1: f64, a2: f64, a3: f64): void {
  const m11 = 2.0 * a1 - 1.0;
  const m12 = -2.0 * a2;
  const m21 = 2.0 * a2;
  const m22 = 1.0 - 2.0 * a3;
  const k3 = f64x2(2.0 * a2, 2.0 * a3);
  const k2 = moved(m11, m12, m21, m22, k3);
  const k1 = moved(m11, m12, m21, m22, k2);
  const k0 = moved(m11, m12, m21, m22, k1);
  // Columns of M^4: where M takes its own columns three times.
  let colA = f64x2(m11, m21);
  let colB = f64x2(m12, m22);
  for (let n = 0; n < 3; n++) {
    colA = moved(m11, m12, m21, m22, colA);
    colB = moved(m11, m12, m21, m22, colB);
  }
  // Rows o M^n.
  const p0 = a2;
  const q0 = 1.0 - a3;
  const p1 = p0 * m11 + q0 * m21;
  const q1 = p0 * m12 + q0 * m22;
  const p2 = p1 * m11 + q1 * m21;
  const q2 = p1 * m12 + q1 * m22;
  const p3 = p2 * m11 + q2 * m21;
  const q3 = p2 * m12 + q2 * m22;
  const h1 = <f32>(p0 * 2.0 * a2 + q0 * 2.0 * a3);
  const h2 = <f32>(p1 * 2.0 * a2 + q1 * 2.0 * a3);
  const h3 = <f32>(p2 * 2.0 * a2 + q2 * 2.0 * a3);
  const h0 = <f32>a3;
  const p = f32x4(<f32>p0, <f32>p1, <f32>p2, <f32>p3);
  const q = f32x4(<f32>q0, <f32>q1, <f32>q2, <f32>q3);
  const r0 = f32x4(h0, h1, h2, h3);
  const r1 = f32x4(0, h0, h1, h2);
  const r2 = f32x4(0, 0, h0, h1);
  const r3 = f32x4(0, 0, 0, h0);
  let s = v128.load(state);
  for (let n: usize = 0; n < 4 * STEP; n += 16) {
    const v = v128.load(room + n);
    const single = f32x4.demote_f64x2_zero(s);
    const lowPair = f64x2.promote_low_f32x4(v);
    const highPair = f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 2, 3));
    const fromInput = f64x2.add(
      f64x2.add(
        f64x2.mul(k0, v128.shuffle<f64>(lowPair, lowPair, 0, 0)),
        f64x2.mul(k1, v128.shuffle<f64>(lowPair, lowPair, 1, 1)),
      ),
      f64x2.add(
        f64x2.mul(k2, v128.shuffle<f64>(highPair, highPair, 0, 0)),
        f64x2.mul(k3, v128.shuffle<f64>(highPair, highPair, 1, 1)),
      ),
    );
    const direct = f32x4.add(
      f32x4.add(f32x4.mul(r0, v128.shuffle<f32>(v, v, 0, 0, 0, 0)), f32x4.mul(r1, v128.shuffle<f32>(v, v, 1, 1, 1, 1))),
      f32x4.add(f32x4.mul(r2, v128.shuffle<f32>(v, v, 2, 2, 2, 2)), f32x4.mul(r3, v128.shuffle<f32>(v, v, 3, 3, 3, 3))),
    );
    const kept = f32x4.add(
      f32x4.mul(p, v128.shuffle<f32>(single, single, 0, 0, 0, 0)),
      f32x4.mul(q, v128.shuffle<f32>(single, single, 1, 1, 1, 1)),
    );
    v128.store(room + n, f32x4.add(kept, direct));
    s = f64x2.add(
      f64x2.add(f64x2.mul(colA, v128.shuffle<f64>(s, s, 0, 0)), f64x2.mul(colB, v128.shuffle<f64>(s, s, 1, 1))),
      fromInput,
    );
  }
  v128.store(state, s);
}

/** M v. */
function moved(m11: f64, m12: f64, m21: f64, m22: f64, v: v128): v128 {
  const x = f64x2.extract_lane(v, 0);
  const y = f64x2.extract_lane(v, 1);
  return f64x2(m11 * x + m12 * y, m21 * x + m22 * y);
}

function add(room: usize, out: usize, gain: f32, rise: f32): void {
  let level = f32x4.add(f32x4.splat(gain), f32x4.mul(f32x4.splat(rise), f32x4(0, 1, 2, 3)));
  const step = f32x4.splat(4 * rise);
  for (let n: usize = 0; n < 4 * STEP; n += 16) {
    v128.store(out + n, f32x4.add(v128.load(out + n), f32x4.mul(v128.load(room + n), level)));
    level = f32x4.add(level, step);
  }
}
