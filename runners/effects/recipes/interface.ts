/** Interface sounds, alarms and signals. */
import type { Renders } from "../recipe.ts";
import { RATE, through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

function click(voice: Voice): void {
  voice.burst({ t60: 0.012, hertz: 3600 * voice.open * voice.tune, q: 1.5, gain: 1 });
  voice.tone({ t60: 0.018, hertz: 1500 * voice.tune, to: 900 * voice.tune, gain: 0.5, attack: 0.0006 });
  voice.burst({ at: 0.045, t60: 0.008, hertz: 4600 * voice.open * voice.tune, q: 1.5, gain: 0.35 });
}

function blip(voice: Voice): void {
  const hertz = voice.vary(880 * voice.tune, 0.4);
  const t60 = voice.fit(0.13);
  voice.tone({ t60, hertz, to: hertz * voice.between(1.2, 1.6), glide: 0.05 });
  voice.tone({ t60: t60 * 0.6, hertz: hertz * 2, gain: 0.25 });
}

function pop(voice: Voice): void {
  const hertz = voice.vary(420 * voice.tune, 0.2);
  voice.tone({ t60: 0.06, hertz, to: hertz * 2.4, glide: 0.04, attack: 0.001 });
  voice.burst({ t60: 0.008, hertz: 2400, gain: 0.5 });
}

function beep(voice: Voice): void {
  const hertz = 1000 * voice.tune;
  const length = voice.seconds * 0.72;
  for (const [ratio, gain] of [
    [1, 1],
    [3, 0.12],
  ] as const) {
    const samples = voice.osc("sine", hertz * ratio, gain);
    voice.shape(samples, through(0, 0, 0.004, 1, length, 0.9, length + 0.012, 0, voice.seconds, 0));
    voice.add(samples);
  }
}

/** The noise channel of an old console: a random value held, ever longer, in sixteen steps of level. */
function retroExplosion(voice: Voice): void {
  const samples = voice.buffer();
  const length = voice.seconds * 0.92;
  let held = 0;
  let left = 0;
  for (let n = 0; n < samples.length; n++) {
    const way = n / RATE / length;
    if (way >= 1) break;
    if (left <= 0) {
      held = voice.next() < 0.5 ? -1 : 1;
      left += (4 + 44 * way) / voice.tune;
    }
    left--;
    samples[n] = (held * Math.ceil(15 * (1 - way) * (1 - way))) / 15;
  }
  voice.add(samples, 0.8);
}

/** A motor with a weight off its centre, 170 turns a second, and what it stands on, which it throws and meets again. */
function vibration(voice: Voice): void {
  const hertz = 170 * voice.traits.pitch * voice.traits.speed ** 0.3;
  const length = voice.seconds * 0.94;
  const swing = voice.line(0, 0, 0.05, 1, length - 0.06, 1, length, 0, voice.seconds, 0);
  const turning = voice.wander(5, hertz * 0.98, hertz * 1.02);
  const motor = voice.osc("saw", turning, 0.5);
  voice.filter(motor, "low", 900 * voice.open, 0.8);
  const rattle = voice.noise("white");
  voice.filter(rattle, "band", 1500 * voice.open, 1.1);
  voice.shape(
    rattle,
    voice.osc("pulse", hertz, 1, 0.2).map((value) => (value > 0 ? 1 : 0.12)),
  );
  voice.shape(rattle, voice.wander(9, 0.35, 1));
  for (const samples of [motor, rattle]) voice.shape(samples, swing);
  voice.add(motor, 1);
  voice.add(rattle, 0.5, voice.between(-0.2, 0.2));
  const body = voice.filter(motor.slice(), "band", 340 * voice.tune, 3);
  voice.add(body, 0.9);
}

/** Notes as semitones above `hertz`, struck like a small bell. */
function motif(
  voice: Voice,
  hertz: number,
  notes: readonly number[],
  gap: number,
  t60: number,
  wave: "sine" | "square" = "sine",
): void {
  const step = Math.min(gap, (voice.seconds * 0.5) / notes.length) / Math.min(2, Math.max(0.7, voice.traits.speed));
  notes.forEach((note, index) => {
    const at = index * step;
    const f = hertz * voice.tune * ratioOf(note);
    const length = Math.min(t60, (voice.seconds - at) * 0.95);
    const pan = 0.25 * (index % 2 === 0 ? -1 : 1);
    voice.tone({ at, t60: length, hertz: f, wave, gain: wave === "sine" ? 1 : 0.4, pan, attack: 0.003 });
    voice.tone({ at, t60: length * 0.5, hertz: f * 2, gain: 0.3, pan });
    voice.tone({ at, t60: length * 0.25, hertz: f * 3.01, gain: 0.14, pan });
  });
}

/** Equal temperament: the twelve ratios of an octave. */
const SEMITONES = [
  1,
  1.059463,
  1.122462,
  1.189207,
  1.259921,
  1.33484,
  Math.SQRT2,
  1.498307,
  1.587401,
  1.681793,
  1.781797,
  1.887749,
];
function ratioOf(note: number): number {
  let octave = 1;
  let index = note;
  for (; index < 0; index += 12) octave /= 2;
  for (; index >= 12; index -= 12) octave *= 2;
  return SEMITONES[index]! * octave;
}

function success(voice: Voice): void {
  const shapes = [
    [0, 4, 7, 12],
    [0, 7, 12],
    [0, 5, 9, 12],
    [0, 4, 12],
  ];
  motif(voice, 587, shapes[Math.floor(voice.next() * 4)]!, 0.1, 0.7);
}

function failure(voice: Voice): void {
  const shapes = [
    [0, -1, -2, -6],
    [0, -5],
    [3, 0],
    [0, 0, -6],
  ];
  motif(voice, 233, shapes[Math.floor(voice.next() * 4)]!, 0.16, 0.5, "square");
}

function notification(voice: Voice): void {
  const shapes = [
    [0, 7],
    [7, 12],
    [0, 4],
    [4, 0, 7],
    [0, 12],
  ];
  motif(voice, 880, shapes[Math.floor(voice.next() * 5)]!, 0.13, 0.9);
}

function coin(voice: Voice): void {
  const low = 988 * voice.tune;
  voice.tone({ t60: 0.2, hertz: low, wave: "square", gain: 0.35, attack: 0.001 });
  voice.tone({ at: 0.075, t60: voice.fit(0.7), hertz: low * 1.3348, wave: "square", gain: 0.4, attack: 0.001 });
}

function fanfare(voice: Voice): void {
  const gap = Math.min(0.14, voice.seconds * 0.09);
  [
    [0, 0],
    [1, 0],
    [2, 0],
    [3.2, 5],
  ].forEach(([beat, note], index) => {
    const at = beat! * gap;
    for (const chord of [0, 4, 7, -12]) {
      const length = Math.min(index === 3 ? 1.5 : 0.13, voice.seconds - at);
      voice.tone({
        at,
        t60: length,
        hertz: 392 * voice.tune * ratioOf(note! + chord),
        wave: "saw",
        gain: 0.25,
        attack: 0.012,
        pan: chord / 24,
      });
    }
  });
  voice.filter(voice.left, "low", 4200 * voice.open);
  voice.filter(voice.right, "low", 4200 * voice.open);
}

function typing(voice: Voice): void {
  const gain = voice.between(0.5, 1);
  const deep = voice.between(0.8, 1.25) * voice.tune;
  voice.burst({ t60: 0.012, hertz: 4200 * deep, q: 1.2, gain });
  voice.burst({ t60: 0.03, hertz: 1300 * deep, q: 2, gain: gain * 0.6 });
  voice.tone({ t60: 0.025, hertz: 260 * deep, gain: gain * 0.3 });
  voice.burst({ at: voice.between(0.05, 0.08), t60: 0.012, hertz: 3200 * deep, gain: gain * 0.35 });
}

function camera(voice: Voice): void {
  voice.burst({ t60: 0.02, hertz: 3000 * voice.open, q: 1, gain: 1 });
  voice.tone({ t60: 0.03, hertz: 320, gain: 0.4 });
  strike(voice, "metal", { gain: 0.18, tune: 3, ringing: 0.05, hardness: 1 });
  const whirr = voice.noise("white");
  voice.filter(whirr, "band", 4800, 1.5);
  voice.shape(whirr, through(0.02, 0, 0.03, 0.16, 0.09, 0.12, 0.1, 0, voice.seconds, 0));
  voice.add(whirr);
  voice.burst({ at: 0.1, t60: 0.03, hertz: 2000 * voice.open, gain: 0.9 });
  voice.burst({ at: 0.125, t60: 0.015, hertz: 4300 * voice.open, gain: 0.5 });
}

/** Two tones in turn, as European two-tone horns do, or one that wails. */
function siren(voice: Voice): void {
  const { speed } = voice.traits;
  const kind = Math.floor(voice.next() * 2);
  const hertz =
    kind === 0 ? voice.filter(square(voice, 0.55 * speed, 480 * voice.tune, 640 * voice.tune), "low", 40) : null;
  const wail = voice.curve(wailing(voice, 0.28 * speed), "exponential");
  const path = hertz === null ? wail : sampled(hertz, wail.length);
  const tone = voice.osc("saw", path, 0.6);
  voice.filter(tone, "band", 1300 * voice.open, 0.8);
  voice.add(tone, 1, -0.15);
  const echo = tone.slice();
  voice.filter(echo, "low", 1500);
  voice.add(echo, 0.35, 0.5, 0.07);
}

function square(voice: Voice, rate: number, one: number, other: number): Float32Array {
  const out = voice.buffer();
  for (let n = 0; n < out.length; n++) {
    const phase = (n / voice.rate) * rate;
    out[n] = phase - Math.floor(phase) < 0.5 ? one : other;
  }
  return out;
}

function sampled(samples: Float32Array, values: number): Float32Array {
  const out = new Float32Array(values);
  for (let n = 0; n < values; n++) out[n] = samples[Math.min(samples.length - 1, Math.max(200, n * 32))]!;
  return out;
}

function wailing(voice: Voice, rate: number): [number, number][] {
  const corners: [number, number][] = [];
  for (let at = 0, n = 0; at < voice.seconds + 1 / rate; at += 0.5 / rate, n++) {
    corners.push([at, (n % 2 === 0 ? 560 : 1350) * voice.tune]);
  }
  return corners;
}

function alarm(voice: Voice): void {
  const { speed } = voice.traits;
  const rate = 2.2 * speed;
  const hertz = voice.vary(880 * voice.tune, 0.2);
  const two = voice.next() < 0.5;
  const corners: [number, number][] = [];
  const levels: [number, number][] = [];
  for (let at = 0, n = 0; at < voice.seconds; at += 1 / rate, n++) {
    const f = two && n % 2 === 1 ? hertz * 1.26 : hertz;
    corners.push([at, f], [at + 0.98 / rate, f]);
    const on = two ? 0.98 : 0.55;
    levels.push([at, 0], [at + 0.004, 1], [at + on / rate, 1], [at + (on + 0.02) / rate, 0]);
  }
  const tone = voice.osc("pulse", voice.curve(corners), 0.6, 0.3);
  voice.filter(tone, "low", 5000 * voice.open);
  voice.add(voice.shape(tone, levels));
}

function horn(voice: Voice): void {
  const end = voice.seconds;
  const base = (voice.traits.size > 0.5 ? 290 : 400) * voice.tune;
  for (const [ratio, pan] of [
    [1, -0.2],
    [1.26, 0.2],
  ] as const) {
    const samples = voice.osc("saw", base * ratio, 0.5);
    voice.filter(samples, "band", 1700 * voice.open, 0.9);
    voice.shape(samples, through(0, 0, 0.02, 1, end - 0.09, 0.95, end - 0.02, 0.05, end, 0));
    voice.add(samples, 1, pan);
  }
}

function foghorn(voice: Voice): void {
  const end = voice.seconds;
  for (const [hertz, pan] of [
    [82, 0],
    [82.5, -0.5],
    [123, 0.5],
  ] as const) {
    const samples = voice.osc("saw", hertz * voice.tune, 0.5);
    voice.filter(samples, "low", 560 * voice.open, 1.4);
    voice.shape(samples, through(0, 0, 0.18, 1, end * 0.8, 0.95, end * 0.96, 0.03, end, 0));
    voice.add(samples, 1, pan);
  }
}

function phone(voice: Voice): void {
  const end = voice.seconds;
  // A clapper between two gongs, twenty strokes a second.
  let at = 0;
  for (let n = 0; at < end * 0.6; n++, at += 0.05) {
    strike(voice, "metal", {
      at,
      gain: 0.35,
      tune: n % 2 === 0 ? 3.1 : 3.55,
      ringing: 0.35,
      hardness: 0.7,
      pan: n % 2 === 0 ? -0.2 : 0.2,
    });
  }
}

/** DTMF pairs, ITU-T Q.23. */
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1209, 1336, 1477];
function dial(voice: Voice): void {
  const length = voice.seconds * 0.62;
  for (const hertz of [ROWS[Math.floor(voice.next() * 4)]!, COLUMNS[Math.floor(voice.next() * 3)]!]) {
    const samples = voice.osc("sine", hertz * voice.traits.pitch, 0.5);
    voice.add(voice.shape(samples, through(0, 0, 0.004, 1, length, 1, length + 0.005, 0, voice.seconds, 0)));
  }
}

function clock(voice: Voice): void {
  const tock = voice.turn % 2 === 1;
  const tune = (tock ? 0.78 : 1) * voice.tune;
  strike(voice, "wood", { tune: 7 * tune * 0.9, ringing: 0.12, gain: 0.5, hardness: 0.8 });
  strike(voice, "metal", { tune: 5.2 * tune * 0.9, ringing: 0.02, gain: 0.4, hardness: 1 });
  voice.burst({ t60: 0.008, hertz: 5200 * tune, gain: 0.7 });
}

export const INTERFACE: Renders = {
  click,
  blip,
  pop,
  beep,
  success,
  error: failure,
  notification,
  coin,
  fanfare,
  typing,
  camera,
  siren,
  alarm,
  horn,
  foghorn,
  phone,
  retro_explosion: retroExplosion,
  vibration,
  dial,
  clock,
};
