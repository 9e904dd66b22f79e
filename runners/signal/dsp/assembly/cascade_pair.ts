/**
 * Second-order sections in series (../biquad.ts) over two signals at once, in place: `count` float64 each at `left` and `right`. At `settings`
 * lie five float64 a section (b0, c1, c2, a1, a2), at `state` two pairs a section; `sections` is even.
 */
export function cascadePair(left: usize, right: usize, count: i32, settings: usize, state: usize, sections: i32): void {
  const bytes = (<usize>count) << 3;
  for (let section = 0; section < sections; section += 2) {
    const b0 = v128.load64_splat(settings);
    const c1 = v128.load64_splat(settings, 8);
    const c2 = v128.load64_splat(settings, 16);
    const a1 = v128.load64_splat(settings, 24);
    const a2 = v128.load64_splat(settings, 32);
    const d0 = v128.load64_splat(settings, 40);
    const e1 = v128.load64_splat(settings, 48);
    const e2 = v128.load64_splat(settings, 56);
    const f1 = v128.load64_splat(settings, 64);
    const f2 = v128.load64_splat(settings, 72);
    let s1 = v128.load(state);
    let s2 = v128.load(state, 16);
    let t1 = v128.load(state, 32);
    let t2 = v128.load(state, 48);
    for (let at: usize = 0; at < bytes; at += 8) {
      const v = f64x2(load<f64>(left + at), load<f64>(right + at));
      const w = f64x2.add(f64x2.mul(b0, v), s1);
      const s = f64x2.sub(f64x2.add(f64x2.mul(c1, v), s2), f64x2.mul(a1, s1));
      s2 = f64x2.sub(f64x2.mul(c2, v), f64x2.mul(a2, s1));
      s1 = s;
      const y = f64x2.add(f64x2.mul(d0, w), t1);
      const t = f64x2.sub(f64x2.add(f64x2.mul(e1, w), t2), f64x2.mul(f1, t1));
      t2 = f64x2.sub(f64x2.mul(e2, w), f64x2.mul(f2, t1));
      t1 = t;
      store<f64>(left + at, f64x2.extract_lane(y, 0));
      store<f64>(right + at, f64x2.extract_lane(y, 1));
    }
    v128.store(state, s1);
    v128.store(state, s2, 16);
    v128.store(state, t1, 32);
    v128.store(state, t2, 48);
    settings += 80;
    state += 64;
  }
}
