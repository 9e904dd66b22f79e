/** What a region of an SFZ file says: when it sounds, and how. */
import { midiOf } from "../../../packs/mod.ts";
import { exp2, gainOf, log2, power } from "../../../signal/dsp/exact.ts";
import type { Envelope } from "../voice.ts";
import type { Zone } from "../zone.ts";
import { type Opcodes, SfzError } from "./sfz.ts";
import type { Struck } from "./sound.ts";

type Pair = readonly [low: number, high: number];

export interface Region {
  /** As the file says, from its folder, with slashes. */
  readonly sample: string;
  readonly keys: Pair;
  readonly velocities: Pair;
  readonly chances: Pair;
  /** It sounds at every `length`th stroke, beginning with that of `position`. */
  readonly turns: { readonly length: number; readonly position: number };
  readonly release: { readonly db_a_second: number } | undefined;
  /** Frames; absent where the recording's own count. */
  readonly loop: { readonly from: number | undefined; readonly to: number | undefined } | null | undefined;
  /** Frames that count, from the beginning; absent: all. */
  readonly end: number | undefined;
  /** Same for each stroke. */
  readonly zone: Omit<Zone, "gain" | "cutoff" | "looped">;
  readonly volume_db: number;
  readonly amplitude: number;
  /** -1 to 1: how much of the velocity is heard. */
  readonly veltrack: number;
  readonly fade_in: Pair;
  readonly fade_out: Pair;
  /** Cents above 8.176 Hz; absent: none. */
  readonly cutoff: number | undefined;
  readonly cutoff_by_velocity: number;
  readonly cutoff_by_key: number;
  readonly cutoff_key: number;
}

/** Reads the opcodes of one region. Undefined for what never sounds as we play: other switches, pedals down, notes that follow. */
export function regionOf(opcodes: Opcodes): Region | undefined {
  const text = (name: string): string | undefined => opcodes.get(name);
  const number = (name: string, otherwise: number): number => {
    const given = text(name);
    if (given === undefined) return otherwise;
    const value = Number.parseFloat(given);
    if (!Number.isFinite(value)) throw new SfzError(`${name}=${given} is no number`);
    return value;
  };
  const shift = number("note_offset", 0) + 12 * number("octave_offset", 0);
  const note = (name: string, otherwise: number): number => {
    const given = text(name)?.toLowerCase();
    if (given === undefined) return otherwise;
    if (/^[a-g][#b]?-?\d+$/u.test(given)) return midiOf(given[0]!.toUpperCase() + given.slice(1)) + shift;
    return number(name, otherwise) + (given === "-1" ? 0 : shift);
  };
  const sample = text("sample");
  // "*sine" and the like are waves that players make themselves.
  if (sample === undefined || sample.startsWith("*") || text("end") === "-1") return undefined;
  const trigger = text("trigger") ?? "attack";
  if (!["attack", "first", "release", "release_key"].includes(trigger)) return undefined;
  if (number("locc64", 0) > 0 || (text("sw_last") !== undefined && note("sw_last", 0) !== note("sw_default", -1)))
    return undefined;
  const key = text("key") === undefined ? undefined : note("key", 60);
  const keys: Pair = [note("lokey", key ?? 0), note("hikey", key ?? 127)];
  if (keys[1] < 0) return undefined;
  const center = text("pitch_keycenter") === "sample" ? undefined : text("pitch_keycenter");
  const mode = text("loop_mode") ?? text("loopmode");
  const [loop_start, loop_end] = [text("loop_start") ?? text("loopstart"), text("loop_end") ?? text("loopend")];
  return {
    sample: `${text("default_path") ?? ""}${sample}`.replaceAll("\\", "/"),
    keys,
    velocities: [number("lovel", 1), number("hivel", 127)],
    chances: [number("lorand", 0), number("hirand", 1)],
    turns: { length: Math.max(1, number("seq_length", 1)), position: number("seq_position", 1) },
    release: trigger.startsWith("release") ? { db_a_second: number("rt_decay", 0) } : undefined,
    loop:
      mode === "no_loop" || mode === "one_shot"
        ? null
        : mode === undefined && loop_start === undefined
          ? undefined
          : {
              from: loop_start === undefined ? undefined : number("loop_start", number("loopstart", 0)),
              // The last frame of the loop, in an SFZ file.
              to: loop_end === undefined ? undefined : number("loop_end", number("loopend", 0)) + 1,
            },
    end: text("end") === undefined ? undefined : number("end", 0) + 1,
    zone: {
      skip: Math.max(0, Math.round(number("offset", 0))),
      root: 100 * (center === undefined ? (key ?? 60) : note("pitch_keycenter", 60)),
      scale: number("pitch_keytrack", 100),
      tune: number("tune", number("pitch", 0)) + 100 * number("transpose", 0),
      pan: Math.min(1, Math.max(-1, number("pan", 0) / 100)),
      level: envelopeOf(number),
      q: Math.SQRT1_2 * gainOf(Math.min(40, Math.max(0, number("resonance", 0)))),
      sweep: 0,
      filter: { delay: 0, attack: 0, hold: 0, decay: 0, sustain: 0, release: 0.001 },
      group: number("group", 0),
      muted_by: number("off_by", 0),
      layered: true,
      ...(mode === "one_shot" ? { whole: true } : {}),
    },
    volume_db:
      number("volume", 0) +
      number("gain", 0) +
      number("group_volume", 0) +
      number("master_volume", 0) +
      number("global_volume", 0),
    amplitude: number("amplitude", 100) / 100,
    veltrack: number("amp_veltrack", 100) / 100,
    fade_in: [number("xfin_lovel", 0), number("xfin_hivel", 0)],
    fade_out: [number("xfout_lovel", 127), number("xfout_hivel", 127)],
    cutoff:
      text("cutoff") === undefined || !(text("fil_type") ?? "lpf_2p").startsWith("lpf")
        ? undefined
        : 1200 * log2(Math.max(10, number("cutoff", 20_000)) / 8.176),
    cutoff_by_velocity: number("fil_veltrack", 0),
    cutoff_by_key: number("fil_keytrack", 0),
    cutoff_key: note("fil_keycenter", 60),
  };
}

/** Times as ours count: seconds to fall by 100 dB, where SFZ counts those to the level that is held. */
function envelopeOf(number: (name: string, otherwise: number) => number): Envelope {
  const sustain = Math.min(1, Math.max(0, number("ampeg_sustain", 100) / 100));
  const decay = Math.max(0, number("ampeg_decay", 0));
  const falls = -20 * Math.LOG10E * Math.LN2 * log2(Math.max(1e-5, sustain));
  return {
    delay: Math.max(0, number("ampeg_delay", 0)),
    attack: Math.max(0, number("ampeg_attack", 0)),
    hold: Math.max(0, number("ampeg_hold", 0)),
    decay: falls > 0.01 ? (decay * 100) / falls : decay,
    sustain,
    release: Math.max(0.001, number("ampeg_release", 0.001)),
  };
}

/** Whether it sounds at this stroke. */
export function isHeard(
  { keys, velocities, chances, turns }: Region,
  { key, velocity, turn, chance }: Struck,
): boolean {
  if (key < keys[0] || key > keys[1] || velocity < velocities[0] || velocity > velocities[1]) return false;
  if (chance < chances[0] || (chance >= chances[1] && chances[1] < 1)) return false;
  return turns.length === 1 || turn % turns.length === turns.position - 1;
}

/** What a note hears of it. The law of velocity is the square, which SFZ has by default. */
export function zoneFor(region: Region, { key, velocity }: Struck, looped: boolean): Zone {
  const { zone, veltrack, volume_db, amplitude, fade_in, fade_out, cutoff } = region;
  const soft = power(velocity / 127, 2);
  const heard = veltrack >= 0 ? 1 - veltrack + veltrack * soft : 1 + veltrack * soft;
  const bent = (region.cutoff_by_velocity * velocity) / 127 + region.cutoff_by_key * (key - region.cutoff_key);
  return {
    ...zone,
    looped,
    gain: gainOf(volume_db) * amplitude * heard * rising(velocity, fade_in) * falling(velocity, fade_out),
    cutoff: cutoff === undefined ? OPEN : Math.max(0, cutoff + bent),
  };
}

/** Cents above 8.176 Hz: no filter. */
const OPEN = 14_000;

/** Crossfades between velocities are of equal power. */
function rising(velocity: number, [low, high]: Pair): number {
  return high <= low ? Number(velocity >= high) : root((velocity - low) / (high - low));
}

function falling(velocity: number, [low, high]: Pair): number {
  return high <= low ? Number(velocity <= low) : root((high - velocity) / (high - low));
}

const root = (share: number): number => (share <= 0 ? 0 : exp2(0.5 * log2(Math.min(1, share))));
