import type { Analysis } from "../analyse/mod.ts";
import { type Envelopes, meanPower, powerDb } from "./envelopes.ts";
import type { Points } from "./points.ts";

/** How unlike two points sound, before and after. Symmetric; 0 is the same music, 1 what two points taken at random show. */
export interface Affinity {
  readonly count: number;
  /** Row `i`, column `j`: i × count + j. */
  readonly unlike: Float32Array;
}

/** Points before and after the join that are compared, nearest first, and their weights. */
const CONTEXT = [0.4, 0.3, 0.2, 0.1];
/** Values of a point's rhythm: 4 parts of the beat in 3 bands. */
const PATTERN = 12;

/**
 * What precedes a join should resemble what precedes the place that it enters, or what follows the place that it leaves should
 * resemble what follows: either makes the step one that the piece itself makes. Both is a repeat that nobody hears.
 */
export function affinityOf(analysis: Analysis, points: Points, envelopes: Envelopes): Affinity {
  const count = points.times.length;
  const rows = rowsOf(analysis, points, envelopes);
  const scales = scalesOf(rows, count);
  const unlike = new Float32Array(count * count);
  const diagonal = new Float32Array(count);
  for (let apart = 1; apart < count; apart++) {
    const length = count - apart;
    for (let i = 0; i < length; i++) diagonal[i] = distance(rows, scales, i, i + apart);
    for (let i = 0; i < length; i++) {
      let before = 0;
      let before_weight = 0;
      let after = 0;
      let after_weight = 0;
      for (let step = 0; step < 4; step++) {
        const weight = CONTEXT[step]!;
        if (i - 1 - step >= 0) {
          before += weight * diagonal[i - 1 - step]!;
          before_weight += weight;
        }
        if (i + step < length) {
          after += weight * diagonal[i + step]!;
          after_weight += weight;
        }
      }
      // The piece's edges have no context; what is missing counts as unlike.
      before += 1 - before_weight;
      after += 1 - after_weight;
      const value = 0.6 * Math.min(before, after) + 0.4 * Math.max(before, after);
      unlike[i * count + i + apart] = value;
      unlike[(i + apart) * count + i] = value;
    }
  }
  return { count, unlike };
}

interface Rows {
  /** 24 values a point: chroma, then timbre. */
  readonly harmony: Float32Array;
  /** `PATTERN` values a point, of unit length. */
  readonly pattern: Float32Array;
  /** dB. */
  readonly level: Float32Array;
}

function rowsOf({ form }: Analysis, { times }: Points, envelopes: Envelopes): Rows {
  const count = times.length;
  const harmony = new Float32Array(count * 24);
  const pattern = new Float32Array(count * PATTERN);
  const level = new Float32Array(count);
  const bands = [envelopes.low, envelopes.mid, envelopes.high];
  const floors = bands.map((band) => {
    let sum = 0;
    for (let hop = 0; hop < band.length; hop++) sum += band[hop]!;
    return (sum / Math.max(1, band.length)) * 0.01 + 1e-12;
  });
  let row = 0;
  for (let n = 0; n < count; n++) {
    const time = times[n]!;
    const next = times[n + 1] ?? time + 0.5;
    const until = Math.min(next, time + 1);
    // The row that covers the middle of the point's span, however the two grids lie.
    const middle = (time + until) / 2;
    while (row + 1 < form.features.length && form.grid[row + 1]! <= middle) row++;
    const feature = form.features[row];
    if (feature !== undefined) harmony.set(feature.subarray(0, 24), n * 24);
    let energy = 0;
    for (let part = 0; part < 4; part++) {
      const from = time + ((until - time) * part) / 4;
      const to = time + ((until - time) * (part + 1)) / 4;
      for (let band = 0; band < 3; band++) {
        const value = Math.log1p(meanPower(bands[band]!, envelopes.sample_rate, from, to) / floors[band]!);
        pattern[n * PATTERN + 3 * part + band] = value;
        energy += value * value;
      }
    }
    const scale = energy > 0 ? 1 / Math.sqrt(energy) : 0;
    for (let k = 0; k < PATTERN; k++) pattern[n * PATTERN + k]! *= scale;
    level[n] = powerDb(meanPower(envelopes.all, envelopes.sample_rate, time, until));
  }
  return { harmony, pattern, level };
}

interface Scales {
  readonly chroma: number;
  readonly timbre: number;
  readonly pattern: number;
}

/** Medians of each distance over pairs spread across the piece, so that every kind of difference counts alike in every piece. */
function scalesOf(rows: Rows, count: number): Scales {
  const pairs = Math.min(2000, count * 4);
  const values: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < pairs; n++) {
    const i = Math.floor((n * count) / pairs);
    // Multiples of an irrational step visit all distances evenly.
    const j = Math.floor((((n + 1) * 0.618_033_988_75) % 1) * count);
    if (i === j) continue;
    values[0].push(1 - dot(rows.harmony, i * 24, j * 24, 12));
    values[1].push(1 - dot(rows.harmony, i * 24 + 12, j * 24 + 12, 12));
    values[2].push(1 - dot(rows.pattern, i * PATTERN, j * PATTERN, PATTERN));
  }
  // The floor keeps what is the same throughout from being told apart by its noise.
  const [chroma, timbre, pattern] = values.map((list) => {
    list.sort((a, b) => a - b);
    return 1 / Math.max(0.04, list[Math.floor(list.length / 2)] ?? 1);
  });
  return { chroma: chroma!, timbre: timbre!, pattern: pattern! };
}

function distance(rows: Rows, scales: Scales, i: number, j: number): number {
  const { harmony, pattern, level } = rows;
  let chroma = 0;
  let timbre = 0;
  const a = i * 24;
  const b = j * 24;
  for (let k = 0; k < 12; k++) {
    chroma += harmony[a + k]! * harmony[b + k]!;
    timbre += harmony[a + 12 + k]! * harmony[b + 12 + k]!;
  }
  let rhythm = 0;
  const c = i * PATTERN;
  const d = j * PATTERN;
  for (let k = 0; k < PATTERN; k++) rhythm += pattern[c + k]! * pattern[d + k]!;
  const louder = Math.abs(level[i]! - level[j]!) / 8;
  return (
    0.4 * Math.min(2, (1 - chroma) * scales.chroma) +
    0.25 * Math.min(2, (1 - timbre) * scales.timbre) +
    0.2 * Math.min(2, (1 - rhythm) * scales.pattern) +
    0.15 * Math.min(2, louder)
  );
}

function dot(values: Float32Array, a: number, b: number, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += values[a + k]! * values[b + k]!;
  return sum;
}
