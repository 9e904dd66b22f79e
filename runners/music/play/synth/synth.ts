/** Instruments that are played by synthesis, and how. The rest is left to the sampled bank. */

import { atOnce } from "../../../breathe.ts";
import type { InstrumentPack, SynthesiserPack, SynthPatch } from "../../../packs/mod.ts";
import { chorus } from "../../../signal/dsp/chorus.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import { release } from "../../../signal/dsp/release.ts";
import { type Instrument, instrumentOf } from "../../compose/mod.ts";
import { patchOf } from "../patches.ts";
import { type Performance, RATE, type Stem } from "../performance.ts";
import { acidBass, type Render, reeseBass, subBass } from "./basses.ts";
import { playDrone } from "./drone.ts";
import { BELL_SYNTH, CLAVINET, FM_PIANO, sustained, TINE_PIANO } from "./keys.ts";
import { playKit } from "./kit/play.ts";
import { drifting } from "./motion.ts";
import { place, renderPatch } from "./patch.ts";
import { connected } from "./phrase.ts";
import { playStruck, type Struck } from "./struck.ts";
import { playTexture } from "./textures/play.ts";
import { playTransition } from "./transitions.ts";
import { chip, voiced } from "./voiced.ts";

/** Yields now and then, so that the thread can breathe. */
type Player = (performance: Performance) => Generator<undefined, Stem>;

/** Instruments that have a model of their own. */
const MODELS: Readonly<Record<NonNullable<InstrumentPack["model"]>, Player>> = {
  long_kick: mono(() => subBass),
  acid: mono(() => acidBass),
  reese: mono(() => reeseBass),
  drone: playDrone,
  tine_piano: struck(TINE_PIANO),
  dx_piano: struck(FM_PIANO),
  clavinet: struck(CLAVINET),
  bell: struck(BELL_SYNTH),
};

/** Whether `synthesise` plays it. */
export function isSynthesised(instrument: Instrument): boolean {
  return patchOf(instrument) === undefined;
}

function playerOf({ synthesiser, drum_machine, model, texture, gesture }: InstrumentPack): Player | undefined {
  if (synthesiser !== undefined) return patched(synthesiser);
  if (typeof drum_machine === "string") return playerOf(instrumentOf(drum_machine as Instrument));
  if (drum_machine !== undefined) return (performance) => playKit(drum_machine, performance);
  if (texture !== undefined) return (performance) => playTexture(texture, performance);
  if (gesture !== undefined) return (performance) => playTransition(gesture, performance);
  return model === undefined ? undefined : MODELS[model];
}

/**
 * One part by synthesis, at 44.1 kHz. Same performance, same samples, on every runtime.
 *
 * @returns one channel for what stays in the middle, else two; silence for an instrument that is sampled
 */
export function synthesise(performance: Performance): Stem {
  return atOnce(synthesising(performance));
}

/** The same, yielding now and then. */
export function* synthesising(performance: Performance): Generator<undefined, Stem> {
  const play = playerOf(instrumentOf(performance.instrument));
  return play === undefined ? [new Float32Array(performance.frames)] : yield* play(performance);
}

/** From a patch: a line, or any number of notes, with or without an ensemble behind. */
function patched({ patch, one_voice, chip_widths, seconds_max, turns, ensemble: settings }: SynthesiserPack): Player {
  const own = (seed: number): SynthPatch =>
    chip_widths === undefined ? voiced(patch, seed) : chip(patch, chip_widths, seed);
  if (one_voice === true)
    return mono((seed) => {
      const turned = own(seed);
      return (phrase, frames, rate, next, drift) => renderPatch(turned, phrase, frames, rate, next, drift);
    });
  const play: Player = (performance) => playStruck(sustained(own(performance.seed), seconds_max, turns), performance);
  return settings === undefined ? play : ensemble(play, settings);
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
      const sound = render(phrase, frames, RATE, random(hash32(seed, index + 2)), drift);
      place(stem, sound, phrase.frame);
      release(...sound);
      yield undefined;
    }
    return stem;
  };
}

/** With an ensemble behind, whose motion joins on a ring. */
function ensemble(play: Player, settings: Parameters<typeof chorus>[3]): Player {
  return function* (performance) {
    const stem = yield* play(performance);
    yield* chorus(stem[0], stem[1] ?? stem[0].slice(), RATE, settings, performance.ring);
    return stem;
  };
}
