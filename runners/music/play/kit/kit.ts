/**
 * The drummer of a recorded kit: which drums a piece has, how they are tuned and damped, and how each stroke differs
 * from the one before. Figures of `kinds.json` are set so that bench/kits.ts measures what it measures of kits that
 * were recorded in layers of force.
 */
import { DRUM_KEYS, type KitSet, midiOf, type Pieces, packs } from "../../../packs/mod.ts";
import { exp2, log2 } from "../../../signal/dsp/exact.ts";
import { pink } from "../../../signal/dsp/pink.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import { release } from "../../../signal/dsp/release.ts";
import { nearestDrum } from "../drums.ts";
import type { Layer, Patch } from "../patches.ts";
import { type Performance, RATE } from "../performance.ts";
import type { Sound } from "../sounds/sound.ts";
import type { Wave } from "../sounds/wave.ts";
import type { Stroke } from "../strokes.ts";
import type { Zone } from "../zone.ts";
import { noiseOf } from "./extras.ts";
import kinds from "./kinds.json" with { type: "json" };
import { isLong, takeOf } from "./take.ts";

type Kind = keyof typeof kinds;
type Group = "kick" | "snare" | "toms" | "hats" | "cymbals";

/** Takes of a drum; a prime number, so that no bar has the same ones as the bar before. */
const TAKES = 5;

/** Two kits of one kind of music differ by up to these: dB at both ends of the spectrum, octaves of ringing. */
const TILT_DB = 2.5;
const DAMPING = 0.25;
/** Octaves by which the foot on a hat lets it ring longer or shorter, slowly. */
const FOOT = 0.22;
/** Where strokes ring as long as they can. */
const FULL = 0.9;
/** Firm closed strokes from here on open a loose hat. */
const LOOSE = 0.6;
/** Seconds from which on the bank's envelope leaves a recording alone. */
const HELD = 1;
/** Seconds in which a hard stroke's pitch settles. */
const BEND = 0.12;

/** One drum as it stands in this piece. */
export interface Piece {
  readonly kind: Kind;
  readonly program?: number;
  readonly key?: number;
  readonly hertz?: number;
  readonly cents: number;
  readonly db: number;
  readonly length: number;
  readonly colour: readonly (readonly [number, number])[];
}

/** How one stroke is played. */
export interface Struck {
  readonly piece: Piece;
  /** Factor on the seconds that it rings. */
  readonly length: number;
  /** Cents from which its pitch settles. */
  readonly bend: number;
  readonly take: number;
}

export interface Opened {
  readonly pitch: number;
  readonly db: number;
  readonly length: number;
}

export class Kit {
  readonly #set: KitSet | undefined;
  readonly #seed: number;
  readonly #pieces = new Map<number, Piece>();
  #recording = "";
  readonly #takes = new Map<string, Wave>();

  constructor(patch: Patch, { genre, seed }: Performance) {
    this.#set = setOf(patch.sets ?? [], genre);
    this.#seed = hash32(seed, 404);
  }

  piece(pitch: number): Piece {
    const key = Math.round(pitch);
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      piece = this.#made(key);
      this.#pieces.set(key, piece);
    }
    return piece;
  }

  /** The layer and the key of the bank that a written key is played from. */
  layer(layer: Layer, key: number): { layer: Layer; key: number } {
    const piece = this.piece(key);
    if (layer.drum !== true || piece.program === undefined) return { layer, key };
    return { layer: { ...layer, program: piece.program }, key: piece.key ?? key };
  }

  strike(stroke: Stroke, seed: number): Struck {
    const piece = this.piece(stroke.pitch);
    const { soft_length: soft, bend_cents } = kinds[piece.kind];
    const { velocity } = stroke;
    const foot = piece.kind === "hat" ? FOOT * pink(this.#seed, (2 * stroke.frame) / RATE) : 0;
    const chance = hash32(seed, 11) / 0x8000_0000 - 1;
    return {
      piece,
      length: piece.length * (soft + (1 - soft) * Math.min(1, velocity / FULL)) * exp2(foot + 0.08 * chance),
      bend: bend_cents * velocity * velocity,
      take: stroke.turn % TAKES,
    };
  }

  /** A firm stroke opens a loose hat: what of the open one is heard in a closed stroke. */
  opened({ pitch, velocity }: Stroke): Opened | undefined {
    if (Math.round(pitch) !== DRUM_KEYS.closed_hat) return undefined;
    const open = (this.#set?.loose ?? 0) * ((velocity - LOOSE) / (1 - LOOSE));
    return open <= 0.05 ? undefined : { pitch: DRUM_KEYS.open_hat, db: -22 + 14 * open, length: 0.2 + 0.35 * open };
  }

  /** The beater on the skin, and wires that buzz along. */
  noises(stroke: Stroke): readonly Sound[] {
    const { kind } = this.piece(stroke.pitch);
    const out: Sound[] = [];
    const turn = stroke.turn % TAKES;
    const { beater, buzz_db } = this.#set ?? {};
    if (kind === "kick" && beater) {
      const db = beater.db + 8 * (stroke.velocity - 1);
      out.push(noiseOf({ low: 0.6 * beater.hertz, high: 2.4 * beater.hertz, t60: 0.016, delay: 0, db, turn }));
    }
    if ((kind === "kick" || kind === "tom") && buzz_db !== undefined) {
      const db = buzz_db + 8 * (stroke.velocity - 1);
      out.push(noiseOf({ low: 1600, high: 7500, t60: 0.24, delay: 0.004, db, turn }));
    }
    return out;
  }

  /** @param wave of `recording`; recordings are asked for one after the other, and only the last one's takes are kept */
  take(recording: string, wave: Wave, { piece, take }: Struck): Wave {
    if (recording !== this.#recording) {
      this.close();
      this.#recording = recording;
    }
    const { ripple_db, noise_hertz } = kinds[piece.kind];
    const { colour } = piece;
    const made = (name: string, make: () => Wave): Wave => {
      const known = this.#takes.get(`${piece.kind} ${name}`) ?? make();
      this.#takes.set(`${piece.kind} ${name}`, known);
      return known;
    };
    const tail = isLong(wave)
      ? made("tail", () => takeOf(wave, { colour, ripple_db: 0, noise_hertz: wave.rate, seed: 0 }))
      : undefined;
    return made(`${take}`, () =>
      takeOf(wave, { colour, ripple_db, noise_hertz, seed: hash32(this.#seed, 31 + take) }, tail),
    );
  }

  /** No take is heard any more. */
  close(): void {
    // What has a loop is the recording itself.
    for (const { data, loop } of this.#takes.values()) if (loop === 0) release(data);
    this.#takes.clear();
  }

  #made(key: number): Piece {
    const kind = kindOf(key);
    const group = groupOf(kind);
    const pieces: Pieces = (group && this.#set?.[group]) ?? {};
    // All drums of a group are drawn alike: they are one set.
    const of_group = random(hash32(this.#seed, group === undefined ? 99 : GROUPS.indexOf(group)));
    const { choices = [], semitones: [from, to] = [0, 0], length = 1, db = 0, colour = [] } = pieces;
    const choice = choices[Math.floor(of_group() * choices.length)];
    const tilt = this.#set === undefined ? 0 : TILT_DB * (2 * of_group() - 1);
    const damping = this.#set === undefined ? 0 : DAMPING * (2 * of_group() - 1);
    const tuning = from + (to - from) * of_group();
    return {
      kind,
      ...(choice && { program: choice.program }),
      ...(choice?.key && { key: otherOf(midiOf(choice.key), key) }),
      ...(choice?.hertz && { hertz: key === DRUM_KEYS.low_kick ? 0.9439 * choice.hertz : choice.hertz }),
      cents: 100 * tuning,
      db: db + (choice?.db ?? 0),
      length: length * exp2(damping),
      colour: tilted(colour, tilt),
    };
  }
}

const SNARES: readonly number[] = [DRUM_KEYS.snare, DRUM_KEYS.electric_snare];
const GROUPS: readonly Group[] = ["kick", "snare", "toms", "hats", "cymbals"];

/** The set for a genre, or for what it is like. */
function setOf(sets: readonly KitSet[], genre: string | undefined): KitSet | undefined {
  const seen = new Set<string>();
  for (let id = genre; id !== undefined && !seen.has(id); id = packs("genres").get(id)?.like) {
    const found = sets.find(({ genres }) => genres?.includes(id!));
    if (found !== undefined) return found;
    seen.add(id);
  }
  return sets.find(({ genres }) => genres === undefined);
}

/** Where the first of two snares is played from the second's key, the second is played from the first's. */
function otherOf(chosen: number, written: number): number {
  if (!SNARES.includes(written)) return written;
  return written === SNARES[0] ? chosen : SNARES.find((key) => key !== chosen)!;
}

function kindOf(key: number): Kind {
  const { part, tom, cymbal } = nearestDrum(key);
  if (part === "kick" || part === "second_kick") return "kick";
  if (part === "snare" || part === "second_snare") return "snare";
  if (part === "rim") return "stick";
  if (part === "closed_hat" || part === "pedal_hat") return "hat";
  if (part === "open_hat") return "open_hat";
  if (tom !== undefined) return "tom";
  if (cymbal !== undefined) return cymbal.bell > 0 ? "ride" : "crash";
  return "other";
}

function groupOf(kind: Kind): Group | undefined {
  if (kind === "kick" || kind === "snare") return kind;
  if (kind === "tom") return "toms";
  if (kind === "hat" || kind === "open_hat") return "hats";
  return kind === "ride" || kind === "crash" ? "cymbals" : undefined;
}

/** Brighter or darker by `db` on either side of 1 kHz. */
function tilted(colour: Piece["colour"], db: number): Piece["colour"] {
  const at = (hertz: number): number => Math.min(1, Math.max(-1, (log2(hertz) - 10) / 3));
  const points = colour.length > 0 ? colour : [[125, 0] as const, [8000, 0] as const];
  return points.map(([hertz, own]) => [hertz, own + db * at(hertz)] as const);
}

/** A recording rings as long as it does, and less where a stroke is damped: dB a second more. */
export function damped(zone: Zone["level"], { piece, length }: Struck): Zone["level"] {
  // The bank holds some for seconds and then ends them: by then they have rung out.
  const own = zone.hold < HELD && zone.decay > 0 && zone.sustain < 0.5 ? 100 / zone.decay : 0;
  const rate = own + (20 / kinds[piece.kind].seconds) * (1 / length - 1);
  if (length >= 1 && own === 0) return zone;
  return { ...zone, hold: 0, sustain: 0, decay: 100 / Math.max(1, rate) };
}

export const darkening = ({ kind }: Piece): number => kinds[kind].dark_cents;

export const bending = ({ bend }: Struck) => ({ cents: bend, seconds: bend === 0 ? 0 : BEND });
