import { momentsAround, ramp } from "./windows.ts";

/** Half the window, hops: 0.75 s hold two syllables of slow speech. */
const REACH = 75;

/** A syllable rises and falls by this much, dB. */
const SWING_DB = 5;

/** Syllables a second: speech has 2 to 6, music mostly under 2. */
const RATE_HZ = [1.5, 3] as const;

/** Share of the time that sounds: speech 0.5 and more, keys and knocks under 0.45. */
const DUTY = [0.45, 0.6] as const;

/** Deviation of the balance of high and low, dB: vowels and fricatives in turn make 6 to 20, music 3 to 6, a breath 2. */
const BALANCE_DB = [4.5, 7] as const;

/**
 * How much the second and a half around each hop goes like speech, 0 to 1, whether voiced or whispered: syllables in
 * speech's rhythm, little silence between them, and a spectrum that swings between vowels and consonants.
 *
 * @param level dB, not below the floor
 * @param balance dB, high bands against low ones
 * @param sounding 0 to 1
 */
export function syllables(level: Float32Array, balance: Float32Array, sounding: Float32Array): Float32Array {
  const always = new Float32Array(level.length).fill(1);
  const duty = momentsAround(sounding, always, REACH).mean;
  const density = momentsAround(crests(momentsAround(level, always, 2).mean), always, REACH).mean;
  const swing = momentsAround(balance, sounding, REACH).deviation;
  const out = new Float32Array(level.length);
  for (let hop = 0; hop < out.length; hop++) {
    out[hop] = ramp(100 * density[hop]!, ...RATE_HZ) * ramp(duty[hop]!, ...DUTY) * ramp(swing[hop]!, ...BALANCE_DB);
  }
  return out;
}

/** 1 at every crest that stands `SWING_DB` above the troughs on both sides, else 0. */
function crests(level: Float32Array): Float32Array {
  const out = new Float32Array(level.length);
  let rising = true;
  let low = level[0] ?? 0;
  let high = low;
  let crest = 0;
  let climbed = false;
  for (let hop = 0; hop < level.length; hop++) {
    const value = level[hop]!;
    if (rising) {
      if (value > high) {
        high = value;
        crest = hop;
        climbed ||= value > low + SWING_DB;
      }
      if (!climbed && value < low) {
        low = value;
        high = value;
      }
      if (climbed && value < high - SWING_DB) {
        out[crest] = 1;
        rising = false;
        low = value;
      }
    } else if (value < low) {
      low = value;
    } else if (value > low + SWING_DB) {
      rising = true;
      climbed = true;
      high = value;
      crest = hop;
    }
  }
  return out;
}
