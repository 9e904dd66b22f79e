/** Magnitude of four float32 samples as integers: such numbers order alike, and NaN comes above infinity. */
function magnitude(samples: v128): v128 {
  return v128.and(samples, i32x4.splat(0x7fffffff));
}

function largestLane(values: v128): i32 {
  return max(
    max(i32x4.extract_lane(values, 0), i32x4.extract_lane(values, 1)),
    max(i32x4.extract_lane(values, 2), i32x4.extract_lane(values, 3)),
  );
}

/**
 * Runs of 32 float32 samples from `samples` on, one sample readable before the first and one after the last: the largest magnitude of
 * each run and the sample after it goes to `tops`, the largest second difference to `bends`. Returns the largest magnitude of the runs
 * but the first and the last; NaN or infinity where any sample is.
 */
export function survey(samples: usize, runs: i32, tops: usize, bends: usize): f32 {
  let inside = i32x4.splat(0);
  let all = i32x4.splat(0);
  for (let run = 0; run < runs; run++) {
    const from = samples + ((<usize>run) << 7);
    let top = i32x4.splat(0);
    let bend = i32x4.splat(0);
    for (let at = from - 4; at < from + 124; at += 16) {
      const here = v128.load(at, 4);
      const beside = f32x4.add(v128.load(at), v128.load(at, 8));
      top = i32x4.max_s(top, magnitude(here));
      bend = i32x4.max_s(bend, magnitude(f32x4.sub(beside, f32x4.add(here, here))));
    }
    all = i32x4.max_s(all, top);
    if (run > 0 && run < runs - 1) inside = i32x4.max_s(inside, top);
    const next = reinterpret<i32>(load<f32>(from + 128)) & 0x7fffffff;
    store<i32>(tops + ((<usize>run) << 2), max(largestLane(top), next));
    store<i32>(bends + ((<usize>run) << 2), largestLane(bend));
  }
  const whole = largestLane(all);
  return reinterpret<f32>(whole >= 0x7f800000 ? whole : largestLane(inside));
}
