import { normalise } from "../harmony/chroma.ts";
import { BANDS } from "../timbre/colour.ts";
import type { Grid } from "./grid.ts";
import type { Rows } from "./rows.ts";

/** Cosines of the levels of the bands (a cepstrum) that tell timbres apart. */
const CEPSTRUM = 11;
/** Rows whose bands differ by this much on the whole point 45 degrees apart, dB. */
const SCALE_DB = 6;

/**
 * One vector a row: chroma (12), then timbre (12), each of unit length.
 *
 * Timbre is the first eleven cosines of the row's levels against those of the whole piece, and a constant: rows near the mean point the
 * same way however small differences among them are turned, and rows far from it point their own way.
 */
export function featuresOf(grid: Grid, rows: Rows, chroma: Float32Array): Float32Array[] {
  const cosines = new Float32Array(rows.count * CEPSTRUM);
  const mean = new Float64Array(CEPSTRUM);
  const basis = Float64Array.from(
    { length: CEPSTRUM * BANDS },
    (_, n) => Math.cos((Math.PI * Math.floor(n / BANDS) * ((n % BANDS) + 0.5)) / BANDS) / BANDS,
  );
  for (let row = 0; row < rows.count; row++) {
    for (let c = 0; c < CEPSTRUM; c++) {
      let sum = 0;
      for (let band = 0; band < BANDS; band++) sum += basis[c * BANDS + band]! * rows.levels[row * BANDS + band]!;
      cosines[row * CEPSTRUM + c] = sum;
      mean[c]! += sum / rows.count;
    }
  }
  return Array.from({ length: grid.edges.length - 1 }, (_, row) => {
    const vector = new Float32Array(24);
    vector.set(chroma.subarray(12 * row, 12 * row + 12));
    for (let c = 0; c < CEPSTRUM; c++) {
      // A cosine above the 0th carries half the energy of its amplitude.
      const gain = c === 0 ? 1 : Math.SQRT2;
      vector[12 + c] = (gain * (cosines[row * CEPSTRUM + c]! - mean[c]!)) / SCALE_DB;
    }
    vector[23] = 1;
    normalise(vector, 12, 12);
    return vector;
  });
}
