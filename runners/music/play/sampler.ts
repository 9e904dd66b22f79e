/** Plays a performance from the sound bank. */
import { breathe, breathing, Pauses } from "../../breathe.ts";
import { cosine, exp2, gainOf, power, sine } from "../../signal/dsp/exact.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { openBank } from "./bank.ts";
import { embodied, toned } from "./body.ts";
import { drumOn } from "./drums.ts";
import { bending, damped, darkening, Kit, type Struck } from "./kit/kit.ts";
import { type Banks, FIRM_MIDI, measuredLevel } from "./measured_level.ts";
import { type Layer, lentDrums, type Patch, patchOf } from "./patches.ts";
import { type Performance, RATE, type Stem } from "./performance.ts";
import type { Sound } from "./sounds/sound.ts";
import { type Wave, waves } from "./sounds/wave.ts";
import { type Stroke, strokes } from "./strokes.ts";
import { retuned } from "./tuning.ts";
import { sound, type Voice } from "./voice.ts";
import type { Zone } from "./zone.ts";

/** A note tied to the one before begins this far into its sample, past the attack, and fades in. Seconds. */
const TIE_SKIP = 0.06;
const TIE_FADE = 0.025;

/** Of recordings, Hz: what is left out at the beginning is counted in their frames. */
const SLOWEST_RATE = 8000;

/** Layers with attacks longer than this need a note to be heard in. Seconds. */
const LATE = 1.5;

/** The power of what lies below a velocity of 0.8: banks fall by 10 dB to half of it, players by 7. */
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
  const giveBack = waves.lend();
  try {
    return await played(performance, signal);
  } finally {
    giveBack();
  }
}

async function played(performance: Performance, signal: AbortSignal): Promise<Stem> {
  const plain = patchOf(performance.instrument);
  if (plain === undefined) throw new RangeError(`No sampled instrument is called "${performance.instrument}"`);
  const { patch, tone } = embodied(plain, performance.seed);
  const pauses = new Pauses(signal);
  const banks = await banksOf(patch);
  await breathe(signal);
  // An amplifier wants the strings as they are.
  const level = patch.amplifier === undefined ? gainOf(patch.level_db ?? (await measuredLevel(patch, banks))) : 1;
  const kit = patch.action === "kit" && patch.own !== true ? new Kit(patch, performance) : undefined;
  const player: Player = { banks, patch, level, kit, tonic: performance.tonic };
  const notes: Sounding[] = [];
  const mutes = new Map<number, Sounding[]>();
  for (const [index, stroke] of strokes(performance, patch).entries()) {
    const pause = pauses.due();
    if (pause !== undefined) await pause;
    const struck = soundingOf(player, stroke, hash32(performance.seed, index));
    for (const { sound, frame } of struck) {
      for (const other of mutes.get(sound.zone.group) ?? [])
        if (other.stroke !== stroke) other.choke = Math.min(other.choke, frame - other.frame);
    }
    if (patch.action === "kit") {
      for (const { sound } of struck) mutes.delete(sound.zone.group);
      for (const note of struck) {
        const { muted_by } = note.sound.zone;
        if (muted_by > 0) mutes.set(muted_by, [...(mutes.get(muted_by) ?? []), note]);
      }
    }
    notes.push(...struck);
  }
  const left = new Float32Array(performance.frames);
  // An amplifier hears one channel.
  const one = patch.amplifier !== undefined || notes.every((note) => note.left === note.right);
  const right = one ? left : new Float32Array(performance.frames);
  for (const same of byRecording(notes)) {
    const seconds = Math.max(...same.map((note) => heardSeconds(patch, note)));
    // Once for all: what drums add is made each time, up to 0.15 MB.
    const wave = await same[0]!.sound.wave(seconds);
    for (const note of same) {
      const pause = pauses.due();
      if (pause !== undefined) await pause;
      const taken = note.struck === undefined ? wave : kit?.take(note.sound.recording, wave, note.struck);
      sound(voiceOf(patch, note, taken ?? wave), left, right);
    }
  }
  kit?.close();
  const stem: Stem = left === right ? [left] : [left, right];
  if (tone !== undefined) await breathing(toned(stem, tone), signal);
  return stem;
}

/** Each recording is decoded once a part, however many there are and however few fit in memory. */
function byRecording(notes: readonly Sounding[]): Iterable<readonly Sounding[]> {
  const out = new Map<string, Sounding[]>();
  for (const note of notes) {
    const same = out.get(note.sound.recording);
    if (same === undefined) out.set(note.sound.recording, [note]);
    else same.push(note);
  }
  return out.values();
}

async function banksOf(patch: Patch): Promise<Banks> {
  const { layers, muted = [], short = [], trembling = [] } = patch;
  const files = new Set([...layers, ...muted, ...short, ...trembling, ...lent(patch)].map(({ file }) => file));
  return new Map(await Promise.all([...files].map(async (file) => [file, await openBank(file)] as const)));
}

/** One recording that is to be heard, before it is decoded. */
interface Sounding {
  readonly sound: Sound;
  readonly stroke: Stroke;
  readonly frame: number;
  /** Cents between the recording's pitch and that of the note. */
  readonly cents: number;
  readonly left: number;
  readonly right: number;
  readonly chances: readonly [cutoff: number, turn: number, speed: number];
  /** Of a kit that ships. */
  readonly struck: Struck | undefined;
  choke: number;
}

/** What plays the strokes of a part. */
interface Player {
  readonly banks: Banks;
  readonly patch: Patch;
  readonly level: number;
  /** For kits that ship; those of an operator are played as they were recorded. */
  readonly kit: Kit | undefined;
  readonly tonic: number | undefined;
}

function soundingOf(player: Player, stroke: Stroke, seed: number): Sounding[] {
  const { kit, level } = player;
  const struck = kit?.strike(stroke, seed);
  const out = soundsOf(player, stroke, seed, struck);
  const opened = kit?.opened(stroke);
  if (kit !== undefined && opened !== undefined) {
    const also = { ...stroke, pitch: opened.pitch, db: stroke.db + opened.db };
    // It is the same stroke still: neither ends the other.
    const loose = soundsOf(player, also, seed, { ...kit.strike(also, seed), length: opened.length });
    out.push(...loose.map((sounding) => ({ ...sounding, stroke })));
  }
  const [first] = out;
  if (first !== undefined)
    for (const sound of kit?.noises(stroke) ?? []) {
      const gain = level * sound.zone.gain;
      out.push({ ...first, sound, struck: undefined, cents: 0, left: gain * Math.SQRT1_2, right: gain * Math.SQRT1_2 });
    }
  return out;
}

function soundsOf(player: Player, stroke: Stroke, seed: number, struck: Struck | undefined): Sounding[] {
  const { patch, level, tonic } = player;
  const kit = patch.action === "kit";
  const velocity = Math.min(127, Math.max(1, Math.round(FIRM_MIDI * power(stroke.velocity / 0.8, SOFTER))));
  const out: Sounding[] = [];
  // No two strokes are the same: a drum is never hit on quite the same place.
  const chance = (purpose: number) => (2 * hash32(seed, purpose)) / 0x1_0000_0000 - 1;
  const tuned = tonic === undefined ? 0 : retuned(patch, stroke.pitch, tonic, struck?.piece.hertz);
  const detune = (kit ? 9 : 1.2) * chance(0) + tuned + (struck?.piece.cents ?? 0);
  const vary = gainOf((kit ? 0.7 : 0.4) * chance(1) + (struck?.piece.db ?? 0));
  const stands = kit ? (drumOn(stroke.pitch)?.pan?.recorded ?? 0) : 0;
  for (const { layer, sounds, key } of heardLayers(player, stroke, velocity, (chance(5) + 1) / 2)) {
    for (const sound of sounds) {
      const { zone, release } = sound;
      // What would only come when the note is over (the piano has such layers) is not worth its time.
      if (zone.level.attack > LATE && zone.level.attack * RATE > 1.5 * stroke.frames) continue;
      if (release !== undefined && (kit || stroke.tying)) continue;
      const pitch = layer.drum === true ? key : stroke.pitch + (layer.transpose ?? 0);
      const cents = (pitch * 100 - zone.root) * (zone.scale / 100) + zone.tune + (layer.cents ?? 0) + detune;
      const turn = (Math.min(1, Math.max(-1, zone.pan + (layer.pan ?? 0) + stands)) + 1) / 8;
      const faded = release === undefined ? 0 : (-release.db_a_second * stroke.frames) / RATE;
      const gain = level * vary * zone.gain * gainOf((layer.db ?? 0) + stroke.db + faded);
      out.push({
        sound,
        stroke,
        frame: stroke.frame + (release === undefined ? 0 : stroke.frames),
        cents,
        left: gain * cosine(turn),
        right: gain * sine(turn),
        chances: [chance(2), chance(3), chance(4)],
        struck,
        choke: Number.POSITIVE_INFINITY,
      });
    }
  }
  return out;
}

/** Nothing ends it before the recording does. */
const rings = (patch: Patch, { zone, release }: Sound): boolean =>
  patch.action === "kit" || release !== undefined || zone.whole === true;

/** Seconds of the recording that a note may reach: it is over by the end of its release, -100 dB. */
function heardSeconds(patch: Patch, { sound, stroke, cents, chances }: Sounding): number {
  if (rings(patch, sound)) return Number.POSITIVE_INFINITY;
  const { delay, attack, release } = shaped(sound.zone, patch, stroke);
  const vibrato = vibratoOf(patch, stroke, chances[1], chances[2]);
  const highest = exp2((cents + Math.abs(vibrato.cents) + Math.abs(stroke.slide.cents)) / 1200);
  // With a tenth of a second for steps of the voice, and what is left out at the beginning.
  const sounding = Math.max(stroke.frames / RATE, delay + attack, TIE_FADE) + release + 0.1;
  return 2 * TIE_SKIP + sound.zone.skip / SLOWEST_RATE + sounding * highest;
}

function voiceOf(patch: Patch, note: Sounding, wave: Wave): Voice {
  const { sound, stroke, chances, struck } = note;
  const { zone } = sound;
  return {
    wave,
    skip: stroke.tied
      ? Math.min(Math.round(TIE_SKIP * wave.rate), Math.floor((wave.end - wave.loop) / 2))
      : Math.min(zone.skip, Math.max(0, wave.end - 4)),
    ratio: (wave.rate / RATE) * exp2(note.cents / 1200),
    frame: note.frame,
    held: rings(patch, sound) ? Number.POSITIVE_INFINITY : stroke.frames,
    choke: note.choke,
    left: note.left,
    right: note.right,
    level: struck === undefined ? shaped(zone, patch, stroke) : damped(shaped(zone, patch, stroke), struck),
    fade: stroke.tied ? Math.round(TIE_FADE * RATE) : 0,
    cutoff: cutoffOf(zone, stroke, struck) + 150 * chances[0],
    // A hat's resonance in the bank is at the end of hearing; where it is darkened it would ring in the middle.
    q: struck === undefined ? zone.q : Math.min(zone.q, Math.SQRT1_2),
    sweep: zone.sweep,
    filter: zone.filter,
    vibrato: vibratoOf(patch, stroke, chances[1], chances[2]),
    slide: struck === undefined ? stroke.slide : bending(struck),
    swell: (patch.swell ?? 0) * Math.min(1, Math.max(0, (stroke.frames / RATE - 0.5) / 1.5)),
  };
}

/** The layers that have something to say at this pitch, with the key that they say it at. */
function heardLayers(
  { banks, patch, kit }: Player,
  stroke: Stroke,
  velocity: number,
  chance: number,
): { layer: Layer; key: number; sounds: readonly Sound[] }[] {
  const written = Math.min(127, Math.max(0, Math.round(stroke.pitch)));
  const out: ReturnType<typeof heardLayers> = [];
  const take = (given: Layer): void => {
    if (given.keys !== undefined && (written < given.keys[0] || written > given.keys[1])) return;
    // Kits reach from 27 to 87; what is written beyond sounds like the last there is.
    const asked = given.drum === true ? Math.min(87, Math.max(27, written)) : written + (given.transpose ?? 0);
    const { layer, key } = kit?.layer(given, asked) ?? { layer: given, key: asked };
    const struck = { key: Math.min(127, Math.max(0, key)), velocity, turn: stroke.turn, chance };
    const sounds = banks.get(layer.file)!.sounds(layer, struck);
    if (sounds.length > 0) out.push({ layer, key, sounds });
  };
  for (const layer of layersOf(patch, stroke)) take(layer);
  if (out.length === 0) for (const layer of lent(patch)) take(layer);
  return out;
}

const lent = (patch: Patch): readonly Layer[] => (patch.action === "kit" ? [lentDrums()] : []);

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

function cutoffOf(zone: Zone, stroke: Stroke, struck: Struck | undefined): number {
  const cutoff = Math.min(zone.cutoff, 13_800) - (stroke.damped ? 2400 : 0);
  const soft = Math.max(0, FIRM - stroke.velocity) / FIRM;
  if (struck !== undefined) return cutoff - soft * darkening(struck.piece);
  if (zone.cutoff < UNFILTERED || zone.layered === true) return cutoff;
  return Math.min(cutoff, Math.max(cutoff - soft * DARK, 100 * stroke.pitch + HARMONICS));
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
