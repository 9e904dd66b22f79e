/** Doors, bells, tools, machines and what lies on a table. */
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Mode } from "../../signal/dsp/modal.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

/** Stick-slip: the hinge lets go in jerks whose rate wanders, and every jerk rings the door. */
function creak(voice: Voice): void {
  const end = voice.seconds;
  const { speed } = voice.traits;
  const base = 46 * speed * voice.tune;
  const rate = voice.glide(
    0,
    base * 0.6,
    end * 0.3,
    base * voice.between(1.6, 2.4),
    end * 0.55,
    base * voice.between(0.7, 1),
    end * 0.85,
    base * voice.between(2, 3.2),
    end,
    base,
  );
  const slips = voice.osc("saw", rate, 1);
  const uneven = voice.wander(22, 0.25, 1);
  // Each jump of the saw is one slip: its slope is taken away.
  let last = 0;
  for (let n = 0; n < slips.length; n++) {
    const value = slips[n]!;
    slips[n] = Math.min(0, value - last + 0.2);
    last = value;
  }
  voice.shape(slips, uneven);
  const metal = voice.traits.material === "metal";
  const out = voice.buffer();
  const bodies = metal ? [900, 1840, 3100, 4700] : [340, 760, 1450, 2350];
  for (const [index, hertz] of bodies.entries()) {
    const part = voice.filter(slips.slice(), "band", hertz * voice.tune * voice.between(0.92, 1.08), metal ? 20 : 11);
    for (let n = 0; n < out.length; n++) out[n] = out[n]! + part[n]! * (1 - 0.15 * index);
  }
  voice.shape(out, through(0, 0, end * 0.12, 0.7, end * 0.8, 1, end * 0.93, 0.2, end, 0));
  voice.add(out, 2, -0.15);
  voice.add(out.slice(), 0.5, 0.6, 0.008);
}

function slam(voice: Voice): void {
  const material = voice.traits.material ?? "wood";
  strike(voice, material, { tune: 0.45, gain: 1, ringing: 0.9, hardness: 0.6 });
  voice.tone({ t60: voice.fit(0.4 * voice.long), hertz: 95 * voice.tune, to: 58 * voice.tune, glide: 0.1, gain: 0.7 });
  voice.burst({ t60: voice.fit(0.3), pass: "low", hertz: 600 * voice.open, gain: 1.4 });
  strike(voice, "metal", { at: 0.035, tune: 2.4, gain: 0.14, ringing: 0.06, hardness: 1 });
  // The frame rattles after.
  for (const at of [0.09, 0.14, 0.17])
    strike(voice, material, { at, tune: 0.8, gain: 0.16, ringing: 0.4, pan: voice.between(-0.3, 0.3) });
}

function latch(voice: Voice): void {
  for (const [at, gain, tune] of [
    [0, 0.6, 3],
    [0.055, 0.35, 3.8],
    [0.13, 1, 2.1],
  ] as const) {
    if (at > voice.seconds * 0.8) continue;
    strike(voice, "metal", {
      at,
      gain: 0.5 * gain,
      tune: tune * voice.between(0.95, 1.05),
      ringing: 0.05,
      hardness: 0.9,
    });
    voice.burst({ at, t60: 0.015, hertz: 2600 * voice.tune, gain: 0.6 * gain });
  }
  voice.tone({ at: 0.13, t60: 0.06, hertz: 210 * voice.tune, to: 140 * voice.tune, gain: 0.5 });
}

/** Partials of a minor-third church bell, hum to superquint, relative to the prime. */
const BELL = [0.5, 1, 1.19, 1.5, 2, 2.51, 2.66, 3.01, 4.16, 5.43];
const BELL_T60 = [1, 0.8, 0.65, 0.5, 0.55, 0.35, 0.3, 0.25, 0.18, 0.12];

function bellModes(voice: Voice, hertz: number, t60: number, gain: number): Mode[] {
  return BELL.flatMap((ratio, index) => {
    const level = gain * (index === 0 ? 0.5 : 1 / (1 + 0.35 * index));
    const length = voice.fit(t60 * (BELL_T60[index] ?? 0.1));
    // A bell is never quite round: each partial is a pair that beats.
    const split = 1 + 0.0006 * (1 + voice.next());
    const pan = voice.between(-0.6, 0.6);
    return [
      { hertz: hertz * ratio, t60: length, gain: level * 0.6, pan },
      { hertz: hertz * ratio * split, t60: length * 0.9, gain: level * 0.4, pan: -pan },
    ];
  });
}

function bell(voice: Voice): void {
  const hertz = voice.vary(620 * voice.tune * exp2(-0.4 * voice.traits.size), 0.1);
  voice.ring(bellModes(voice, hertz, 4.5 * voice.long, 1));
  voice.burst({ t60: 0.02, hertz: hertz * 5, gain: 0.3 });
}

function gong(voice: Voice): void {
  const hertz = 95 * voice.tune;
  const modes: Mode[] = [];
  for (let n = 0; n < 40; n++) {
    const ratio = 1 + n * 0.42 + voice.between(0, 0.3);
    modes.push({
      hertz: hertz * ratio,
      t60: voice.fit((6 * voice.long) / (1 + 0.12 * n)),
      gain: voice.between(0.3, 1) / (1 + 0.1 * n),
      pan: voice.between(-0.9, 0.9),
    });
  }
  voice.ring(modes);
  // The shimmer comes after the blow, when energy has climbed to the high modes.
  const bloom = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", 2600 * voice.open, 0.8);
    return voice.shape(samples, voice.glide(0, 0.004, 0.35, 0.5, voice.seconds * 0.5, 0.08, voice.seconds, 0.001));
  };
  voice.wide(bloom, 1.2, 0.9);
}

function cymbal(voice: Voice): void {
  const t60 = voice.fit(2.4 * voice.long);
  const wash = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "high", 3400 * voice.tune);
    return voice.shape(samples, voice.glide(0, 1, 0.1, 0.5, t60, 0.001));
  };
  voice.wide(wash, 0.6, 0.8);
  const modes: Mode[] = [];
  for (let n = 0; n < 36; n++)
    modes.push({
      hertz: voice.between(320, 9000) * voice.tune,
      t60: t60 * voice.between(0.3, 0.9),
      gain: 0.12,
      pan: voice.between(-0.8, 0.8),
    });
  voice.ring(modes);
}

function chimes(voice: Voice): void {
  const scale = [1, 1.125, 1.25, 1.5, 1.667, 2, 2.25, 2.5];
  const free = [1, 2.756, 5.404, 8.933];
  const base = 1050 * voice.tune;
  let at = 0;
  while (at < voice.seconds * 0.8) {
    const hertz = base * scale[Math.floor(voice.next() * 8)]!;
    const pan = voice.between(-0.8, 0.8);
    const gain = voice.between(0.25, 1);
    voice.ring(
      free.map((ratio, index) => ({
        hertz: hertz * ratio,
        t60: Math.min(2.6 / (1 + index), (voice.seconds - at) * 0.95),
        gain: gain / (1 + 1.5 * index),
        pan,
      })),
      at,
    );
    at += voice.between(0.05, 0.42) / voice.traits.speed;
  }
}

function doorbell(voice: Voice): void {
  const hertz = 659 * voice.tune;
  const gap = Math.min(0.55, voice.seconds * 0.3);
  for (const [at, ratio] of [
    [0, 1],
    [gap, 0.794],
  ] as const) {
    const t60 = Math.min(1.6, (voice.seconds - at) * 0.95);
    voice.ring(
      [1, 2.76, 5.4].map((partial, index) => ({
        hertz: hertz * ratio * partial,
        t60: t60 / (1 + index),
        gain: 1 / (1 + 3 * index),
        pan: 0,
      })),
      at,
    );
  }
}

function chains(voice: Voice): void {
  const links = voice.templates(16, 0.16, (one) =>
    strike(one, "metal", { tune: one.between(2.2, 6) * 0.9, ringing: 0.06, hardness: 1, gain: one.between(0.4, 1) }),
  );
  const density = voice.wander(3.5 * voice.traits.speed, 2, 90);
  voice.scatter(links, { density, spread_db: 22, width: 0.7, gain: 0.7 });
}

function keys(voice: Voice): void {
  const rings = voice.templates(14, 0.3, (one) =>
    strike(one, "metal", { tune: one.between(6, 13), ringing: 0.12, hardness: 1, gain: one.between(0.4, 1) }),
  );
  const density = voice.scale(voice.wander(4.5 * voice.traits.speed, 0, 1), 55);
  voice.scatter(rings, { density, spread_db: 20, width: 0.6, gain: 0.7 });
  strike(voice, "metal", { tune: 8, ringing: 0.12, gain: 0.6 });
}

/** A coin on a table: it hops, then spins down ever faster. */
function coins(voice: Voice): void {
  const discs = voice.templates(8, 0.45, (one) =>
    strike(one, "metal", { tune: one.between(7.5, 11), ringing: 0.22, hardness: 1 }),
  );
  let gap = 0.24;
  let gain = 1;
  const one = discs[0]!;
  for (let at = 0; at < voice.seconds - 0.05 && gap > 0.012; at += gap, gap *= 0.83, gain *= 0.86) {
    voice.add(
      voice.traits.intensity > 0.6 ? discs[Math.floor(voice.next() * 8)]! : one,
      gain,
      voice.between(-0.2, 0.2),
      at,
    );
  }
}

function paper(voice: Voice): void {
  const end = voice.seconds;
  const rustle = (): Float32Array => {
    const samples = voice.crackle(2600, end);
    voice.filter(samples, "band", voice.wander(9, 2200, 6500), 0.8);
    voice.shape(samples, voice.wander(9 * voice.traits.speed, 0, 1));
    return voice.shape(samples, through(0, 0, end * 0.15, 1, end * 0.8, 0.7, end, 0));
  };
  voice.wide(rustle, 1.6, 0.5);
  const soft = voice.filter(voice.noise("white"), "band", 3800 * voice.open, 0.5);
  voice.add(voice.shape(voice.shape(soft, voice.wander(7, 0, 1)), through(0, 0, end * 0.3, 0.16, end, 0)));
}

function cloth(voice: Voice): void {
  const end = voice.seconds;
  const rub = (): Float32Array => {
    const samples = voice.noise("pink");
    voice.filter(samples, "band", voice.wander(6, 700 * voice.open, 2100 * voice.open), 0.7);
    voice.shape(samples, voice.wander(6 * voice.traits.speed, 0.05, 1));
    return voice.shape(samples, through(0, 0, end * 0.25, 1, end * 0.7, 0.7, end, 0));
  };
  voice.wide(rub, 1, 0.4);
}

/** Teeth pass at a rate that rises with the pull. */
function zipper(voice: Voice): void {
  const end = voice.seconds;
  const rate = voice.glide(0, 70, end * 0.5, 170, end * 0.9, 260 * voice.traits.speed);
  const teeth = voice.osc("pulse", rate, 1, 0.06);
  const air = voice.noise("white");
  for (let n = 0; n < teeth.length; n++) teeth[n] = (teeth[n]! > 0 ? 1 : 0.06) * air[n]!;
  voice.filter(teeth, "band", voice.glide(0, 2600, end, 5200 * voice.open), 1.1);
  voice.add(voice.shape(teeth, through(0, 0, end * 0.1, 0.7, end * 0.85, 1, end * 0.93, 0.05, end, 0)), 1, 0);
  strike(voice, "metal", { at: end * 0.92, tune: 6, ringing: 0.03, gain: 0.25 });
}

/** Gears, a press and a hum, all on one turn. */
function machinery(voice: Voice): void {
  const period = 0.62 / voice.traits.speed;
  const clunks = voice.templates(4, 0.3, (one) => {
    strike(one, "metal", { tune: one.between(0.4, 0.9), ringing: 0.12, hardness: 0.7 });
    one.tone({ t60: 0.12, hertz: 90, to: 60, gain: 0.8 });
  });
  const ticks = voice.templates(4, 0.06, (one) =>
    strike(one, "metal", { tune: one.between(3, 5), ringing: 0.02, hardness: 1 }),
  );
  for (let at = 0.01, n = 0; at < voice.seconds; at += period / 4, n++) {
    if (n % 4 === 0) voice.add(clunks[(n / 4) % 4]!, 0.9, -0.3, at);
    else if (n % 4 === 2) voice.add(clunks[(n >> 1) % 4]!, 0.5, 0.4, at);
    voice.add(ticks[n % 4]!, 0.4, n % 2 === 0 ? 0.5 : -0.5, at);
  }
  const hum = voice.osc("saw", 50 * voice.tune, 0.3);
  voice.add(voice.filter(hum, "low", 420 * voice.open), 0.5);
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 700, 0.6), 0.22, 0.8);
}

function conveyor(voice: Voice): void {
  const rollers = voice.templates(6, 0.08, (one) => {
    strike(one, "plastic", { tune: one.between(0.8, 1.3), ringing: 0.5 });
    one.burst({ t60: 0.02, hertz: 1500, gain: 0.4 });
  });
  for (let at = 0.01; at < voice.seconds - 0.02; at += 0.09 / voice.traits.speed)
    voice.add(rollers[Math.floor(voice.next() * 6)]!, voice.between(0.4, 0.8), voice.between(-0.6, 0.6), at);
  const motor = voice.osc("saw", voice.wander(1, 98 * voice.tune, 101 * voice.tune), 0.3);
  voice.add(voice.filter(motor, "low", 900 * voice.open), 0.6);
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 600), 0.5, 0.7);
}

function drill(voice: Voice): void {
  const end = voice.seconds;
  const base = 135 * voice.tune * voice.traits.speed;
  const up = Math.min(0.35, end * 0.2);
  const path = voice.glide(0, base * 0.3, up, base, end * 0.5, base * 0.86, end * 0.85, base, end, base * 0.35);
  const gear = voice.osc("saw", path, 0.5);
  const whine = voice.osc("square", voice.scale(path, 11.3), 0.09);
  const bite = voice.filter(voice.noise("white"), "band", 2800, 0.7);
  voice.shape(bite, voice.wander(40, 0.2, 1));
  for (let n = 0; n < gear.length; n++) gear[n] = gear[n]! + whine[n]! + 0.45 * bite[n]!;
  voice.filter(gear, "band", 1500 * voice.open, 0.45);
  voice.add(voice.shape(gear, through(0, 0, up * 0.4, 0.9, end * 0.9, 1, end, 0)));
}

/** A blade to and fro. */
function saw(voice: Voice): void {
  const stroke = 0.42 / voice.traits.speed;
  let at = 0;
  for (let n = 0; at < voice.seconds - 0.08; n++, at += stroke) {
    const forth = n % 2 === 0;
    const samples = voice.noise("white", stroke * 0.9);
    const grain = voice.osc("saw", forth ? 150 : 115, 1, 0.5, stroke * 0.9);
    for (let i = 0; i < samples.length; i++) samples[i] = samples[i]! * (0.55 + 0.45 * grain[i]!);
    voice.filter(samples, "band", (forth ? 2100 : 1500) * voice.open, 0.9);
    const length = samples.length / voice.rate;
    voice.add(
      voice.shape(samples, through(0, 0, length * 0.3, 1, length * 0.75, 0.7, length, 0)),
      forth ? 1 : 0.7,
      forth ? 0.2 : -0.2,
      at,
    );
  }
}

function fan(voice: Voice): void {
  const hertz = voice.wander(0.4, 118 * voice.tune, 121 * voice.tune);
  for (const [ratio, gain] of [
    [1, 0.3],
    [2, 0.12],
    [7.1, 0.05],
  ] as const)
    voice.add(voice.osc("saw", voice.scale(hertz, ratio), gain), 0.4, ratio === 2 ? 0.4 : -0.2);
  voice.filter(voice.left, "low", 1800);
  voice.filter(voice.right, "low", 1800);
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 1100 * voice.open, 0.4), 1, 0.8);
}

function printer(voice: Voice): void {
  for (let at = 0; at < voice.seconds - 0.1; ) {
    const length = voice.between(0.18, 0.5);
    const base = voice.between(180, 420) * voice.tune;
    const part = voice.osc("square", base * exp2(voice.between(-0.3, 0.3)), 0.3, 0.5, length);
    voice.filter(part, "band", 2100, 0.8);
    voice.add(voice.shape(part, through(0, 0, 0.01, 1, length * 0.9, 1, length, 0)), 0.9, voice.between(-0.4, 0.4), at);
    voice.burst({ at, t60: 0.03, hertz: 2400, gain: 0.5 });
    at += (length + voice.between(0.02, 0.12)) / voice.traits.speed;
  }
  voice.wide(() => voice.filter(voice.noise("white"), "band", 3200, 1), 0.05, 0.5);
}

function chewing(voice: Voice): void {
  const grains = voice.templates(14, 0.03, (one) =>
    one.burst({ t60: one.between(0.004, 0.02), hertz: one.between(1200, 5200) * voice.open, q: 1.2 }),
  );
  const end = voice.seconds;
  const density = voice.line(0, 900, end * 0.2, 350, end * 0.5, 120, end * 0.8, 0);
  voice.scatter(grains, { density, spread_db: 24, width: 0.3, gain: 0.9 });
  voice.burst({ attack: 0.004, t60: end * 0.4, pass: "low", hertz: 600, gain: 0.5 });
}

export const THINGS: Renders = {
  door_creak: creak,
  door_slam: slam,
  latch,
  bell,
  gong,
  cymbal,
  chimes,
  doorbell,
  chains,
  keys,
  coins,
  paper,
  cloth,
  zipper,
  machinery,
  conveyor,
  drill,
  saw,
  fan,
  printer,
  crunch: chewing,
};
