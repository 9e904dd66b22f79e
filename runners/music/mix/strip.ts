import { bandPass, Cascade, highPass } from "../../signal/dsp/biquad.ts";
import { STEP } from "../../signal/dsp/control.ts";
import { DeEsser } from "../../signal/dsp/de_esser.ts";
import { cosine, gainOf, sine } from "../../signal/dsp/exact.ts";
import { applySteps, stepsIn } from "../../signal/dsp/gain_steps.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import { Saturator } from "../../signal/dsp/saturator.ts";
import { Widener } from "../../signal/dsp/widener.ts";
import type { Part, Score } from "../compose/mod.ts";
import type { Stem } from "../play/mod.ts";
import type { Buses } from "./buses.ts";
import { type Channel, RATE } from "./channel.ts";
import { dynamics, type Survey } from "./dynamics.ts";
import { folded, keep, place, scaleSide, scaleWrapped, wrap, wrapped } from "./frames.ts";
import { mutes, pumping, singing, sweeps, throws } from "./gestures.ts";
import { equaliseBand } from "./group.ts";
import { gatedLoudness, K_WEIGHTING, OFFSET } from "./loudness.ts";
import { ride } from "./ride.ts";
import { Sender } from "./sender.ts";
import { BLOCK, peaksOf, powersOf } from "./steps.ts";
import { SweptLow } from "./swept_low.ts";
import { wayOf } from "./way.ts";

/** Blocks of silence after which nothing of a part rings on: half a second. */
const IDLE_BLOCKS = 22;
/** Blocks that a ring's filters run before its first frame. */
const WARM_BLOCKS = 22;

/**
 * The channel strip: two passes over a stem, one to filter it and learn its level, one to add it to the buses. Nothing
 * of a stem is kept.
 */
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
  /** The part at work after its filters: in its own memory where that may be had, else in what is kept here. */
  #filtered: readonly Float32Array[] = [];
  readonly #scratch: Float32Array[] = [];
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
    this.#pump = score.mix.pump > 0.02 ? pumping(score, buses.frames, buses.ring) : undefined;
    this.#sung = singing(score, buses.frames, buses.ring);
  }

  /**
   * Yields after every block, so that the thread can breathe.
   *
   * @param spent nobody reads the stem afterwards: its memory is worked in
   */
  *add(part: Part, stem: Stem, channel: Channel, spent = false): Generator<undefined, void> {
    const { frames, ring } = this.#buses;
    const source = ring ? folded(stem, frames) : stem;
    const own = spent && !ring && stem.every(({ length }) => length >= frames);
    for (let n = this.#scratch.length; !own && n < stem.length; n++) this.#scratch.push(new Float32Array(frames));
    this.#filtered = own ? stem : this.#scratch;
    const survey = yield* this.#survey(source, channel);
    const raw = gatedLoudness(survey.powers, undefined, ring);
    if (raw === Number.NEGATIVE_INFINITY) return;
    const gains = dynamics(channel, survey, raw, ring, this.#gains, this.#held);
    const measured = gatedLoudness(survey.powers, gains, ring);
    // What is fainter than 60 dB below its place is noise, and stays where it is.
    const gain = gainOf(Math.min(60, channel.loudness - measured));
    const level = this.#gestures(part, channel, gains, gain);
    yield* this.#ride(part, channel, survey.powers, level);
    yield* this.#mix(part, stem.length === 2, channel, survey.idle, level, raw);
    // Most stems are worked in their own memory: what one that is kept took is not held to the end.
    if (!ring) this.#letGo();
  }

  /** Nothing is added any more. */
  close(): void {
    this.#letGo();
  }

  #letGo(): void {
    this.#filtered = [];
    release(...this.#scratch.splice(0));
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
        keep(this.#left, count, this.#filtered[0]!, at);
        if (right !== undefined) keep(right, count, this.#filtered[1]!, at);
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
  *#ride(part: Part, channel: Channel, powers: Float32Array, level: Float32Array): Generator<undefined, void> {
    if (part.role === "vocal" && channel.over_band !== undefined && this.#ridden === undefined) {
      for (let n = 0; n < powers.length; n++) powers[n] = powers[n]! * level[n]! * level[n]!;
      const band = yield* equaliseBand(this.#buses, this.#score.mix.genre, wayOf(powers));
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
    loudness: number,
  ): Generator<undefined, void> {
    const { frames, ring } = this.#buses;
    const left = this.#left;
    const right = this.#right;
    const variant = nameHash(part.name);
    const widener = channel.widen > 0.02 ? new Widener(RATE, variant % 7) : undefined;
    const bends = channel.drive > 0 ? [0, 1].map(() => new Saturator(BLOCK, channel.drive > OVERSAMPLED)) : undefined;
    const upright = bends === undefined ? undefined : new Cascade([highPass(OFFSET_HZ, RATE)]);
    const sweep = sweeps(this.#score, part, frames, ring);
    const filters = sweep === undefined ? undefined : [new SweptLow(), new SweptLow()];
    const sung = channel.yields ? this.#sung : undefined;
    const presence = sung === undefined ? undefined : new Cascade([bandPass(2800, RATE, 0.9)]);
    const voice =
      part.role === "vocal" || part.role === "backing"
        ? new DeEsser(RATE, BLOCK, gainOf(2 * (loudness - OFFSET)))
        : undefined;
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
    const [mix_left, mix_right] = this.#buses.mix;
    for (let block = ring ? -WARM_BLOCKS : 0; block < blocks; block++) {
      if (block >= 0 && idle[block] === 1) {
        widener?.clear();
        presence?.clear();
        voice?.clear();
        for (const bend of bends ?? []) bend.clear();
        upright?.clear();
        for (const swept of filters ?? []) swept.clear();
        sender.clear();
        continue;
      }
      const at = block * BLOCK;
      const count = Math.min(BLOCK, frames - at);
      wrapped(this.#filtered[0]!, left, at, count, frames);
      if (stereo) wrapped(this.#filtered[1]!, right, at, count, frames);
      voice?.run(left, stereo ? right : undefined, count);
      if (block >= 0) applySteps(left, level, at, count, frames, ring);
      else scaleWrapped(left, level, at, count, frames);
      if (stereo) {
        if (block >= 0) applySteps(right, level, at, count, frames, ring);
        else scaleWrapped(right, level, at, count, frames);
      }
      if (bends !== undefined) {
        bends[0]!.run(left, count, into, bent);
        if (stereo) bends[1]!.run(right, count, into, bent);
        upright!.run(left, stereo ? right : undefined, count);
      }
      if (filters !== undefined) {
        filters[0]!.run(left, count, sweep!, at, frames);
        if (stereo) filters[1]!.run(right, count, sweep!, at, frames);
      }
      if (presence !== undefined) this.#yield(presence, stereo, sung!, at, count, frames);
      if (stereo) scaleSide(left, right, count, channel.side);
      else right.set(left.subarray(0, count));
      if (widener !== undefined) this.#widen(widener, count, spread, middle);
      const there = Math.max(0, at);
      place(left, gain_left, mix_left.around(there), at - mix_left.first, count);
      place(right, gain_right, mix_right.around(there), at - mix_right.first, count);
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

/** Share of 2 to 4 kHz that the band gives up: 3.5 dB. */
const YIELD = 0.33;

/** A bend makes an offset of a wave whose halves differ, which wanders as the wave does: Hz below which it is taken out. */
const OFFSET_HZ = 15;

/** Drive above which what a bend folds back is heard. */
const OVERSAMPLED = 0.3;

function nameHash(name: string): number {
  let hash = 0;
  for (let n = 0; n < name.length; n++) hash = hash32(hash, name.charCodeAt(n));
  return hash;
}
