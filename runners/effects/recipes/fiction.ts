/** Lasers, spells, machines that think and broken signals. */
import { saturate } from "../../signal/dsp/envelope.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { drone, space, tension, underwater } from "./ambiences.ts";

function laser(voice: Voice): void {
  const end = voice.fit(0.4 * voice.long);
  const top = voice.vary(3200 * voice.tune, 0.25);
  const path = voice.glide(0, top, end * 0.25, top * 0.3, end, top * 0.06);
  const beam = voice.fm(path, 1.5, voice.line(0, 4, end, 0.5), 1);
  voice.shape(beam, voice.glide(0, 1, end * 0.6, 0.3, end, 0.003));
  voice.add(beam, 0.8, -0.15);
  const body = voice.osc("saw", voice.scale(path, 0.5), voice.glide(0, 0.4, end, 0.001));
  voice.filter(body, "low", 6000 * voice.open);
  voice.add(body, 0.7, 0.25);
  voice.burst({ t60: 0.02, hertz: 4200, gain: 0.4 });
}

/** Arcs: bursts of sparks over a mains hum with its odd harmonics. */
function electricity(voice: Voice): void {
  const arcs = voice.wander(6 * voice.traits.speed, -1.2, 1);
  for (let n = 0; n < arcs.length; n++) arcs[n] = Math.max(0, arcs[n]!);
  const arc = (): Float32Array => {
    const samples = voice.crackle(3600);
    voice.filter(samples, "high", 1400);
    return voice.shape(samples, arcs);
  };
  voice.wide(arc, 1.4, 0.7);
  const hum = voice.osc("pulse", 100 * voice.tune, 0.4, 0.2);
  voice.filter(hum, "band", 1800 * voice.open, 0.5);
  const floor = arcs.map((value) => 0.12 + value);
  voice.add(voice.shape(hum, floor), 0.7);
  const snaps = voice.templates(10, 0.03, (one) =>
    one.burst({ attack: 0.0002, t60: one.between(0.005, 0.02), hertz: one.between(2000, 8000) }),
  );
  voice.scatter(snaps, { density: voice.scale(floor, 38), spread_db: 20, width: 0.8, gain: 1 });
}

function zap(voice: Voice): void {
  const end = voice.seconds;
  const buzz = voice.osc("saw", voice.wander(45, 70 * voice.tune, 260 * voice.tune), 0.7);
  voice.filter(buzz, "band", voice.glide(0, 5200 * voice.open, end, 1200), 1);
  voice.shape(buzz, voice.glide(0, 1, end * 0.5, 0.4, end, 0.003));
  voice.add(saturate(buzz, 2.5), 0.8);
  const sparks = voice.crackle(2600);
  voice.filter(sparks, "high", 2200);
  voice.add(voice.shape(sparks, through(0, 1, end * 0.7, 0.4, end, 0)), 1.4, 0.2);
  voice.burst({ attack: 0.0003, t60: 0.04, hertz: 3000, gain: 1 });
}

/** A glittering cloud of short bells that climbs, on a pentatonic scale, with a soft pad under it. */
function shimmer(voice: Voice): void {
  const end = voice.seconds;
  const scale = [1, 1.125, 1.25, 1.5, 1.6667];
  const base = 1320 * voice.tune;
  const notes = Math.round(16 * Math.min(8, end) * Math.sqrt(voice.traits.speed));
  for (let n = 0; n < notes; n++) {
    const share = n / notes;
    const at = end * (0.02 + 0.72 * share) + voice.between(0, 0.04);
    const octave = exp2(Math.floor(share * 2.4 + voice.next() * 0.9));
    const hertz = base * octave * scale[Math.floor(voice.next() * 5)]! * voice.vary(1, 0.004);
    const t60 = Math.min(voice.between(0.5, 1.3), (end - at) * 0.95);
    const pan = voice.between(-0.95, 0.95);
    const gain = voice.between(0.25, 0.8) * (0.6 + 0.4 * share);
    voice.ring(
      [
        { hertz, t60, gain, pan },
        { hertz: hertz * 2.76, t60: t60 * 0.4, gain: gain * 0.3, pan },
      ],
      at,
    );
  }
  const air = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.glide(0, 4000, end, 11000), 2);
    return voice.shape(samples, through(0, 0, end * 0.5, 0.25, end, 0));
  };
  voice.wide(air, 0.7, 1);
}

/** Gathers, bursts and leaves glitter. */
function spell(voice: Voice): void {
  const end = voice.seconds;
  const cast = end * 0.38;
  const swell = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.glide(0, 400, cast, 4800 * voice.open, end, 900), 2.2);
    return voice.shape(samples, voice.glide(0, 0.01, cast, 1, cast + 0.15, 0.3, end, 0.002));
  };
  voice.wide(swell, 1, 0.8);
  for (const [ratio, pan] of [
    [1, -0.5],
    [1.5, 0.5],
    [2.01, 0],
  ] as const) {
    const path = voice.glide(
      0,
      180 * ratio * voice.tune,
      cast,
      720 * ratio * voice.tune,
      end,
      640 * ratio * voice.tune,
    );
    const tone = voice.fm(path, 2.01, voice.line(0, 0.5, cast, 3, end, 0.2), 0.4);
    voice.add(voice.shape(tone, voice.glide(0, 0.01, cast, 1, end * 0.7, 0.2, end, 0.002)), 0.8, pan);
  }
  voice.tone({ at: cast, t60: Math.min(0.6, end - cast), hertz: 140, to: 48, gain: 1 });
  for (let n = 0; n < 26; n++) {
    const at = cast + voice.next() * voice.next() * (end - cast) * 0.7;
    voice.ring(
      [
        {
          hertz: voice.between(1800, 6800) * voice.traits.pitch,
          t60: Math.min(0.7, (end - at) * 0.9),
          gain: voice.between(0.05, 0.3),
          pan: voice.between(-1, 1),
        },
      ],
      at,
    );
  }
}

function teleport(voice: Voice): void {
  const end = voice.seconds;
  const gone = end * 0.72;
  for (const [ratio, pan] of [
    [1, -0.6],
    [1.51, 0.6],
    [0.5, 0],
  ] as const) {
    const path = voice.glide(
      0,
      130 * ratio * voice.tune,
      gone,
      2600 * ratio * voice.tune,
      end,
      3000 * ratio * voice.tune,
    );
    const tone = voice.fm(path, 0.5, voice.line(0, 6, gone, 1), 0.5);
    voice.shape(tone, voice.glide(0, 0.05, gone * 0.9, 1, gone, 0.2, end, 0.002));
    voice.shape(tone, flutter(voice, gone));
    voice.add(tone, 0.9, pan);
  }
  voice.burst({ at: gone, t60: Math.min(0.4, end - gone), hertz: 3800, q: 0.6, gain: 0.7 });
  voice.tone({ at: gone, t60: Math.min(0.35, end - gone), hertz: 95, to: 40, gain: 0.8 });
}

/** A tremolo that quickens. */
function flutter(voice: Voice, until: number): Float32Array {
  const corners: [number, number][] = [];
  let gap = 0.11;
  for (let at = 0, n = 0; at < until; at += gap / 2, n++) {
    corners.push([at, n % 2 === 0 ? 1 : 0.15]);
    gap = Math.max(0.022, gap * 0.955);
  }
  return voice.curve([...corners, [until + 0.01, 1]]);
}

function warp(voice: Voice): void {
  const end = voice.seconds;
  const jump = end * 0.55;
  for (const [ratio, pan] of [
    [1, 0],
    [1.006, -0.8],
    [0.994, 0.8],
  ] as const) {
    const path = voice.glide(0, 42 * ratio * voice.tune, jump, 380 * ratio * voice.tune, end, 30 * ratio * voice.tune);
    const tone = voice.osc("saw", path, 0.5);
    voice.filter(tone, "low", voice.glide(0, 200, jump, 7000 * voice.open, end, 90), 2.5);
    voice.add(voice.shape(tone, voice.glide(0, 0.02, jump, 1, end * 0.8, 0.2, end, 0.002)), 1, pan);
  }
  const wake = (): Float32Array => {
    const samples = voice.noise("pink");
    voice.filter(samples, "band", voice.glide(0, 200, jump, 3200, end, 150), 0.8);
    return voice.shape(samples, voice.glide(0, 0.02, jump, 1, end, 0.003));
  };
  voice.wide(wake, 1.2, 1);
}

function scifiDoor(voice: Voice): void {
  const end = voice.seconds;
  const slide = end * 0.75;
  const air = voice.noise("white");
  voice.filter(air, "band", voice.glide(0, 1600, slide * 0.4, 4600 * voice.open, slide, 1100), 1.2);
  voice.add(voice.shape(air, through(0, 0, 0.02, 0.9, slide * 0.8, 0.5, slide, 0, end, 0)), 0.9, -0.3);
  const servo = voice.osc(
    "saw",
    voice.glide(0, 240 * voice.tune, slide * 0.5, 520 * voice.tune, slide, 210 * voice.tune),
    0.35,
  );
  voice.filter(servo, "band", 1300, 1);
  voice.add(voice.shape(servo, through(0, 0, 0.04, 1, slide * 0.9, 0.8, slide, 0, end, 0)), 0.9, 0.2);
  voice.tone({ at: slide, t60: Math.min(0.25, end - slide), hertz: 130, to: 65, gain: 1 });
  voice.burst({ at: slide, t60: Math.min(0.12, end - slide), hertz: 900, gain: 0.8 });
}

/** A vowel filter on a hard pulse, in syllables of constant pitch. */
function robot(voice: Voice): void {
  const vowels = [
    [700, 1150],
    [480, 1800],
    [320, 2200],
    [480, 900],
  ] as const;
  const base = 112 * voice.tune;
  let at = 0;
  while (at < voice.seconds - 0.1) {
    const length = Math.min(voice.between(0.1, 0.24) / voice.traits.speed, voice.seconds - at);
    const frames = voice.buffer(length).length;
    const pitch = base * [1, 1.125, 1.333, 0.89][Math.floor(voice.next() * 4)]!;
    const source = voice.osc("pulse", pitch, 1, 0.12, length);
    const [one, other] = vowels[Math.floor(voice.next() * 4)]!;
    const high = voice.filter(source.slice(), "band", other, 9);
    voice.filter(source, "band", one, 8);
    for (let n = 0; n < frames; n++) source[n] = source[n]! + 0.7 * high[n]!;
    voice.add(voice.shape(source, through(0, 0, 0.012, 1, length * 0.85, 0.9, length, 0)), 1, 0, at);
    at += length + voice.between(0.01, 0.06);
  }
  const comb = voice.left.slice();
  voice.add(comb, 0.55, -0.4, 0.0071);
  voice.add(comb, 0.45, 0.4, 0.0113);
}

function computer(voice: Voice): void {
  for (let at = 0; at < voice.seconds - 0.05; at += voice.between(0.06, 0.14) / voice.traits.speed) {
    if (voice.next() < 0.2) continue;
    const hertz = 620 * voice.tune * exp2(Math.floor(voice.next() * 9) / 4);
    voice.tone({
      at,
      t60: voice.between(0.04, 0.12),
      hertz,
      wave: voice.next() < 0.3 ? "square" : "sine",
      gain: voice.between(0.3, 0.7),
      pan: voice.between(-0.6, 0.6),
    });
  }
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 420, 1), 0.06, 0.8);
}

/** A piece of signal repeated, crushed, dropped and stretched in small random cells. */
function glitch(voice: Voice): void {
  for (let at = 0; at < voice.seconds - 0.02; ) {
    const length = voice.between(0.02, 0.16);
    const kind = Math.floor(voice.next() * 4);
    const frames = Math.min(voice.frames - 1, Math.round(length * voice.rate));
    const cell = new Float32Array(frames);
    const hertz = voice.between(120, 3800) * voice.tune;
    if (kind === 0) cell.set(voice.osc("square", hertz, 0.6, 0.5, length).subarray(0, frames));
    else if (kind === 1) cell.set(voice.noise("white", length).subarray(0, frames));
    else cell.set(voice.fm(hertz, voice.between(0.4, 7), 5, 0.8, length).subarray(0, frames));
    const hold = 1 + Math.floor(voice.next() * 24);
    for (let n = 0; n < frames; n++) cell[n] = cell[n - (n % hold)]!;
    const gate = voice.between(0.008, 0.03);
    if (kind === 3) for (let n = 0; n < frames; n++) if (Math.floor(n / (gate * voice.rate)) % 2 === 1) cell[n] = 0;
    voice.filter(cell, "low", 9000 * voice.open);
    voice.add(
      voice.shape(cell, through(0, 0, 0.001, 1, length - 0.002, 1, length, 0)),
      voice.between(0.3, 0.8),
      voice.between(-0.9, 0.9),
      at,
    );
    at += length * voice.between(0.9, 1.5);
  }
}

function radioStatic(voice: Voice): void {
  const hiss = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", 2600 * voice.open, 0.5);
    return voice.shape(samples, voice.wander(8, 0.6, 1));
  };
  voice.wide(hiss, 0.8, 0.3);
  voice.add(voice.filter(voice.crackle(60), "band", 2400, 0.7), 1.8);
}

/** Static between stations: carriers whistle by, scraps of voices and tones come through. */
function tuning(voice: Voice): void {
  const reception = voice.wander(1.6 * voice.traits.speed, -0.4, 1);
  const there = reception.map((value) => Math.max(0, value));
  const away = there.map((value) => 1 - 0.75 * value);
  voice.wide(() => voice.shape(voice.filter(voice.noise("white"), "band", 2100, 0.5), away), 0.9, 0.2);
  const whistle = voice.osc("sine", voice.wander(1.3, 300, 3400), 0.4);
  voice.add(voice.shape(whistle, voice.wander(2, 0, 1)), 0.5);
  const station = voice.osc("saw", voice.wander(5, 110, 230), 0.6);
  voice.filter(station, "band", voice.wander(6, 450, 1700), 4);
  voice.shape(station, voice.wander(7, 0.1, 1));
  voice.add(voice.shape(station, there), 1.4);
}

function rewind(voice: Voice): void {
  const end = voice.seconds;
  const path = voice.glide(0, 500 * voice.tune, end * 0.4, 2600 * voice.tune, end * 0.85, 3200 * voice.tune, end, 300);
  const babble = voice.osc("saw", path, 0.5);
  voice.shape(babble, voice.wander(38, 0, 1));
  voice.filter(babble, "band", voice.wander(24, 900, 3600), 2);
  voice.add(babble, 1, -0.2);
  const hiss = voice.noise("white");
  voice.filter(hiss, "band", path, 1);
  voice.shape(hiss, voice.wander(30, 0.2, 1));
  voice.add(hiss, 0.5, 0.3);
  voice.burst({ at: end * 0.95, t60: 0.04, hertz: 1500, gain: 0.8 });
}

export const FICTION: Renders = {
  laser,
  electricity,
  zap,
  shimmer,
  spell,
  teleport,
  warp,
  scifi_door: scifiDoor,
  robot,
  computer,
  glitch,
  static: radioStatic,
  radio_tuning: tuning,
  rewind,
  drone,
  space_ambience: space,
  underwater_ambience: underwater,
  tension,
};
