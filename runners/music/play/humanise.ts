/** From what is written to what a person plays: frames instead of beats, and nobody is exact. */

import { musicOf } from "../../packs/mod.ts";
import { pink } from "../../signal/dsp/pink.ts";
import { hash32, random } from "../../signal/dsp/random.ts";
import { clockOf, type Note, type Part, type Score } from "../compose/mod.ts";
import { patchOf } from "./patches.ts";
import { type Performance, type PlayedNote, RATE } from "./performance.ts";

/** Standard deviations: seconds, share of the velocity, cents. */
interface Manner {
  readonly late: number;
  readonly velocity: number;
  readonly cents: number;
}

/** Machines keep time; what a person strikes is nearer to the beat than what is bowed or blown. The figures are ours. */
const MANNERS = {
  machine: { late: 0, velocity: 0.015, cents: 0 },
  kit: { late: 0.0045, velocity: 0.07, cents: 0 },
  struck: { late: 0.006, velocity: 0.07, cents: 0 },
  plucked: { late: 0.006, velocity: 0.07, cents: 1.5 },
  held: { late: 0.0075, velocity: 0.05, cents: 1.5 },
  blown: { late: 0.0075, velocity: 0.06, cents: 3 },
} as const satisfies Record<string, Manner>;

/**
 * What a player's time and force stray by is correlated over the whole piece, with a spectrum near 1/f: Hennig et al.
 * (2011), "The nature and perception of fluctuations in human musical rhythms", PLoS ONE 6(10), whose listeners liked
 * it better than white noise; Räsänen et al. (2015), "Fluctuations of hi-hat timing and dynamics in a virtuoso drum
 * track of a popular music recording", PLoS ONE 10(6), found it in force as well. On top lies what the hand adds to
 * each stroke, which is white: Gilden, Thornton and Mallon (1995), "1/f noise in human cognition", Science 267. Shares
 * of the deviation; their squares sum up to 1.
 */
const [CLOCK, HAND] = [0.8, 0.6];
/** Players who hear each other stray together (Hennig, 2014, "Synchronization in human musical rhythms", PNAS 111(36)). Seconds; ours. */
const TOGETHER = 0.004;
/** Beats within which strokes are one movement of the hand. */
const MOVEMENT = 0.07;

/** Seconds between the strings of a strummed chord, and between the notes of a rolled one. */
const STRUM = 0.009;
const ROLL = 0.04;

export interface Stage {
  /** To be rendered, tail and all. */
  readonly frames: number;
  /** Frames of the loop; 0 for none. */
  readonly ring: number;
  readonly seed: number;
  /** Of what all players of a piece share. */
  readonly ensemble: number;
  /** Whether a machine plays. */
  readonly machine: boolean;
}

export function humanise(part: Part, score: Score, { frames, ring, seed, ensemble, machine }: Stage): Performance {
  const patch = patchOf(part.instrument);
  const kind = patch?.action ?? "struck";
  const manner: Manner = MANNERS[machine ? "machine" : kind];
  const clock = clockOf(score);
  const touch = hash32(seed, 2);
  const { sequenced } = musicOf(score.mix.genre).styles;
  // Who plays to a machine has the time from there, and is put nearer to it afterwards.
  const strays = strayed(part.notes, {
    ...{ own: hash32(seed, 1), own_s: sequenced ? manner.late / 2 : manner.late },
    ...{ shared: ensemble, shared_s: machine || sequenced ? 0 : TOGETHER },
  });
  const tuning = random(hash32(seed, 3));
  const spread =
    machine || patch === undefined ? undefined : spreads(part.notes, kind === "plucked" && patch.reach[1] > 70);
  const turns = new Map<number, number>();
  const events: PlayedNote[] = [];
  for (const [index, note] of part.notes.entries()) {
    if (!Number.isFinite(note.beat) || !Number.isFinite(note.beats) || !Number.isFinite(note.pitch)) continue;
    const late = (Number.isFinite(note.shift) ? note.shift : 0) + strays[index]! + (spread?.[index] ?? 0);
    const begins = clock.seconds(note.beat);
    let frame = Math.round((begins + late) * RATE);
    if (ring > 0) frame -= ring * Math.floor(frame / ring);
    else frame = Math.max(0, frame);
    const own = hash32(touch, Math.round(note.pitch));
    // Hands and feet of a drummer press each in their own way; the hand of a pianist as a whole, and each finger a little.
    const force = CLOCK * pink(kind === "kit" ? own : touch, note.beat) + HAND * white(own, note.beat);
    const velocity = (Number.isFinite(note.velocity) ? note.velocity : 0.8) * (1 + manner.velocity * force);
    const cents = manner.cents * normal(tuning);
    if (frame >= frames) continue;
    const turn = turns.get(note.pitch) ?? 0;
    turns.set(note.pitch, turn + 1);
    events.push({
      frame,
      frames: Math.max(1, Math.round((clock.seconds(note.beat + note.beats) - begins) * RATE)),
      pitch: Math.min(127, Math.max(0, note.pitch + cents / 100)),
      velocity: Math.min(1, Math.max(0.01, velocity)),
      turn,
      ...(note.articulation === undefined ? {} : { articulation: note.articulation }),
    });
  }
  events.sort((a, b) => a.frame - b.frame);
  return { instrument: part.instrument, events, frames, ring, bpm: score.bpm, seed };
}

interface Straying {
  readonly own: number;
  readonly own_s: number;
  readonly shared: number;
  readonly shared_s: number;
}

/**
 * Seconds by which each note is off; none in the mean, for how late a player is as a rule is the groove's, and a note
 * alone begins at once.
 */
function strayed(notes: readonly Note[], { own, own_s, shared, shared_s }: Straying): Float64Array {
  const out = new Float64Array(notes.length);
  if (own_s === 0 && shared_s === 0) return out;
  let moved = Number.NEGATIVE_INFINITY;
  let mean = 0;
  for (const [n, { beat }] of notes.entries()) {
    if (!Number.isFinite(beat)) continue;
    if (n === 0 || beat - moved > MOVEMENT) {
      moved = beat;
      out[n] = own_s * (CLOCK * pink(own, beat) + HAND * white(own, beat));
      if (shared_s > 0) out[n]! += shared_s * pink(shared, beat);
    } else out[n] = out[n - 1]!;
    mean += out[n]! / notes.length;
  }
  return out.map((value) => value - mean);
}

/** White noise of deviation 1 by place. */
function white(seed: number, beat: number): number {
  return normal(random(hash32(seed, Math.round(beat * 960))));
}

/** Sum of four uniforms: mean 0, deviation 1, never beyond 3.5. */
function normal(next: () => number): number {
  return (next() + next() + next() + next() - 2) * 1.7320508075688772;
}

/** Seconds that each note of a chord comes late because the hand passes over the strings, or because it is rolled. */
function spreads(notes: readonly Note[], strummed: boolean): Float64Array {
  const out = new Float64Array(notes.length);
  for (let first = 0, end = 0; first < notes.length; first = end) {
    end = first + 1;
    while (end < notes.length && Math.abs(notes[end]!.beat - notes[first]!.beat) < 1e-3) end++;
    const chord = Array.from({ length: end - first }, (_, n) => first + n);
    const rolled = notes[first]!.articulation === "roll" && chord.length > 1;
    const shifted = chord.some((n) => Math.abs(notes[n]!.shift - notes[first]!.shift) > 5e-4);
    if ((!rolled && (!strummed || chord.length < 3)) || shifted) continue;
    const step = rolled ? ROLL : STRUM;
    // Down on the beat, up between beats.
    const place = notes[first]!.beat - Math.floor(notes[first]!.beat + 1e-3);
    const up = !rolled && place > 0.2;
    chord.sort((a, b) => (up ? notes[b]!.pitch - notes[a]!.pitch : notes[a]!.pitch - notes[b]!.pitch));
    for (const [rank, n] of chord.entries()) out[n] = (rank - 0.25 * (chord.length - 1)) * (up ? 0.7 : 1) * step;
  }
  return out;
}
