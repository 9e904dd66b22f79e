/** Phrases as a neural singer takes them: sounds with their lengths, and how the pitch moves. */
import { STEP } from "../../signal/dsp/control.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import type { SungPhrase } from "./voice/notes.ts";
import { pitchOf } from "./voice/pitch.ts";
import { RATE } from "./voice/singer.ts";
import { segmentsOf } from "./voice/timing.ts";
import type { Voice } from "./voice/voices.ts";

export interface Passage {
  /** Second at which the first sound begins. */
  readonly start: number;
  /** In order, without gaps; "SP" is silence. */
  readonly sounds: readonly { readonly name: string; readonly seconds: number }[];
  /** Hz at a second. */
  readonly hertz: (second: number) => number;
}

/** Seconds around a phrase over which its pitch is known. */
const AROUND = 0.6;
/** Silence shorter than this is none. */
const GAP = 0.002;

/** One for each phrase that has notes. Timing, glides and vibrato are the built-in singer's. */
export function passagesOf(phrases: readonly SungPhrase[], voice: Voice, seed: number): Passage[] {
  return phrases.flatMap((phrase, k) => {
    if (phrase.length === 0) return [];
    const segments = segmentsOf(phrase, RATE);
    const [first, end] = [segments[0]!.from, segments.at(-1)!.to];
    const origin = first - Math.round(AROUND * RATE);
    const frames = end - origin + Math.round(AROUND * RATE);
    const pitch = pitchOf(phrase, voice, origin, frames, RATE, hash32(hash32(seed, k), 1));
    const sounds: { name: string; seconds: number }[] = [];
    let at = first;
    for (const { phoneme, from, to } of segments) {
      if (from - at > GAP * RATE) sounds.push({ name: "SP", seconds: (from - at) / RATE });
      if (to > Math.max(at, from)) sounds.push({ name: phoneme, seconds: (to - Math.max(at, from)) / RATE });
      at = Math.max(at, to);
    }
    const hertz = (second: number): number =>
      pitch[Math.max(0, Math.min(pitch.length - 1, Math.round((second * RATE - origin) / STEP)))]!;
    return [{ start: first / RATE, sounds, hertz }];
  });
}
