/** Polyphonic instruments: each note is made once for its pitch, force and turn as if its key were held, and damped where it is let go. */
import { Shelf } from "../../../shelf.ts";
import { sine } from "../../../signal/dsp/exact.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import { release as giveBack } from "../../../signal/dsp/release.ts";
import { type Performance, type PlayedNote, RATE, type Stem } from "../performance.ts";
import { fading } from "./kit/voice.ts";
import { FADE, levelOf, type Sound } from "./patch.ts";

export interface Struck {
  /** A note as if its key were held: `seconds` long at most. `force` is a velocity, 0 to 1; level is that of 0.8. */
  readonly render: (pitch: number, force: number, frames: number, next: () => number) => Sound;
  /** Frames after which nothing is left of a note of this pitch. */
  readonly frames: (pitch: number) => number;
  /** Seconds in which a released note falls by 60 dB. */
  readonly release: (pitch: number) => number;
  readonly forces: number;
  readonly turns: number;
  readonly gain: number;
  readonly stereo: boolean;
  /** A slow tremolo between the channels: cycles a second and depth, 0 to 1. */
  readonly tremolo?: readonly [hertz: number, depth: number];
}

/** Bytes in memory of what is kept for notes to come. */
const KEPT_MAX = 2 ** 24;

export function* playStruck(kind: Struck, { events, frames, seed, ring }: Performance): Generator<undefined, Stem> {
  const left = new Float32Array(frames);
  const right = kind.stereo ? new Float32Array(frames) : undefined;
  const names = events.map((event) => nameOf(kind, event.pitch, event.velocity, event.turn));
  // The longest of the notes that share a sound decides how much of it is made.
  const needs = new Map<string, { frames: number; times: number }>();
  const ends = events.map((event, index) => {
    const held = Math.max(1, Math.round(event.articulation === "staccato" ? event.frames * 0.6 : event.frames));
    const release = kind.release(event.pitch) * (event.articulation === "mute" ? 0.4 : 1);
    const length = Math.min(
      kind.frames(event.pitch),
      held + Math.ceil(release * 1.2 * RATE) + FADE,
      frames - Math.round(event.frame),
    );
    const need = needs.get(names[index]!) ?? { frames: 0, times: 0 };
    needs.set(names[index]!, need);
    need.frames = Math.max(need.frames, length);
    if (isHeard(event, length)) need.times++;
    return { held: event.articulation === "mute" ? Math.min(held, 900) : held, length, release };
  });
  const made = new Shelf(KEPT_MAX);
  for (const [index, event] of events.entries()) {
    const { held, length, release } = ends[index]!;
    if (!isHeard(event, length)) continue;
    const name = names[index]!;
    const need = needs.get(name)!;
    const known = made.get(name);
    const force = (forceOf(kind, event.velocity) + 0.6) / kind.forces;
    const sound = known ?? kind.render(event.pitch, force, need.frames, random(hash32(seed, hashOf(name))));
    const gain = kind.gain * levelOf(Math.min(1, event.velocity)) * (event.articulation === "accent" ? 1.15 : 1);
    const frame = Math.max(0, Math.round(event.frame));
    damp(left, sound[0]!, frame, held, length, release, gain);
    if (right !== undefined) damp(right, sound[1] ?? sound[0]!, frame, held, length, release, gain);
    if (--need.times === 0) {
      made.drop(name);
      giveBack(...sound);
    } else if (known === undefined) made.put(name, sound);
    yield undefined;
  }
  made.close();
  if (right === undefined) return [left];
  if (kind.tremolo !== undefined) sway(left, right, kind.tremolo, ring);
  return [left, right];
}

const isHeard = ({ velocity }: PlayedNote, length: number): boolean => length > 0 && velocity > 0;

function forceOf(kind: Struck, velocity: number): number {
  return Math.min(kind.forces - 1, Math.floor(Math.min(1, velocity) * kind.forces));
}

function nameOf(kind: Struck, pitch: number, velocity: number, turn: number): string {
  return `${Math.round(pitch * 100)} ${forceOf(kind, velocity)} ${Math.abs(Math.floor(turn)) % kind.turns}`;
}

function hashOf(name: string): number {
  let hash = 7;
  for (let n = 0; n < name.length; n++) hash = (Math.imul(hash, 31) + name.charCodeAt(n)) | 0;
  return hash;
}

/** Adds a sound, held for a while and then damped. */
function damp(
  out: Float32Array,
  sound: Float32Array,
  frame: number,
  held: number,
  length: number,
  release: number,
  gain: number,
): void {
  // Rounded numbers are still doubles to the engine, and indices made of them slow.
  const at = frame | 0;
  const count = Math.min(length, sound.length, out.length - frame) | 0;
  const off = Math.min(count, held) | 0;
  for (let n = 0; n < off; n++) out[at + n] = out[at + n]! + gain * sound[n]!;
  const down = fading(release);
  const last = count - FADE;
  let level = gain;
  for (let n = off; n < count; n++) {
    const value = n < last ? level : (level * (count - n)) / FADE;
    out[at + n] = out[at + n]! + value * sound[n]!;
    level *= down;
  }
}

/** Moves the sound gently from side to side, in whole cycles of a ring. */
function sway(left: Float32Array, right: Float32Array, tremolo: readonly [number, number], ring: number): void {
  const [hertz, depth] = tremolo;
  const step = ring > 0 ? Math.max(1, Math.round((hertz * ring) / RATE)) / ring : hertz / RATE;
  const size = 64;
  for (let at = 0; at < left.length; at += size) {
    const from = depth * sine(step * at);
    const slope = (depth * sine(step * (at + size)) - from) / size;
    const end = Math.min(left.length, at + size);
    let value = from;
    for (let n = at; n < end; n++) {
      left[n] = left[n]! * (1 + value);
      right[n] = right[n]! * (1 - value);
      value += slope;
    }
  }
}
