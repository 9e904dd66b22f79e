/**
 * Struck bodies: modal banks by material. Ratios: free bars and plates (Fletcher and Rossing, The Physics of Musical
 * Instruments), rounded.
 */
import { exp2 } from "../../signal/dsp/exact.ts";
import { type Mode, softened } from "../../signal/dsp/modal.ts";
import type { Material, Voice } from "../voice.ts";

interface Body {
  readonly hertz: number;
  /** Of the lowest mode, seconds; higher ones fall as ratio^-loss. */
  readonly t60: number;
  readonly loss: number;
  readonly ratios: readonly number[];
  /** The noise of the contact: gain, Hz, seconds. */
  readonly contact: readonly [gain: number, hertz: number, t60: number];
}

const PLATE = [1, 1.51, 2.08, 2.71, 3.35, 4.11, 4.93, 5.9, 7.2, 8.6];
export const BODIES: Readonly<Record<Material, Body>> = {
  wood: { hertz: 210, t60: 0.22, loss: 0.7, ratios: [1, 1.62, 2.41, 2.97, 3.9, 5.2, 6.6], contact: [0.5, 1800, 0.02] },
  metal: { hertz: 410, t60: 2.2, loss: 0.5, ratios: PLATE, contact: [0.35, 5200, 0.015] },
  glass: {
    hertz: 1450,
    t60: 0.8,
    loss: 0.6,
    ratios: [1, 1.74, 2.66, 3.51, 4.7, 6.2, 7.9],
    contact: [0.4, 7500, 0.012],
  },
  stone: { hertz: 430, t60: 0.07, loss: 0.4, ratios: [1, 1.37, 2.05, 2.9, 4.3], contact: [1, 2600, 0.04] },
  plastic: { hertz: 360, t60: 0.09, loss: 0.5, ratios: [1, 1.9, 2.7, 3.8, 5.3], contact: [0.5, 2400, 0.02] },
  ceramic: { hertz: 920, t60: 0.32, loss: 0.6, ratios: [1, 1.81, 2.93, 4.1, 5.6, 7.4], contact: [0.5, 5200, 0.015] },
  body: { hertz: 85, t60: 0.14, loss: 0.9, ratios: [1, 1.6, 2.4], contact: [0.9, 700, 0.06] },
  gravel: { hertz: 700, t60: 0.03, loss: 0.4, ratios: [1, 1.7, 2.9], contact: [1, 3200, 0.06] },
  snow: { hertz: 240, t60: 0.04, loss: 1, ratios: [1, 1.6], contact: [1, 1500, 0.1] },
  grass: { hertz: 150, t60: 0.05, loss: 1, ratios: [1, 1.7], contact: [1, 2800, 0.08] },
  water: { hertz: 320, t60: 0.12, loss: 0.9, ratios: [1, 1.5, 2.3], contact: [1, 1600, 0.15] },
  paper: { hertz: 420, t60: 0.03, loss: 1, ratios: [1, 2.1], contact: [1, 4200, 0.05] },
  cloth: { hertz: 110, t60: 0.05, loss: 1, ratios: [1, 1.7], contact: [1, 900, 0.07] },
};

export interface Strike {
  readonly at?: number;
  readonly gain?: number;
  /** Factor on pitch beside the voice's own. */
  readonly tune?: number;
  /** Factor on the decay. */
  readonly ringing?: number;
  readonly pan?: number;
  /** 0 a felt mallet to 1 a hammer. */
  readonly hardness?: number;
}

export function strike(voice: Voice, material: Material, how: Strike = {}): void {
  const { at = 0, gain = 1, tune = 1, ringing = 1, pan = 0, hardness = voice.traits.intensity } = how;
  const { hertz, t60, loss, ratios, contact } = BODIES[material];
  const base = voice.vary(hertz * voice.tune * tune, 0.08);
  const cutoff = Math.max(base * 1.2, 400 * exp2(4 * hardness + voice.traits.bright));
  const modes: Mode[] = ratios.map((ratio, index) => {
    const mode = base * (index === 0 ? 1 : voice.vary(ratio, 0.05));
    const falls = exp2(-loss * (ratio > 1 ? Math.min(3.5, (ratio - 1) * 0.7) : 0));
    return {
      hertz: mode,
      t60: voice.fit(t60 * voice.long * ringing * falls),
      gain: gain * softened(mode, cutoff) * voice.between(0.5, 1) * (index === 0 ? 1 : 0.8),
      pan: Math.min(1, Math.max(-1, pan + voice.between(-0.45, 0.45))),
    };
  });
  voice.ring(modes, at);
  const [level, colour, length] = contact;
  voice.burst({
    at,
    t60: voice.fit(length * (2 + voice.traits.size)),
    hertz: colour * exp2(0.7 * voice.traits.bright - 0.5 * voice.traits.size),
    gain: gain * level * (0.4 + 1.2 * hardness),
    pan,
    attack: 0.0004,
  });
}
