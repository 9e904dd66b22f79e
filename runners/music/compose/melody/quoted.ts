/** A tune that is known already, in a player's register. */
import type { GivenNote, Plan, PlanSection, Seat } from "../plan.ts";
import type { Tone } from "./touch.ts";

/** Bars that may pass without a note of the tune before something is composed for them. */
const SILENT_BARS = 2;

/**
 * What a section has of the tune, in the octave that suits the seat, with what `composed` gives in phrases where it is silent; null where
 * the plan knows no tune for the section.
 */
export function quoted(plan: Plan, seat: Seat, section: PlanSection, composed: () => readonly Tone[]): Tone[] | null {
  if (plan.tune === undefined) return null;
  const end = section.beat + section.beats;
  const here = plan.tune.filter(({ beat }) => beat >= section.beat && beat < end);
  if (here.length === 0) return null;
  const shift = octaveFor(plan.tune, seat);
  const tones: Tone[] = here.map(({ beat, beats, pitch }) => ({
    beat,
    beats: Math.min(beats, end - beat),
    pitch: folded(pitch + shift, seat),
    cadence: null,
  }));
  const span = Math.max(1, Math.min(SILENT_BARS, section.phrase_bars)) * plan.brief.metre.beats_per_bar;
  const sounds = (from: number): boolean =>
    tones.some(({ beat, beats }) => beat < from + span && beat + beats > from + 1e-6);
  const silent = new Set<number>();
  for (let from = section.beat; from < end - 1e-6; from += span) if (!sounds(from)) silent.add(from);
  if (silent.size === 0) return tones;
  const spanOf = (beat: number): number => section.beat + Math.floor((beat - section.beat) / span + 1e-6) * span;
  const fill = composed().filter(({ beat }) => silent.has(spanOf(beat)));
  const joined = fill.map((tone) => ({ ...tone, beats: Math.min(tone.beats, spanOf(tone.beat) + span - tone.beat) }));
  return [...tones, ...joined].sort((a, b) => a.beat - b.beat);
}

/** Semitones, whole octaves, that bring the tune nearest to the middle of the register. */
function octaveFor(tune: readonly GivenNote[], { range: [low, high] }: Seat): number {
  const pitches = tune.map(({ pitch }) => pitch).sort((a, b) => a - b);
  const middle = pitches[pitches.length >> 1]!;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let octave = -48; octave <= 48; octave += 12) {
    let outside = 0;
    for (const pitch of pitches) if (pitch + octave < low || pitch + octave > high) outside++;
    // Staying where it was is worth a few notes at the edges.
    const cost =
      (8 * outside) / pitches.length + Math.abs(middle + octave - (low + high) / 2) / 12 + Math.abs(octave) / 24;
    if (cost < least) [least, best] = [cost, octave];
  }
  return best;
}

function folded(pitch: number, { range: [low, high] }: Seat): number {
  let out = pitch;
  while (out > high) out -= 12;
  while (out < low) out += 12;
  return out;
}
