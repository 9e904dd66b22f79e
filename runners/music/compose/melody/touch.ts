import { pitchClass } from "../../../notes.ts";
import { pink } from "../../../signal/dsp/pink.ts";
import type { Brief } from "../brief.ts";
import { instrumentOf } from "../instruments.ts";
import type { PlanSection, Seat } from "../plan.ts";
import type { Articulation, Note, ScoreChord } from "../score.ts";
import { swung } from "../swing.ts";
import type { Idiom } from "./idioms.ts";
import { chordAt, scaleOf, strengthOf } from "./pitch.ts";

/** A pitched note before anyone plays it; written straight. */
export interface Tone {
  readonly beat: number;
  readonly beats: number;
  readonly pitch: number;
  readonly cadence: "full" | "half" | null;
}

export interface TouchOptions {
  readonly brief: Brief;
  readonly section: PlanSection;
  readonly seat: Seat;
  readonly idiom: Idiom;
  readonly chords: readonly ScoreChord[];
  /** Of the piece: nothing begins before 0. */
  readonly beat_seconds: number;
  /** -1 to 1: under or over what the section's energy says. */
  readonly weight?: number;
  readonly next: () => number;
}

/** Seconds of a grace note. */
const GRACE = 0.07;

/** What a player makes of written notes: ornaments, dynamics, articulation, timing; and the swing. */
export function touched(tones: readonly Tone[], options: TouchOptions): Note[] {
  const { brief, section, seat, idiom, beat_seconds, next } = options;
  const machine = instrumentOf(seat.instrument).sequenced === true;
  const beats_per_bar = brief.metre.beats_per_bar;
  const written = ornamented(approached(tones, options), options);
  const notes: Note[] = [];
  const strays = Math.floor(next() * 0x1_0000_0000);
  for (const [at, tone] of written.entries()) {
    const strength = strengthOf(tone.beat, beats_per_bar);
    const t = (tone.beat - section.beat) / section.beats;
    const phrase = ((tone.beat - section.beat) / (section.phrase_bars * beats_per_bar)) % 1;
    let velocity = 0.56 + 0.24 * section.energy + 0.06 * (options.weight ?? 0);
    velocity += strength === 2 ? 0.07 : strength === 1 ? 0.03 : tone.grace ? -0.12 : -0.02;
    velocity += 0.06 * (4 * phrase * (1 - phrase)) - 0.03;
    if (section.leaves_by === "lift") velocity += 0.05 * t;
    if (section.leaves_by === "end") velocity -= 0.08 * t;
    velocity += (machine ? 0.02 : 0.06) * (next() - 0.5);
    const shift = machine
      ? idiom.behind_beat_s * 0.3
      : idiom.behind_beat_s + idiom.timing_spread_s * pink(strays, tone.beat);
    const [begin, end] = [
      bent(tone.beat, brief.swing),
      bent(tone.beat + tone.beats * (tone.grace ? 1 : idiom.sounding), brief.swing),
    ];
    const articulation = articulationOf(tone, written[at - 1], strength, options, machine);
    notes.push({
      beat: begin,
      beats: Math.max(0.04, end - begin),
      pitch: blue(tone.pitch, tone.beat, options),
      velocity: Math.min(1, Math.max(0.2, velocity)),
      shift: Math.max(-0.04, Math.min(0.06, shift)) * (beat_seconds < 0.3 ? 0.7 : 1),
      ...(articulation === undefined ? {} : { articulation }),
    });
  }
  return notes;
}

/** Swing bends quavers and semiquavers; what is triplets already stays. */
function bent(beat: number, swing: number): number {
  const part = beat * 4;
  return Math.abs(part - Math.round(part)) < 0.2 || swing === 0.5 ? swung(beat, swing) : beat;
}

interface Written extends Tone {
  readonly grace?: boolean;
}

/** Chromatic steps into a strong chord tone, from below or above: what an improviser puts in place of a scale note. */
function approached(tones: readonly Tone[], { idiom, brief, next }: TouchOptions): Tone[] {
  if (idiom.ornament !== "chromatic") return [...tones];
  return tones.map((tone, at) => {
    const target = tones[at + 1];
    const before = tones[at - 1];
    if (target === undefined || before === undefined || tone.beats > 0.5) return tone;
    if (
      strengthOf(tone.beat, brief.metre.beats_per_bar) > 0 ||
      strengthOf(target.beat, brief.metre.beats_per_bar) === 0
    )
      return tone;
    const step = tone.pitch - target.pitch;
    if (Math.abs(step) !== 2 || next() > 0.4) return tone;
    return { ...tone, pitch: target.pitch + step / 2 };
  });
}

function ornamented(tones: readonly Tone[], options: TouchOptions): Written[] {
  const { idiom, brief, section, beat_seconds, next } = options;
  if (idiom.ornament === "none" || idiom.ornament === "chromatic") return [...tones];
  const { all } = scaleOf(brief.key, idiom.scale);
  const [low, high] = options.seat.range;
  const short = GRACE / beat_seconds;
  const result: Written[] = [];
  for (const tone of tones) {
    const strong = strengthOf(tone.beat, brief.metre.beats_per_bar) > 0;
    const draw = next();
    const above = neighbour(tone.pitch, all, 1);
    const below = neighbour(tone.pitch, all, -1);
    const before = result.at(-1);
    if (
      idiom.ornament === "grace" &&
      strong &&
      draw < 0.22 &&
      tone.beat - short >= Math.max(section.beat, 0) &&
      above <= high
    ) {
      const grace = draw < 0.14 ? above : Math.max(low, below);
      if (before !== undefined && before.beat + before.beats > tone.beat - short) {
        if (tone.beat - short - before.beat < 0.1) {
          result.push(tone);
          continue;
        }
        result[result.length - 1] = { ...before, beats: tone.beat - short - before.beat };
      }
      result.push({ beat: tone.beat - short, beats: short, pitch: grace, cadence: null, grace: true }, tone);
    } else if (
      (idiom.ornament === "turn" || idiom.ornament === "trill") &&
      tone.beats >= 0.75 &&
      strong &&
      draw < 0.24 &&
      above <= high
    ) {
      // A mordent: the note, its neighbour, the note again.
      const piece = Math.min(0.25, Math.max(0.1, 0.09 / beat_seconds));
      const other = draw < 0.15 || below < low ? above : below;
      result.push(
        { ...tone, beats: piece, cadence: null },
        { beat: tone.beat + piece, beats: piece, pitch: other, cadence: null, grace: true },
        { ...tone, beat: tone.beat + 2 * piece, beats: tone.beats - 2 * piece },
      );
    } else result.push(tone);
  }
  return result;
}

export function neighbour(pitch: number, scale: ReadonlySet<number>, direction: 1 | -1): number {
  for (let step = 1; step <= 3; step++)
    if (scale.has(pitchClass(pitch + direction * step))) return pitch + direction * step;
  return pitch + 2 * direction;
}

/** The blue third over a major chord lies between minor and major. */
function blue(pitch: number, beat: number, { idiom, brief, chords }: TouchOptions): number {
  if (idiom.scale !== "blue_notes" || pitchClass(pitch - brief.key.tonic) !== 3) return pitch;
  const chord = chordAt(chords, beat);
  return chord.tones.includes(pitchClass(pitch + 1)) ? pitch + 0.35 : pitch;
}

function articulationOf(
  tone: Written,
  before: Written | undefined,
  strength: number,
  { idiom, section, next }: TouchOptions,
  machine: boolean,
): Articulation | undefined {
  const draw = next();
  if (tone.grace) return undefined;
  const joined = before !== undefined && tone.beat - before.beat - before.beats < 0.05;
  const step = before === undefined ? 99 : Math.abs(tone.pitch - before.pitch);
  if (idiom.ornament === "bend" && tone.beats >= 0.75 && draw < 0.3) return "slide";
  if (!machine && joined && step > 0 && step <= 4 && idiom.sounding >= 0.9 && draw < 0.6) return "legato";
  if (idiom.sounding < 0.8 && tone.beats <= 0.5 && draw < 0.5) return "staccato";
  if (strength === 2 && section.energy > 0.8 && draw < 0.3) return "accent";
  return undefined;
}
