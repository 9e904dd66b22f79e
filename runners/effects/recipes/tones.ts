/** Tones for measuring and testing, on the frequency that is said. */
import type { Wave } from "../../signal/dsp/oscillator.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";

/** Hz where none is said: `rings_at` of their packs. */
const TONE = 440;
const MAINS = 50;
const ATTACK = 0.005;

/** From the pitch to where it glides, by equal ratios in equal times. */
function tone(wave: Wave): (voice: Voice) => void {
  return (voice) => {
    const hertz = TONE * voice.tune;
    const { glide } = voice.traits;
    const samples = voice.osc(wave, glide === 1 ? hertz : voice.glide(0, hertz, voice.seconds, hertz * glide), 0.8);
    const end = voice.seconds;
    voice.add(voice.shape(samples, through(0, 0, ATTACK, 1, end - ATTACK, 1, end, 0)));
  };
}

/** What a transformer lets through: twice the mains' frequency most, and what it is made of. */
function mainsHum(voice: Voice): void {
  const hertz = MAINS * voice.tune;
  for (const [multiple, gain] of [
    [1, 0.8],
    [2, 0.6],
    [3, 0.22],
    [4, 0.2],
    [6, 0.1],
    [8, 0.04],
  ] as const)
    voice.add(voice.osc("sine", hertz * multiple, gain), 0.6);
}

export const TONES: Renders = {
  tone: tone("sine"),
  square_wave: tone("square"),
  sawtooth_wave: tone("saw"),
  triangle_wave: tone("triangle"),
  mains_hum: mainsHum,
};
