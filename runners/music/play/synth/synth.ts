/** Instruments that are played by synthesis, and how. The rest is left to the sampled bank. */
import { atOnce } from "../../../breathe.ts";
import { chorus } from "../../../signal/dsp/chorus.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import { type Performance, RATE, type Stem } from "../performance.ts";
import { acidBass, type Render, reeseBass, SYNTH_BASS, subBass } from "./basses.ts";
import { playDrone } from "./drone.ts";
import { BELL_SYNTH, CLAVINET, FM_PIANO, sustained, TINE_PIANO } from "./keys.ts";
import { playKit } from "./kit/play.ts";
import { drifting } from "./motion.ts";
import { type Patch, place, renderPatch } from "./patch.ts";
import {
  BRASS_SYNTH,
  DARK_PAD,
  GLASS_PAD,
  PLUCK,
  SAW_LEAD,
  SOFT_LEAD,
  SQUARE_LEAD,
  SUPERSAW,
  WARM_PAD,
} from "./patches.ts";
import { connected } from "./phrase.ts";
import { playStruck, type Struck } from "./struck.ts";
import { playTexture } from "./textures/play.ts";
import { playTransition } from "./transitions.ts";
import { chip, voiced } from "./voiced.ts";

/** Yields now and then, so that the thread can breathe. */
type Player = (performance: Performance) => Generator<undefined, Stem>;

const PLAYERS: Partial<Record<Performance["instrument"], Player>> = {
  synth_bass: mono(patched((seed) => voiced(SYNTH_BASS, seed))),
  sub_bass: mono(() => subBass),
  acid_bass: mono(() => acidBass),
  reese_bass: mono(() => reeseBass),
  saw_lead: mono(patched((seed) => voiced(SAW_LEAD, seed))),
  square_lead: mono(patched((seed) => voiced(SQUARE_LEAD, seed))),
  soft_lead: mono(patched((seed) => voiced(SOFT_LEAD, seed))),
  chip_lead: mono(patched(chip)),
  supersaw: sustaining(SUPERSAW),
  pluck: sustaining(PLUCK, 1.5, 3),
  bell_synth: struck(BELL_SYNTH),
  fm_piano: struck(FM_PIANO),
  electric_piano: struck(TINE_PIANO),
  clavinet: struck(CLAVINET),
  brass_synth: sustaining(BRASS_SYNTH),
  warm_pad: ensemble(WARM_PAD, {
    delay: 0.011,
    depth: 0.0032,
    slow: 0.31,
    fast: 4.6,
    flutter: 0.08,
    dry: 0.55,
    wet: 0.75,
  }),
  glass_pad: ensemble(GLASS_PAD, {
    delay: 0.014,
    depth: 0.003,
    slow: 0.23,
    fast: 3.1,
    flutter: 0.05,
    dry: 0.65,
    wet: 0.65,
  }),
  dark_pad: ensemble(DARK_PAD, {
    delay: 0.017,
    depth: 0.0048,
    slow: 0.17,
    fast: 2.3,
    flutter: 0.06,
    dry: 0.55,
    wet: 0.75,
  }),
  drone: playDrone,
  electronic_kit: playKit,
  house_kit: playKit,
  trap_kit: playKit,
  lofi_kit: playKit,
  breakbeat_kit: playKit,
  vinyl_noise: playTexture,
  rain_texture: playTexture,
  wind_texture: playTexture,
  tape_hiss: playTexture,
  sea_texture: playTexture,
  crowd_texture: playTexture,
  fire_texture: playTexture,
  birds_texture: playTexture,
  night_texture: playTexture,
  city_texture: playTexture,
  space_texture: playTexture,
  riser: playTransition,
  downlifter: playTransition,
  impact: playTransition,
  sub_drop: playTransition,
  reverse_cymbal: playTransition,
};

/** What `synthesise` plays. */
export const SYNTHESISED: ReadonlySet<Performance["instrument"]> = new Set(
  Object.keys(PLAYERS) as Performance["instrument"][],
);

/**
 * One part by synthesis, at 44.1 kHz. Same performance, same samples, on every runtime.
 *
 * @returns one channel for what stays in the middle, else two; silence for an instrument that is not in `SYNTHESISED`
 */
export function synthesise(performance: Performance): Stem {
  return atOnce(synthesising(performance));
}

/** The same, yielding now and then. */
export function* synthesising(performance: Performance): Generator<undefined, Stem> {
  const play = PLAYERS[performance.instrument];
  return play === undefined ? [new Float32Array(performance.frames)] : yield* play(performance);
}

/** A patch as a renderer of phrases. */
function patched(patchFor: (seed: number) => Patch): (seed: number) => Render {
  return (seed) => {
    const patch = patchFor(seed);
    return (phrase, frames, rate, next, drift) => renderPatch(patch, phrase, frames, rate, next, drift);
  };
}

/** Polyphonic from a patch. */
function sustaining(patch: Patch, longest?: number, turns?: number): Player {
  return (performance) => playStruck(sustained(voiced(patch, performance.seed), longest, turns), performance);
}

function struck(kind: Struck): Player {
  return (performance) => playStruck(kind, performance);
}

/** Monophonic, in one channel. */
function mono(prepare: (seed: number) => Render): Player {
  return function* ({ events, frames, seed }) {
    const render = prepare(seed);
    const stem: Stem = [new Float32Array(frames)];
    const drift = drifting(hash32(seed, 1), RATE);
    for (const [index, phrase] of connected(events, frames, RATE).entries()) {
      place(stem, render(phrase, frames, RATE, random(hash32(seed, index + 2)), drift), phrase.frame);
      yield undefined;
    }
    return stem;
  };
}

/** Polyphonic with an ensemble behind, whose motion joins on a ring. */
function ensemble(patch: Patch, settings: Parameters<typeof chorus>[3]): Player {
  const play = sustaining(patch);
  return function* (performance) {
    const stem = yield* play(performance);
    yield* chorus(stem[0], stem[1] ?? stem[0].slice(), RATE, settings, performance.ring);
    return stem;
  };
}
