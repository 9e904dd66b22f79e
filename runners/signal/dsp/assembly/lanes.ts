// Lanes of two vectors of two float64, by moves of one lane: JavaScriptCore takes five instructions for a shuffle of two vectors.

/** The first of each. */
export function firsts(a: v128, b: v128): v128 {
  return f64x2.replace_lane(a, 1, f64x2.extract_lane(b, 0));
}

/** The second of each. */
export function seconds(a: v128, b: v128): v128 {
  return f64x2.replace_lane(b, 0, f64x2.extract_lane(a, 1));
}
