import { bestArrivals, bestValues } from "./best_arrivals";

/**
 * Steps of the search for bars (runners/signal/analyse/rhythm/bars.ts): at each, for each place in the bar, what arrives there is carried on by every
 * interval to the step and the place where it arrives next.
 *
 * `ring` holds for `rows` steps and `places` places a slot of `slot` float32 values each, `before` of them margin in front of `padded` values, what
 * arrives by each interval; the first step uses row `row`. `rows` is more than the longest interval. `plain` and `down` hold for each of `steps`
 * steps what a beat, and one that is the bar's first, is worth. `likings` and `intervals` have `padded` float32 and int32 values; only those from `first` to
 * `last` are carried on. `begun` steps went before: no interval that is longer has led anywhere, so that a run may start. From `costs` on as
 * in `bestArrivals`. `back` takes, unless 0, `count` bytes for each place of each step.
 */
export function barSteps(
  ring: usize,
  rows: i32,
  places: i32,
  slot: i32,
  before: i32,
  row: i32,
  begun: i32,
  steps: i32,
  plain: usize,
  down: usize,
  first_worth: f64,
  likings: usize,
  intervals: usize,
  first: i32,
  last: i32,
  costs: usize,
  padded: i32,
  least: i32,
  offsets: usize,
  start: usize,
  best: usize,
  from: usize,
  back: usize,
  count: i32,
): void {
  const slot_bytes = (<usize>slot) << 2;
  const row_bytes = slot_bytes * places;
  const ring_bytes = row_bytes * rows;
  const margin = (<usize>before) << 2;
  const pitch = (<usize>padded) << 2;
  let at = row_bytes * row;
  // Groups of four with one that is carried on.
  const begin = first & ~3;
  const end = (last | 3) + 1;
  for (let n = 0; n < steps; n++) {
    const step = begun + n;
    if (step <= rows) {
      for (let k = first; k <= last; k++) {
        const where = (<usize>k) << 2;
        store<f32>(start + where, step < load<i32>(intervals + where) ? 0 : -Infinity);
      }
    }
    const here = (<usize>n) << 2;
    for (let place = 0; place < places; place++) {
      const gain = place === 0 ? <f64>load<f32>(down + here) + first_worth : <f64>load<f32>(plain + here);
      const arriving = ring + at + slot_bytes * place + margin;
      if (back === 0) bestValues(arriving, start, costs, pitch, least, offsets, begin, end, best);
      else bestArrivals(arriving, start, costs, pitch, least, offsets, begin, end, best, from);
      const next = slot_bytes * (place + 1 === places ? 0 : place + 1) + margin;
      for (let k = first; k <= last; k++) {
        const where = (<usize>k) << 2;
        let to = at + row_bytes * load<i32>(intervals + where);
        if (to >= ring_bytes) to -= ring_bytes;
        store<f32>(
          ring + to + next + where,
          <f32>(<f64>load<f32>(best + where) + gain + <f64>load<f32>(likings + where)),
        );
      }
      if (back !== 0) {
        memory.copy(back, from, count);
        back += count;
      }
    }
    at += row_bytes;
    if (at === ring_bytes) at = 0;
  }
}
