import { bandPass, Cascade, highPass, highShelf } from "../../signal/dsp/biquad.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { DeEsser } from "../../signal/dsp/de_esser.ts";
import { cosine, gainOf, sine, warp } from "../../signal/dsp/exact.ts";
import { applySteps, compressed, held, stepsIn } from "../../signal/dsp/gain_steps.ts";
import { Halver } from "../../signal/dsp/half_band.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import { Saturator } from "../../signal/dsp/saturator.ts";
import { Widener } from "../../signal/dsp/widener.ts";
import type { Part, Score } from "../compose/mod.ts";
import type { Stem } from "../play/mod.ts";
import type { Buses } from "./buses.ts";
import { type Channel, RATE } from "./channel.ts";
import { mutes, pumping, type Sweep, singing, sweeps, throws } from "./gestures.ts";
import { gatedLoudness, OFFSET } from "./loudness.ts";
import { bandPowers, ride } from "./ride.ts";

/** Frames worked on at once; a multiple of STEP. */
export const BLOCK = 1024;
/** Blocks of silence after which nothing of a part rings on: half a second. */
const IDLE_BLOCKS = 22;
/** Blocks that a ring's filters run before its first frame. */
const WARM_BLOCKS = 22;

/** First stage and second of BS.1770's weighting, as cookbook filters of the same corner frequencies. */
export const K_WEIGHTING = [
  highShelf(1681.974450955533, RATE, 3.999843853973347, 0.7071752369554196),
  highPass(38.13547087602444, RATE, 0.5003270373238773),
] as const;

/** The channel strip: two passes over a stem, one to filter it and learn its level, one to add it to the buses. Nothing of a stem is kept. */
export class Strip {
  readonly #score: Score;
  readonly #buses: Buses;
  readonly #left = new Float64Array(BLOCK + 2);
  readonly #right = new Float64Array(BLOCK + 2);
  readonly #side = new Float64Array(BLOCK + 2);
  readonly #other = new Float64Array(BLOCK + 2);
  /** Steps of one part: kept from part to part, for what the collector has not fetched yet counts as well. */
  readonly #powers: Float32Array;
  readonly #peaks: Float32Array;
  readonly #gains: Float32Array;
  readonly #held: Float32Array;
  /** The part at work after its filters. */
  readonly #filtered: readonly [Float32Array, Float32Array];
  readonly #pump: Float32Array | undefined;
  readonly #sung: Float32Array | undefined;
  /** Where the voice's fader stood against its usual place; those behind it keep their distance. */
  #ridden: Float32Array | undefined;

  constructor(score: Score, buses: Buses) {
    this.#score = score;
    this.#buses = buses;
    const steps = stepsIn(buses.frames);
    this.#powers = new Float32Array(steps);
    this.#peaks = new Float32Array(steps);
    this.#gains = new Float32Array(steps);
    this.#held = new Float32Array(steps);
    this.#filtered = [new Float32Array(buses.frames), new Float32Array(buses.frames)];
    this.#pump = score.mix.pump > 0.02 ? pumping(score, buses.frames, buses.ring) : undefined;
    this.#sung = singing(score, buses.frames, buses.ring);
  }

  /** Yields after every block, so that the thread can breathe. */
  *add(part: Part, stem: Stem, channel: Channel): Generator<undefined, void> {
    const { frames, ring } = this.#buses;
    const source = ring ? folded(stem, frames) : stem;
    const survey = yield* this.#survey(source, channel);
    const raw = gatedLoudness(survey.powers, undefined, ring);
    if (raw === Number.NEGATIVE_INFINITY) return;
    const gains = dynamics(channel, survey, raw, ring, this.#gains, this.#held);
    const measured = gatedLoudness(survey.powers, gains, ring);
    // What is fainter than 60 dB below its place is noise, and stays where it is.
    const gain = gainOf(Math.min(60, channel.loudness - measured));
    const level = this.#gestures(part, channel, gains, gain);
    this.#ride(part, channel, survey.powers, level);
    yield* this.#mix(part, stem.length === 2, channel, survey.idle, level);
  }

  /** Nothing is added any more. */
  close(): void {
    release(...this.#filtered);
  }

  /** Levels and peaks of every step after the filters. */
  *#survey(stem: Stem, channel: Channel): Generator<undefined, Survey> {
    const { frames, ring } = this.#buses;
    const filter = new Cascade(channel.sections);
    const weighting = new Cascade(K_WEIGHTING);
    const powers = this.#powers.fill(0);
    const peaks = this.#peaks.fill(0);
    const blocks = Math.ceil(frames / BLOCK);
    const idle = new Uint8Array(blocks);
    const right = stem.length === 2 ? this.#right : undefined;
    let silent = IDLE_BLOCKS;
    for (let block = ring ? -WARM_BLOCKS : 0; block < blocks; block++) {
      const at = block * BLOCK;
      const count = Math.min(BLOCK, frames - at);
      const sounds = this.#load(stem, at, count);
      silent = sounds ? 0 : silent + 1;
      if (silent > IDLE_BLOCKS) {
        if (block >= 0) {
          idle[block] = 1;
          for (const kept of this.#filtered) kept.fill(0, at, at + count);
        }
        filter.clear();
        weighting.clear();
        continue;
      }
      filter.run(this.#left, right, count);
      if (block >= 0) {
        peaksOf(this.#left, right, count, peaks, at / STEP);
        keep(this.#left, count, this.#filtered[0], at);
        if (right !== undefined) keep(right, count, this.#filtered[1], at);
      }
      weighting.run(this.#left, right, count);
      if (block >= 0) powersOf(this.#left, right, count, powers, at / STEP);
      yield undefined;
    }
    return { powers, peaks, idle };
  }

  /** Everything that changes the level over time, in one curve. */
  #gestures(part: Part, channel: Channel, gains: Float32Array, gain: number): Float32Array {
    const { frames, ring } = this.#buses;
    const muted = mutes(this.#score, part, frames, ring);
    const pump = channel.duck > 0.01 ? this.#pump : undefined;
    for (let n = 0; n < gains.length; n++) {
      let value = gains[n]! * gain;
      if (muted !== undefined) value *= muted[n]!;
      if (pump !== undefined) value *= 1 - channel.duck * (1 - pump[n]!);
      gains[n] = value;
    }
    return gains;
  }

  /** A voice is set against the band that sings with it, once that is on the buses. */
  #ride(part: Part, channel: Channel, powers: Float32Array, level: Float32Array): void {
    if (part.role === "vocal" && channel.over_band !== undefined && this.#ridden === undefined) {
      for (let n = 0; n < powers.length; n++) powers[n] = powers[n]! * level[n]! * level[n]!;
      const band = bandPowers(this.#buses, this.#score.mix.genre, BLOCK, K_WEIGHTING, powersOf);
      this.#ridden = ride(this.#score, powers, band, channel.over_band, this.#buses.frames);
    }
    const ridden = this.#ridden;
    if (ridden === undefined || (part.role !== "vocal" && part.role !== "backing")) return;
    for (let n = 0; n < level.length; n++) level[n] = level[n]! * ridden[n]!;
  }

  *#mix(
    part: Part,
    stereo: boolean,
    channel: Channel,
    idle: Uint8Array,
    level: Float32Array,
  ): Generator<undefined, void> {
    const { frames, ring } = this.#buses;
    const left = this.#left;
    const right = this.#right;
    const variant = nameHash(part.name);
    const widener = channel.widen > 0.02 ? new Widener(RATE, variant % 7) : undefined;
    const bends = channel.drive > 0 ? [0, 1].map(() => new Saturator(BLOCK, channel.drive > OVERSAMPLED)) : undefined;
    const sweep = sweeps(this.#score, part, frames, ring);
    const filters = sweep === undefined ? undefined : [new SweptLow(), new SweptLow()];
    const sung = channel.yields ? this.#sung : undefined;
    const presence = sung === undefined ? undefined : new Cascade([bandPass(2800, RATE, 0.9)]);
    const voice = part.role === "vocal" || part.role === "backing" ? new DeEsser(RATE, BLOCK) : undefined;
    const sender = new Sender(this.#buses, channel, throws(this.#score, part, frames, ring));
    // A part's usual level sits well below the bend's knee, its peaks within it.
    const usual = 0.15 + 0.6 * channel.drive;
    const into = usual / gainOf(channel.loudness - OFFSET);
    // What a bend takes from noise of that level, to the first order.
    const bent = Math.sqrt(1 + 1.2 * usual * usual) / into;
    const spread = channel.widen / Math.sqrt(1 + channel.widen * channel.widen);
    const middle = Math.sqrt(1 - spread * spread);
    const turn = (channel.pan * (stereo ? 0.7 : 1) + 1) / 8;
    const gain_left = cosine(turn) * (stereo ? Math.SQRT2 : 1);
    const gain_right = sine(turn) * (stereo ? Math.SQRT2 : 1);
    const blocks = idle.length;
    for (let block = ring ? -WARM_BLOCKS : 0; block < blocks; block++) {
      if (block >= 0 && idle[block] === 1) {
        widener?.clear();
        presence?.clear();
        voice?.clear();
        for (const bend of bends ?? []) bend.clear();
        for (const swept of filters ?? []) swept.clear();
        sender.clear();
        continue;
      }
      const at = block * BLOCK;
      const count = Math.min(BLOCK, frames - at);
      again(this.#filtered[0], at, count, frames, left);
      if (stereo) again(this.#filtered[1], at, count, frames, right);
      if (block >= 0) applySteps(left, level, at, count, frames, ring);
      else scaleWrapped(left, level, at, count, frames);
      if (stereo) {
        if (block >= 0) applySteps(right, level, at, count, frames, ring);
        else scaleWrapped(right, level, at, count, frames);
      }
      voice?.run(left, stereo ? right : undefined, count);
      if (bends !== undefined) {
        bends[0]!.run(left, count, into, bent);
        if (stereo) bends[1]!.run(right, count, into, bent);
      }
      if (filters !== undefined) {
        filters[0]!.run(left, count, sweep!, at, frames);
        if (stereo) filters[1]!.run(right, count, sweep!, at, frames);
      }
      if (presence !== undefined) this.#yield(presence, stereo, sung!, at, count, frames);
      if (stereo) scaleSide(left, right, count, channel.side);
      else right.set(left.subarray(0, count));
      if (widener !== undefined) this.#widen(widener, count, spread, middle);
      place(left, gain_left, this.#buses.left, at, count);
      place(right, gain_right, this.#buses.right, at, count);
      sender.run(left, right, at, count, block >= 0);
      yield undefined;
    }
  }

  /** Less of 2 to 4 kHz while the voice sings. */
  #yield(filter: Cascade, stereo: boolean, sung: Float32Array, at: number, count: number, frames: number): void {
    const left = this.#left;
    const right = this.#right;
    const one = this.#side;
    const two = this.#other;
    for (let n = 0; n < count; n++) {
      one[n] = left[n]!;
      two[n] = right[n]!;
    }
    filter.run(one, stereo ? two : undefined, count);
    const steps = sung.length;
    for (let from = 0; from < count; from += STEP) {
      const step = Math.floor(wrap(at + from, frames) / STEP);
      const share = YIELD * sung[step]!;
      if (share === 0) continue;
      const slope = (YIELD * sung[step + 1 < steps ? step + 1 : 0]! - share) / STEP;
      const end = Math.min(count, from + STEP);
      for (let n = from; n < end; n++) {
        const gain = share + slope * (n - from);
        left[n] = left[n]! - gain * one[n]!;
        if (stereo) right[n] = right[n]! - gain * two[n]!;
      }
    }
  }

  #widen(widener: Widener, count: number, spread: number, middle: number): void {
    const left = this.#left;
    const right = this.#right;
    const side = this.#side;
    const mid = this.#other;
    for (let n = 0; n < count; n++) mid[n] = 0.5 * (left[n]! + right[n]!);
    widener.run(mid, count, side);
    for (let n = 0; n < count; n++) {
      const s = spread * side[n]!;
      left[n] = middle * left[n]! + s;
      right[n] = middle * right[n]! - s;
    }
  }

  /** `count` frames from `at` on, which may lie before a ring's first; true where anything sounds. What is no number is silence. */
  #load(stem: Stem, at: number, count: number): boolean {
    const { frames, ring } = this.#buses;
    let sounds = false;
    for (let channel = 0; channel < stem.length; channel++) {
      const source = stem[channel]!;
      const out = channel === 0 ? this.#left : this.#right;
      if (ring && at < 0) {
        for (let n = 0; n < count; n++) {
          const index = wrap(at + n, frames);
          const value = index < source.length ? source[index]! : 0;
          out[n] = value - value === 0 ? value : 0;
          if (value !== 0) sounds = true;
        }
        continue;
      }
      const there = Math.max(0, Math.min(count, source.length - at));
      let most = 0;
      for (let n = 0; n < there; n++) {
        const value = source[at + n]!;
        const clean = value - value === 0 ? value : 0;
        out[n] = clean;
        most += clean * clean;
      }
      if (there < count) out.fill(0, there, count);
      if (most !== 0) sounds = true;
    }
    return sounds;
  }
}

function keep(samples: Float64Array, count: number, out: Float32Array, at: number): void {
  for (let n = 0; n < count; n++) out[at + n] = samples[n]!;
}

/** `count` samples from `at` on, which may lie before a ring's first. */
function again(kept: Float32Array, at: number, count: number, frames: number, out: Float64Array): void {
  if (at >= 0) for (let n = 0; n < count; n++) out[n] = kept[at + n]!;
  else for (let n = 0; n < count; n++) out[n] = kept[wrap(at + n, frames)]!;
}

/** Share of 2 to 4 kHz that the band gives up: 3.5 dB. */
const YIELD = 0.33;

/** Drive above which what a bend folds back is heard. */
const OVERSAMPLED = 0.3;

interface Survey {
  readonly powers: Float32Array;
  readonly peaks: Float32Array;
  /** 1 for blocks in which nothing sounds or rings on. */
  readonly idle: Uint8Array;
}

/** Compressor and peak holder about a part's own loudness. */
function dynamics(
  channel: Channel,
  { powers, peaks }: Survey,
  loudness: number,
  ring: boolean,
  gains: Float32Array,
  hold: Float32Array,
): Float32Array {
  if (channel.ratio <= 1) gains.fill(1);
  else {
    const how = {
      threshold_db: loudness - OFFSET - (channel.parallel > 0 ? 8 : 2),
      ratio: channel.ratio,
      knee_db: 8,
      attack_s: channel.attack_s,
      release_s: channel.release_s,
    };
    compressed(powers, RATE, ring, how, gains);
  }
  if (channel.parallel > 0) {
    // What the compressor lets through is brought up to the dry sound's level: 6 dB at 8 dB above its threshold and 4:1.
    for (let n = 0; n < gains.length; n++) gains[n] = 1 + channel.parallel * 2 * gains[n]!;
  }
  if (channel.crest_db < 40) {
    const levelled = gatedLoudness(powers, gains, ring);
    for (let n = 0; n < peaks.length; n++) peaks[n] = peaks[n]! * gains[n]!;
    held(peaks, RATE, ring, gainOf(levelled + channel.crest_db), 4, 0.06, hold);
    for (let n = 0; n < gains.length; n++) gains[n] = gains[n]! * hold[n]!;
  }
  return gains;
}

/** What goes to the reverbs and the delay. */
class Sender {
  readonly #buses: Buses;
  readonly #channel: Channel;
  readonly #thrown: Float32Array | undefined;
  readonly #left = new Float64Array(BLOCK + 2);
  readonly #right = new Float64Array(BLOCK + 2);
  readonly #halvers = [new Halver(), new Halver()];
  readonly #names: readonly ("room" | "plate" | "hall")[];
  readonly #any: boolean;

  constructor(buses: Buses, channel: Channel, thrown: Float32Array | undefined) {
    this.#buses = buses;
    this.#channel = channel;
    this.#thrown = thrown;
    this.#names = (["room", "plate", "hall"] as const).filter((name) => channel.sends[name] > 0);
    this.#any = this.#names.length > 0 || channel.sends.delay > 0 || thrown !== undefined;
  }

  clear(): void {
    for (const halver of this.#halvers) halver.clear();
  }

  /** @param kept false while a ring warms up */
  run(left: Float64Array, right: Float64Array, at: number, count: number, kept: boolean): void {
    if (!this.#any) return;
    const { factor } = this.#buses;
    let one = left;
    let two = right;
    let length = count;
    if (factor === 2) {
      one = this.#left;
      two = this.#right;
      if (count % 2 === 1) left[count] = right[count] = 0;
      length = Math.ceil(count / 2);
      this.#halvers[0]!.run(left, 2 * length, one);
      this.#halvers[1]!.run(right, 2 * length, two);
    }
    if (!kept) return;
    // `at` is a multiple of the block; a quotient would be no integer to the engine, and indices made of it slow.
    const from = factor === 2 ? at >> 1 : at;
    for (const name of this.#names) {
      const [bus_left, bus_right] = this.#buses.send(name);
      const gain = this.#channel.sends[name];
      for (let n = 0; n < length; n++) {
        bus_left[from + n] = bus_left[from + n]! + gain * one[n]!;
        bus_right[from + n] = bus_right[from + n]! + gain * two[n]!;
      }
    }
    const gain = this.#channel.sends.delay;
    const thrown = this.#thrown;
    if (gain === 0 && thrown === undefined) return;
    const bus = this.#buses.delay;
    for (let n = 0; n < length; n++) {
      const more = thrown === undefined ? 0 : thrown[Math.floor((at + n * factor) / STEP)]!;
      bus[from + n] = bus[from + n]! + 0.5 * (gain + (THROW - gain) * more) * (one[n]! + two[n]!);
    }
  }
}

/** Amplitude that a thrown part is sent to the delay with. */
const THROW = 0.6;

/** A low-pass of 12 dB an octave whose cut-off moves, blended with what came in (V. Zavalishin's state-variable form). */
export class SweptLow {
  #ic1 = 0;
  #ic2 = 0;

  clear(): void {
    this.#ic1 = 0;
    this.#ic2 = 0;
  }

  /** In place; `at` may lie before a ring's first frame. */
  run(samples: Float64Array, count: number, { cutoff, wet }: Sweep, at: number, frames: number): void {
    const k = 1.2;
    const steps = cutoff.length;
    if (isDry(wet, Math.floor(wrap(at, frames) / STEP))) {
      this.clear();
      return;
    }
    let ic1 = this.#ic1;
    let ic2 = this.#ic2;
    for (let from = 0; from < count; from += STEP) {
      const step = Math.floor(wrap(at + from, frames) / STEP);
      const next = step + 1 < steps ? step + 1 : step;
      const share = wet[step]!;
      const slope = (wet[next]! - share) / STEP;
      const g = warp(Math.min(0.46, cutoff[step]! / RATE));
      const a1 = 1 / (1 + g * (g + k));
      const a2 = g * a1;
      const a3 = g * a2;
      const end = Math.min(count, from + STEP);
      for (let n = from; n < end; n++) {
        const v0 = samples[n]!;
        const v3 = v0 - ic2;
        const v1 = a1 * ic1 + a2 * v3;
        const v2 = ic2 + a2 * ic1 + a3 * v3;
        ic1 = 2 * v1 - ic1;
        ic2 = 2 * v2 - ic2;
        samples[n] = v0 + (share + slope * (n - from)) * (v2 - v0);
      }
    }
    this.#ic1 = ic1;
    this.#ic2 = ic2;
  }
}

/** Whether nothing of this block and the next is filtered: a block before its turn the filter runs, so that its memory is what it would be. */
function isDry(wet: Float32Array, first: number): boolean {
  for (let n = 0; n < (2 * BLOCK) / STEP; n++) if (wet[(first + n) % wet.length] !== 0) return false;
  return true;
}

/** Largest magnitude of each step into `out` from `first` on. */
export function peaksOf(
  left: Float64Array,
  right: Float64Array | undefined,
  count: number,
  out: Float32Array,
  first: number,
): void {
  for (let from = 0, step = first; from < count; from += STEP, step++) {
    const end = Math.min(count, from + STEP);
    let most = 0;
    // Not Math.max, which also looks for what is no number and for the sign of zero; neither is here (`#load`).
    for (let n = from; n < end; n++) {
      const size = Math.abs(left[n]!);
      if (size > most) most = size;
    }
    if (right !== undefined)
      for (let n = from; n < end; n++) {
        const size = Math.abs(right[n]!);
        if (size > most) most = size;
      }
    out[step] = most;
  }
}

/** Mean square of each step, summed over channels, into `out` from `first` on. */
export function powersOf(
  left: Float64Array,
  right: Float64Array | undefined,
  count: number,
  out: Float32Array,
  first: number,
): void {
  for (let from = 0, step = first; from < count; from += STEP, step++) {
    const end = Math.min(count, from + STEP);
    let sum = 0;
    for (let n = from; n < end; n++) sum += left[n]! * left[n]!;
    if (right !== undefined) for (let n = from; n < end; n++) sum += right[n]! * right[n]!;
    out[step] = sum / (end - from);
  }
}

/** Scales a block in place and adds it to a bus, unless it lies before a ring's first frame. */
function place(samples: Float64Array, gain: number, bus: Float32Array, at: number, count: number): void {
  if (at < 0) {
    for (let n = 0; n < count; n++) samples[n] = samples[n]! * gain;
    return;
  }
  for (let n = 0; n < count; n++) {
    const value = samples[n]! * gain;
    samples[n] = value;
    bus[at + n] = bus[at + n]! + value;
  }
}

function scaleSide(left: Float64Array, right: Float64Array, count: number, side: number): void {
  const same = 0.5 * (1 + side);
  const other = 0.5 * (1 - side);
  for (let n = 0; n < count; n++) {
    const l = left[n]!;
    const r = right[n]!;
    left[n] = same * l + other * r;
    right[n] = same * r + other * l;
  }
}

/** The same as `applySteps` for frames before a ring's first. */
function scaleWrapped(samples: Float64Array, level: Float32Array, at: number, count: number, frames: number): void {
  const steps = level.length;
  for (let n = 0; n < count; n++) {
    const frame = wrap(at + n, frames);
    const step = Math.floor(frame / STEP);
    const from = level[step]!;
    const to = level[step + 1 < steps ? step + 1 : 0]!;
    const length = Math.min(STEP, frames - step * STEP);
    samples[n] = samples[n]! * (from + ((to - from) * (frame - step * STEP)) / length);
  }
}

function wrap(frame: number, frames: number): number {
  return frame >= 0 ? frame % frames : ((frame % frames) + frames) % frames;
}

/** A stem that is longer than its ring comes round. */
function folded(stem: Stem, frames: number): Stem {
  if (stem[0].length <= frames) return stem;
  const fold = (source: Float32Array): Float32Array => {
    const out = source.slice(0, frames);
    for (let n = frames; n < source.length; n++) out[n % frames] = out[n % frames]! + source[n]!;
    return out;
  };
  return stem.length === 2 ? [fold(stem[0]), fold(stem[1])] : [fold(stem[0])];
}

function nameHash(name: string): number {
  let hash = 0;
  for (let n = 0; n < name.length; n++) hash = hash32(hash, name.charCodeAt(n));
  return hash;
}
