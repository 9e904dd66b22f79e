import { gainOf } from "../../signal/dsp/exact.ts";
import { compressed, held } from "../../signal/dsp/gain_steps.ts";
import { type Channel, RATE } from "./channel.ts";
import { gatedLoudness, OFFSET } from "./loudness.ts";

/** As fast as consonants: those come up against their vowels, and are heard through a band. */
const QUICK = { knee_db: 8, attack_s: 0.002, release_s: 0.015 } as const;
/** What is this far below the voice's loudness and less comes up all the same. */
const QUICK_BELOW_DB = 18;

export interface Survey {
  readonly powers: Float32Array;
  readonly peaks: Float32Array;
  /** 1 for blocks in which nothing sounds or rings on. */
  readonly idle: Uint8Array;
}

/** Compressor, a second one added beside it, a quick one and peak holder, about a part's own loudness. */
export function dynamics(
  channel: Channel,
  { powers, peaks }: Survey,
  loudness: number,
  ring: boolean,
  gains: Float32Array,
  hold: Float32Array,
): Float32Array {
  const beside = loudness - OFFSET;
  const { attack_s, release_s } = channel;
  if (channel.ratio <= 1) gains.fill(1);
  else {
    const how = { threshold_db: beside - 2, ratio: channel.ratio, knee_db: 8, attack_s, release_s };
    compressed(powers, RATE, ring, how, gains);
  }
  if (channel.parallel > 0) {
    const how = { threshold_db: beside - 8, ratio: 4, knee_db: 8, attack_s, release_s };
    const added = compressed(powers, RATE, ring, how, hold);
    // What the second compressor lets through is brought up to the dry sound's level: 6 dB at 8 dB above its threshold and 4:1.
    for (let n = 0; n < gains.length; n++) gains[n] = gains[n]! * (1 + channel.parallel * 2 * added[n]!);
  }
  if (channel.quick > 1) {
    const loud = gatedLoudness(powers, gains, ring) - OFFSET;
    const treated = powers.map((power, n) => power * gains[n]! * gains[n]!);
    const quick = compressed(
      treated,
      RATE,
      ring,
      { ...QUICK, threshold_db: loud - QUICK_BELOW_DB, ratio: channel.quick },
      hold,
    );
    for (let n = 0; n < gains.length; n++) gains[n] = gains[n]! * quick[n]!;
  }
  if (channel.crest_db < 40) {
    const levelled = gatedLoudness(powers, gains, ring);
    for (let n = 0; n < peaks.length; n++) peaks[n] = peaks[n]! * gains[n]!;
    held(peaks, RATE, ring, gainOf(levelled + channel.crest_db), 4, 0.06, hold);
    for (let n = 0; n < gains.length; n++) gains[n] = gains[n]! * hold[n]!;
  }
  return gains;
}
