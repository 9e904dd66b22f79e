import { breathe } from "../../breathe.ts";
import type { Span } from "../analyse/mod.ts";
import { LoudnessMeter } from "../dsp/loudness.ts";
import type { Placed } from "./mix.ts";

/** Energy bins of the meter: 10 ms, in which speech is located. */
const BINS_PER_HOP = 10;

const BLOCK = 16_384;

/**
 * Loudness (BS.1770, gated) of the voice above that of the music over the time that the voice speaks, LU. Null where
 * either is silent there.
 *
 * @throws the signal's reason
 */
export async function voiceToMusic(
  voice: Placed,
  music: Placed,
  speech: readonly Span[],
  signal: AbortSignal,
): Promise<number | null> {
  if (speech.length === 0) return null;
  const voice_lufs = await spoken(voice, speech, signal);
  const music_lufs = await spoken(music, speech, signal);
  return Number.isFinite(voice_lufs) && Number.isFinite(music_lufs) ? voice_lufs - music_lufs : null;
}

async function spoken({ sound, sides }: Placed, speech: readonly Span[], signal: AbortSignal): Promise<number> {
  const { frames, sample_rate } = sound;
  const meter = new LoudnessMeter(sample_rate, sound.channels, BINS_PER_HOP);
  for (let from = 0; from < frames; from += BLOCK) {
    if ((from / BLOCK) % 32 === 0) await breathe(signal);
    const count = Math.min(BLOCK, frames - from);
    const { channels, at } = sound.view(from, from + count);
    meter.push(channels, at, at + count);
  }
  const gate = new Float64Array(meter.bins);
  for (const { start, end } of speech) {
    gate.fill(1, Math.round((start * sample_rate) / meter.bin), Math.round((end * sample_rate) / meter.bin));
  }
  // One channel on both sides counts twice, as it will in the mix.
  return meter.integrated(gate) + 10 * Math.log10(sides);
}
