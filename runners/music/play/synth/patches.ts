/** Leads, chords and brass as patches of the subtractive synthesiser. */
import type { Layer, Patch } from "./patch.ts";

/** Two saws in near unison and one an octave below, singing by a late vibrato: the lead of the Minimoog. */
export const SAW_LEAD: Patch = {
  layers: [
    { wave: "saw", cents: -5, gain: 0.4 },
    { wave: "saw", cents: 6, gain: 0.4 },
    { wave: "pulse", semitones: -12, gain: 0.14, width: 0.45, sway: 0.1, sway_hertz: 0.7 },
  ],
  filter: {
    hertz: 2600,
    key: 0.6,
    envelope: 1.6,
    velocity: 2,
    q: 1.1,
    slope: 24,
    adsr: { attack: 0.004, decay: 1.1, sustain: 0.45, release: 0.3 },
  },
  amp: { attack: 0.006, decay: 1.2, sustain: 0.8, release: 0.22 },
  gain: 0.29,
  drift: 2,
  glide: 0.045,
  slide: 0.12,
  vibrato: { hertz: 5.6, cents: 14, delay: 0.32 },
};

export const SQUARE_LEAD: Patch = {
  layers: [
    { wave: "pulse", gain: 0.36, width: 0.5, sway: 0.12, sway_hertz: 0.55 },
    { wave: "square", cents: 5, gain: 0.22 },
    { wave: "triangle", semitones: -12, gain: 0.2 },
  ],
  filter: {
    hertz: 2200,
    key: 0.7,
    envelope: 1.3,
    velocity: 1.8,
    q: 0.9,
    slope: 24,
    adsr: { attack: 0.003, decay: 0.9, sustain: 0.5, release: 0.25 },
  },
  amp: { attack: 0.005, decay: 1, sustain: 0.82, release: 0.18 },
  gain: 0.28,
  drift: 1.5,
  glide: 0.04,
  slide: 0.11,
  vibrato: { hertz: 5.3, cents: 12, delay: 0.3 },
};

/** Flute-like: a triangle with a breath of saw above. */
export const SOFT_LEAD: Patch = {
  layers: [
    { wave: "triangle", gain: 0.62 },
    { wave: "sine", semitones: 12, gain: 0.1 },
    { wave: "saw", cents: 4, gain: 0.1 },
  ],
  filter: {
    hertz: 2400,
    key: 0.7,
    envelope: 0.8,
    velocity: 1.8,
    q: 0.75,
    slope: 12,
    adsr: { attack: 0.06, decay: 1.4, sustain: 0.5, release: 0.4 },
  },
  amp: { attack: 0.028, decay: 1.5, sustain: 0.85, release: 0.34 },
  gain: 0.36,
  drift: 2,
  glide: 0.07,
  slide: 0.16,
  vibrato: { hertz: 5, cents: 13, delay: 0.36 },
};

/** The pulse channel of a sound chip: hard edges, no filter, no drift; a vibrato that starts at once after its delay. */
export const CHIP_LEAD: Patch = {
  layers: [{ wave: "pulse", gain: 0.5, width: 0.25, phase: 0 }],
  filter: {
    hertz: 15_000,
    key: 0,
    envelope: 0,
    velocity: 0,
    q: 0.7,
    slope: 12,
    adsr: { attack: 0, decay: 1, sustain: 1, release: 0.01 },
  },
  amp: { attack: 0.0007, decay: 0.7, sustain: 0.62, release: 0.012 },
  gain: 0.25,
  glide: 0,
  slide: 0.06,
  vibrato: { hertz: 6.6, cents: 26, delay: 0.2 },
};

/** Detuning and panorama of the seven saws of the JP-8000's supersaw at about two thirds of its range (A. Szabo 2010). */
const SPREAD: readonly (readonly [cents: number, gain: number, pan: number])[] = [
  [0, 0.3, 0],
  [-5.2, 0.24, -0.45],
  [5.4, 0.24, 0.45],
  [-15.6, 0.22, 0.75],
  [15.1, 0.22, -0.75],
  [-26.7, 0.18, -0.95],
  [26, 0.18, 0.95],
];

export const SUPERSAW: Patch = {
  layers: SPREAD.map(([cents, gain, pan]): Layer => ({ wave: "saw", cents, gain, pan })),
  filter: {
    hertz: 6500,
    key: 0.5,
    envelope: 1.5,
    velocity: 2.2,
    q: 0.8,
    slope: 12,
    adsr: { attack: 0.004, decay: 1.2, sustain: 0.5, release: 0.5 },
    floor: 0.75,
  },
  amp: { attack: 0.008, decay: 1.4, sustain: 0.82, release: 0.32 },
  gain: 0.175,
  stereo: true,
  drift: 2.5,
};

/** Brass as the CS-80 and the OB-X play it: the filter opens after the tone and falls back. */
export const BRASS_SYNTH: Patch = {
  layers: [
    { wave: "saw", cents: -6, gain: 0.38, pan: -0.5 },
    { wave: "saw", cents: 7, gain: 0.38, pan: 0.5 },
    { wave: "pulse", semitones: -12, gain: 0.13, width: 0.42, sway: 0.07, sway_hertz: 0.6 },
  ],
  filter: {
    hertz: 750,
    key: 0.5,
    envelope: 2.7,
    velocity: 2.6,
    q: 0.95,
    slope: 24,
    adsr: { attack: 0.055, decay: 1.1, sustain: 0.58, release: 0.35 },
  },
  amp: { attack: 0.022, decay: 1.2, sustain: 0.85, release: 0.28 },
  gain: 0.31,
  stereo: true,
  drift: 3,
  blip: [-0.35, 0.09],
  vibrato: { hertz: 5.2, cents: 7, delay: 0.5 },
};

/** Saws and a swaying pulse through a slow filter; the ensemble comes behind. */
export const WARM_PAD: Patch = {
  layers: [
    { wave: "saw", cents: -7, gain: 0.3, pan: -0.45 },
    { wave: "saw", cents: 7, gain: 0.3, pan: 0.45 },
    { wave: "pulse", cents: 1, gain: 0.2, width: 0.42, sway: 0.16, sway_hertz: 0.31 },
    { wave: "triangle", semitones: -12, gain: 0.16 },
  ],
  filter: {
    hertz: 1250,
    key: 0.4,
    envelope: 1.1,
    velocity: 2,
    q: 0.8,
    slope: 24,
    adsr: { attack: 0.9, decay: 4, sustain: 0.6, release: 1.4 },
    sway: 0.45,
    sway_hertz: 0.13,
  },
  amp: { attack: 0.32, decay: 3, sustain: 0.88, release: 1.3 },
  gain: 0.32,
  stereo: true,
  drift: 4,
};

/** Odd partials far above the note, glittering in and out: between a PPG and a glass harp. */
export const GLASS_PAD: Patch = {
  layers: [
    { wave: "glass", cents: -4, gain: 0.36, pan: -0.5 },
    { wave: "glass", cents: 5, gain: 0.36, pan: 0.5 },
    { wave: "glass", semitones: 12, cents: 3, gain: 0.16, pan: 0.3 },
    { wave: "sine", semitones: 19, cents: -2, gain: 0.06, pan: -0.4 },
    { wave: "saw", semitones: 12, cents: -3, gain: 0.045, pan: 0 },
  ],
  filter: {
    hertz: 3800,
    key: 0.4,
    envelope: 1.2,
    velocity: 1.8,
    q: 0.8,
    slope: 12,
    adsr: { attack: 0.6, decay: 3.5, sustain: 0.55, release: 1.8 },
    sway: 0.6,
    sway_hertz: 0.21,
  },
  amp: { attack: 0.16, decay: 4, sustain: 0.8, release: 1.8 },
  gain: 0.33,
  stereo: true,
  drift: 3,
};

/** Low and slow: a hollow wave with its fifth somewhere far off, through a filter that never rests. */
export const DARK_PAD: Patch = {
  layers: [
    { wave: "saw", cents: -11, gain: 0.3, pan: -0.5 },
    { wave: "saw", cents: 10, gain: 0.3, pan: 0.5 },
    { wave: "hollow", semitones: -12, cents: 3, gain: 0.26 },
    { wave: "pulse", cents: -2, gain: 0.16, width: 0.3, sway: 0.18, sway_hertz: 0.17 },
  ],
  filter: {
    hertz: 520,
    key: 0.35,
    envelope: 0.9,
    velocity: 1.8,
    q: 1.4,
    slope: 24,
    adsr: { attack: 1.6, decay: 6, sustain: 0.55, release: 2 },
    sway: 0.85,
    sway_hertz: 0.083,
  },
  amp: { attack: 0.6, decay: 4, sustain: 0.9, release: 2 },
  gain: 0.38,
  stereo: true,
  drift: 6,
};

/** For the cache of short notes: two saws and a square through a filter that shuts at once. */
export const PLUCK: Patch = {
  layers: [
    { wave: "saw", cents: -8, gain: 0.3, pan: -0.45 },
    { wave: "saw", cents: 8, gain: 0.3, pan: 0.45 },
    { wave: "square", gain: 0.22, pan: 0 },
    { wave: "saw", semitones: 12, cents: 2, gain: 0.1, pan: 0 },
  ],
  filter: {
    hertz: 420,
    key: 0.55,
    envelope: 4.3,
    velocity: 3,
    q: 1.15,
    slope: 24,
    adsr: { attack: 0, decay: 0.62, sustain: 0, release: 0.3 },
  },
  amp: { attack: 0.0008, decay: 1.5, sustain: 0, release: 0.3 },
  gain: 0.38,
  stereo: true,
  drift: 2,
};
