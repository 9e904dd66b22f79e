/** When the syllables of a line are sung: a walk over the bar's grid on which stress meets the strong places at the pace of the line. */
import { log2 } from "../../../signal/dsp/exact.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import type { Stress } from "../phonemes.ts";

/** A syllable as rhythm sees it. */
export interface Beat {
  readonly stress: Stress;
  /** First of its word. */
  readonly begins: boolean;
  /** A comma or the like before it. */
  readonly pause: boolean;
}

export interface Slot {
  /** Beats from the slot's own first: how early a line may begin (0 or less), and where its last sound must have ended. */
  readonly from: number;
  readonly to: number;
  readonly beats_per_bar: number;
  /** Parts of a beat: 4 in simple metre, 6 in compound. */
  readonly parts: 4 | 6;
  /** Seconds of a beat. */
  readonly seconds: number;
  /** Of what is random: lines that share it share their rhythm as far as their syllables allow. */
  readonly motif: number;
  /** Rhythm as in speech: dense, on sixteenths. */
  readonly spoken: boolean;
}

/** Onsets in beats, ascending, one by syllable; all between `from` and `to`. Lines that are too long for the grid are spread evenly. */
export function rhythmOf(syllables: readonly Beat[], slot: Slot): number[] {
  const { from, to, parts, seconds, spoken } = slot;
  const count = syllables.length;
  const last_min = Math.min(0.6 / seconds, 0.35 * (to - from));
  const first = Math.ceil(from * parts - 1e-9);
  const places = Math.floor((to - last_min) * parts + 1e-9) - first + 1;
  const apart = Math.max(1, Math.ceil((0.115 / seconds) * parts - 1e-9));
  if (places < (count - 1) * apart + 1) {
    const start = Math.max(from, Math.min(0, to));
    return syllables.map((_, n) => start + (n * (to - start)) / (count + 0.5));
  }
  // A line fills most of its room at a pace that can be sung; what is left is rest.
  const room = spoken ? 0.92 : 0.8;
  const pace = Math.min(
    0.62 / seconds,
    Math.max((spoken ? 0.14 : 0.2) / seconds, (room * (to - Math.max(0, from))) / count),
  );
  const costs = placeCosts(slot, first, places, pace);
  let reached = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
  const back: Int16Array[] = [];
  for (let p = 0; p < places; p++) {
    const at = (first + p) / parts;
    const early = at < 0 ? (syllables[0]!.stress === 0 ? 0.15 : 1.5) - at * 0.4 : at * 0.55;
    reached[p] = early + placed(syllables[0]!, count === 1, costs, p);
  }
  const widest = Math.ceil((Math.max(2, 3.5 * pace) + 1) * parts);
  for (let n = 1; n < count; n++) {
    const syllable = syllables[n]!;
    const next = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
    const from_where = new Int16Array(places);
    const wanted = pace * (syllable.pause ? 1.7 : syllable.begins ? 1 : 0.9);
    for (let p = n * apart; p < places; p++) {
      const here = placed(syllable, n === count - 1, costs, p);
      for (let q = Math.max(0, p - widest); q <= p - apart; q++) {
        const before = reached[q]!;
        if (before === Number.POSITIVE_INFINITY) continue;
        const ratio = log2((p - q) / parts / wanted);
        const cost = before + here + (syllable.begins ? 1.1 : 2) * ratio * ratio;
        if (cost < next[p]!) {
          next[p] = cost;
          from_where[p] = q;
        }
      }
    }
    back.push(from_where);
    reached = next;
  }
  let best = 0;
  for (let p = 1; p < places; p++) if (reached[p]! < reached[best]!) best = p;
  const onsets = new Array<number>(count);
  for (let n = count - 1; n >= 0; n--) {
    onsets[n] = (first + best) / parts;
    if (n > 0) best = back[n - 1]![best]!;
  }
  return onsets;
}

interface PlaceCosts {
  /** 0 weak to 1 strong. */
  readonly strength: Float64Array;
  readonly own: Float64Array;
}

function placeCosts(
  { parts, beats_per_bar, motif, spoken }: Slot,
  first: number,
  places: number,
  pace: number,
): PlaceCosts {
  const strength = new Float64Array(places);
  const own = new Float64Array(places);
  const bar = parts * beats_per_bar;
  for (let p = 0; p < places; p++) {
    const at = first + p;
    const in_bar = ((at % bar) + bar) % bar;
    const half = beats_per_bar % 2 === 0 && in_bar === bar / 2;
    const on_beat = in_bar % parts === 0;
    const off = in_bar % (parts / 2) === 0;
    const third = parts === 6 && in_bar % 2 === 0;
    strength[p] = in_bar === 0 ? 1 : half ? 0.85 : on_beat ? 0.65 : off && parts === 4 ? 0.35 : third ? 0.3 : 0.05;
    // Finer places than the pace asks for are for dense lines.
    const fine = strength[p]! < 0.2 ? (spoken ? 0.1 : pace > 0.45 ? 0.7 : 0.25) : 0;
    // Taste: each motif likes some places more than others, the same in every bar pair.
    const taste = hash32(motif, ((at % (2 * bar)) + 2 * bar) % (2 * bar)) / 0x1_0000_0000;
    own[p] = fine + 0.7 * taste;
  }
  return { strength, own };
}

function placed({ stress, begins }: Beat, last: boolean, { strength, own }: PlaceCosts, p: number): number {
  const s = strength[p]!;
  const weight = stress === 1 ? 1.4 * (1 - s) : stress === 2 ? 0.6 * (1 - s) : (begins ? 0.35 : 0.6) * s;
  return weight + own[p]! + (last ? 0.8 * (1 - s) : 0);
}
