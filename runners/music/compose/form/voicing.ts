import { pitchClass } from "../../../notes.ts";
import type { ScoreChord } from "../score.ts";

export interface VoicingOptions {
  /** Notes at once, 1 to 6. */
  readonly voices: number;
  /** MIDI numbers, inclusive. Wider than an octave, or the voices may not fit. */
  readonly range: readonly [low: number, high: number];
  /** Where the middle of the chord is drawn to, as a MIDI number; absent: the middle of the range. */
  readonly centre?: number;
  /** Semitones from lowest to highest that are sought; absent: close position. */
  readonly spread?: number;
  /** The lowest voice takes the chord's bass note. Absent: a bass player does. */
  readonly with_bass?: boolean;
  /** Pitch class of the leading note, which is never doubled. */
  readonly leading?: number;
  /** Parallel fifths and octaves are avoided, as in classical part-writing. */
  readonly strict?: boolean;
  /** A loop: the last chord leads back to the first. */
  readonly ring?: boolean;
}

/** Candidates kept for each chord, best first by their own cost; the search costs their square. */
const KEPT = 28;
/** Weights, in semitones of motion of one voice. */
const COST = { centre: 0.35, spread: 0.3, mud: 2.5, semitone: 1.2, top_leap: 0.5, parallel: 9, missing: 3, bass: 20 };

/**
 * Voices a progression so that the voices move as little as they can: the cheapest way through candidate voicings of
 * every chord (dynamic programming).
 *
 * @returns for each chord `voices` MIDI numbers, ascending, within the range. Voice i of one chord leads to voice i of the next.
 */
export function voiceLead(chords: readonly ScoreChord[], options: VoicingOptions): number[][] {
  if (chords.length === 0) return [];
  const known = new Map<string, Candidate[]>();
  const columns = chords.map((chord) => {
    const key = `${chord.bass}:${chord.tones.join()}`;
    const found = known.get(key) ?? candidatesOf(chord, options);
    known.set(key, found);
    return found;
  });
  // Twice round a ring: by the second time the beginning follows from the end.
  const walked = options.ring ? [...columns, ...columns] : columns;
  const path = cheapest(walked, options);
  return (options.ring ? path.slice(columns.length) : path).map((candidate) => [...candidate.pitches]);
}

interface Candidate {
  readonly pitches: readonly number[];
  readonly cost: number;
}

function cheapest(columns: readonly Candidate[][], options: VoicingOptions): Candidate[] {
  let costs = columns[0]!.map(({ cost }) => cost);
  const back: number[][] = [];
  for (let n = 1; n < columns.length; n++) {
    const [before, after] = [columns[n - 1]!, columns[n]!];
    const next: number[] = [];
    const from: number[] = [];
    for (const candidate of after) {
      let [least, at] = [Number.POSITIVE_INFINITY, 0];
      for (let k = 0; k < before.length; k++) {
        if (costs[k]! >= least) continue;
        const cost = costs[k]! + motion(before[k]!.pitches, candidate.pitches, options.strict === true);
        if (cost < least) [least, at] = [cost, k];
      }
      next.push(least + candidate.cost);
      from.push(at);
    }
    back.push(from);
    costs = next;
  }
  let at = costs.indexOf(Math.min(...costs));
  const path = [columns.at(-1)![at]!];
  for (let n = columns.length - 1; n > 0; n--) {
    at = back[n - 1]![at]!;
    path.push(columns[n - 1]![at]!);
  }
  return path.reverse();
}

function motion(from: readonly number[], to: readonly number[], strict: boolean): number {
  let cost = 0;
  const voices = Math.min(from.length, to.length);
  for (let v = 0; v < voices; v++) {
    const step = Math.abs(to[v]! - from[v]!);
    cost += step + (step > 7 ? step - 7 : 0);
  }
  const leap = Math.abs(to[voices - 1]! - from[voices - 1]!);
  if (leap > 4) cost += COST.top_leap * (leap - 4);
  if (!strict) return cost;
  for (let low = 0; low < voices; low++) {
    for (let high = low + 1; high < voices; high++) {
      const [before, after] = [(from[high]! - from[low]!) % 12, (to[high]! - to[low]!) % 12];
      const moved = to[low]! - from[low]!;
      if (before === after && (after === 0 || after === 7) && moved !== 0 && moved > 0 === to[high]! - from[high]! > 0)
        cost += COST.parallel;
    }
  }
  return cost;
}

function candidatesOf(chord: ScoreChord, options: VoicingOptions): Candidate[] {
  const [low, high] = options.range;
  const found: Candidate[] = [];
  const seen = new Set<string>();
  for (const { tones, cost } of selections(chord, options)) {
    stack([], [...tones], low, high, (pitches) => {
      const key = pitches.join();
      if (seen.has(key)) return;
      seen.add(key);
      found.push({ pitches, cost: cost + ownCost(pitches, chord, options) });
    });
  }
  if (found.length === 0) found.push({ pitches: crammed(chord, options), cost: 50 });
  return found.sort((a, b) => a.cost - b.cost || (a.pitches.join() < b.pitches.join() ? -1 : 1)).slice(0, KEPT);
}

/** Which pitch classes sound, some twice or not at all: what matters least is left out first, what is stable is doubled first. */
function selections(chord: ScoreChord, options: VoicingOptions): { tones: number[]; cost: number }[] {
  const { root, bass } = chord;
  const tones = [...new Set(options.with_bass ? [bass, ...chord.tones] : chord.tones)];
  const interval = (tone: number): number => (tone - root + 12) % 12;
  const worth = (tone: number): number => {
    if (options.with_bass && tone === bass) return 100;
    const above = interval(tone);
    if (above === 3 || above === 4) return 10;
    if (above === 10 || above === 11) return 9;
    if (above === 0) return options.with_bass || tones.length <= 3 ? 8 : 4;
    // A perfect fifth says little; an altered one is the chord's colour.
    if (above === 7) return 3;
    return 7;
  };
  const ordered = [...tones].sort((a, b) => worth(b) - worth(a));
  if (ordered.length >= options.voices) {
    const chosen = ordered.slice(0, options.voices);
    const result = [{ tones: chosen, cost: 0 }];
    const spare = ordered[options.voices];
    if (spare !== undefined && options.voices > 2)
      result.push({ tones: [...chosen.slice(0, -1), spare], cost: COST.missing });
    return result;
  }
  const doubled = tones
    .filter((tone) => tone !== options.leading && [0, 7, 5].includes(interval(tone)))
    .concat(tones.filter((tone) => tone !== options.leading && [3, 4].includes(interval(tone))));
  if (doubled.length === 0) doubled.push(root);
  const missing = options.voices - tones.length;
  return doubled.slice(0, 3).map((first, rank) => {
    const rest = doubled.filter((tone) => tone !== first);
    const extra = Array.from({ length: missing }, (_, k) => (k === 0 ? first : (rest[(k - 1) % rest.length] ?? first)));
    return { tones: [...tones, ...extra], cost: rank };
  });
}

/** All ways to pile `left` up from below without gaps wider than a seventh (an octave and a fifth above the lowest note). */
function stack(
  pile: readonly number[],
  left: readonly number[],
  low: number,
  high: number,
  use: (pitches: number[]) => void,
): void {
  if (left.length === 0) {
    use([...pile]);
    return;
  }
  const below = pile.at(-1);
  const first = below === undefined;
  const tried = new Set<number>();
  for (let k = 0; k < left.length; k++) {
    const tone = left[k]!;
    if (tried.has(tone)) continue;
    tried.add(tone);
    const floor = first ? low : below + 1;
    const ceiling = first ? Math.min(high, low + 23) : Math.min(high, below + (pile.length === 1 ? 19 : 10));
    const rest = left.filter((_, n) => n !== k);
    for (let pitch = floor + pitchClass(tone - floor); pitch <= ceiling; pitch += 12)
      stack([...pile, pitch], rest, low, high, use);
  }
}

function ownCost(pitches: readonly number[], chord: ScoreChord, options: VoicingOptions): number {
  const [low, high] = options.range;
  const mean = pitches.reduce((sum, pitch) => sum + pitch, 0) / pitches.length;
  let cost = COST.centre * Math.abs(mean - (options.centre ?? (low + high) / 2)) * Math.sqrt(pitches.length);
  const span = pitches.at(-1)! - pitches[0]!;
  cost += COST.spread * Math.abs(span - (options.spread ?? 3.5 * (pitches.length - 1)));
  for (let v = 1; v < pitches.length; v++) {
    const gap = pitches[v]! - pitches[v - 1]!;
    // Close intervals in the bass blur: nothing under a fifth below F2, nothing under a minor third below C3 (low interval limits).
    if (pitches[v - 1]! < 41 && gap < 7) cost += COST.mud * 2;
    else if (pitches[v - 1]! < 48 && gap < 3) cost += COST.mud;
    if (gap === 1) cost += v === pitches.length - 1 ? COST.semitone * 2.5 : COST.semitone;
  }
  if (options.with_bass && (((pitches[0]! - chord.bass) % 12) + 12) % 12 !== 0) cost += COST.bass;
  return cost;
}

/** Where the range is too narrow for the voices: as many tones as fit, the rest at the top. */
function crammed(chord: ScoreChord, { voices, range: [low, high] }: VoicingOptions): number[] {
  const pitches: number[] = [];
  for (let pitch = low; pitch <= high && pitches.length < voices; pitch++)
    if (chord.tones.includes(pitchClass(pitch))) pitches.push(pitch);
  while (pitches.length < voices) pitches.push(pitches.at(-1) ?? low);
  return pitches;
}
