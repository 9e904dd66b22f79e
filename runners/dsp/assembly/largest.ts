/** Largest absolute value of `length` float32 samples at `samples`; NaN when one of them is. */
export function largest(samples: usize, length: i32): f32 {
  let four = f32x4.splat(0);
  let n = 0;
  for (; n + 4 <= length; n += 4) {
    four = f32x4.max(four, f32x4.abs(v128.load(samples + ((<usize>n) << 2))));
  }
  let peak = max(
    max(f32x4.extract_lane(four, 0), f32x4.extract_lane(four, 1)),
    max(f32x4.extract_lane(four, 2), f32x4.extract_lane(four, 3)),
  );
  for (; n < length; n++) peak = max(peak, abs(load<f32>(samples + ((<usize>n) << 2))));
  return peak;
}
