/** Which sections repeat one another. */
import { BANDS } from "../timbre/colour.ts";
import type { Bars } from "./bars.ts";

/** Sections that are at least this alike on the whole repeat one another. */
const ALIKE = 0.6;
/** Mean difference of the bands over which likeness of colour falls to 1/e, dB. */
const COLOUR_DB = 6;

/** A letter a section, "A" for the first: sections are joined, the most alike first, while the least alike of a group still agree. */
export function labelsOf(starts: readonly number[], bars: Bars, alike: Float32Array): string[] {
  const count = starts.length;
  const ends = [...starts.slice(1), bars.count];
  const groups: number[][] = starts.map((_, index) => [index]);
  const pairs = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = 0; b < a; b++) {
      const value = sectionLikeness(starts[a]!, ends[a]!, starts[b]!, ends[b]!, bars, alike);
      pairs[a * count + b] = value;
      pairs[b * count + a] = value;
    }
  }
  const between = (a: readonly number[], b: readonly number[]): number => {
    let sum = 0;
    for (const i of a) for (const j of b) sum += pairs[i * count + j]!;
    return sum / (a.length * b.length);
  };
  for (;;) {
    let best: { a: number; b: number; value: number } | undefined;
    for (let a = 0; a < groups.length; a++) {
      for (let b = 0; b < a; b++) {
        const value = between(groups[a]!, groups[b]!);
        if (value >= ALIKE && (best === undefined || value > best.value)) best = { a, b, value };
      }
    }
    if (best === undefined) break;
    groups[best.b]!.push(...groups[best.a]!);
    groups.splice(best.a, 1);
  }
  groups.sort((a, b) => Math.min(...a) - Math.min(...b));
  const labels = new Array<string>(count);
  for (const [index, group] of groups.entries()) for (const section of group) labels[section] = letters(index);
  return labels;
}

/** 0 to 1: how alike the notes are along the best alignment, and the colour. */
function sectionLikeness(a: number, a_end: number, b: number, b_end: number, bars: Bars, alike: Float32Array): number {
  const [la, lb] = [a_end - a, b_end - b];
  const short = Math.min(la, lb);
  let tuneful = 0;
  for (let shift = -(la - short); shift <= lb - short; shift++) {
    // Aligned at the start or, where one is longer, anywhere inside.
    const offset_a = Math.max(0, -shift);
    const offset_b = Math.max(0, shift);
    let sum = 0;
    for (let k = 0; k < short; k++) sum += alike[(a + offset_a + k) * bars.count + b + offset_b + k]!;
    tuneful = Math.max(tuneful, sum / short);
  }
  let distance = 0;
  const width = bars.colour_width;
  for (let band = 0; band < BANDS; band++) {
    let [ma, mb] = [0, 0];
    for (let bar = a; bar < a_end; bar++) ma += bars.colour[bar * width + band]! / la;
    for (let bar = b; bar < b_end; bar++) mb += bars.colour[bar * width + band]! / lb;
    distance += (ma - mb) ** 2 / BANDS;
  }
  const coloured = Math.exp(-Math.sqrt(distance) / COLOUR_DB);
  return Math.sqrt(Math.max(0, tuneful) * coloured);
}

/** A, B … Z, AA, AB … */
function letters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
