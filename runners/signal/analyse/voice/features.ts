import type { Views } from "../../../samples.ts";
import { FLOOR_BLOCK, FLOOR_REACH, FloorTracker } from "./floor.ts";
import { COMB_BINS, type Harmony, HarmonyFinder } from "./harmonicity.ts";
import { type Fold, HOP, Spectra, WINDOW } from "./spectra.ts";

/** Edges of the bands in Hz: below speech, six across the formants, two of fricatives. */
const EDGES_HZ = [60, 200, 400, 700, 1100, 1600, 2300, 3400, 5000, 8000];
export const BANDS = EDGES_HZ.length - 1;

/** What is looked at in one source, hop by hop of 10 ms. */
export interface Features extends Harmony {
  readonly hops: number;
  /** Power in each band, `BANDS` values a hop. */
  readonly power: Float32Array;
  /** What is always there in each band, `BANDS` values a hop block of 0.5 s. */
  readonly floor: Float32Array;
}

/**
 * One pass over the source; memory is 60 bytes a hop and the spectra of 7 s.
 *
 * @param breathe awaited now and then; rejects when the work is to stop
 */
export async function features(sound: Views, fold: Fold, breathe: () => Promise<void>): Promise<Features> {
  const spectra = new Spectra(sound, fold);
  const { hops } = spectra;
  const edges = EDGES_HZ.map((hertz) => Math.round((hertz * WINDOW) / sound.sample_rate));
  const bins = edges[BANDS]!;
  const low = COMB_BINS;
  const power = new Float32Array(hops * BANDS);
  const harmony = {
    clarity: new Float32Array(hops),
    pitch: new Float32Array(hops),
  };
  const finder = new HarmonyFinder();
  const floors = new FloorTracker(low);
  const band_floors = new FloorTracker(BANDS);
  const block_floor = new Float32Array(low);
  // Spectra wait here until the floor around them is known.
  const waiting: Float32Array[] = [];
  const spare: Float32Array[] = [];
  const first = new Float32Array(bins);
  const second = new Float32Array(bins);

  const settle = (block: number): void => {
    floors.floor(block, block_floor);
    const spectrum = waiting.shift()!;
    const count = Math.min(FLOOR_BLOCK, hops - block * FLOOR_BLOCK);
    for (let hop = 0; hop < count; hop += 2) {
      const one = spectrum.subarray(hop * low, (hop + 1) * low);
      const other = spectrum.subarray((hop + 1) * low, (hop + 2) * low);
      finder.pair(one, other, block_floor, block * FLOOR_BLOCK + hop, harmony);
    }
    spare.push(spectrum);
  };

  const blocks = Math.ceil(hops / FLOOR_BLOCK);
  for (let block = 0; block < blocks; block++) {
    await breathe();
    const spectrum = spare.pop() ?? new Float32Array(FLOOR_BLOCK * low);
    waiting.push(spectrum);
    const count = Math.min(FLOOR_BLOCK, hops - block * FLOOR_BLOCK);
    for (let hop = 0; hop < count; hop += 2) {
      const at = block * FLOOR_BLOCK + hop;
      spectra.pair(at, first, second, bins);
      for (let half = 0; half < 2 && hop + half < count; half++) {
        const from = half === 0 ? first : second;
        sumBands(from, edges, power, (at + half) * BANDS);
        band_floors.push(power, (at + half) * BANDS);
        floors.push(from);
      }
      for (let k = 0; k < low; k++) {
        spectrum[hop * low + k] = first[k]!;
        spectrum[(hop + 1) * low + k] = second[k]!;
      }
    }
    if (block >= FLOOR_REACH) settle(block - FLOOR_REACH);
  }
  for (let block = Math.max(0, blocks - FLOOR_REACH); block < blocks; block++) settle(block);
  const floor = new Float32Array(blocks * BANDS);
  for (let block = 0; block < blocks; block++) {
    band_floors.floor(block, floor.subarray(block * BANDS, (block + 1) * BANDS));
  }
  return { hops, power, floor, ...harmony };
}

function sumBands(spectrum: Float32Array, edges: readonly number[], out: Float32Array, at: number): void {
  for (let band = 0; band < BANDS; band++) {
    let sum = 0;
    const last = edges[band + 1]!;
    for (let k = edges[band]!; k < last; k++) sum += spectrum[k]!;
    out[at + band] = sum;
  }
}

export const HOP_SECONDS: number = HOP / 44_100;
