/** What a finished mix measures of what a producer would name: its loudness range, how its sections stand apart, its width, its tail. */
import type { Audio } from "../../contract/mod.ts";
import { clockOf, type Score } from "../../runners/music/compose/mod.ts";
import { Cascade, highPass, lowPass } from "../../runners/signal/dsp/biquad.ts";
import { levelsOf } from "../../runners/signal/track/levels.ts";
import { loudnessIn, weighted } from "../mix/figures.ts";

export interface Heard {
  /** EBU Tech 3342. */
  readonly range_lu: number | null;
  /** LU of each section against the whole. */
  readonly sections: readonly { readonly kind: string; readonly energy: number; readonly lu: number }[];
  /** Pearson's, of both channels: whole, under 120 Hz, above 150 Hz. */
  readonly correlation: number;
  readonly correlation_low: number;
  readonly correlation_high: number;
  /** Level of (L+R)/2 against both channels' mean power, dB: 0 for mono. */
  readonly mono_db: number;
  /** Seconds at the end whose 50 ms lie under -60 dB against the peak. */
  readonly tail_s: number;
}

export async function heardIn(audio: Audio, score: Score): Promise<Heard> {
  const { channels, sample_rate: rate } = audio;
  const levels = await levelsOf(audio, new AbortController().signal);
  const samples = weighted(channels);
  const clock = clockOf(score);
  const whole = levels.integrated_lufs ?? 0;
  const [left, right] = channels as [Float32Array, Float32Array];
  const sections = score.sections.map(({ kind, energy, beat, beats }) => ({
    ...{ kind, energy },
    lu: loudnessIn(samples, clock.seconds(beat), clock.seconds(beat + beats)) - whole,
  }));
  const [ll, rr, lr] = moments(left, right);
  return {
    range_lu: levels.range_lu,
    sections,
    correlation: lr / Math.sqrt(ll * rr + 1e-12),
    correlation_low: filtered(left, right, [lowPass(120, rate), lowPass(120, rate)]),
    correlation_high: filtered(left, right, [highPass(150, rate), highPass(150, rate)]),
    mono_db: 10 * Math.log10((ll + rr + 2 * lr) / 2 / (ll + rr) + 1e-12),
    tail_s: tailOf(left, right, rate),
  };
}

function moments(left: ArrayLike<number>, right: ArrayLike<number>): [ll: number, rr: number, lr: number] {
  let [ll, rr, lr] = [0, 0, 0];
  for (let n = 0; n < left.length; n++) {
    ll += left[n]! * left[n]!;
    rr += right[n]! * right[n]!;
    lr += left[n]! * right[n]!;
  }
  return [ll, rr, lr];
}

function filtered(left: Float32Array, right: Float32Array, sections: ConstructorParameters<typeof Cascade>[0]): number {
  const [one, two] = [Float64Array.from(left), Float64Array.from(right)];
  new Cascade(sections).run(one, two, one.length);
  const [ll, rr, lr] = moments(one, two);
  return lr / Math.sqrt(ll * rr + 1e-12);
}

function tailOf(left: Float32Array, right: Float32Array, rate: number): number {
  let peak = 0;
  for (const channel of [left, right]) for (const value of channel) peak = Math.max(peak, Math.abs(value));
  const size = Math.round(0.05 * rate);
  let blocks = 0;
  for (let end = left.length; end >= size; end -= size, blocks++) {
    let most = 0;
    for (let n = end - size; n < end; n++) most = Math.max(most, Math.abs(left[n]!), Math.abs(right[n]!));
    if (most > 1e-3 * peak) break;
  }
  return blocks * 0.05;
}
