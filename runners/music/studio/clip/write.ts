/** Clips that are no music of bars and sections, as scores. */

import type { ChordSaid } from "../../../language/mod.ts";
import { DRUM_KEYS } from "../../../packs/mod.ts";
import { random } from "../../../signal/dsp/random.ts";
import {
  type Brief,
  beatsIn,
  calledOn,
  type Instrument,
  instrumentOf,
  type Note,
  noteName,
  type Part,
  type Role,
  type Score,
} from "../../compose/mod.ts";
import { type Hand, voiced } from "./chord.ts";
import type { Clip, Hold } from "./clip.ts";

export interface Room {
  readonly seconds: number;
  /** What sounds past the end sounds at the beginning. */
  readonly ring: boolean;
  readonly seed: number;
  /** It is played that much faster afterwards; absent: as it is. */
  readonly faster?: number;
}

/** What the composer knows of instruments: MIDI numbers, inclusive, in which one plays a role, and in which it sounds well. */
export interface Ranges {
  rangeFor(instrument: Instrument, role: Role): readonly [low: number, high: number];
  factsOf(instrument: Instrument): { readonly low: number; readonly high: number };
}

/** A clip of whole bars is the composer's; this writes all others. */
export function written(clip: Exclude<Clip, { kind: "drums" }>, brief: Brief, room: Room, ranges: Ranges): Score {
  const { seconds } = room;
  switch (clip.kind) {
    case "stroke":
      return score(brief, room, [drumPart(clip.kit, strokes(clip.key, clip.times ?? 1, room))]);
    case "roll":
      return score(brief, room, [rollPart(clip.kit, clip.key, seconds)]);
    case "fill":
      return fill(clip, brief, room);
    case "note": {
      const { instrument, tonic, octaves, hold } = clip;
      const [first] = instrumentOf(instrument).roles;
      const role: Role = first === "bass" || first === "percussion" ? first : "lead";
      const pitch =
        clip.pitch === undefined
          ? placed(tonic, octaves, ranges.rangeFor(instrument, role))
          : playable(clip.pitch, ranges.factsOf(instrument));
      const lasts = lasting(hold, seconds, instrument);
      const notes = clip.repeated === undefined ? [strike(0, lasts, pitch, 0.85)] : again(clip.repeated, pitch, lasts);
      const part: Part = { name: role, role, instrument, notes, pan: 0, level_db: 0 };
      const noted = score(brief, room, [part], { root: pitch % 12, pitches: [pitch], symbol: "single note" });
      return clip.swelled ? swelled(noted, lasts) : noted;
    }
    case "chord": {
      const { instrument, root, said, hold } = clip;
      const pitches = voiced(root, said.intervals, handOf(instrument, hold), chordRange(instrument, ranges));
      const ordered = clip.strum === "upstroke" ? pitches.toReversed() : pitches;
      const apart = clip.strum === undefined ? 0 : STRUM_SECONDS;
      const lasts = lasting(hold, seconds, instrument);
      const notes = ordered.map((pitch, n) => ({ ...strike(0, lasts, pitch, 0.85), shift: n * apart }));
      const part: Part = { name: "chords", role: "chords", instrument, notes, pan: 0, level_db: 0 };
      const chord = score(brief, room, [part], { root, pitches, symbol: symbolOf(root, said) });
      return clip.swelled ? swelled(chord, lasts) : chord;
    }
    case "tutti": {
      const { root, said } = clip;
      const third = said.intervals[1] ?? 7;
      const chord = (low: number, ups: readonly number[]): readonly number[] =>
        ups.map((up) => low + ((root - low + 120) % 12) + up);
      const short = (instrument: Instrument, role: Role, pitches: readonly number[], level_db: number): Part => ({
        ...{ name: `${role} ${instrument}`, role, instrument, pan: 0, level_db },
        notes: pitches.map((pitch) => ({ ...strike(0, 0.4, pitch, 0.97), articulation: "accent" as const })),
      });
      return score(
        brief,
        room,
        [
          short(calledOn("string_section")[0]!, "pad", chord(36, [0, 12, 19, 24, 24 + third, 36]), 0),
          short(calledOn("tutti_brass")[0]!, "chords", chord(48, [0, 7, 12, 12 + third]), 0),
          short(calledOn("tutti_drums")[0]!, "percussion", chord(38, [0]), 2),
          {
            ...drumPart(calledOn("orchestra_drums")[0]!, [
              strike(0, seconds, kick, 0.95),
              strike(0, seconds, crash, 0.6),
            ]),
            name: "percussion",
            role: "percussion",
          },
        ],
        { root, pitches: chord(48, [0, third, 7]), symbol: symbolOf(root, said) },
      );
    }
    case "gesture": {
      const { instrument } = clip;
      // What rises arrives just before the end, so that the arrival is heard.
      const { gesture } = instrumentOf(instrument);
      const rises = gesture === "rise" || gesture === "swell";
      const beats = rises ? 0.97 * seconds : seconds;
      const part: Part = {
        ...{ name: "transition", role: "transition", instrument, pan: 0, level_db: 0 },
        notes: [strike(0, beats, 48 + brief.key.tonic, 0.85)],
      };
      return score(brief, room, [part]);
    }
  }
}

const { kick, snare, crash, closed_hat, high_tom, high_mid_tom, low_mid_tom, low_tom, high_floor_tom, floor_tom } =
  DRUM_KEYS;

/** As far apart as a hand does it, unless the clip is too short for that. */
const STROKES_SECONDS = 0.5;

function strokes(key: number, times: number, { seconds, faster = 1 }: Room): Note[] {
  const apart = Math.min(faster * STROKES_SECONDS, (0.9 * seconds) / times);
  return Array.from({ length: times }, (_, n) =>
    strike(n * apart, n === times - 1 ? 0.9 * seconds - n * apart : apart, key, 0.9),
  );
}

/** Strokes a second of what is repeated, and semitones from the one to the other. */
const AGAIN = { trill: { rate: 9, up: 2 }, tremolo: { rate: 12, up: 0 } } as const;

type Repeated = NonNullable<Extract<Clip, { kind: "note" }>["repeated"]>;

function again(how: Repeated, pitch: number, seconds: number): Note[] {
  if (how === "glissando up" || how === "glissando down") return glissando(how, pitch, seconds);
  const { rate, up } = AGAIN[how];
  return Array.from({ length: Math.max(1, Math.round(seconds * rate)) }, (_, n) =>
    strike(n / rate, 1 / rate, pitch + (n % 2) * up, n === 0 ? 0.85 : 0.7),
  );
}

/** Steps of an octave, as white keys have them. */
const STEPS = [0, 2, 4, 5, 7, 9, 11, 12];
/** Seconds that a glissando takes at most; its last note is held. */
const GLISSANDO_SECONDS = 0.9;

function glissando(how: "glissando up" | "glissando down", pitch: number, seconds: number): Note[] {
  const steps = how === "glissando up" ? STEPS : STEPS.toReversed();
  const apart = Math.min(GLISSANDO_SECONDS, 0.6 * seconds) / steps.length;
  return steps.map((up, n) => strike(n * apart, n === steps.length - 1 ? seconds - n * apart : apart, pitch + up, 0.8));
}

/** A hi-hat is rolled in semiquavers and bursts, as trap does it; all else by both hands, growing. */
function rollPart(kit: Instrument, key: number, seconds: number): Part {
  // What is struck at the end says that the roll is over.
  const last = Math.max(0.2, 0.85 * seconds);
  if (key === closed_hat) return drumPart(kit, bursts(last));
  const roll: Note = { ...strike(0, last, key, 0.8), articulation: "roll" };
  const notes = [roll, { ...strike(last, Math.max(0.1, seconds - last), key, 0.95), articulation: "accent" as const }];
  return instrumentOf(kit).drumming?.tuned === true
    ? { name: "percussion", role: "percussion", instrument: kit, notes, pan: 0, level_db: 0 }
    : drumPart(kit, notes);
}

/** Strokes a second of a hi-hat's roll, one group after another: semiquavers, demisemiquavers and triplets at about 140 beats a minute. */
const BURSTS = [9.33, 18.67, 9.33, 14, 9.33, 28, 18.67, 14];

function bursts(seconds: number): Note[] {
  const notes: Note[] = [];
  const group = 60 / 140;
  for (let at = 0, n = 0; at < seconds - 1e-6; at += group, n++) {
    const rate = BURSTS[n % BURSTS.length]!;
    const count = Math.round(group * rate);
    for (let k = 0; k < count && at + k / rate < seconds; k++)
      notes.push(strike(at + k / rate, 1 / rate, closed_hat, (k === 0 ? 0.85 : 0.5) + (0.25 * k) / count));
  }
  return notes;
}

/** What a beat of a fill may be, in places of the beat. */
const CELLS: readonly (readonly number[])[] = [
  [0, 0.25, 0.5, 0.75],
  [0, 0.25, 0.5, 0.75],
  [0, 0.5, 0.75],
  [0, 0.25, 0.5],
  [0, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6],
];

/** Down the drums, beat by beat, to a crash on the bar that follows; of toms alone, to the lowest. */
function fill(
  { kit, toms, rising, snare: rolled, crash: crashes }: Extract<Clip, { kind: "fill" }>,
  brief: Brief,
  room: Room,
): Score {
  const bpm = Math.max(brief.bpm, 150 / room.seconds);
  const beats = beatsIn(bpm, room.seconds);
  const length = Math.max(1, Math.min(16, Math.floor(beats - Math.min(1, 0.3 * beats))));
  const next = random(room.seed);
  const down = [high_tom, high_mid_tom, low_mid_tom, low_tom, high_floor_tom, floor_tom];
  const falling = rolled
    ? [snare, snare, snare, ...down]
    : toms
      ? down
      : [snare, high_tom, low_mid_tom, high_floor_tom, floor_tom];
  const path = rising ? falling.toReversed() : falling;
  // A roll that leads to toms does so once.
  const way = rolled ? length : Math.min(4, length);
  const notes: Note[] = [];
  for (let beat = 0; beat < length; beat++) {
    const cell = CELLS[Math.floor(next() * CELLS.length)]!;
    for (const [n, place] of cell.entries()) {
      const along = (((beat % way) + place) / way) * path.length;
      const key = path[Math.min(path.length - 1, Math.floor(along))]!;
      notes.push(strike(beat + place, 0.25, key, (n === 0 ? 0.85 : 0.62) + 0.12 * next()));
      if (!toms && n === 0) notes.push(strike(beat, 0.25, kick, 0.6));
    }
  }
  const rest = beats - length;
  if (toms && !crashes) notes.push(strike(length, rest, floor_tom, 0.95));
  else notes.push(strike(length, rest, kick, 0.9), strike(length, rest, crash, 0.9));
  return { ...score(brief, room, [drumPart(kit, notes)]), bpm, beats, ...inBeats(beats) };
}

function inBeats(beats: number): Pick<Score, "sections" | "chords"> {
  return { sections: [{ kind: "loop", label: "A", beat: 0, beats, energy: 1 }], chords: [] };
}

export function strike(beat: number, beats: number, pitch: number, velocity: number): Note {
  return { beat, beats, pitch, velocity, shift: 0 };
}

export function drumPart(instrument: Instrument, notes: readonly Note[]): Part {
  return { name: "drums", role: "drums", instrument, notes, pan: 0, level_db: 0 };
}

/** From one string to the next. */
const STRUM_SECONDS = 0.014;

/** From nothing, all the time that the player holds it. */
function swelled(score: Score, beats: number): Score {
  return { ...score, moves: [{ kind: "fade_in", beat: 0, beats, amount: 1, parts: [] }] };
}

/** Seconds that a finger stays down. */
function lasting(hold: Hold, seconds: number, instrument: Instrument): number {
  if (hold === "short") return Math.min(0.28, 0.6 * seconds);
  // What is blown, bowed or sung is ended by its player; what was struck or plucked, and a bass, rings as long as the clip.
  return instrumentOf(instrument).tone === "held" ? Math.max(0.25, 0.75 * seconds) : seconds;
}

/** The tonic in the lower half of the range, an octave up or down where that was asked for and is there. */
function placed(tonic: number, octaves: number, [low, high]: readonly [number, number]): number {
  const from = low + Math.round((high - low) / 4);
  let pitch = from + ((tonic - from + 120) % 12);
  if (pitch > high) pitch -= 12;
  const moved = pitch + 12 * octaves;
  return moved >= low && moved <= high ? moved : pitch;
}

/** A fourth beyond what sounds well is played as written; what nobody could play, in the nearest octave that can be. */
function playable(pitch: number, { low, high }: { readonly low: number; readonly high: number }): number {
  let at = pitch;
  while (at < low - BEYOND) at += 12;
  while (at > high + BEYOND) at -= 12;
  return at;
}

/** Semitones. */
const BEYOND = 5;

function handOf(instrument: Instrument, hold: Hold): Hand {
  const { single_chord = "keys", short_chord = "close" } = instrumentOf(instrument);
  return hold === "short" ? short_chord : single_chord;
}

/** Chords spread wider than a comping hand does. */
function chordRange(instrument: Instrument, ranges: Ranges): readonly [number, number] {
  const [low, high] = ranges.rangeFor(instrument, "chords");
  return instrumentOf(instrument).family === "guitar" ? [40, high + 12] : [low - 12, high + 12];
}

/** "Bbm7". */
function symbolOf(root: number, { intervals, suffix }: ChordSaid): string {
  return `${noteName(root, intervals[1] === 3)}${suffix}`;
}

interface Sounding {
  readonly root: number;
  readonly pitches: readonly number[];
  readonly symbol: string;
}

/** One beat a second. */
function score(brief: Brief, { seconds, ring }: Room, parts: readonly Part[], sounding?: Sounding): Score {
  const { genre, space, brightness, drive, age, key, metre } = brief;
  const chords =
    sounding === undefined
      ? []
      : [
          {
            ...{
              beat: 0,
              beats: seconds,
              root: sounding.root,
              bass: sounding.pitches[0]! % 12,
              symbol: sounding.symbol,
            },
            tones: [...new Set(sounding.pitches.map((pitch) => pitch % 12))],
          },
        ];
  return {
    ...{ bpm: 60, metre, key, beats: seconds, lead_in: 0, ring, swing: 0.5, parts, moves: [], chords },
    sections: [{ kind: "loop", label: "A", beat: 0, beats: seconds, energy: 1 }],
    mix: { genre, space: 0.5 * space, brightness, drive, density: 0.3, pump: 0, width: 0.4, age },
  };
}
