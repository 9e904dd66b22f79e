import { DRUM_KEYS } from "../../../packs/mod.ts";
import { beatsIn } from "../clock.ts";
import type { Plan } from "../plan.ts";
import type { Note, Part } from "../score.ts";
import { chordIndexAt } from "./frame.ts";
import { factsOf } from "./instrument_facts.ts";

/** Seconds that a stroke of a drum or a plucked string is heard, whatever its written length. */
const RING_S = 0.35;
/** Seconds of silence that are let be. */
const SILENCE_S = 0.7;

/**
 * No moment with nobody: where all parts are silent for longer than a breath, those who hold harmony let their last
 * chord ring over it, as far as the chord lasts, and strike the next.
 */
export function withoutHoles(plan: Plan, parts: readonly Part[]): Part[] {
  const holes = holesOf(plan, parts, SILENCE_S);
  if (holes.length === 0) return [...parts];
  const result = [...parts];
  for (const [from, to] of holes) {
    const n = whoFills(plan, result, from);
    if (n < 0) continue;
    const part = result[n]!;
    result[n] = { ...part, notes: filled(plan, part, from, to) };
  }
  return result;
}

/** Stretches in which nothing sounds for longer than `seconds`, in beats. Textures and transitions do not count: they are no music. */
export function holesOf(plan: Plan, parts: readonly Part[], seconds: number): [from: number, to: number][] {
  const ring = beatsIn(plan.bpm, RING_S);
  const spans: [number, number][] = [];
  for (const { role, notes } of parts) {
    if (role === "texture" || role === "transition") continue;
    for (const { beat, beats } of notes) spans.push([beat, beat + Math.max(beats, ring)]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  const least = beatsIn(plan.bpm, seconds);
  const holes: [number, number][] = [];
  let reach = 0;
  for (const [from, to] of spans) {
    if (from - reach > least) holes.push([reach, from]);
    reach = Math.max(reach, to);
  }
  if (plan.beats - reach > least) holes.push([reach, plan.beats]);
  return holes;
}

function whoFills(plan: Plan, parts: readonly Part[], beat: number): number {
  let best = -1;
  let worth = -1;
  parts.forEach((part, n) => {
    const own = { pad: 5, chords: 4, arpeggio: 3, bass: 2, percussion: 1, drums: 1 }[part.role as string] ?? 0;
    if (own === 0) return;
    const section = plan.sections.findLast((candidate) => candidate.beat <= beat + 1e-6);
    const near = part.notes.some(
      (note) => section && note.beat >= section.beat - 1e-6 && note.beat < section.beat + section.beats,
    );
    const value = own + (near ? 10 : 0) + (factsOf(part.instrument).sustains ? 0.5 : 0);
    if (value > worth) [best, worth] = [n, value];
  });
  return best;
}

function filled(plan: Plan, part: Part, from: number, to: number): Note[] {
  const notes = [...part.notes];
  if (part.role === "drums" || part.role === "percussion") {
    const first = notes[0];
    for (let beat = Math.ceil(from - 1e-6); beat < to; beat++)
      notes.push({
        beat,
        beats: 0.25,
        pitch: part.role === "drums" ? DRUM_KEYS.closed_hat : (first?.pitch ?? DRUM_KEYS.kick),
        velocity: 0.4,
        shift: 0,
      });
    return sorted(notes);
  }
  if (plan.chords.length === 0) return notes;
  const [low, high] = pitchesOf(part);
  const { chords } = plan;
  let beat = from;
  // First the last chord rings on as far as its harmony lasts.
  const chord = chords[chordIndexAt(chords, Math.max(0, beat - 1e-3))]!;
  const lasts = Math.min(to, chord.beat + chord.beats);
  const latest = notes.reduce(
    (found, note) => (note.beat <= from + 1e-6 && note.beat >= chord.beat - 1e-6 ? Math.max(found, note.beat) : found),
    -1,
  );
  if (latest >= 0 && lasts > beat) {
    for (let n = 0; n < notes.length; n++)
      if (Math.abs(notes[n]!.beat - latest) < 0.1)
        notes[n] = { ...notes[n]!, beats: Math.max(notes[n]!.beats, lasts - notes[n]!.beat) };
    beat = lasts;
  }
  while (beat < to - 1e-3) {
    const now = chords[chordIndexAt(chords, beat)]!;
    const end = Math.min(to, now.beat + now.beats);
    const tones = part.role === "bass" ? [now.bass] : now.tones.slice(0, 4);
    for (const tone of tones) {
      const middle = (low + high) >> 1;
      let pitch = middle - 6 + ((((tone - middle + 6) % 12) + 12) % 12);
      if (pitch > high) pitch -= 12;
      if (pitch < low) pitch += 12;
      notes.push({ beat, beats: Math.max(0.1, end - beat), pitch, velocity: 0.5, shift: 0 });
    }
    beat = Math.max(end, beat + 0.05);
  }
  return sorted(notes);
}

function pitchesOf(part: Part): [number, number] {
  const { low, high } = factsOf(part.instrument);
  if (part.notes.length === 0) return [Math.max(low, 48), Math.min(high, 72)];
  let [least, most] = [127, 0];
  for (const { pitch } of part.notes) [least, most] = [Math.min(least, pitch), Math.max(most, pitch)];
  // An octave at least, or a tone may find no place.
  if (most - least < 12) {
    most = Math.min(high, least + 12);
    least = Math.max(low, most - 12);
  }
  return [least, most];
}

function sorted(notes: Note[]): Note[] {
  return notes.sort((a, b) => a.beat - b.beat || a.pitch - b.pitch);
}
