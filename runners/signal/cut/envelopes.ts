import { type Sound, stretchOf, viewsOf } from "../../samples.ts";

/** Samples a value: 1.45 ms at 44.1 kHz, fine enough to tell two attacks 5 ms apart. */
export const HOP = 64;

/** Mean power of three bands every `HOP` samples; equal lengths. Their sum is about the power of the whole. */
export interface Envelopes {
  readonly sample_rate: number;
  /** Below 150 Hz: kick and bass. */
  readonly low: Float32Array;
  /** 150 Hz to 2.5 kHz. */
  readonly mid: Float32Array;
  /** Above 2.5 kHz: hats, snares, consonants. */
  readonly high: Float32Array;
  /** Power of the mix, unfiltered. */
  readonly all: Float32Array;
}

/**
 * Band powers of the whole recording.
 *
 * Channels are summed 0.6 to 0.4, not evenly, so that a recording whose channels cancel is still heard.
 *
 * @param breathe called now and then; may throw to stop
 */
export async function envelopes(audio: Sound, breathe: (done: number) => Promise<void>): Promise<Envelopes> {
  const sound = viewsOf(audio);
  const { sample_rate } = sound;
  const hops = Math.floor(sound.frames / HOP);
  const made: Envelopes = {
    sample_rate,
    low: new Float32Array(hops),
    mid: new Float32Array(hops),
    high: new Float32Array(hops),
    all: new Float32Array(hops),
  };
  const lowpass = butterworth(150, sample_rate, false);
  const highpass = butterworth(2500, sample_rate, true);
  const state = new Float64Array(4);
  // 3 s of audio at a time: a few milliseconds of work between two looks at the signal.
  const step = 2048;
  for (let hop = 0; hop < hops; hop += step) {
    const to = Math.min(hops, hop + step);
    const [left, right = left] = stretchOf(sound, hop * HOP, to * HOP);
    split(left!, right!, made, lowpass, highpass, state, hop, to);
    await breathe(hop / hops);
  }
  return made;
}

interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** Second-order Butterworth by the bilinear transform. */
function butterworth(hertz: number, sample_rate: number, high: boolean): Biquad {
  const K = Math.tan((Math.PI * hertz) / sample_rate);
  const a0 = 1 + Math.SQRT2 * K + K * K;
  const b0 = (high ? 1 : K * K) / a0;
  return {
    b0,
    b1: high ? -2 * b0 : 2 * b0,
    b2: b0,
    a1: (2 * (K * K - 1)) / a0,
    a2: (1 - Math.SQRT2 * K + K * K) / a0,
  };
}

function split(
  left: Float32Array,
  right: Float32Array,
  { low, mid, high, all }: Envelopes,
  lowpass: Biquad,
  highpass: Biquad,
  state: Float64Array,
  from: number,
  to: number,
): void {
  const lb0 = lowpass.b0;
  const lb1 = lowpass.b1;
  const la1 = lowpass.a1;
  const la2 = lowpass.a2;
  const hb0 = highpass.b0;
  const hb1 = highpass.b1;
  const ha1 = highpass.a1;
  const ha2 = highpass.a2;
  let s1 = state[0]!;
  let s2 = state[1]!;
  let t1 = state[2]!;
  let t2 = state[3]!;
  for (let hop = from; hop < to; hop++) {
    let sum_low = 0;
    let sum_mid = 0;
    let sum_high = 0;
    let sum = 0;
    const end = (hop + 1 - from) * HOP;
    for (let n = (hop - from) * HOP; n < end; n++) {
      const x = 0.6 * left[n]! + 0.4 * right[n]!;
      // Both numerators have their third coefficient equal to the first.
      const l = lb0 * x + s1;
      s1 = lb1 * x + s2 - la1 * l;
      s2 = lb0 * x - la2 * l;
      const h = hb0 * x + t1;
      t1 = hb1 * x + t2 - ha1 * h;
      t2 = hb0 * x - ha2 * h;
      const m = x - l - h;
      sum_low += l * l;
      sum_mid += m * m;
      sum_high += h * h;
      sum += x * x;
    }
    low[hop] = sum_low / HOP;
    mid[hop] = sum_mid / HOP;
    high[hop] = sum_high / HOP;
    all[hop] = sum / HOP;
  }
  // Silence would decay into denormal numbers, which are tens of times slower.
  state[0] = Math.abs(s1) < 1e-30 ? 0 : s1;
  state[1] = Math.abs(s2) < 1e-30 ? 0 : s2;
  state[2] = Math.abs(t1) < 1e-30 ? 0 : t1;
  state[3] = Math.abs(t2) < 1e-30 ? 0 : t2;
}

/** Mean of `power` over the hops of `from` to `to` seconds; 0 where there are none. */
export function meanPower(power: Float32Array, sample_rate: number, from: number, to: number): number {
  const first = Math.max(0, Math.floor((from * sample_rate) / HOP));
  const last = Math.min(power.length, Math.max(first + 1, Math.ceil((to * sample_rate) / HOP)));
  let sum = 0;
  for (let hop = first; hop < last; hop++) sum += power[hop]!;
  return last > first ? sum / (last - first) : 0;
}

/** 10 log10, floored at -120 dB. */
export function powerDb(power: number): number {
  return 10 * Math.log10(power + 1e-12);
}
