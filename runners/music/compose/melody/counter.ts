import { pitchClass } from "../../../notes.ts";
import { musicOf } from "../../../packs/mod.ts";
import type { Plan, PlanSection, Seat } from "../plan.ts";
import { pick, stream } from "../stream.ts";
import type { Themes } from "./lead.ts";
import type { Sketch } from "./phrase.ts";
import { chordAt, pitched, scaleOf } from "./pitch.ts";
import type { Tone } from "./touch.ts";

/** How a second voice goes beside the first: fills its rests, runs along in thirds and sixths, or sings long notes against it. */
export type Manner = "answer" | "parallel" | "line";

/** Beats of rest that are worth an answer; between lines of words. */
const [GAP, SUNG_GAP] = [1.5, 1];
/** Beats that an answer keeps from words. */
const CLEAR = 0.25;

/** Beats without a note. */
export interface Gap {
  readonly beat: number;
  readonly beats: number;
}

/** Where in a section nobody sings for long enough. */
export function gapsBetween(lines: readonly Gap[], { beat, beats }: PlanSection): Gap[] {
  const gaps: Gap[] = [];
  const end = beat + beats;
  let from = beat;
  for (const line of [...lines, { beat: end, beats: 0 }]) {
    if (line.beat + line.beats < from) continue;
    const to = Math.min(end, line.beat - (line.beats > 0 ? CLEAR : 0));
    if (to - from >= SUNG_GAP) gaps.push({ beat: from, beats: to - from });
    from = Math.max(from, line.beat + line.beats + CLEAR);
    if (from >= end) break;
  }
  return gaps;
}

/** The tones that nobody sings over, held no longer than until the next words. */
export function clearOf(tones: readonly Tone[], lines: readonly Gap[]): Tone[] {
  return tones.flatMap((tone) => {
    const sung = lines.find(
      ({ beat, beats }) => beat + beats + CLEAR > tone.beat && beat - CLEAR < tone.beat + tone.beats,
    );
    if (sung === undefined) return [tone];
    const left = sung.beat - CLEAR - tone.beat;
    return left < CLEAR ? [] : [{ ...tone, beats: left }];
  });
}

/** How a label's second voice goes; the same for all its turns. */
export function mannerOf(plan: Plan, section: PlanSection, lead: readonly Tone[]): Manner {
  const next = stream(plan.seed ^ plan.brief.colour, `manner ${section.label} ${section.kind}`);
  if (lead.length === 0) return "line";
  const rests = gapsOf(lead, section).reduce((sum, gap) => sum + gap.beats, 0) / section.beats;
  if (plan.brief.traits.includes("call and response") && rests > 0.05) return "answer";
  const high = section.kind === "chorus" || section.kind === "drop" || section.energy > 0.85;
  if (high && next() < 0.5) return "parallel";
  if (rests > 0.15 && next() < 0.7) return "answer";
  return next() < 0.7 ? "line" : "parallel";
}

/**
 * A second voice beside `lead`, which may be empty. Written straight, without expression.
 *
 * @param gaps where it may answer; absent: wherever the lead rests
 */
export function second(
  plan: Plan,
  seat: Seat,
  at: number,
  lead: readonly Tone[],
  themes: Themes,
  manner: Manner,
  gaps?: readonly Gap[],
): Tone[] {
  const section = plan.sections[at]!;
  switch (manner) {
    case "answer":
      return answers(plan, seat, section, gaps ?? gapsOf(lead, section), themes);
    case "parallel":
      return parallel(plan, seat, lead, themes);
    case "line":
      return line(plan, seat, section, lead, themes);
  }
}

function gapsOf(lead: readonly Tone[], section: PlanSection): Gap[] {
  const gaps: Gap[] = [];
  let from = section.beat;
  for (const { beat, beats } of [...lead, { beat: section.beat + section.beats, beats: 0 }]) {
    if (beat - from >= GAP) gaps.push({ beat: from, beats: beat - from });
    // A long note is room too, after its first beat.
    from = Math.max(from, beats >= 2.5 ? beat + 1 : beat + beats);
  }
  return gaps;
}

/** The head of the motif. */
function answers(plan: Plan, seat: Seat, section: PlanSection, gaps: readonly Gap[], themes: Themes): Tone[] {
  const { main } = themes.of(section);
  const next = stream(plan.seed ^ plan.brief.colour, `answers ${section.label} ${seat.name}`);
  const sketch: Sketch[] = [];
  for (const { beat, beats } of gaps) {
    const begin = Math.ceil(beat * 2) / 2;
    const room = Math.min(beat + beats - begin, main.beats);
    const strokes = main.strokes.filter((stroke) => stroke.at <= room - 0.5);
    for (const [n, stroke] of strokes.entries()) {
      const last = n === strokes.length - 1;
      sketch.push({
        beat: begin + stroke.at,
        beats: last ? Math.max(0.5, room - stroke.at) : Math.min(stroke.beats, room - stroke.at),
        want: n === 0 ? null : main.steps[n]!,
        height: 0,
        cadence: last ? "half" : null,
      });
    }
  }
  return toned(sketch, plan, seat, themes, 1, next);
}

function toned(
  sketch: readonly Sketch[],
  plan: Plan,
  seat: Seat,
  themes: Themes,
  motif: number,
  next: () => number,
): Tone[] {
  const pitches = pitched(sketch, {
    chords: plan.chords,
    key: plan.brief.key,
    scale: themes.idiom.scale,
    leap: themes.idiom.leaps,
    range: seat.range,
    centre: (seat.range[0] + seat.range[1]) / 2,
    beats_per_bar: plan.brief.metre.beats_per_bar,
    motif,
    thirds: musicOf(plan.brief.genre).styles.power_chords === true,
    next,
  });
  return sketch.map(({ beat, beats, cadence }, n) => ({ beat, beats, pitch: pitches[n]!, cadence }));
}

/** The lead's rhythm a third or a sixth below, on chord tones where the lead is; only as low and high as the player goes. */
function parallel(plan: Plan, seat: Seat, lead: readonly Tone[], themes: Themes): Tone[] {
  const { all } = scaleOf(plan.brief.key, themes.idiom.scale);
  const [low, high] = seat.range;
  const result: Tone[] = [];
  for (const tone of lead) {
    const chord = chordAt(plan.chords, tone.beat);
    const fits = (pitch: number): boolean => chord.tones.includes(pitchClass(pitch));
    const scaled = (pitch: number): boolean => all.has(pitchClass(pitch));
    // Thirds, then sixths, then the fourth that fills a chord; chord tones first.
    const intervals = [-3, -4, -8, -9, -5];
    const best =
      intervals.find((interval) => fits(tone.pitch + interval)) ??
      intervals.find((interval) => scaled(tone.pitch + interval) && tone.beats < 1);
    if (best === undefined) continue;
    let pitch = tone.pitch + best;
    while (pitch > high) pitch -= 12;
    while (pitch < low) pitch += 12;
    if (pitch > high) continue;
    result.push({ ...tone, pitch });
  }
  return result;
}

/** Long notes, one for each chord or two, moving little, against the lead where it moves. */
function line(plan: Plan, seat: Seat, section: PlanSection, lead: readonly Tone[], themes: Themes): Tone[] {
  const next = stream(plan.seed ^ plan.brief.colour, `line ${section.label} ${seat.name}`);
  const beats_per_bar = plan.brief.metre.beats_per_bar;
  const end = section.beat + section.beats;
  const divided = section.energy > 0.6 && next() < 0.6;
  const sketch: Sketch[] = [];
  let before: number | null = null;
  for (const chord of plan.chords) {
    if (chord.beat < section.beat || chord.beat >= end) continue;
    const pieces = divided && chord.beats >= beats_per_bar && chord.beats >= 4 ? [0.5, 0.25, 0.25] : [1];
    let beat = chord.beat;
    for (const piece of pieces) {
      const beats = chord.beats * piece;
      const now = meanOf(lead, beat, beat + beats);
      const moved: number = now !== null && before !== null ? now - before : 0;
      const want: number | null =
        sketch.length === 0 ? null : moved > 1 ? -1 : moved < -1 ? 1 : pick([-1, 0, 0, 1], next);
      sketch.push({ beat, beats, want, height: 0, cadence: null });
      if (now !== null) before = now;
      beat += beats;
    }
  }
  return toned(sketch, plan, seat, themes, 0.8, next);
}

function meanOf(lead: readonly Tone[], from: number, to: number): number | null {
  let [sum, count] = [0, 0];
  for (const { beat, pitch } of lead) {
    if (beat < from || beat >= to) continue;
    sum += pitch;
    count++;
  }
  return count === 0 ? null : sum / count;
}
