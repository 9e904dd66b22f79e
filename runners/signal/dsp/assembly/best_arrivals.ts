/**
 * One step of a Viterbi search in which a state may follow only those near to it: best[n] = max(start[n], arriving[n + d] - costs[d][n]) over the
 * offsets d of n's group of four, and from[n] = the n + d that won, or 255 for the start. The first of equals wins.
 *
 * `arriving` points at the value for n = 0, with room of the widest offset on both sides; row d of `costs` lies at `costs + (d - least) · pitch` bytes. `offsets`
 * holds the first and the last offset of each group, two int32. `best` takes float32, `from` bytes; `count` is a multiple of 4.
 */
export function bestArrivals(
  arriving: usize,
  start: usize,
  costs: usize,
  pitch: usize,
  least: i32,
  offsets: usize,
  first: i32,
  count: i32,
  best: usize,
  from: usize,
): void {
  for (let n = first; n < count; n += 4) {
    const at = (<usize>n) << 2;
    let most = v128.load(start + at);
    let winner = i32x4.splat(255);
    const low = load<i32>(offsets + (at >> 1));
    const high = load<i32>(offsets + (at >> 1) + 4);
    let cost = costs + <usize>(low - least) * pitch + at;
    let source = arriving + at + ((<isize>low) << 2);
    let index = i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(n + low));
    for (let d = low; d <= high; d++) {
      const value = f32x4.sub(v128.load(source), v128.load(cost));
      const better = f32x4.gt(value, most);
      most = v128.bitselect(value, most, better);
      winner = v128.bitselect(index, winner, better);
      index = i32x4.add(index, i32x4.splat(1));
      cost += pitch;
      source += 4;
    }
    v128.store(best + at, most);
    store<u8>(from + n, <u8>i32x4.extract_lane(winner, 0));
    store<u8>(from + n + 1, <u8>i32x4.extract_lane(winner, 1));
    store<u8>(from + n + 2, <u8>i32x4.extract_lane(winner, 2));
    store<u8>(from + n + 3, <u8>i32x4.extract_lane(winner, 3));
  }
}

/** As `bestArrivals`, without saying which won. */
export function bestValues(
  arriving: usize,
  start: usize,
  costs: usize,
  pitch: usize,
  least: i32,
  offsets: usize,
  first: i32,
  count: i32,
  best: usize,
): void {
  for (let n = first; n < count; n += 4) {
    const at = (<usize>n) << 2;
    let most = v128.load(start + at);
    const low = load<i32>(offsets + (at >> 1));
    const high = load<i32>(offsets + (at >> 1) + 4);
    let cost = costs + <usize>(low - least) * pitch + at;
    let source = arriving + at + ((<isize>low) << 2);
    // Two maxima, so that one comparison need not wait for the other.
    let other = most;
    let d = low;
    for (; d < high; d += 2) {
      most = f32x4.pmax(most, f32x4.sub(v128.load(source), v128.load(cost)));
      other = f32x4.pmax(other, f32x4.sub(v128.load(source, 4), v128.load(cost + pitch)));
      cost += 2 * pitch;
      source += 8;
    }
    if (d === high) other = f32x4.pmax(other, f32x4.sub(v128.load(source), v128.load(cost)));
    v128.store(best + at, f32x4.pmax(most, other));
  }
}
