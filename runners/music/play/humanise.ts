/** From what is written to what a person plays: frames instead of beats, and nobody is exact. */

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

/** Machines keep time; what a person strikes is nearer to the beat than what is bowed or blown (studies of ensembles find 5 to 20 ms). */
const MANNERS = {
  machine: { late: 0, velocity: 0.015, cents: 0 },
  kit: { late: 0.0025, velocity: 0.05, cents: 0 },
  struck: { late: 0.004, velocity: 0.05, cents: 0 },
  plucked: { late: 0.004, velocity: 0.05, cents: 1.5 },
  held: { late: 0.006, velocity: 0.03, cents: 1.5 },
  blown: { late: 0.006, velocity: 0.04, cents: 3 },
} as const satisfies Record<string, Manner>;

/** Seconds between the strings of a strummed chord, and between the notes of a rolled one. */
const STRUM = 0.009;
const ROLL = 0.04;

export interface Stage {
  /** To be rendered, tail and all. */
  readonly frames: number;
  /** Frames of the loop; 0 for none. */
  readonly ring: number;
  readonly seed: number;
  /** Whether a machine plays. */
  readonly machine: boolean;
}

export function humanise(part: Part, score: Score, { frames, ring, seed, machine }: Stage): Performance {
  const patch = patchOf(part.instrument);
  const kind = patch?.action ?? "struck";
  const manner: Manner = MANNERS[machine ? "machine" : kind];
  const clock = clockOf(score);
  const timing = random(hash32(seed, 1));
  const touch = random(hash32(seed, 2));
  const tuning = random(hash32(seed, 3));
  const spread =
    machine || patch === undefined ? undefined : spreads(part.notes, kind === "plucked" && patch.reach[1] > 70);
  const turns = new Map<number, number>();
  const events: PlayedNote[] = [];
  let drift = 0;
  for (const [index, note] of part.notes.entries()) {
    if (!Number.isFinite(note.beat) || !Number.isFinite(note.beats) || !Number.isFinite(note.pitch)) continue;
    // Somebody who is late stays a little late for the next notes too.
    drift = 0.6 * drift + 0.8 * normal(timing);
    const late = (Number.isFinite(note.shift) ? note.shift : 0) + manner.late * drift + (spread?.[index] ?? 0);
    const begins = clock.seconds(note.beat);
    let frame = Math.round((begins + late) * RATE);
    if (ring > 0) frame -= ring * Math.floor(frame / ring);
    else frame = Math.max(0, frame);
    const velocity = (Number.isFinite(note.velocity) ? note.velocity : 0.8) * (1 + manner.velocity * normal(touch));
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
