/**
 * When the syllables of a line are sung: a walk over the bar's grid on which stress meets the beats, at the pace of the
 * line and in its tune's rhythm.
 */
import { log2 } from "../../../signal/dsp/exact.ts";
import type { WordSyllable } from "../plan.ts";

export interface Slot {
  /**
   * Beats from the line's own first: how early it may begin (negative for a pick-up, more than 0 after a rest), and
   * where its last sound must have ended.
   */
  readonly from: number;
  readonly to: number;
  readonly beats_per_bar: number;
  /** Parts of a beat: 4 in simple metre, 6 in compound. */
  readonly parts: 4 | 6;
  /** Seconds of a beat. */
  readonly seconds: number;
  /** Beats on which the line's tune has notes. */
  readonly attacks: readonly number[];
  /** Rhythm as in speech: dense, on sixteenths. */
  readonly spoken: boolean;
}

/** What a walk costs; 1 is a step twice as long as the pace wants. */
const COST = {
  /** A stressed syllable off the beat, and between quavers; of one with secondary stress a fifth. */
  off: 3.2,
  fine: 4.5,
  /** It on a beat that is not the bar's first, by how weak that is. */
  weak: 0.9,
  /** A syllable without stress on a place that has some; within a word more. */
  light: 0.45,
  light_within: 0.7,
  /** The tune has no note there; between quavers where the pace does not ask for it. */
  own: 0.45,
  between: 0.7,
  /** A beat later or earlier than the line should begin. */
  entry: 0.5,
  /** A vowel held for LONG_S that does not carry, and more where it has no stress. */
  shut: 1.1,
  murmured: 0.7,
};
const LONG_S = 0.55;
/** Nobody sings faster. Seconds. */
const FASTEST_S = 0.1;

/** Onsets in beats, ascending, one by syllable; all between `from` and `to`. Lines that are too long for the grid are spread evenly. */
export function onsetsOf(syllables: readonly WordSyllable[], slot: Slot): number[] {
  const { from, to, parts, seconds, spoken } = slot;
  const count = syllables.length;
  const last_min = Math.min(0.6 / seconds, 0.35 * (to - from));
  const first = Math.ceil(from * parts - 1e-9);
  const places = Math.floor((to - last_min) * parts + 1e-9) - first + 1;
  const apart = Math.max(1, Math.ceil((FASTEST_S / seconds) * parts - 1e-9));
  if (places < (count - 1) * apart + 1) {
    const start = Math.max(from, Math.min(0, to));
    return syllables.map((_, n) => start + (n * (to - start)) / (count + 0.5));
  }
  const pace = paceOf(count, slot);
  const grid = gridOf(slot, first, places, pace);
  let reached = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
  const back: Int16Array[] = [];
  for (let p = 0; p < places; p++) {
    const away = (first + p) / parts - from;
    reached[p] = COST.entry * away + placed(syllables[0]!, count === 1, grid, p);
  }
  const widest = Math.ceil((Math.max(2, 3.5 * pace) + 1) * parts);
  for (let n = 1; n < count; n++) {
    const syllable = syllables[n]!;
    const held = syllables[n - 1]!;
    const shut = spoken ? 0 : (1 - held.carries) * (COST.shut + (held.stress === 0 ? COST.murmured : 0));
    const long = (LONG_S / seconds) * parts;
    const next = new Float64Array(places).fill(Number.POSITIVE_INFINITY);
    const from_where = new Int16Array(places);
    const wanted = log2(pace * (syllable.pause ? 1.7 : syllable.begins ? 1 : 0.9) * parts);
    const stiff = syllable.begins ? 1 : 1.6;
    for (let p = n * apart; p < places; p++) {
      const here = placed(syllable, n === count - 1, grid, p);
      for (let q = Math.max(0, p - widest); q <= p - apart; q++) {
        const before = reached[q]!;
        if (before === Number.POSITIVE_INFINITY) continue;
        const ratio = LOGS[p - q]! - wanted;
        let cost = before + here + stiff * ratio * ratio;
        // Before a comma the voice lets go.
        if (p - q >= long && !syllable.pause) cost += shut;
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

/** log2 of whole numbers: no step is wider. */
const LOGS = Float64Array.from({ length: 512 }, (_, n) => log2(Math.max(1, n)));

/** Beats between syllables: a line fills most of its room at a pace that can be sung; what is left is rest. */
export function paceOf(
  count: number,
  { from = 0, to, seconds, spoken }: Pick<Slot, "to" | "seconds" | "spoken"> & Partial<Pick<Slot, "from">>,
): number {
  const least = (spoken ? 0.14 : 0.2) / seconds;
  const room = to - Math.max(0, from);
  return Math.min(0.62 / seconds, Math.max(least, ((spoken ? 0.92 : 0.85) * room) / count));
}

interface Grid {
  /** 0 weak to 1 strong. */
  readonly strength: Float64Array;
  readonly own: Float64Array;
}

function gridOf({ parts, beats_per_bar, attacks, spoken }: Slot, first: number, places: number, pace: number): Grid {
  const strength = new Float64Array(places);
  const own = new Float64Array(places).fill(COST.own);
  const bar = parts * beats_per_bar;
  for (let p = 0; p < places; p++) {
    const in_bar = (((first + p) % bar) + bar) % bar;
    const half = beats_per_bar % 2 === 0 && in_bar === bar / 2;
    const on_beat = in_bar % parts === 0;
    const off = in_bar % (parts / 2) === 0;
    const third = parts === 6 && in_bar % 2 === 0;
    strength[p] = in_bar === 0 ? 1 : half ? 0.85 : on_beat ? 0.65 : off && parts === 4 ? 0.35 : third ? 0.3 : 0.05;
  }
  for (const attack of attacks) {
    const p = Math.round(attack * parts) - first;
    if (p >= 0 && p < places) own[p] = 0;
  }
  // Finer places than the pace asks for are for dense lines.
  for (let p = 0; p < places; p++) if (strength[p]! < 0.2) own[p]! += spoken ? 0.1 : pace > 0.45 ? COST.between : 0.25;
  return { strength, own };
}

function placed({ stress, begins, carries }: WordSyllable, last: boolean, { strength, own }: Grid, p: number): number {
  const s = strength[p]!;
  const off = s >= ON_BEAT ? COST.weak * (1 - s) : s >= 0.3 ? COST.off : COST.fine;
  const weight = stress === 1 ? off : stress === 2 ? 0.2 * off : (begins ? COST.light : COST.light_within) * s;
  // The last is held: on a strong place where it carries, else it falls off the one before.
  return weight + own[p]! + (last && (stress > 0 || carries > 0.5) ? 0.8 * (1 - s) : 0);
}

const ON_BEAT = 0.6;

/**
 * The onsets with pushes: a stressed syllable that is held over a strong beat may come a quaver before it, where
 * nothing else is sung; a line's first stress says where the bar is.
 *
 * @param draws whether it does, syllable by syllable
 */
export function pushedOnsets(
  onsets: readonly number[],
  syllables: readonly WordSyllable[],
  beats_per_bar: number,
  draws: () => boolean,
): number[] {
  const half = beats_per_bar % 2 === 0 ? beats_per_bar / 2 : beats_per_bar;
  const first = syllables.findIndex(({ stress }) => stress === 1);
  return onsets.map((at, n) => {
    const drawn = draws();
    const room = n > first && at - onsets[n - 1]! >= 1 && (onsets[n + 1] ?? Number.POSITIVE_INFINITY) - at >= 1;
    return drawn && room && syllables[n]!.stress === 1 && at % half === 0 ? at - 0.5 : at;
  });
}

/** A last syllable that falls off is not held for longer. Seconds. */
const FALLING_S = 0.5;

/**
 * Beats of each syllable: until the next, save before a comma and where that would be a drone.
 *
 * @param held beats that the last one is held for, at least where there is room; 0 as usual
 */
export function lengthsOf(
  syllables: readonly WordSyllable[],
  onsets: readonly number[],
  to: number,
  seconds: number,
  held = 0,
): number[] {
  const pace = syllables.length < 2 ? 1 : (onsets.at(-1)! - onsets[0]!) / (syllables.length - 1);
  return onsets.map((at, n) => {
    const next = syllables[n + 1];
    if (next === undefined) {
      const { stress, carries } = syllables[n]!;
      const falls = n > 0 && stress === 0 && carries < 0.5;
      const usual = falls ? FALLING_S / seconds : Math.max(1.5, Math.min(3, 1.1 / seconds));
      return Math.max(0.2, Math.min(to - at, held > 0 ? 1.15 * held : usual));
    }
    const sounds = Math.min(onsets[n + 1]! - at, Math.max(2 * pace, 1.2));
    return next.pause && sounds > 0.75 ? sounds - Math.min(0.25, 0.2 * sounds) : sounds;
  });
}
