/**
 * A guitar amplifier: tight input, two saturating stages, and a loudspeaker cabinet. Played with clean strings it sustains, growls on
 * chords and follows the pick, which recordings of single distorted notes do not.
 */
import { bell, Cascade, type Section } from "../../signal/dsp/biquad.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { type Link, pairChain } from "../../signal/dsp/pair_chain.ts";
import { release } from "../../signal/dsp/release.ts";

export type Amp = "overdriven" | "distorted";

interface Settings {
  /** Lows are taken out ahead of distortion, or chords turn to mud. Hz. */
  readonly tight: number;
  /** Of each stage. */
  readonly drive: readonly [first: number, second: number];
  /** How one-sided the first stage is: even harmonics. */
  readonly bias: number;
  /** Where the cabinet ends. Hz. */
  readonly top: number;
  /** What brings a firm note to a peak of about 0.25. */
  readonly level: number;
}

const SETTINGS: Readonly<Record<Amp, Settings>> = {
  overdriven: { tight: 110, drive: [2.6, 1.2], bias: 0.18, top: 4600, level: 0.14 },
  distorted: { tight: 130, drive: [10, 2.6], bias: 0.08, top: 5200, level: 0.11 },
};

/** What a second take is played through: another guitar, whose pickups have less middle and more edge. */
const OTHER_GUITAR = (rate: number): readonly Section[] => [bell(520, rate, 0.8, -3), bell(1900, rate, 0.9, 3)];
/** Frames that the other guitar's filters are given at once. */
const RUN = 4096;

/** Frames played ahead of a loop, so that its beginning follows from its end. */
const WARM_UP = 22_050;

/**
 * One or two takes at `rate`, of equal length, each through an amplifier of its own; they are overwritten. On a ring the end leads into the
 * beginning. Yields now and then.
 */
export function* amplify(
  takes: readonly Float32Array[],
  rate: number,
  amp: Amp,
  ring: boolean,
): Generator<undefined, void> {
  const frames = takes[0]?.length ?? 0;
  const ahead = ring ? Math.min(WARM_UP, frames) : 0;
  // Minutes of a song are worked on where they lie.
  const work = takes.map((take) => {
    if (ahead === 0) return take;
    const longer = new Float32Array(ahead + frames);
    longer.set(take.subarray(frames - ahead));
    longer.set(take, ahead);
    return longer;
  });
  const [left, second] = work;
  if (left === undefined) return;
  if (second !== undefined) filter(second, OTHER_GUITAR(rate));
  yield* pairChain(left, second ?? left, rate, chainOf(SETTINGS[amp]));
  const { level } = SETTINGS[amp];
  for (const [index, take] of takes.entries()) {
    const from = work[index]!;
    for (let n = 0; n < frames; n++) take[n] = level * from[ahead + n]!;
    if (from !== take) release(from);
  }
}

function filter(samples: Float32Array, sections: readonly Section[]): void {
  const cascade = new Cascade(sections);
  const block = new Float64Array(RUN);
  for (let from = 0; from < samples.length; from += RUN) {
    const here = samples.subarray(from, from + RUN);
    block.set(here);
    cascade.run(block, undefined, here.length);
    for (let n = 0; n < here.length; n++) here[n] = block[n]!;
  }
}

/**
 * The cabinet is a closed box with four 12-inch loudspeakers, as measured ones go: a thump, less middle, a bite at 2.5
 * kHz, a steep end.
 */
function chainOf({ tight, drive, bias, top }: Settings): readonly Link[] {
  return [
    { kind: "high", hertz: tight, q: 0.6 },
    { kind: "peak", hertz: 750, q: 0.8, gain: gainOf(5) },
    { kind: "clip", drive: drive[0], bias },
    { kind: "high", hertz: 60, q: 0.71 },
    { kind: "low", hertz: 7000, q: 0.71 },
    { kind: "clip", drive: drive[1], bias: 0 },
    { kind: "high", hertz: 82, q: 0.9 },
    { kind: "peak", hertz: 125, q: 1.2, gain: gainOf(3) },
    { kind: "peak", hertz: 420, q: 0.9, gain: gainOf(-3) },
    { kind: "peak", hertz: 2500, q: 1.1, gain: gainOf(5) },
    { kind: "low", hertz: top, q: 1.1 },
    { kind: "low", hertz: 1.15 * top, q: 0.62 },
  ];
}
