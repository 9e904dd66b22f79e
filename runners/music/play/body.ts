/**
 * Two pieces are not played on the same instrument, nor in front of the same microphone: what differs by the seed where
 * the recordings are the same.
 */
import { bell, Cascade, highShelf, lowShelf } from "../../signal/dsp/biquad.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import { hash32, random } from "../../signal/dsp/random.ts";
import type { Layer, Patch } from "./patches.ts";
import { RATE, type Stem } from "./performance.ts";

/** Small enough that each is a good instrument still: the figures are ours. dB to either side. */
const WOOD_DB = 1.6;
const PRESENCE_DB = 1.8;
/** A near microphone hears more lows, a far one fewer highs. */
const NEAR_DB = 1.5;
const AIR_DB = 2;
const CENTS = 4;

const BLOCK = 4096;

/**
 * The patch as this piece has it, and what body and microphone do to its sound; neither for an operator's recordings,
 * which are what they are.
 */
export function embodied(patch: Patch, seed: number): { readonly patch: Patch; readonly tone?: Cascade } {
  // Drums of sets differ by themselves.
  if (patch.own === true || patch.sets !== undefined) return { patch };
  const next = random(hash32(seed, 505));
  const within = (most: number): number => most * (2 * next() - 1);
  const near = (octaves: number): number => exp2(within(octaves));
  const [cents, spread, depth, speed] = [within(CENTS), near(0.3), near(0.35), near(0.12)];
  const tuned = (layers: readonly Layer[]): readonly Layer[] =>
    layers.map((layer) => ({ ...layer, cents: (layer.cents ?? 0) * spread + cents }));
  const { layers, muted, short, trembling, vibrato, attack, release } = patch;
  const [rise, fall, distance] = [near(0.25), near(0.2), within(1)];
  return {
    patch: {
      ...patch,
      layers: tuned(layers),
      ...(muted && { muted: tuned(muted) }),
      ...(short && { short: tuned(short) }),
      ...(trembling && { trembling: tuned(trembling) }),
      ...(vibrato && { vibrato: { ...vibrato, cents: vibrato.cents * depth, hertz: vibrato.hertz * speed } }),
      ...(attack !== undefined && { attack: attack * rise }),
      ...(release && { release: [release[0] * fall, release[1] * fall] as const }),
    },
    tone: new Cascade([
      lowShelf(180, RATE, NEAR_DB * distance),
      bell(320 * near(0.8), RATE, 0.9, within(WOOD_DB)),
      bell(1900 * near(0.8), RATE, 0.9, within(PRESENCE_DB)),
      highShelf(6000, RATE, AIR_DB * distance + within(0.5 * AIR_DB)),
    ]),
  };
}

/** In place; yields after every block. */
export function* toned([left, right = left]: Stem, tone: Cascade): Generator<undefined> {
  const one = new Float64Array(BLOCK);
  const two = new Float64Array(BLOCK);
  for (let at = 0; at < left.length; at += BLOCK) {
    const count = Math.min(BLOCK, left.length - at);
    for (let n = 0; n < count; n++) {
      one[n] = left[at + n]!;
      two[n] = right[at + n]!;
    }
    tone.run(one, two, count);
    for (let n = 0; n < count; n++) {
      left[at + n] = one[n]!;
      right[at + n] = two[n]!;
    }
    yield undefined;
  }
}
