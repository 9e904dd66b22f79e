/** Where somebody speaks or sings in a mix: heard in the separated voice, and only where that is a real part of the sound. */
import type { Audio, Streamed } from "../../../contract/mod.ts";
import { breathe } from "../../breathe.ts";
import { viewsOf } from "../../samples.ts";
import { type Span, voiceActivity } from "../analyse/mod.ts";

/**
 * What a separation takes for a voice where there is none has the shape of one and is weak: of eight recordings without a voice or with
 * one, those without it stayed 12 dB and more below the whole wherever a voice was heard, while sung lines lay above -10 dB.
 */
const SHARE_MIN = 10 ** (-10 / 10);

const BLOCK = 1 << 16;

/** @throws the signal's reason on abort */
export async function voicesIn(
  mix: Audio | Streamed,
  voice: Audio | Streamed,
  signal: AbortSignal,
): Promise<readonly Span[]> {
  const sound = viewsOf(mix);
  const { frames, sample_rate } = sound;
  const middle = new Float32Array(frames);
  // A centisecond is as fine as voices are placed.
  const step = sample_rate / 100;
  const powers = { voice: new Float64Array(Math.ceil(frames / step)), mix: new Float64Array(Math.ceil(frames / step)) };
  const block = Array.from({ length: sound.channels }, () => new Float32Array(BLOCK));
  for (let from = 0; from < frames; from += BLOCK) {
    await breathe(signal);
    const to = Math.min(frames, from + BLOCK);
    read(voice, from, to, block);
    const { channels, at: first } = sound.view(from, to);
    for (const [index, channel] of block.entries()) {
      const heard = channels[index]!;
      for (let n = from; n < to; n++) {
        const sample = channel[n - from]!;
        const at = Math.floor(n / step);
        middle[n]! += sample / block.length;
        powers.voice[at]! += sample * sample;
        const own = heard[first + n - from]!;
        powers.mix[at]! += own * own;
      }
    }
  }
  const { speech } = await voiceActivity({ sample_rate, channels: [middle] }, signal);
  const powerIn = (of: Float64Array, { start, end }: Span): number =>
    of.subarray(Math.floor(100 * start), Math.ceil(100 * end)).reduce((sum, power) => sum + power, 0);
  return speech.filter((span) => powerIn(powers.voice, span) > SHARE_MIN * powerIn(powers.mix, span));
}

function read(audio: Audio | Streamed, from: number, to: number, out: readonly Float32Array[]): void {
  if ("samples" in audio) audio.samples(from, to, out);
  else for (const [index, channel] of audio.channels.entries()) out[index]!.set(channel.subarray(from, to));
}
