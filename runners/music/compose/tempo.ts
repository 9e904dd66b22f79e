/** How the tempo of a piece moves: what its genre does unasked, and what a prompt asks for. */
import type { PaceAsked } from "../../language/mod.ts";
import { musicOf, type Time } from "../../packs/mod.ts";
import { power } from "../../signal/dsp/exact.ts";
import type { Brief } from "./brief.ts";
import { beatsIn, clockOf } from "./clock.ts";
import type { Part, Score, TempoPoint } from "./score.ts";

/** Tempo at the end against that at the beginning. */
const RATIO: Partial<Readonly<Record<PaceAsked, number>>> = { "getting faster": 1.5, "getting slower": 0.68 };

/** Of the model of final ritardandi: 2 is a runner who brakes with constant force, 3 fits what musicians do and listeners prefer. */
const Q = 3;
/** The curve of a ritardando is laid in so many straight pieces. */
const PIECES = 8;
/**
 * Share by which the whole may go faster so that it lasts as long as planned, where nobody asked for its tempo; as far
 * as a length moves a tempo.
 */
const GIVE = 0.02;
/** Bars by which a piece of a tempo that was asked for may outlast its plan. */
const OVER_BARS = 0.5;
/** Rubato fades out over this share of the tempo above the one up to which it is whole. */
const FADES = 0.25;
/** A section's arch against a phrase's: Todd adds the levels of a piece. */
const SECTION_ARCH = 0.5;
/** An end that is struck late in its bar is not held for longer than this ratio of tempi says. */
const HELD_MIN = 0.35;
/** Beats over which a chorus is pushed into, and let go after. */
const PUSH_BEATS = 4;

/** Tempo against the piece's own, at a beat. */
interface Bend {
  readonly beat: number;
  readonly ratio: number;
}

/**
 * The score with its tempo map. It lasts as long as planned; or, where the tempo was asked for, has that for its median.
 *
 * @param exact a length was asked for too: it lasts half a bar longer at most
 * @param goes_on something else follows: it does not slow down in the end
 */
export function withTempo(score: Score, brief: Brief, exact: boolean, goes_on = false): Score {
  if (score.ring) return score;
  const asked = brief.pace === undefined ? undefined : RATIO[brief.pace];
  const time = musicOf(brief.genre).styles.time ?? {};
  const explicit = brief.explicit.includes("bpm") && asked === undefined;
  const room = explicit && exact ? OVER_BARS * score.metre.beats_per_bar : GIVE * score.beats;
  const body = asked === undefined ? bodyOf(score, time) : courseOf(score, asked);
  const end = goes_on || brief.pace === "getting faster" ? undefined : endOf(score, time, brief);
  const whole = end === undefined ? body : ended(body, end);
  if (whole.every(({ ratio }) => ratio === 1)) return score;
  // What a short piece has no room for is less of it.
  for (const depth of [1, 0.75, 0.5, 0.25, 0.1]) {
    const bends = whole.map(({ beat, ratio }) => ({ beat, ratio: 1 + depth * (ratio - 1) }));
    const map = anchored(score, bends, explicit);
    const over = beatsIn(score.bpm, clockOf({ ...score, tempo: map, lead_in: 0 }).seconds(score.beats)) - score.beats;
    if (over <= room) return explicit ? { ...score, tempo: map } : fitted(score, map, over / score.beats);
  }
  return score;
}

/** The map in beats a minute; where the tempo was asked for, such that half of all beats are slower than that. */
function anchored(score: Score, bends: readonly Bend[], explicit: boolean): TempoPoint[] {
  const plain = bends.map(({ beat, ratio }) => ({ beat, bpm: score.bpm * ratio }));
  if (!explicit) return plain;
  const by = score.bpm / medianOf(score, plain);
  return plain.map(({ beat, bpm }) => ({ beat, bpm: bpm * by }));
}

/** As long as planned: all of it faster by the share that it would last longer. */
function fitted(score: Score, map: readonly TempoPoint[], over: number): Score {
  const tempo = map.map(({ beat, bpm }) => ({ beat, bpm: bpm * (1 + over) }));
  return { ...score, bpm: medianOf(score, tempo), tempo };
}

function medianOf(score: Score, tempo: readonly TempoPoint[]): number {
  const clock = clockOf({ bpm: score.bpm, lead_in: 0, tempo });
  const all = Array.from({ length: Math.max(1, Math.floor(score.beats)) }, (_, beat) => clock.bpm(beat + 0.5));
  return all.sort((a, b) => a - b)[all.length >> 1]!;
}

/** From slower to faster, or the other way, evenly in beats. */
function courseOf({ beats }: Score, ratio: number): Bend[] {
  const first = 2 / (1 + ratio);
  return [
    { beat: 0, ratio: first },
    { beat: beats, ratio: first * ratio },
  ];
}

/** Choruses a little faster, pushed into and let go; phrases that arch; a broad last bar before the last chorus, and a fermata. */
function bodyOf(
  score: Score,
  { chorus_lift = 0, rubato = 0, rubato_below_bpm, broadens_to = 1, holds_beats = 0 }: Time,
): Bend[] {
  const fading = rubato_below_bpm === undefined ? 1 : (1 + FADES - score.bpm / rubato_below_bpm) / FADES;
  const depth = rubato * Math.min(1, Math.max(0, fading));
  const bar = score.metre.beats_per_bar;
  const last = score.sections.findLast(({ kind, beat }) => kind === "chorus" && beat > 0);
  const bends: Bend[] = [];
  for (const [n, section] of score.sections.entries()) {
    const { beat, beats } = section;
    const end = beat + beats;
    const own = liftOf(section.kind, chorus_lift);
    const before = liftOf(score.sections[n - 1]?.kind ?? section.kind, chorus_lift);
    const after = liftOf(score.sections[n + 1]?.kind ?? section.kind, chorus_lift);
    const push = Math.min(PUSH_BEATS, beats / 2);
    const leads = last !== undefined && Math.abs(end - last.beat) < 1e-6;
    const broad = leads ? broadens_to : 1;
    const phrase = phraseOf(beats, bar);
    const step = depth === 0 ? push : Math.min(bar / 2, phrase / PIECES);
    const places = new Set<number>([beat, beat + push, end - push, ...(broad < 1 ? [end - bar] : []), end]);
    if (depth > 0) for (let at = beat; at < end; at += step) places.add(at);
    for (const at of [...places].sort((a, b) => a - b)) {
      let ratio = own;
      // A push leads into what is faster; what was faster is let go of afterwards.
      if (after > own && at > end - push) ratio += ((after - own) * (at - end + push)) / push;
      if (before > own && at < beat + push) ratio += (before - own) * (1 - (at - beat) / push);
      ratio *=
        1 +
        depth *
          (arch((at - beat) / phrase, at >= end - 1e-9) + SECTION_ARCH * arch((at - beat) / beats, at >= end - 1e-9));
      if (broad < 1 && at > end - bar) ratio *= 1 - (1 - broad) * ((at - end + bar) / bar);
      bends.push({ beat: at, ratio });
    }
    if (leads && holds_beats > 0 && beats > bar) {
      // The last beat stands still, so to speak: what it is slower by is as long as the hold.
      const { ratio } = bends.pop()!;
      bends.push(
        { beat: end - 1, ratio },
        ...[end - 1, end].map((at) => ({ beat: at, ratio: ratio / (1 + holds_beats) })),
      );
    }
  }
  return bends;
}

function liftOf(kind: Score["sections"][number]["kind"], lift: number): number {
  return kind === "chorus" || kind === "drop" ? 1 + lift : 1;
}

/** Beats of a phrase: four bars where they fill the section, else two, else all of it. */
function phraseOf(beats: number, bar: number): number {
  return [4 * bar, 2 * bar].find((length) => Math.abs(beats / length - Math.round(beats / length)) < 1e-6) ?? beats;
}

/**
 * A parabola over each phrase, slow at its edges and fastest in its middle, 0 in the mean, 1 from top to bottom.
 *
 * Todd (1992), "The dynamics of dynamics", J. Acoust. Soc. Am. 91(6); the rule Phrase Arch of Friberg, Bresin and
 * Sundberg (2006), "Overview of the KTH rule system for musical performance", Advances in Cognitive Psychology 2. How
 * deep is ours.
 *
 * @param phrases how many phrases lie before
 * @param ends whether a whole number of them is the end of the last, rather than the beginning of the next
 */
function arch(phrases: number, ends: boolean): number {
  const x = ends ? 1 : phrases - Math.floor(phrases + 1e-9);
  return 4 * x * (1 - x) - 2 / 3;
}

interface End {
  /** Beats from which it slows, and of the last attack. */
  readonly from: number;
  readonly to: number;
  /** Tempo on the last attack, against the tempo before. */
  readonly ratio: number;
  /** Beats by which what is struck last is held longer. */
  readonly hold: number;
  /** Of the piece. */
  readonly beats: number;
}

/** Where and how far the piece slows down in the end; undefined where it does not: it fades, stops or was struck to an end on purpose. */
function endOf(
  score: Score,
  { final_tempo = 1, final_bars = 1, final_hold_beats = 0 }: Time,
  { cues, traits }: Brief,
): End | undefined {
  if (final_tempo === 1 && final_hold_beats === 0) return undefined;
  if (score.moves.some(({ kind }) => kind === "fade_out") || traits.includes("fade out")) return undefined;
  if (cues?.some(({ event, what }) => event === "ends" && (what === "abrupt" || what === "hits")) === true)
    return undefined;
  const bar = score.metre.beats_per_bar;
  const to = Math.max(...score.parts.map(lastAttack), score.beats - bar);
  const from = Math.max(0, to - final_bars * bar);
  if (to - from < 1 || score.beats < 8 * bar) return undefined;
  return { from, to, ratio: final_tempo, hold: final_hold_beats, beats: score.beats };
}

function lastAttack({ role, notes }: Part): number {
  if (role === "texture" || role === "transition") return 0;
  return notes.reduce((last, { beat }) => Math.max(last, beat), 0);
}

/**
 * The bends up to the ritardando, and that: v(x) = (1 + (w^q - 1) x)^(1/q), the tempo of a runner who comes to a halt,
 * over the way x from 0 to 1.
 *
 * Friberg and Sundberg (1999), "Does music performance allude to locomotion? A model of final ritardandi derived from
 * measurements of stopping runners", J. Acoust. Soc. Am. 105(3). How far down (w), over how many bars, and the hold are
 * ours.
 */
function ended(bends: readonly Bend[], { from, to, ratio: w, hold, beats }: End): Bend[] {
  const clock = clockOf({ bpm: 1, lead_in: 0, tempo: bends.map(({ beat, ratio: bpm }) => ({ beat, bpm })) });
  const before = clock.bpm(from);
  const slowing = Array.from({ length: PIECES + 1 }, (_, n): Bend => {
    const x = n / PIECES;
    return { beat: from + x * (to - from), ratio: before * power(1 + (w * w * w - 1) * x, 1 / Q) };
  });
  // What is struck last is held at the tempo before, or longer.
  const rest = beats - to;
  const held = rest <= 0 ? [] : [{ beat: to, ratio: before * Math.max(HELD_MIN, rest / (rest + hold)) }];
  return [
    ...bends.filter(({ beat }) => beat < from - 1e-6),
    { beat: from, ratio: before },
    ...slowing.slice(1),
    ...held,
  ];
}
