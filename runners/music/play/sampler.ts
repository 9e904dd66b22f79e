/** Plays a performance from the sound bank. */
import { breathe, Pauses } from "../../breathe.ts";
import { cosine, exp2, gainOf, power, sine } from "../../signal/dsp/exact.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { type Bank, openBank } from "./bank.ts";
import { drumOn } from "./drums.ts";
import { type Layer, lentDrums, type Patch, patchOf } from "./patches.ts";
import { type Performance, RATE, type Stem } from "./performance.ts";
import { type Stroke, strokes } from "./strokes.ts";
import { retuned } from "./tuning.ts";
import { sound, type Voice } from "./voice.ts";
import { type Zone, zoneOf } from "./zone.ts";

/** A note tied to the one before begins this far into its sample, past the attack, and fades in. Seconds. */
const TIE_SKIP = 0.06;
const TIE_FADE = 0.025;

/** Layers with attacks longer than this need a note to be heard in. Seconds. */
const LATE = 1.5;

/** A bank's velocity of 0.8, and the power of what lies below: banks fall by 10 dB to half the velocity, players by 7. */
const FIRM_MIDI = 102;
const SOFTER = 0.75;

/** Below this velocity samples without layers are darkened, by these cents for a velocity of 0, though not to their own pitch. */
const FIRM = 0.75;
const DARK = 4200;
/** Cents of a cut-off from which on a sample has no filter of its own. */
const UNFILTERED = 13_000;
/** Cents above the pitch that are left alone: five harmonics. */
const HARMONICS = 2800;

/**
 * One or two channels of `performance.frames` samples. What rings longer is cut.
 *
 * @throws RangeError where the bank has no such instrument; the signal's reason where it was aborted
 */
export async function sample(performance: Performance, signal: AbortSignal): Promise<Stem> {
  const patch = patchOf(performance.instrument);
  if (patch === undefined) throw new RangeError(`No sampled instrument is called "${performance.instrument}"`);
  const pauses = new Pauses(signal);
  const bank = await openBank();
  await breathe(signal);
  // An amplifier wants the strings as they are.
  const level = patch.amplifier === undefined ? gainOf(patch.level_db ?? 0) : 1;
  const voices: Mutable[] = [];
  const classes = new Map<number, { voice: Mutable; stroke: number }[]>();
  const { tonic } = performance;
  const tuning = (pitch: number): number => (tonic === undefined ? 0 : retuned(patch, pitch, tonic));
  for (const [index, stroke] of strokes(performance, patch).entries()) {
    const pause = pauses.due();
    if (pause !== undefined) await pause;
    for (const { voice, exclusive } of voicesOf(bank, patch, stroke, hash32(performance.seed, index), level, tuning)) {
      voices.push(voice);
      if (exclusive > 0) {
        const others = classes.get(exclusive) ?? [];
        for (const other of others) {
          if (other.stroke !== index) other.voice.choke = Math.min(other.voice.choke, voice.frame - other.voice.frame);
        }
        classes.set(exclusive, [...others.filter((other) => other.stroke === index), { voice, stroke: index }]);
      }
    }
  }
  const left = new Float32Array(performance.frames);
  const right = voices.every((voice) => voice.left === voice.right) ? left : new Float32Array(performance.frames);
  for (const voice of voices) {
    const pause = pauses.due();
    if (pause !== undefined) await pause;
    sound(voice, left, right);
  }
  return left === right ? [left] : [left, right];
}

type Mutable = Voice & { choke: number };

function voicesOf(
  bank: Bank,
  patch: Patch,
  stroke: Stroke,
  seed: number,
  level: number,
  tuning: (pitch: number) => number,
): { voice: Mutable; exclusive: number }[] {
  const kit = patch.action === "kit";
  const velocity = Math.min(127, Math.max(1, Math.round(FIRM_MIDI * power(stroke.velocity / 0.8, SOFTER))));
  const out: { voice: Mutable; exclusive: number }[] = [];
  // No two strokes are the same: a drum is never hit on quite the same place.
  const chance = (purpose: number) => (2 * hash32(seed, purpose)) / 0x1_0000_0000 - 1;
  const detune = (kit ? 9 : 1.2) * chance(0) + tuning(stroke.pitch);
  const vary = gainOf((kit ? 0.7 : 0.4) * chance(1));
  const stands = kit ? (drumOn(stroke.pitch)?.pan?.recorded ?? 0) : 0;
  for (const { layer, zones, key } of sounding(bank, patch, stroke, velocity)) {
    for (const parameters of zones) {
      const zone = zoneOf(parameters, key, velocity);
      // What would only come when the note is over (the piano has such layers) is not worth its time.
      if (zone.level.attack > LATE && zone.level.attack * RATE > 1.5 * stroke.frames) continue;
      const wave = bank.wave(parameters.sample, zone.looped);
      const pitch = layer.drum === true ? key : stroke.pitch + (layer.transpose ?? 0);
      const cents = (pitch * 100 - zone.root) * (zone.scale / 100) + zone.tune + (layer.cents ?? 0) + detune;
      const ratio = (wave.rate / RATE) * exp2(cents / 1200);
      const turn = (Math.min(1, Math.max(-1, zone.pan + (layer.pan ?? 0) + stands)) + 1) / 8;
      const gain = level * vary * zone.gain * gainOf((layer.db ?? 0) + stroke.db);
      const skip = stroke.tied
        ? Math.min(Math.round(TIE_SKIP * wave.rate), Math.floor((wave.end - wave.loop) / 2))
        : Math.min(zone.skip, Math.max(0, wave.end - 4));
      out.push({
        exclusive: kit ? zone.exclusive : 0,
        voice: {
          wave,
          skip,
          ratio,
          frame: stroke.frame,
          held: kit ? Number.POSITIVE_INFINITY : stroke.frames,
          choke: Number.POSITIVE_INFINITY,
          left: gain * cosine(turn),
          right: gain * sine(turn),
          level: shaped(zone, patch, stroke),
          fade: stroke.tied ? Math.round(TIE_FADE * RATE) : 0,
          cutoff: cutoffOf(zone, stroke, kit) + 150 * chance(2),
          q: zone.q,
          sweep: zone.sweep,
          filter: zone.filter,
          vibrato: vibratoOf(patch, stroke, chance(3), chance(4)),
          slide: stroke.slide,
          swell: (patch.swell ?? 0) * Math.min(1, Math.max(0, (stroke.frames / RATE - 0.5) / 1.5)),
        },
      });
    }
  }
  return out;
}

/** The layers that have something to say at this pitch, with the key that they say it at. */
function sounding(
  bank: Bank,
  patch: Patch,
  stroke: Stroke,
  velocity: number,
): { layer: Layer; key: number; zones: ReturnType<Bank["zones"]> }[] {
  const written = Math.min(127, Math.max(0, Math.round(stroke.pitch)));
  const out: ReturnType<typeof sounding> = [];
  const take = (layer: Layer): void => {
    if (layer.keys !== undefined && (written < layer.keys[0] || written > layer.keys[1])) return;
    // Kits reach from 27 to 87; what is written beyond sounds like the last there is.
    const key = layer.drum === true ? Math.min(87, Math.max(27, written)) : written + (layer.transpose ?? 0);
    const zones = bank.zones(layer, Math.min(127, Math.max(0, key)), velocity);
    if (zones.some(({ sample }) => sample.loopEnd > 1)) out.push({ layer, key, zones });
  };
  for (const layer of layersOf(patch, stroke)) take(layer);
  if (out.length === 0 && patch.action === "kit") take(lentDrums());
  return out;
}

function layersOf(patch: Patch, { articulation }: Stroke): readonly Layer[] {
  if (articulation === "mute") return patch.muted ?? patch.layers;
  if (articulation === "tremolo") return patch.trembling ?? patch.layers;
  if (articulation === "staccato") return patch.short ?? patch.layers;
  return patch.layers;
}

function shaped(zone: Zone, patch: Patch, stroke: Stroke): Zone["level"] {
  const { level } = zone;
  const [least, greatest] = patch.release ?? [0, Number.POSITIVE_INFINITY];
  let release = Math.min(greatest, Math.max(least, level.release));
  if (stroke.tying) release = Math.min(release, 0.12);
  if (stroke.articulation === "staccato") release = Math.min(release, 0.35);
  // Firm bows bite sooner.
  const limit =
    (patch.attack ?? Number.POSITIVE_INFINITY) *
    (stroke.articulation === "staccato" ? 0.3 : 1.3 - 0.5 * stroke.velocity);
  return { ...level, attack: Math.min(limit, level.attack), release };
}

function cutoffOf(zone: Zone, stroke: Stroke, kit: boolean): number {
  const cutoff = Math.min(zone.cutoff, 13_800) - (stroke.damped ? 2400 : 0);
  if (zone.cutoff < UNFILTERED) return cutoff;
  const dark = Math.max(0, FIRM - stroke.velocity) * (DARK / FIRM);
  return Math.min(cutoff, Math.max(cutoff - dark, kit ? 0 : 100 * stroke.pitch + HARMONICS));
}

function vibratoOf({ vibrato }: Patch, stroke: Stroke, turn: number, speed: number): Voice["vibrato"] {
  const seconds = stroke.frames / RATE;
  if (vibrato === undefined || seconds < 0.4) return { cents: 0, hertz: 1, onset: 0, phase: 0 };
  const { cents, hertz, after_seconds } = vibrato;
  return {
    cents: cents * (0.6 + 0.6 * stroke.velocity) * Math.min(1, seconds / 0.9),
    hertz: hertz * (1 + 0.06 * speed),
    onset: Math.min(after_seconds, 0.6 * seconds),
    phase: turn,
  };
}
