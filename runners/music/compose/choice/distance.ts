/** How far two scores are apart, by what a listener tells pieces by: tempo, key, chords, tune, rhythm, players and form. */
import { pitchClass } from "../../../notes.ts";
import { log2 } from "../../../signal/dsp/exact.ts";
import { meanOf, type Reading, readScore, slotOf } from "../critic/reading.ts";
import type { Score } from "../score.ts";

export const ASPECTS = ["tempo", "key", "chords", "tune", "rhythm", "players", "form"] as const;
export type Aspect = (typeof ASPECTS)[number];

/** Each aspect as shares of what is heard of it; two that have nothing in common are 1 apart. */
export type Features = Readonly<Record<Exclude<Aspect, "tempo" | "key">, ReadonlyMap<string, number>>> & {
  readonly bpm: number;
  /** Place on the circle of fifths of the major scale with the same notes. */
  readonly fifths: number;
  readonly mode: string;
};

/** Tempi of this ratio are 1 apart. */
const TEMPO_RATIO = 1.5;
/** Steps of each mode's scale above the major scale of its notes. */
const DEGREE = { major: 0, dorian: 2, phrygian: 4, lydian: 5, mixolydian: 7, minor: 9 } as const;
const HALF_CIRCLE = 6;

export function featuresOf(score: Score): Features {
  const reading = readScore(score);
  const { key, chords, parts, sections, bpm } = score;
  const changes = chords.filter(({ symbol }, n) => n === 0 || symbol !== chords[n - 1]!.symbol);
  return {
    bpm,
    fifths: pitchClass(7 * (key.tonic - DEGREE[key.mode])),
    mode: key.mode,
    // Steps from chord to chord, above the key's tonic.
    chords: shares(
      changes.slice(1).map(({ root, tones }, n) => {
        const from = changes[n]!;
        return `${pitchClass(from.root - key.tonic)} ${pitchClass(root - key.tonic)} ${pitchClass(tones[1]! - root)}`;
      }),
    ),
    tune: tuneOf(reading),
    rhythm: rhythmOf(reading),
    players: shares(parts.map(({ role, instrument }) => `${role} ${instrument}`)),
    form: formOf(sections),
  };
}

/** 0 to 1: the mean over aspects. */
export function distance(a: Features, b: Features): number {
  return meanOf(Object.values(distances(a, b)));
}

export function distances(a: Features, b: Features): Record<Aspect, number> {
  const turn = pitchClass(a.fifths - b.fifths);
  const fifths = Math.min(turn, 12 - turn) / HALF_CIRCLE;
  return {
    tempo: Math.min(1, Math.abs(log2(a.bpm / b.bpm)) / log2(TEMPO_RATIO)),
    key: 0.5 * fifths + (a.mode === b.mode ? 0 : 0.5),
    chords: apart(a.chords, b.chords),
    tune: apart(a.tune, b.tune),
    rhythm: apart(a.rhythm, b.rhythm),
    players: apart(a.players, b.players),
    form: apart(a.form, b.form),
  };
}

/** Three intervals in a row of the tune: its contour, by steps and skips. */
function tuneOf({ tunes }: Reading): ReadonlyMap<string, number> {
  const figures: string[] = [];
  for (const tones of tunes) {
    const steps = tones.slice(1).map(({ pitch }, n) => {
      const by = Math.round(pitch - tones[n]!.pitch);
      return Math.sign(by) * (Math.abs(by) > 2 ? 2 : Math.abs(by) > 0 ? 1 : 0);
    });
    for (let n = 0; n + 2 < steps.length; n++) figures.push(steps.slice(n, n + 3).join(" "));
  }
  return shares(figures);
}

/** Where in the bar each role plays. */
function rhythmOf(reading: Reading): ReadonlyMap<string, number> {
  const { onsets, score } = reading;
  return shares(
    onsets.flatMap((all) => all.map((onset) => `${score.parts[onset.part]!.role} ${slotOf(reading, onset.beat)}`)),
  );
}

/** Share of the time that each kind of section has, by the third of the piece in which it begins. */
function formOf(sections: Score["sections"]): ReadonlyMap<string, number> {
  const end = sections.at(-1)!.beat + sections.at(-1)!.beats;
  const out = new Map<string, number>();
  for (const { kind, beat, beats } of sections) {
    const place = `${kind} ${Math.floor((3 * beat) / end)}`;
    out.set(place, (out.get(place) ?? 0) + beats / end);
  }
  return out;
}

function shares(items: readonly string[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const item of items) out.set(item, (out.get(item) ?? 0) + 1 / items.length);
  return out;
}

/** Half the sum of differences: 0 where shares are equal, 1 where nothing is shared. */
function apart(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 0 : 1;
  let sum = 0;
  for (const [item, share] of a) sum += Math.abs(share - (b.get(item) ?? 0));
  for (const [item, share] of b) if (!a.has(item)) sum += share;
  return Math.min(1, sum / 2);
}
