/** What each texture is made of. Recipes write into an empty bed at any level. */
import type { InstrumentPack } from "../../../../packs/mod.ts";
import { control, curve, STEP, shape } from "../../../../signal/dsp/control.ts";
import { decay, fade } from "../../../../signal/dsp/envelope.ts";
import { mixIn } from "../../../../signal/dsp/grains.ts";
import { white } from "../../../../signal/dsp/noise.ts";
import { oscillate } from "../../../../signal/dsp/oscillator.ts";
import { reverberate } from "../../../../signal/dsp/reverb.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import { RATE } from "../../performance.ts";
import { tone } from "../kit/voice.ts";
import type { Bed } from "./bed.ts";

/** They yield after each stretch of noise, so that the thread can breathe. */
type Recipe = (bed: Bed) => Generator<undefined, void>;

const high = (samples: Float32Array, hertz: number, q = 0.7): Float32Array => svf(samples, RATE, "high", hertz, q);
const low = (samples: Float32Array, hertz: number | Float32Array, q = 0.7): Float32Array =>
  svf(samples, RATE, "low", hertz, q);
const band = (samples: Float32Array, hertz: number | Float32Array, q: number): Float32Array =>
  svf(samples, RATE, "band", hertz, q);
const empty = (seconds: number): Float32Array => new Float32Array(Math.ceil(seconds * RATE));

function grains(count: number, make: () => Float32Array): Float32Array[] {
  return Array.from({ length: count }, make);
}

/** A short burst of filtered noise. */
function burst(bed: Bed, attack: number, t60: number, hertz: number, q: number): Float32Array {
  const samples = white(empty(t60 * 1.1 + 0.004), bed.seed());
  band(samples, hertz, q);
  return fade(decay(samples, RATE, attack, t60), RATE, 0, 0.001);
}

/** Groove noise, rumble, fine crackle, a click now and then. */
function* vinyl(bed: Bed): Generator<undefined, void> {
  yield* bed.wash("pink", 0.05, 0.5, (s) => {
    high(s, 250);
    low(s, 5500);
  });
  yield* bed.wash("brown", 0.1, 0, (s) => low(s, 130));
  const ticks = grains(18, () => burst(bed, 0.0001, bed.between(0.0015, 0.006), bed.between(1800, 7500), 0.7));
  bed.scatter(ticks, { density: bed.wander(0.7, 6, 26), spread_db: 30, width: 0.6, gain: 0.5 });
  const pops = grains(8, () => burst(bed, 0.0002, bed.between(0.008, 0.02), bed.between(500, 1600), 0.8));
  bed.scatter(pops, { density: 0.9, spread_db: 12, width: 0.3, gain: 0.9 });
}

/** Hiss that rises with frequency and breathes a little. */
function* tape(bed: Bed): Generator<undefined, void> {
  yield* bed.wash("white", 0.3, 0.7, (s) => {
    high(s, 1100, 0.5);
    low(s, 14_500, 0.6);
  });
  yield* bed.wash("pink", 0.12, 0.5, (s) => high(s, 160));
  bed.shape(bed.wander(1.1, 0.86, 1));
}

function* rain(bed: Bed): Generator<undefined, void> {
  yield* bed.wash("white", 0.1, 0.85, (s) => {
    high(s, 1100);
    low(s, 9000);
  });
  yield* bed.wash("pink", 0.11, 0.6, (s) => {
    high(s, 180);
    low(s, 1500);
  });
  bed.shape(bed.wander(0.25, 0.75, 1));
  const drops = grains(24, () => {
    const hertz = bed.between(1900, 7800);
    const drop = burst(bed, 0.0003, bed.between(0.004, 0.012), hertz, 2.2);
    tone(drop, { hertz: hertz * 0.7, drop: -0.2, drop_seconds: 0.02, attack: 0.0006, t60: 0.014, gain: 0.25 });
    return fade(drop, RATE, 0, 0.001);
  });
  bed.scatter(drops, { density: 230, spread_db: 30, width: 0.9, gain: 0.5 });
  const fat = grains(10, () => {
    const drop = burst(bed, 0.0006, bed.between(0.02, 0.04), bed.between(600, 1500), 2);
    tone(drop, {
      hertz: bed.between(700, 1500),
      drop: -0.35,
      drop_seconds: 0.06,
      attack: 0.002,
      t60: 0.035,
      gain: 0.3,
    });
    return fade(drop, RATE, 0, 0.002);
  });
  bed.scatter(fat, { density: 7, spread_db: 16, width: 0.8, gain: 0.6 });
}

function* wind(bed: Bed): Generator<undefined, void> {
  const gusts = bed.wander(0.28, 0.25, 1);
  const heights = gusts.map((value) => 170 + 620 * value * value);
  const tops = gusts.map((value) => value * value * value);
  yield* bed.wash("pink", 1, 0.7, (s) => shape(band(s, heights, 0.8), gusts));
  const whistles = bed.wander(0.4, 620, 1350);
  yield* bed.wash("pink", 0.8, 0.8, (s) => shape(band(s, whistles, 11), tops));
  yield* bed.wash("white", 0.06, 0.9, (s) => shape(high(low(s, 8500), 2400), tops));
}

/** Waves that swell, break and draw back over the pebbles, on both sides at different times. */
function* sea(bed: Bed): Generator<undefined, void> {
  yield* bed.wash("brown", 0.5, 0.5, (s) => low(s, 300));
  for (const [to_left, to_right, offset] of [
    [0.9, 0.45, 0],
    [0.45, 0.9, 0.45],
    [0.6, 0.6, 0.7],
  ] as const) {
    const swell = control(bed.frames);
    const tone_ = control(bed.frames);
    const hiss = control(bed.frames);
    let phase = offset;
    let seconds = bed.between(6.5, 10);
    let size = bed.between(0.6, 1);
    for (let n = 0; n < swell.length; n++) {
      phase += STEP / RATE / seconds;
      if (phase >= 1) {
        phase -= 1;
        seconds = bed.between(6.5, 10);
        size = bed.between(0.55, 1);
      }
      // Slow up, breaking at 0.42, back in one long breath.
      const rise = Math.min(1, phase / 0.42);
      const back = phase < 0.42 ? 1 : (1 - phase) / 0.58;
      swell[n] = size * rise * rise * rise * back * back;
      tone_[n] = 380 + 4200 * size * rise * rise * back;
      hiss[n] = size * (phase < 0.36 ? 0 : Math.min(1, (phase - 0.36) * 9) * back * Math.sqrt(back));
    }
    const body = bed.frames;
    const wave = white(new Float32Array(body), bed.seed());
    low(wave, tone_, 0.6);
    low(wave, 2600, 0.5);
    shape(wave, swell);
    bed.add(wave, 0.8 * to_left, 0.8 * to_right);
    yield undefined;
    const foam = white(new Float32Array(body), bed.seed());
    high(foam, 2600, 0.6);
    low(foam, 11_500, 0.6);
    shape(foam, hiss);
    bed.add(foam, 0.14 * to_left, 0.14 * to_right);
    yield undefined;
  }
}

/** Vowels without words: a buzz through three resonances that glide, many at once and far away. */
function* crowd(bed: Bed): Generator<undefined, void> {
  const vowels = [
    [730, 1090, 2440],
    [270, 2290, 3010],
    [300, 870, 2240],
    [530, 1840, 2480],
    [570, 840, 2410],
    [660, 1720, 2410],
  ] as const;
  const syllables = grains(48, () => {
    const seconds = bed.between(0.11, 0.3);
    const pitch = bed.next() < 0.5 ? bed.between(88, 140) : bed.between(165, 260);
    const samples = empty(seconds);
    const frames = samples.length;
    const bend = bed.between(0.82, 1.15);
    oscillate(
      samples,
      RATE,
      "saw",
      curve(frames, RATE, [
        [0, pitch],
        [seconds * 0.4, pitch * 1.05],
        [seconds, pitch * bend],
      ]),
      0.5,
      bed.next(),
    );
    const air = white(new Float32Array(frames), bed.seed());
    for (let n = 0; n < frames; n++) samples[n] = samples[n]! + 0.07 * air[n]!;
    const from = vowels[Math.floor(bed.next() * vowels.length)]!;
    const to = vowels[Math.floor(bed.next() * vowels.length)]!;
    const out = new Float32Array(frames);
    for (let k = 0; k < 3; k++) {
      const formant = samples.slice();
      band(
        formant,
        curve(frames, RATE, [
          [0, from[k]!],
          [seconds, to[k]!],
        ]),
        6 + 2 * k,
      );
      for (let n = 0; n < frames; n++) out[n] = out[n]! + formant[n]! * [1, 0.6, 0.3][k]!;
    }
    return fade(out, RATE, 0.03, 0.05);
  });
  bed.scatter(syllables, { density: bed.wander(0.4, 22, 40), spread_db: 18, width: 0.9, gain: 0.5 });
  yield undefined;
  reverberate(bed.left, bed.right, RATE, { t60: 0.9, size: 1.1, damping: 0.45, dry: 0.6, early: 0.4, tail: 0.4 });
  yield* bed.wash("pink", 0.03, 0.8, (s) => band(s, 500, 0.5));
  for (const channel of [bed.left, bed.right]) low(channel, 4800, 0.6);
}

function* fire(bed: Bed): Generator<undefined, void> {
  yield* bed.wash("brown", 0.4, 0.6, (s) => shape(low(s, bed.wander(3, 180, 520)), bed.wander(6, 0.5, 1)));
  yield* bed.wash("pink", 0.14, 0.8, (s) => shape(band(s, 1900, 0.5), bed.wander(4, 0.1, 1)));
  const snaps = grains(20, () => burst(bed, 0.0002, bed.between(0.003, 0.026), bed.between(900, 7500), 1));
  bed.scatter(snaps, { density: bed.wander(1.3, 3, 26), spread_db: 28, width: 0.8, gain: 1.1 });
  const knots = grains(6, () => {
    const knot = burst(bed, 0.0004, bed.between(0.04, 0.08), bed.between(400, 1100), 3);
    return knot;
  });
  bed.scatter(knots, { density: 0.9, spread_db: 10, width: 0.7, gain: 1.2 });
}

/** One call: two to six gliding whistles. */
function song(bed: Bed, base: number, pace: number): Float32Array {
  const count = 2 + Math.floor(bed.next() * 5);
  const out = empty(count * pace + 0.1);
  const trill = bed.next() < 0.35;
  let first = bed.between(0.9, 1.15);
  for (let n = 0; n < count; n++) {
    const seconds = pace * bed.between(0.45, 0.85);
    const part = empty(seconds);
    const frames = part.length;
    if (!trill) first = bed.between(0.82, 1.25);
    const middle = first * bed.between(0.9, 1.2);
    const last = first * bed.between(0.75, 1.2);
    const hertz = curve(
      frames,
      RATE,
      [
        [0, base * first],
        [seconds * 0.4, base * middle],
        [seconds, base * last],
      ],
      "exponential",
    );
    oscillate(part, RATE, "sine", hertz, bed.between(0.5, 1));
    oscillate(
      part,
      RATE,
      "sine",
      hertz.map((value) => Math.min(15_000, 2 * value)),
      0.07,
    );
    fade(part, RATE, seconds * 0.25, seconds * 0.5);
    const at = Math.round(n * pace * RATE);
    for (let k = 0; k < frames && at + k < out.length; k++) out[at + k] = out[at + k]! + part[k]!;
  }
  return out;
}

function* birds(bed: Bed): Generator<undefined, void> {
  const side = bed.between(0.35, 0.65);
  for (let bird = 0; bird < 6; bird++) {
    const base = bed.between(2100, 5600);
    const pace = bed.between(0.08, 0.2);
    const songs = grains(3, () => song(bed, base, pace));
    // The two that are near sit on either side.
    const pan = bird === 0 ? side : bird === 1 ? -side : bed.between(-0.9, 0.9);
    const gain = bird < 2 ? bed.between(0.65, 0.8) : bed.between(0.12, 0.4);
    for (let at = bed.next() * 3; at < bed.frames / RATE; at += bed.between(1.2, 4.8))
      mixIn(
        bed.left,
        bed.right,
        songs[Math.floor(bed.next() * 3)]!,
        Math.round(at * RATE),
        gain * bed.between(0.6, 1),
        pan,
      );
  }
  reverberate(bed.left, bed.right, RATE, { t60: 1.2, size: 2, damping: 0.5, dry: 0.8, early: 0.25, tail: 0.16 });
  yield* bed.wash("pink", 0.05, 0.9, (s) => shape(band(s, 700, 0.4), bed.wander(0.3, 0.4, 1)));
  yield* bed.wash("white", 0.012, 0.9, (s) => shape(high(s, 2600), bed.wander(0.4, 0.3, 1)));
}

/** Crickets near and far, a bed of katydids, air. */
function* night(bed: Bed): Generator<undefined, void> {
  const side = bed.between(0.3, 0.6);
  for (let one = 0; one < 7; one++) {
    const hertz = bed.between(3700, 5300);
    const every = 1 / bed.between(1.5, 2.9);
    const pulses = 3 + Math.floor(bed.next() * 2);
    const chirp = empty(pulses * 0.03 + 0.05);
    for (let pulse = 0; pulse < pulses; pulse++) {
      const part = empty(0.028);
      oscillate(part, RATE, "sine", hertz, 0.8);
      oscillate(part, RATE, "sine", hertz * 2, 0.12);
      fade(part, RATE, 0.009, 0.014);
      chirp.set(part, Math.round(pulse * 0.03 * RATE));
    }
    const pan = one === 0 ? side : one === 1 ? -side : bed.between(-0.9, 0.9);
    const gain = one < 2 ? 0.5 : bed.between(0.07, 0.25);
    for (let at = bed.next() * every; at < bed.frames / RATE; at += every * bed.between(0.96, 1.05))
      mixIn(bed.left, bed.right, chirp, Math.round(at * RATE), gain * bed.between(0.8, 1), pan);
  }
  yield* bed.wash("white", 0.09, 0.9, (s) => shape(band(s, 4700, 7), bed.wander(0.5, 0.5, 1)));
  yield* bed.wash("white", 0.05, 0.9, (s) => shape(band(s, 7600, 6), bed.wander(9, 0.25, 1)));
  yield* bed.wash("pink", 0.06, 0.8, (s) => shape(low(s, 500), bed.wander(0.2, 0.5, 1)));
}

/** Streets from a window: a rumble, cars that pass, a horn far away. */
function* city(bed: Bed): Generator<undefined, void> {
  yield* bed.wash("brown", 0.7, 0.6, (s) => low(s, 240));
  yield* bed.wash("pink", 0.12, 0.7, (s) => shape(band(s, 750, 0.4), bed.wander(0.3, 0.5, 1)));
  const seconds = bed.frames / RATE;
  for (let at = -2 + bed.next() * 2; at < seconds; at += bed.between(1.8, 4.5)) {
    const length = bed.between(3, 6);
    const car = white(empty(length), bed.seed());
    const frames = car.length;
    const top = bed.between(700, 1900);
    low(
      car,
      curve(
        frames,
        RATE,
        [
          [0, 260],
          [length * 0.5, top],
          [length, 220],
        ],
        "exponential",
      ),
      0.6,
    );
    high(car, 110);
    fade(car, RATE, length * 0.48, length * 0.48);
    const from = bed.next() < 0.5 ? -0.9 : 0.9;
    const start = Math.round(at * RATE);
    // It crosses: one half from here, the other half to there.
    const gain = bed.between(0.15, 0.5);
    const coming = car.slice();
    for (let n = 0; n < frames; n++) {
      coming[n] = coming[n]! * (1 - n / frames);
      car[n] = (car[n]! * n) / frames;
    }
    mixIn(bed.left, bed.right, coming, start, gain, from);
    mixIn(bed.left, bed.right, car, start, gain, -from);
  }
  for (let at = bed.between(2, 7); at < seconds; at += bed.between(6, 13)) {
    const length = bed.between(0.18, 0.7);
    const horn = empty(length);
    const pitch = bed.between(310, 430);
    oscillate(horn, RATE, "saw", pitch, 0.3);
    oscillate(horn, RATE, "saw", pitch * 1.26, 0.3);
    low(band(horn, 900, 0.8), 1800);
    fade(horn, RATE, 0.04, 0.12);
    mixIn(bed.left, bed.right, horn, Math.round(at * RATE), bed.between(0.05, 0.14), bed.between(-0.9, 0.9));
  }
  reverberate(bed.left, bed.right, RATE, { t60: 1.6, size: 2.4, damping: 0.6, dry: 0.85, early: 0.2, tail: 0.18 });
}

/** Wind through a hull that is not there: narrow bands that wander over a spread chord, a far shimmer, slow thuds of nothing. */
function* space(bed: Bed): Generator<undefined, void> {
  const base = 55;
  for (const [ratio, gain] of [
    [2, 1],
    [3, 0.8],
    [4, 0.5],
    [6, 0.5],
    [9, 0.35],
    [13.5, 0.25],
    [18, 0.2],
  ] as const) {
    const drift = bed.wander(0.15, base * ratio * 0.992, base * ratio * 1.008);
    const tide = bed.wander(0.13, 0.05, 1);
    yield* bed.wash("pink", 1.6 * gain, 0.9, (s) => shape(band(band(s, drift, 26), drift, 14), tide));
    yield undefined;
  }
  yield* bed.wash("brown", 0.6, 0.5, (s) => shape(low(s, bed.wander(0.2, 90, 320)), bed.wander(0.2, 0.4, 1)));
  const glints = grains(10, () => {
    const glint = empty(1.6);
    const hertz = base * [24, 27, 32, 36, 40.5, 48, 54, 64][Math.floor(bed.next() * 8)]!;
    oscillate(glint, RATE, "sine", hertz * bed.between(0.998, 1.002), 0.4);
    return fade(glint, RATE, 0.5, 1);
  });
  bed.scatter(glints, { density: 1.1, spread_db: 14, width: 1, gain: 0.12 });
  yield* bed.wash("white", 0.006, 1, (s) => shape(high(s, bed.between(4800, 5200)), bed.wander(0.25, 0.1, 1)));
  yield undefined;
  reverberate(bed.left, bed.right, RATE, { t60: 4.5, size: 2.8, damping: 0.3, dry: 0.6, early: 0.2, tail: 0.4 });
}

export type Texture = NonNullable<InstrumentPack["texture"]>;

export const TEXTURES: Readonly<Record<Texture, Recipe>> = {
  vinyl,
  rain,
  wind,
  tape,
  sea,
  crowd,
  fire,
  birds,
  night,
  city,
  space,
};
