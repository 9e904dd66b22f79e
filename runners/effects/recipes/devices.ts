/** Instruments and machines with a sound of their own. */
import { wave } from "../../signal/dsp/control.ts";
import { saturate } from "../../signal/dsp/envelope.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";
import { blinker, flatline, geiger, modem, monitorBeep, sadTrombone, sonar } from "./signals.ts";

/** A bullet leaves stone, tumbling: a crack and a whine that falls and goes away. */
function ricochet(voice: Voice): void {
  const end = voice.seconds;
  strike(voice, voice.traits.material ?? "stone", { tune: 1.6, hardness: 1, gain: 1 });
  voice.burst({ attack: 0.0002, t60: 0.05, hertz: 3400, q: 0.6, gain: 1.1 });
  const from = voice.vary(2900 * voice.tune, 0.25);
  const path = voice.glide(0, from, end * 0.15, from * 1.12, end, from * 0.38);
  const spin = voice.scale(path, wave(voice.frames, voice.rate, voice.between(45, 70), 0.965, 1.035));
  const whine = voice.osc("triangle", spin, 0.7, 0.5);
  saturate(whine, 1.5);
  voice.add(
    voice.shape(whine, through(0, 0, 0.02, 0.8, end * 0.35, 0.5, end * 0.95, 0)),
    0.7,
    voice.next() < 0.5 ? -0.6 : 0.6,
  );
}

const TUNE = [0, 4, 7, 12, 11, 7, 9, 7, 5, 9, 7, 4, 2, 5, 4, 0] as const;

/** Plucked teeth of a comb of steel: a little waltz that turns about, slower towards the end. */
function musicBox(voice: Voice): void {
  const base = 784 * voice.tune;
  const shift = Math.floor(voice.next() * TUNE.length);
  let gap = 0.26 / voice.traits.speed;
  const pluck = (semitones: number, at: number, gain: number, pan: number): void => {
    const hertz = base * exp2(semitones / 12);
    voice.ring(
      [1, 3.01, 5.98].map((ratio, index) => ({
        hertz: hertz * ratio,
        t60: Math.min(1.5 / (1 + 1.5 * index), (voice.seconds - at) * 0.95),
        gain: gain / (1 + 3.5 * index),
        pan,
      })),
      at,
    );
    voice.burst({ at, attack: 0.0003, t60: 0.008, hertz: 5200, gain: 0.12 * gain });
  };
  for (let at = 0.02, n = 0; at < voice.seconds - 0.3; at += gap, n++) {
    const note = TUNE[(shift + n) % TUNE.length]!;
    pluck(note, at, voice.between(0.7, 1), voice.between(-0.3, 0.3));
    if (n % 3 === 0) pluck(note >= 7 ? -5 : -12, at, 0.55, -0.3);
    gap *= 1.006;
  }
}

/** A bowl that is struck softly and goes on by itself: few partials, each a pair that beats slowly. */
function singingBowl(voice: Voice): void {
  const hertz = voice.vary(228 * voice.tune, 0.08);
  const end = voice.seconds;
  for (const [index, ratio] of [1, 2.74, 5.12, 8].entries()) {
    for (const [split, pan] of [
      [-0.0016, -0.5],
      [0.0016, 0.5],
    ] as const) {
      const tone = voice.osc("sine", hertz * ratio * (1 + split), 1 / (1 + 1.6 * index));
      const fades = Math.min(end, (7 * voice.long) / (1 + 0.8 * index));
      voice.shape(tone, voice.glide(0, 0.02, 0.12 + 0.2 / (1 + index), 1, fades, 0.004));
      voice.add(tone, 0.6, pan);
    }
  }
  strike(voice, "wood", { tune: 1.2, ringing: 0.4, hardness: 0.1, gain: 0.15 });
}

/** The bird of a clock: a minor third down on two small organ pipes. */
function cuckoo(voice: Voice): void {
  const high = 700 * voice.tune;
  for (const [at, hertz, length] of [
    [0, high, 0.2],
    [0.32, high * 0.8, 0.32],
  ] as const) {
    for (const [ratio, gain] of [
      [1, 1],
      [2, 0.12],
      [3, 0.18],
    ] as const)
      voice.tone({ at, attack: 0.03, t60: length * 2, hertz: hertz * ratio, gain: 0.7 * gain });
    voice.burst({ at, attack: 0.015, t60: length, hertz: hertz * 3, q: 2, gain: 0.25 });
  }
}

/** Two hums that beat, and a veil over them that shimmers. */
function forceField(voice: Voice): void {
  const base = 98 * voice.tune;
  for (const [ratio, pan] of [
    [1, -0.5],
    [1.009, 0.5],
    [1.502, 0],
  ] as const) {
    const hum = voice.osc("saw", voice.scale(voice.wander(0.8, 0.995, 1.005), base * ratio), 0.5);
    voice.filter(hum, "low", voice.scale(voice.wander(1.5, 0.6, 1.4), 900 * voice.open), 2);
    voice.add(hum, 0.8, pan);
  }
  const veil = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.scale(voice.wander(2, 0.8, 1.3), 3400 * voice.open), 6);
    return voice.shape(samples, voice.wander(9, 0.2, 1));
  };
  voice.wide(veil, 0.7, 0.9);
}

/** A pneumatic chisel: twenty blows a second through stone, and the air that drives it. */
function jackhammer(voice: Voice): void {
  const of = voice.traits.material ?? "stone";
  const blows = voice.templates(6, 0.05, (one) => {
    strike(one, "metal", { tune: one.between(1.6, 2), ringing: 0.02, hardness: 1, gain: 0.6 });
    strike(one, of, { tune: one.between(0.6, 0.8), hardness: 0.8 });
    one.tone({ t60: 0.045, hertz: 120, to: 65, gain: 1 });
    one.burst({ attack: 0.0004, t60: 0.03, hertz: one.between(1500, 2600), q: 0.6, gain: 0.8 });
  });
  const gap = 1 / (21 * voice.traits.speed);
  for (let at = 0.02; at < voice.seconds - 0.05; at += voice.vary(gap, 0.03))
    voice.add(blows[Math.floor(voice.next() * 6)]!, voice.between(0.75, 1), voice.between(-0.15, 0.15), at);
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 2300 * voice.open, 0.5), 0.2, 0.6);
}

/** The starter turns the engine over, `until` where it stops. */
function crank(voice: Voice, until: number): void {
  const turning = wave(voice.frames, voice.rate, 7.5 * voice.traits.speed, 0.3, 1);
  const motor = voice.osc("saw", voice.scale(turning, 165 * voice.tune), 0.7);
  voice.filter(motor, "band", 620 * voice.open, 0.8);
  voice.shape(motor, turning);
  const rest = through(0, 0, 0.04, 1, until - 0.05, 0.9, until, 0);
  voice.add(voice.shape(motor, rest), 1);
  const gears = voice.noise("pink");
  voice.filter(gears, "band", 1700, 1);
  voice.shape(gears, turning);
  voice.add(voice.shape(gears, rest), 0.5);
  strike(voice, "metal", { tune: 1.3, ringing: 0.05, hardness: 0.8, gain: 0.5 });
}

function engineStart(voice: Voice): void {
  const end = voice.seconds;
  const catches = Math.min(1.3, end * 0.42);
  crank(voice, catches);
  const revs = voice.glide(catches - 0.05, 22, catches + 0.25, 92, catches + 0.8, 46, end, 42);
  const level = through(catches - 0.05, 0, catches + 0.12, 1, catches + 0.8, 0.55, end, 0.5);
  const engine = voice.osc("saw", voice.scale(revs, voice.tune), 0.9);
  const second = voice.osc("pulse", voice.scale(revs, 0.5 * voice.tune), 0.6, 0.2);
  for (let n = 0; n < engine.length; n++) engine[n] = engine[n]! + second[n]!;
  saturate(engine, 2);
  voice.filter(engine, "low", 1100 * voice.open);
  voice.add(voice.shape(engine, level), 0.9);
  const air = voice.noise("pink");
  voice.filter(air, "low", 1500);
  voice.add(voice.shape(voice.shape(air, voice.wander(40, 0.4, 1)), level), 0.35);
}

function engineFails(voice: Voice): void {
  const end = voice.seconds;
  crank(voice, end * 0.9);
  // It tires.
  const tired = voice.line(0, 1, end * 0.5, 0.9, end * 0.9, 0.45);
  voice.shape(voice.left, tired);
  voice.shape(voice.right, tired);
}

/** One stroke of an oar: it dips, pulls and drips. */
function oar(voice: Voice): void {
  const end = voice.seconds;
  const pull = voice.noise("pink");
  voice.filter(pull, "band", voice.glide(0, 500, end * 0.4, 1300 * voice.open, end * 0.8, 600), 0.8);
  voice.shape(pull, voice.wander(30, 0.35, 1));
  voice.add(
    voice.shape(pull, through(0, 0, end * 0.08, 0.9, end * 0.2, 0.4, end * 0.45, 1, end * 0.75, 0.1, end, 0)),
    1,
    voice.turn % 2 === 0 ? -0.35 : 0.35,
  );
  const drops = voice.templates(10, 0.08, (one) =>
    one.tone({
      attack: 0.003,
      t60: one.between(0.02, 0.06),
      hertz: one.between(500, 1300),
      to: one.between(900, 2400),
    }),
  );
  const density = voice.line(0, 15, end * 0.5, 40, end, 5);
  voice.scatter(drops, { density, spread_db: 20, width: 0.5, gain: 0.4 });
}

/** Cloth in the wind: it bellies and cracks. */
function flapping(voice: Voice): void {
  const belly = (): Float32Array => {
    const samples = voice.noise("pink");
    voice.filter(samples, "band", 520 * voice.open * voice.tune, 0.6);
    const gusts = voice.wander(9 * voice.traits.speed, -0.4, 1);
    return voice.shape(
      samples,
      gusts.map((value) => Math.max(0, value)),
    );
  };
  voice.wide(belly, 1, 0.6);
  const cracks = voice.templates(8, 0.09, (one) => {
    one.burst({ attack: 0.002, t60: one.between(0.03, 0.07), hertz: one.between(900, 2200), q: 0.6 });
    one.burst({ attack: 0.002, t60: 0.05, pass: "low", hertz: 400, gain: 0.8 });
  });
  const density = voice.wander(1.5, 1, 9);
  voice.scatter(cracks, { density: voice.scale(density, voice.traits.speed), spread_db: 16, width: 0.5, gain: 0.9 });
}

/** Steam finds the lid's hole: a hiss first, then a whistle that climbs until it holds. */
function kettle(voice: Voice): void {
  const end = voice.seconds;
  const top = 2300 * voice.tune;
  const path = voice.glide(0, top * 0.4, end * 0.3, top * 0.62, end * 0.65, top, end, top * 1.03);
  const level = through(0, 0, end * 0.25, 0.08, end * 0.6, 0.8, end * 0.95, 1, end, 0.7);
  for (const [ratio, gain] of [
    [1, 1],
    [1.006, 0.5],
    [2, 0.25],
  ] as const) {
    const tone = voice.osc("sine", voice.scale(voice.scale(path, ratio), voice.wander(24, 0.994, 1.006)), gain);
    voice.add(voice.shape(tone, level), 0.6);
  }
  voice.wide(() => voice.shape(voice.filter(voice.noise("white"), "band", 3800 * voice.open, 0.6), level), 0.4, 0.5);
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 700, 0.7), 0.25, 0.5);
}

/** A claw pulls the film on, 24 times a second; a fan, and the reel that comes round. */
function projector(voice: Voice): void {
  const gap = 1 / (24 * voice.traits.speed);
  const claws = voice.templates(4, 0.03, (one) => {
    one.burst({ attack: 0.0004, t60: 0.01, hertz: one.between(1900, 2700), q: 0.9 });
    strike(one, "metal", { tune: 3.5, ringing: 0.02, hardness: 0.7, gain: 0.35 });
  });
  const reel = wave(voice.frames, voice.rate, 2.1 * voice.traits.speed, 0.6, 1);
  let n = 0;
  for (let at = 0.01; at < voice.seconds - 0.03; at += voice.vary(gap, 0.02), n++)
    voice.add(claws[n % 4]!, (n % 2 === 0 ? 1 : 0.6) * voice.between(0.85, 1), n % 2 === 0 ? -0.1 : 0.1, at);
  voice.shape(voice.left, reel);
  voice.shape(voice.right, reel);
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 520, 0.7), 0.4, 0.6);
  const motor = voice.osc("saw", 100 * voice.tune, 0.4);
  voice.add(voice.filter(motor, "low", 500), 0.15);
}

/** The ground: a rumble in waves, and what stands on it shaken. */
function earthquake(voice: Voice): void {
  const end = voice.seconds;
  const shock = voice.line(0, 0.1, end * 0.2, 1, end * 0.6, 0.8, end, 0.1);
  const ground = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.filter(samples, "low", 170 * voice.open);
    voice.shape(samples, voice.wander(7, 0.45, 1));
    return voice.shape(samples, shock);
  };
  voice.wide(ground, 2.5, 0.5);
  const rattles = voice.templates(14, 0.14, (one) =>
    strike(one, one.next() < 0.4 ? "wood" : one.next() < 0.5 ? "ceramic" : "stone", {
      tune: one.between(0.6, 1.6),
      ringing: 0.35,
      hardness: 0.6,
    }),
  );
  voice.scatter(rattles, { density: voice.scale(shock, 38), spread_db: 22, width: 0.9, gain: 0.35 });
}

/** A spring that is let go: it trembles about its pitch, ever less. */
function boing(voice: Voice): void {
  const end = voice.seconds;
  const hertz = voice.vary(185 * voice.tune, 0.15);
  const tremble = wave(voice.frames, voice.rate, 13 * voice.traits.speed, -1, 1);
  const depth = voice.glide(0, 0.55, end, 0.03);
  const path = tremble.map((value, n) => hertz * (1 + value * depth[n]!));
  for (const [ratio, gain] of [
    [1, 1],
    [2.02, 0.6],
    [3.05, 0.35],
    [5.1, 0.15],
  ] as const) {
    const tone = voice.osc("triangle", voice.scale(path, ratio), gain, 0.5);
    voice.shape(tone, voice.glide(0, 0.3, 0.02, 1, end, 0.004));
    voice.add(tone, 0.6, 0.12 * (ratio - 2));
  }
  strike(voice, "metal", { tune: 1.5, ringing: 0.1, hardness: 0.5, gain: 0.25 });
}

/** A piston flute: up, or down where it falls. */
function slideWhistle(voice: Voice): void {
  const end = voice.seconds;
  const low = 480 * voice.tune;
  const path = voice.scale(
    voice.glide(0, low, end * 0.8, low * 3.4, end, low * 3.6),
    wave(voice.frames, voice.rate, 6.5, 0.988, 1.012),
  );
  const level = through(0, 0, 0.04, 0.9, end * 0.85, 1, end, 0);
  for (const [ratio, gain] of [
    [1, 1],
    [2, 0.1],
    [3, 0.12],
  ] as const)
    voice.add(voice.shape(voice.osc("sine", voice.scale(path, ratio), gain), level), 0.8);
  const air = voice.noise("white");
  voice.filter(air, "band", voice.scale(path, 2), 3);
  voice.add(voice.shape(air, level), 0.2);
}

export const DEVICES: Renders = {
  sonar,
  boing,
  slide_whistle: slideWhistle,
  sad_trombone: sadTrombone,
  heart_monitor: monitorBeep,
  flatline,
  kettle,
  projector,
  earthquake,
  geiger,
  modem,
  ricochet,
  music_box: musicBox,
  singing_bowl: singingBowl,
  cuckoo,
  force_field: forceField,
  jackhammer,
  blinker,
  engine_start: engineStart,
  engine_fails: engineFails,
  paddle: oar,
  flag: flapping,
};
