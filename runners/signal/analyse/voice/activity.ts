import type { Audio, Streamed } from "../../../../contract/mod.ts";
import { breathe } from "../../../breathe.ts";
import { type Views, viewsOf } from "../../../samples.ts";
import { release } from "../../dsp/release.ts";
import type { Span } from "../analysis.ts";
import { decode } from "./decode.ts";
import { evidence } from "./evidence.ts";
import { features, HOP_SECONDS } from "./features.ts";
import type { Fold } from "./spectra.ts";

export interface VoiceActivity {
  /** 10 ms. */
  readonly hop_seconds: number;
  /** Probability that a voice speaks or sings, one value a hop; value i describes the hop that begins at i × `hop_seconds`. */
  readonly probability: Float32Array;
  /** Where a voice speaks or sings, ascending, apart by 0.17 s and more. */
  readonly speech: readonly Span[];
}

/**
 * Finds where a voice speaks or sings, by signal processing alone: harmonics that move as a voice's do, level over a tracked floor,
 * syllables; decoded by a hidden Markov chain. Steady and passing hum, noise, breath, knocks, keys, thumps and instruments are none.
 *
 * @param audio mono or stereo at 44.1 kHz
 * @throws the signal's reason
 */
export async function voiceActivity(audio: Audio | Streamed, signal: AbortSignal): Promise<VoiceActivity> {
  let blocks = 0;
  // Every 16 s of audio.
  const pause = async (): Promise<void> => {
    if (blocks++ % 32 === 0) await breathe(signal);
  };
  const sound = viewsOf(audio);
  const found = await features(sound, await foldOf(sound, signal), pause);
  const { probability, speech } = decode(evidence(found));
  release(found.power, found.clarity, found.pitch);
  const seconds = sound.frames / sound.sample_rate;
  return { hop_seconds: HOP_SECONDS, probability, speech: spans(speech, seconds) };
}

const BLOCK = 1 << 16;

/** The middle of a stereo source; where hardly anything is there (one side silent, sides inverted), the louder side. */
async function foldOf(sound: Views, signal: AbortSignal): Promise<Fold> {
  if (sound.channels < 2) return [1];
  let middle = 0;
  let l = 0;
  let r = 0;
  for (let from = 0; from < sound.frames; from += BLOCK) {
    if ((from / BLOCK) % 64 === 0) await breathe(signal);
    const count = Math.min(BLOCK, sound.frames - from);
    const { channels, at } = sound.view(from, from + count);
    const left = channels[0]!;
    const right = channels[1]!;
    for (let n = at; n < at + count; n++) {
      const a = left[n]!;
      const b = right[n]!;
      middle += (a + b) * (a + b);
      l += a * a;
      r += b * b;
    }
  }
  const louder = Math.max(l, r);
  // Equal channels have 4 times the power of one, unrelated ones 2, one alone 1.
  if (middle >= 1.2 * louder) return [0.5, 0.5];
  return l >= r ? [1, 0] : [0, 1];
}

function spans(states: Uint8Array, seconds: number): Span[] {
  const out: Span[] = [];
  for (let hop = 0; hop < states.length; ) {
    if (states[hop] === 0) {
      hop++;
      continue;
    }
    const first = hop;
    while (hop < states.length && states[hop] === 1) hop++;
    out.push({ start: first * HOP_SECONDS, end: Math.min(seconds, hop * HOP_SECONDS) });
  }
  return out;
}
