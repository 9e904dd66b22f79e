/** Sounds of what a thing consists of, for what has no recipe of its own: an action, done with a material and a size. */
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { BODIES, strike } from "./bodies.ts";
import { throat } from "./throat.ts";
import { motor } from "./vehicles.ts";

/** A small motor at work: its revolutions waver under the load, the fan and what it drives rush along. */
function smallMotor(voice: Voice): void {
  const { size, intensity, speed } = voice.traits;
  // A model's motor turns twice as fast as a mower's, a generator's half.
  const turns = 52 * voice.tune * Math.sqrt(speed) * exp2(0.5 * (intensity - 0.5));
  const hertz = voice.scale(voice.wander(0.7, 0.95, 1.04), turns);
  const sound = motor(voice, {
    cylinders: size > 0.4 ? 4 : 1,
    hertz,
    body: [260 * exp2(-0.5 * size), 640 * exp2(-0.4 * size), 1500],
    drive: 1.2,
    roughness: 0.35,
    cutoff: 4200,
  });
  voice.add(sound, 1, -0.08);
  const air = (): Float32Array => voice.filter(voice.noise("pink"), "band", 1300 * voice.open, 0.5);
  voice.wide(air, 0.55, 0.6);
  const blades = voice.filter(voice.osc("saw", voice.scale(hertz, 4.02), 0.3), "band", 900 * voice.open, 0.8);
  voice.add(blades, 0.35, 0.2);
}

/** An animal that we know only by its size: a mouse squeaks, a cow lows. Small throats are high, short and clear. */
function call(voice: Voice): void {
  const { size, intensity } = voice.traits;
  const end = voice.fit(0.55 * exp2(0.8 * size));
  const pitch = voice.vary(420 * exp2(-1.6 * size) * voice.traits.pitch, 0.15);
  const throats = exp2(-0.6 * size);
  const open = voice.line(0, 480 * throats, end * 0.35, 980 * throats, end, 560 * throats);
  const path = voice.glide(
    0,
    pitch * 0.85,
    end * 0.3,
    pitch * voice.between(1.15, 1.35),
    end,
    pitch * voice.between(0.65, 0.85),
  );
  throat(voice, {
    hertz: voice.scale(path, voice.wander(35, 1 - 0.05 * intensity, 1 + 0.05 * intensity)),
    breath: 0.12 + 0.15 * intensity,
    drive: 1 + 2 * intensity,
    level: through(0, 0, end * 0.12, 0.9, end * 0.5, 1, end * 0.95, 0),
    formants: [
      [open, 3, 1],
      [voice.scale(open, 2), 4, 0.7],
      [2900 * throats, 4, 0.3],
    ],
  });
}

/** Something hard or rough is drawn along: it chatters at the rate of its bumps, and what it is of rings along. */
function scrape(voice: Voice): void {
  const of = voice.traits.material ?? "stone";
  const { hertz, ratios, contact } = BODIES[of];
  const end = voice.seconds;
  const stroke = voice.line(0, 0, end * 0.12, 0.8, end * 0.7, 1, end * 0.92, 0.25, end, 0);
  const pull = voice.wander(5 * voice.traits.speed, 0.55, 1);
  const rub = voice.noise("white");
  voice.filter(rub, "band", contact[1] * 0.8 * voice.open, 0.7);
  voice.shape(rub, voice.wander(90 * voice.traits.speed, 0.15, 1));
  const rings = voice.buffer();
  for (const ratio of ratios.slice(0, 4)) {
    const part = voice.filter(rub.slice(), "band", Math.min(12_000, hertz * 2.2 * ratio * voice.tune), 9);
    for (let n = 0; n < rings.length; n++) rings[n] = rings[n]! + part[n]!;
  }
  voice.add(voice.shape(voice.shape(rub, pull), stroke), 0.9, -0.1);
  voice.add(voice.shape(voice.shape(rings, pull), stroke), of === "metal" || of === "glass" ? 1.6 : 0.8, 0.15);
  const body = voice.filter(voice.noise("brown"), "band", 240 * voice.tune, 0.8);
  voice.add(voice.shape(voice.shape(body, pull), stroke), 0.5 + 0.6 * Math.max(0, voice.traits.size));
}

/** A stick, a plank or a branch gives way: a crack, and fibres that follow it. */
function snap(voice: Voice): void {
  const of = voice.traits.material ?? "wood";
  voice.burst({ attack: 0.0002, t60: 0.05, pass: "high", hertz: 1400 * voice.open, gain: 1.4 });
  strike(voice, of, { tune: 1.7, ringing: 0.35, hardness: 1, gain: 1 });
  voice.tone({ t60: 0.09 * voice.long, hertz: 240 * voice.tune, to: 120 * voice.tune, gain: 0.5 });
  const splinters = voice.templates(10, 0.05, (one) =>
    strike(one, of, { tune: one.between(2, 5), ringing: 0.12, hardness: 1 }),
  );
  const end = Math.min(voice.seconds, 0.28 * voice.long);
  const density = voice.line(0, 160, end * 0.3, 50, end, 0);
  voice.scatter(splinters, { density, spread_db: 22, width: 0.4, gain: 0.5 });
}

/** Something soft and wet gives: it sucks, and bubbles close behind it. */
function squelch(voice: Voice): void {
  const end = voice.seconds;
  const suck = voice.noise("pink");
  const path = voice.glide(0, 380 * voice.tune, end * 0.45, 1500 * voice.open, end, 420 * voice.tune);
  voice.filter(suck, "band", path, 2.5);
  voice.shape(suck, voice.wander(26, 0.15, 1));
  const level = voice.line(0, 0, end * 0.2, 0.9, end * 0.5, 0.7, end * 0.9, 0);
  voice.add(voice.shape(suck, level), 1.2);
  const bubbles = voice.templates(12, 0.08, (one) => {
    const hertz = one.between(260, 900) * one.tune;
    one.tone({ attack: 0.003, t60: one.between(0.02, 0.06), hertz, to: hertz * 1.7, gain: 1 });
  });
  voice.scatter(bubbles, { density: voice.scale(level, 60), spread_db: 20, width: 0.4, gain: 0.6 });
  voice.burst({ at: end * 0.1, attack: 0.01, t60: 0.12, pass: "low", hertz: 320, gain: 0.6 });
}

/** Breath through a narrow mouth, with a tongue behind it. */
function hiss(voice: Voice): void {
  const end = voice.seconds;
  const breath = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.scale(voice.wander(3, 0.9, 1.1), 5200 * voice.open * voice.traits.pitch), 0.9);
    voice.shape(samples, voice.wander(14, 0.75, 1));
    return voice.shape(samples, through(0, 0, end * 0.18, 0.8, end * 0.5, 1, end * 0.8, 0.4, end, 0));
  };
  voice.wide(breath, 1, 0.25);
}

/** Something is loaded with energy: partials climb, their beats quicken, and it holds at the top. */
function chargeUp(voice: Voice): void {
  const end = voice.seconds;
  const full = end * 0.85;
  const base = 110 * voice.tune;
  const level = voice.glide(0, 0.03, full, 1, end * 0.96, 0.8, end, 0.001);
  for (const [ratio, pan] of [
    [1, 0],
    [1.507, -0.6],
    [2.013, 0.6],
  ] as const) {
    const climb = voice.glide(0, base * ratio, full, base * ratio * 7, end, base * ratio * 7.1);
    const tone = voice.filter(voice.osc("saw", climb, 0.4), "low", voice.scale(climb, 3), 1.4);
    voice.add(voice.shape(tone, level), 0.8, pan);
  }
  const sparks = voice.filter(voice.crackle(900), "high", 2600);
  voice.add(voice.shape(sparks, level), 0.6, 0.3);
}

export const GENERIC: Renders = {
  small_motor: smallMotor,
  animal_call: call,
  scrape,
  snap,
  squelch,
  hiss,
  charge_up: chargeUp,
};
