/** Two pieces do not turn the knobs to the same places. */
import type { SynthPatch } from "../../../packs/mod.ts";
import { exp2 } from "../../../signal/dsp/exact.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";

/** A patch whose cut-off, envelopes, detuning and widths of pulses differ a little by the seed. */
export function voiced(patch: SynthPatch, seed: number): SynthPatch {
  const next = random(hash32(seed, 303));
  const near = (octaves: number): number => exp2(octaves * (2 * next() - 1));
  const spread = near(0.3);
  const { filter, amp } = patch;
  return {
    ...patch,
    layers: patch.layers.map((layer) => ({
      ...layer,
      cents: (layer.cents ?? 0) * spread,
      width: Math.min(0.5, (layer.width ?? 0.5) * near(0.25)),
    })),
    filter: {
      ...filter,
      hertz: filter.hertz * near(0.3),
      envelope: filter.envelope * near(0.15),
      adsr: { ...filter.adsr, decay: filter.adsr.decay * near(0.3) },
    },
    amp: { ...amp, attack: amp.attack * near(0.25), release: amp.release * near(0.2) },
  };
}

/** The pulses of a sound chip have one of a few widths; all else stays as it is. */
export function chip(patch: SynthPatch, widths: readonly number[], seed: number): SynthPatch {
  const width = widths[hash32(seed, 2) % widths.length]!;
  return { ...patch, layers: patch.layers.map((layer) => ({ ...layer, width })) };
}
