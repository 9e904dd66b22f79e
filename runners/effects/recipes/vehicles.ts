/** Engines and what they drive. */
import { type Control, STEP } from "../../signal/dsp/control.ts";
import { delayed } from "../../signal/dsp/doppler.ts";
import { saturate } from "../../signal/dsp/envelope.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";

/** Combustion pulses: exponential puffs at `hertz`, each of its own strength in the order of the cylinders, and a little noise in each. */
function pulses(voice: Voice, hertz: Control, cylinders: number, roughness: number): Float32Array {
  const out = voice.noise("white");
  const strength = Array.from({ length: cylinders }, () => 1 + roughness * (voice.next() - 0.5));
  let phase = 0;
  let level = 0;
  let cylinder = 0;
  for (let at = 0, block = 0; at < out.length; at += STEP, block++) {
    const step = hertz[block]! / voice.rate;
    const falls = 1 - Math.min(0.5, step * 5);
    const end = Math.min(out.length, at + STEP);
    for (let n = at; n < end; n++) {
      phase += step;
      if (phase >= 1) {
        phase -= 1;
        cylinder = cylinder + 1 === cylinders ? 0 : cylinder + 1;
        level += strength[cylinder]!;
      }
      out[n] = level * (0.85 + 0.25 * out[n]!);
      level *= falls;
    }
  }
  return out;
}

export interface Motor {
  readonly cylinders: number;
  /** Firing frequency over time, Hz. */
  readonly hertz: Control;
  readonly body: readonly number[];
  readonly drive: number;
  readonly roughness: number;
  readonly cutoff: number;
}

export function motor(voice: Voice, { cylinders, hertz, body, drive, roughness, cutoff }: Motor): Float32Array {
  const source = pulses(voice, hertz, cylinders, roughness);
  voice.filter(source, "high", 28);
  const out = source.slice();
  voice.filter(out, "low", 160);
  for (let n = 0; n < out.length; n++) out[n] = 0.45 * out[n]!;
  for (const formant of body) {
    const part = source.slice();
    voice.filter(part, "band", formant * voice.open, 2.2);
    for (let n = 0; n < out.length; n++) out[n] = out[n]! + 0.8 * part[n]!;
  }
  saturate(out, drive);
  return voice.filter(out, "low", cutoff * voice.open);
}

function revs(voice: Voice, idle: number, top: number): Control {
  const { intensity, speed } = voice.traits;
  const end = voice.seconds;
  const low = idle * voice.tune;
  if (intensity < 0.35) return voice.wander(0.8, low * 0.97, low * 1.04);
  const high = top * voice.tune * exp2(0.7 * (intensity - 0.5)) * Math.min(1.5, speed);
  const path: [number, number][] = [
    [0, low],
    [0.06 * end, low],
  ];
  for (let at = 0.08 * end; at < 0.85 * end; at += voice.between(1.6, 2.6)) {
    path.push([at, low * 1.1], [at + 0.7, high * voice.between(0.75, 1)], [at + 1.4, low * 1.25]);
  }
  path.push([end, low]);
  return voice.curve(
    path.filter(([at], index) => index === 0 || at > path[index - 1]![0]),
    "exponential",
  );
}

function engine(voice: Voice): void {
  const hertz = revs(voice, 28, 130);
  const sound = motor(voice, { cylinders: 4, hertz, body: [210, 520, 1150], drive: 1.1, roughness: 0.5, cutoff: 3600 });
  voice.add(sound, 1, -0.1);
  const air = voice.noise("pink");
  voice.filter(air, "band", 1400, 0.5);
  voice.add(voice.shape(air, voice.scale(hertz, 1 / 300)), 0.5, 0.2);
  voice.add(sound.slice(), 0.3, 0.6, 0.011);
}

function motorbike(voice: Voice): void {
  const hertz = revs(voice, 24, 170);
  const sound = motor(voice, { cylinders: 2, hertz, body: [330, 820, 1900], drive: 1.8, roughness: 1.1, cutoff: 6000 });
  voice.add(sound, 1, 0.1);
  voice.add(sound.slice(), 0.25, -0.7, 0.009);
}

function truck(voice: Voice): void {
  const hertz = revs(voice, 17, 60);
  const sound = motor(voice, { cylinders: 6, hertz, body: [110, 290, 640], drive: 1.3, roughness: 0.8, cutoff: 2200 });
  voice.add(sound, 1, 0);
  const clatter = voice.templates(8, 0.03, (one) => one.burst({ t60: 0.018, hertz: one.between(1500, 3800), q: 2 }));
  voice.scatter(clatter, { density: 34, spread_db: 14, width: 0.6, gain: 0.16 });
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 220), 0.5, 0.6);
}

/** Moves a sound past the listener: Doppler shift, 1/r level and air absorption from the geometry of a straight road. */
function passing(voice: Voice, sound: Float32Array, metres: number, metres_per_second: number): void {
  const middle = voice.seconds * 0.5;
  const corners: [number, number][] = [];
  const levels: [number, number][] = [];
  const colours: [number, number][] = [];
  const to_left: [number, number][] = [];
  const to_right: [number, number][] = [];
  for (let at = 0; at <= voice.seconds + 0.04; at += 0.04) {
    const x = (at - middle) * metres_per_second;
    const distance = Math.sqrt(x * x + metres * metres);
    const side = x / distance;
    corners.push([at, distance / 343]);
    const near = metres / distance;
    levels.push([at, near]);
    colours.push([at, 900 + 9000 * near]);
    to_left.push([at, Math.sqrt(0.5 - 0.48 * side)]);
    to_right.push([at, Math.sqrt(0.5 + 0.48 * side)]);
  }
  // The delay at the start is taken off, so that the sound is there from the first sample.
  const from = corners[0]![1];
  const moving = delayed(
    sound,
    voice.rate,
    voice.curve(corners.map(([at, delay]) => [at, delay - from + 0.001] as const)),
  );
  for (let n = 0; n < moving.length; n++) if (moving[n] === 0) moving[n] = sound[n]!;
  voice.filter(moving, "low", voice.curve(colours));
  voice.shape(moving, voice.curve(levels));
  const right = moving.slice();
  voice.add(voice.shape(moving, voice.curve(to_left)), 1, -1);
  voice.add(voice.shape(right, voice.curve(to_right)), 1, 1);
}

function carPass(voice: Voice): void {
  const hertz = voice.wander(0.5, 88 * voice.tune, 94 * voice.tune);
  const sound = motor(voice, { cylinders: 4, hertz, body: [230, 560, 1300], drive: 1.2, roughness: 0.3, cutoff: 4500 });
  const tyres = voice.noise("pink");
  voice.filter(tyres, "band", 950 * voice.open, 0.6);
  for (let n = 0; n < sound.length; n++) sound[n] = sound[n]! * 0.6 + tyres[n]! * 1.7;
  passing(voice, sound, 5, 20 * Math.min(3, voice.traits.speed));
}

/** Blade passage as deep thumps, a tail rotor above, turbine noise. */
function helicopter(voice: Voice): void {
  const rate = 13 * Math.sqrt(voice.traits.speed) * exp2(-0.4 * voice.traits.size);
  const blades = (): Float32Array => {
    const samples = voice.noise("pink");
    voice.filter(samples, "low", 750 * voice.open);
    for (let n = 0; n < samples.length; n++) {
      const phase = (n / voice.rate) * rate;
      const p = phase - Math.floor(phase);
      const chop = 1 - p;
      samples[n] = samples[n]! * (0.12 + chop * chop * chop);
    }
    return samples;
  };
  voice.wide(blades, 2.2, 0.4);
  const thump = voice.osc("pulse", rate, 0.5, 0.12);
  voice.filter(thump, "low", 170);
  voice.filter(thump, "high", 22);
  voice.add(thump, 0.6);
  voice.add(voice.filter(voice.osc("saw", rate * 5.3, 0.2), "band", 700, 1), 0.5, 0.3);
  voice.wide(() => voice.filter(voice.noise("white"), "band", 3200, 1.2), 0.06, 0.8);
}

function propeller(voice: Voice): void {
  const hertz = voice.wander(0.4, 92 * voice.tune, 97 * voice.tune);
  const sound = motor(voice, { cylinders: 3, hertz, body: [190, 420, 900], drive: 1.6, roughness: 0.4, cutoff: 3000 });
  passing(voice, sound, 60, 60);
  voice.wide(() => voice.filter(voice.noise("pink"), "low", 700), 0.05, 0.8);
}

function jet(voice: Voice): void {
  const roar = voice.noise("white");
  voice.filter(roar, "low", 2600 * voice.open);
  const deep = voice.noise("brown");
  const whine = voice.osc("saw", voice.wander(0.3, 2300 * voice.tune, 2450 * voice.tune), 0.08);
  for (let n = 0; n < roar.length; n++) roar[n] = 0.6 * roar[n]! + 1.6 * deep[n]! + whine[n]!;
  passing(voice, roar, 120, 110);
}

/** Wheels over rail joints, two bogies at a time, over a rumble. */
function train(voice: Voice): void {
  const { speed } = voice.traits;
  const rumble = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.filter(samples, "low", 420 * voice.open);
    return voice.shape(samples, voice.wander(5, 0.6, 1));
  };
  voice.wide(rumble, 1.5, 0.7);
  voice.wide(() => voice.filter(voice.noise("white"), "band", 2300, 2), 0.07, 0.8);
  const clacks = voice.templates(6, 0.25, (one) => {
    one.burst({ t60: 0.05, hertz: one.between(1100, 2200), q: 1 });
    one.tone({ t60: 0.14, hertz: one.between(85, 120), to: 60, gain: 1 });
    one.burst({ t60: 0.09, pass: "low", hertz: 500, gain: 1 });
  });
  const period = 1.15 / speed;
  for (let at = 0.1; at < voice.seconds - 0.1; at += period) {
    for (const beat of [0, 0.115, 0.32, 0.435]) {
      const clack = clacks[Math.floor(voice.next() * 6)]!;
      voice.add(clack, voice.between(0.5, 0.8), voice.between(-0.2, 0.2), at + (beat * period) / 1.15);
    }
  }
}

/** Chuffs of a steam engine, four to a turn of the wheel. */
function steamTrain(voice: Voice): void {
  const rate = 3.4 * voice.traits.speed;
  const chuffs = voice.templates(6, 0.3, (one) => {
    one.burst({ attack: 0.012, t60: 0.26, hertz: one.between(600, 950), q: 0.5 });
    one.burst({ attack: 0.01, t60: 0.2, pass: "low", hertz: 220, gain: 1.4 });
  });
  let at = 0.02;
  for (let n = 0; at < voice.seconds - 0.2; n++, at += 1 / rate) {
    voice.add(chuffs[n % 6]!, n % 4 === 0 ? 1 : 0.72, voice.between(-0.15, 0.15), at);
  }
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 260), 0.5, 0.7);
}

function spaceship(voice: Voice): void {
  const hertz = voice.wander(0.25, 41 * voice.tune, 47 * voice.tune);
  for (const [ratio, pan] of [
    [1, 0],
    [2.01, -0.6],
    [3.02, 0.6],
  ] as const) {
    const samples = voice.osc("saw", voice.scale(hertz, ratio), 0.4);
    voice.filter(samples, "low", voice.wander(0.4, 260 * voice.open, 900 * voice.open), 3);
    voice.add(samples, 1, pan);
  }
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 380 * voice.open, 0.8), 0.5, 0.9);
}

/** Tyres that squeal: a narrow band of chattering tones that falls as the car slows. */
function skid(voice: Voice): void {
  const end = voice.seconds;
  for (const [ratio, pan] of [
    [1, -0.4],
    [1.31, 0.4],
    [1.87, 0],
  ] as const) {
    const path = voice.glide(0, 1150 * ratio * voice.tune, end, 820 * ratio * voice.tune);
    const tone = voice.osc("saw", path, 0.3);
    voice.shape(tone, voice.wander(45, 0.2, 1));
    voice.filter(tone, "band", path, 6);
    voice.add(voice.shape(tone, through(0, 0, 0.05, 1, end * 0.8, 0.7, end, 0)), 1, pan);
  }
  const rub = voice.filter(voice.noise("pink"), "band", 1500, 0.6);
  voice.add(voice.shape(rub, through(0, 0, 0.04, 1, end * 0.8, 0.6, end, 0)), 0.9);
}

export const VEHICLES: Renders = {
  engine,
  motorbike,
  truck,
  car_pass: carPass,
  helicopter,
  propeller_plane: propeller,
  jet,
  train,
  steam_train: steamTrain,
  spaceship,
  skid,
};
