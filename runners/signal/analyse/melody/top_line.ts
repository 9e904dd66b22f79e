/** The tune of a mix: the note that stands out at each step of a grid, or none. */
import type { Audio, Job, Streamed } from "../../../../contract/mod.ts";
import { breathe } from "../../../breathe.ts";
import { fold } from "../front.ts";
import { LOWEST_NOTE, notesOf } from "../harmony/notes.ts";
import { hearPitch, type Pitch } from "../harmony/pitch.ts";
import { follow } from "./follow.ts";

/** Frames of 93 ms, every 12 ms: short enough for quavers, long enough to tell chord tones apart from C4 on. */
const FRAMING = { size: 2048, hop: 256 } as const;
/** An attack raises a note's partials by this ratio over what was there before. */
const ATTACK = 2.5;

export interface TopLineInput {
  readonly audio: Audio | Streamed;
  /** Seconds, ascending: step i is edges[i] to edges[i + 1]. */
  readonly edges: readonly number[];
}

export interface TopNote {
  /** Index of the first step, and number of steps. */
  readonly step: number;
  readonly steps: number;
  /** MIDI number. */
  readonly pitch: number;
  /** 0 to 1: how clearly it stands out, and how little else it could be. */
  readonly confidence: number;
}

/**
 * Notes in order, one voice. Activations of all notes come from the harmony's decomposition (`notesOf`), on a finer
 * grid; a path through them is found by dynamic programming, as predominant-melody trackers do (Salamon & Gómez, IEEE
 * TASLP 2012, survey the family), and cut into notes where a partial's attack shows.
 *
 * @throws the signal's reason on abort
 */
export async function topLine({ audio, edges }: TopLineInput, job: Job): Promise<readonly TopNote[]> {
  const steps = edges.length - 1;
  if (steps < 1) return [];
  job.progress(0, "following the tune");
  const mono = await fold(audio, job.signal);
  const pitch = await hearPitch(mono, job.signal, FRAMING);
  job.progress(0.7, "following the tune");
  const activations = notesOf(pitch, edges);
  await breathe(job.signal);
  const { path, sureness } = follow(activations, levelsOf(pitch, edges));
  const attacks = attacksOf(pitch, edges, path);
  const notes: TopNote[] = [];
  for (let step = 0; step < steps; ) {
    const note = path[step]!;
    let end = step + 1;
    while (end < steps && path[end] === note && attacks[end] === 0) end++;
    if (note >= 0) {
      let sum = 0;
      for (let k = step; k < end; k++) sum += sureness[k]!;
      notes.push({ step, steps: end - step, pitch: note + LOWEST_NOTE, confidence: sum / (end - step) });
    }
    step = end;
  }
  job.progress(1, "following the tune");
  return notes;
}

/** Amplitude of what sounds in each step, against the loudest: 0 to 1. */
function levelsOf({ first, semitones, amplitudes, hop_seconds }: Pitch, edges: readonly number[]): Float64Array {
  const levels = new Float64Array(edges.length - 1);
  const last = first.length - 2;
  let peak = 0;
  for (let step = 0; step < levels.length; step++) {
    const from = Math.max(0, Math.ceil(edges[step]! / hop_seconds));
    const to = Math.min(last, Math.max(from, Math.ceil(edges[step + 1]! / hop_seconds) - 1));
    for (let frame = from; frame <= to; frame++) {
      let power = 0;
      for (let n = first[frame]!; n < first[frame + 1]!; n++)
        if (semitones[n]! > 50) power += amplitudes[n]! * amplitudes[n]!;
      levels[step] = Math.max(levels[step]!, Math.sqrt(power));
    }
    peak = Math.max(peak, levels[step]!);
  }
  for (let step = 0; step < levels.length; step++) levels[step]! /= peak || 1;
  return levels;
}

/** For each step 1 where the note of the path is struck anew at its beginning. */
function attacksOf(pitch: Pitch, edges: readonly number[], path: Int16Array): Uint8Array {
  const attacks = new Uint8Array(path.length);
  const { hop_seconds } = pitch;
  for (let step = 1; step < path.length; step++) {
    if (path[step]! < 0 || path[step] !== path[step - 1]) continue;
    const note = path[step]! + LOWEST_NOTE;
    const at = Math.round(edges[step]! / hop_seconds);
    const reach = Math.max(2, Math.round((edges[step + 1]! - edges[step]!) / hop_seconds / 2));
    let before = 0;
    let after = 0;
    for (let k = 1; k <= reach; k++)
      before = before === 0 ? strength(pitch, at - k - 1, note) : Math.min(before, strength(pitch, at - k - 1, note));
    for (let k = 1; k <= reach + 1; k++) after = Math.max(after, strength(pitch, at + k, note));
    if (after > ATTACK * before && after > 0) attacks[step] = 1;
  }
  return attacks;
}

/** Amplitude of a note's first three partials in a frame. */
function strength({ first, semitones, amplitudes }: Pitch, frame: number, note: number): number {
  if (frame < 0 || frame > first.length - 2) return 0;
  let sum = 0;
  for (let n = first[frame]!; n < first[frame + 1]!; n++) {
    const away = semitones[n]! - note;
    if (Math.abs(away) < 0.45 || Math.abs(away - 12) < 0.45 || Math.abs(away - 19.02) < 0.45) sum += amplitudes[n]!;
  }
  return sum;
}
