/** Knocks, hits, crashes and blasts. */
import { saturate } from "../../signal/dsp/envelope.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { type Material, through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

const materialOf = (voice: Voice, otherwise: Material): Material => voice.traits.material ?? otherwise;

function impact(voice: Voice): void {
  const material = materialOf(voice, "wood");
  strike(voice, material, { hardness: 0.3 + 0.6 * voice.traits.intensity });
  // The weight behind the blow.
  const weight = 0.25 + 0.5 * Math.max(0, voice.traits.size + voice.traits.intensity - 0.5);
  voice.tone({ t60: voice.fit(0.18 * voice.long), hertz: 130 * voice.tune, to: 60 * voice.tune, gain: weight });
}

function knock(voice: Voice): void {
  const material = materialOf(voice, "wood");
  const gain = voice.between(0.8, 1);
  strike(voice, material, { tune: 1.05, ringing: 0.55, gain, hardness: 0.55, at: 0.001 });
  voice.tone({ t60: 0.09, hertz: 150 * voice.tune, to: 95 * voice.tune, gain: 0.6 * gain });
}

function boom(voice: Voice): void {
  const t60 = voice.fit(2.6 * voice.long);
  const deep = 52 * voice.tune;
  voice.tone({ t60, hertz: deep * 2.2, to: deep, glide: 0.25, gain: 1, attack: 0.003 });
  voice.tone({ t60: t60 * 0.5, hertz: deep * 3.1, to: deep * 1.6, glide: 0.2, gain: 0.4, wave: "triangle" });
  voice.burst({ t60: t60 * 0.6, pass: "low", hertz: 220 * voice.open, gain: 1.4, pan: -0.3 });
  voice.burst({ t60: t60 * 0.6, pass: "low", hertz: 260 * voice.open, gain: 1.4, pan: 0.3 });
  voice.burst({ t60: 0.09, hertz: 1500 * voice.open, gain: 0.5 });
  saturate(voice.left, 1.2 + voice.traits.intensity);
  saturate(voice.right, 1.2 + voice.traits.intensity);
}

function subDrop(voice: Voice): void {
  const gone = voice.seconds * 0.95;
  const path = voice.glide(0, 120 * voice.tune, gone * 0.8, 27 * voice.tune);
  const body = voice.osc("sine", path);
  saturate(body, 1.5);
  voice.shape(body, through(0, 0, 0.01, 1, gone * 0.5, 0.8, gone, 0.02, voice.seconds, 0));
  voice.add(body);
  voice.burst({ t60: 0.08, pass: "low", hertz: 900, gain: 0.5 });
}

function cinematicHit(voice: Voice): void {
  boom(voice);
  const t60 = voice.fit(1.8 * voice.long);
  strike(voice, materialOf(voice, "metal"), { tune: 0.35, gain: 0.35, hardness: 0.5, ringing: 0.8 });
  voice.burst({ t60: t60 * 0.4, hertz: 900 * voice.open, q: 0.5, gain: 0.7, pan: -0.5 });
  voice.burst({ t60: t60 * 0.4, hertz: 1100 * voice.open, q: 0.5, gain: 0.7, pan: 0.5 });
}

function punch(voice: Voice): void {
  strike(voice, materialOf(voice, "body"), { gain: 0.8, hardness: 0.5 });
  voice.tone({ t60: voice.fit(0.16), hertz: 190 * voice.tune, to: 55 * voice.tune, glide: 0.05, gain: 1 });
  voice.burst({ t60: 0.07, hertz: 900 * voice.open, gain: 1.2 });
  voice.burst({ t60: 0.03, hertz: 3200 * voice.open, gain: 0.6 });
  saturate(voice.left, 1.6);
  saturate(voice.right, 1.6);
}

function slap(voice: Voice): void {
  voice.burst({ t60: 0.06, hertz: 1700 * voice.open * voice.tune, q: 1, gain: 1 });
  voice.burst({ t60: 0.025, hertz: 4200 * voice.open, gain: 0.9 });
  voice.tone({ t60: 0.05, hertz: 260 * voice.tune, to: 160 * voice.tune, gain: 0.4 });
}

/** Falls, bounces and comes to rest: each bounce takes a constant share of the last. */
function drop(voice: Voice): void {
  const material = materialOf(voice, "wood");
  let at = 0;
  let gap = Math.min(voice.seconds * 0.33, 0.36 * exp2(0.4 * voice.traits.size)) / voice.traits.speed;
  let gain = 1;
  const keeps = voice.between(0.55, 0.68);
  while (gap > 0.012 && at < voice.seconds * 0.9 && gain > 0.01) {
    strike(voice, material, { at, gain, ringing: 0.5, pan: voice.between(-0.3, 0.3), hardness: 0.4 + 0.3 * gain });
    at += gap * voice.between(0.92, 1.08);
    gap *= keeps;
    gain *= keeps;
  }
}

function pieces(voice: Voice, material: Material, seconds: number, tune: number): Float32Array[] {
  return voice.templates(14, seconds, (piece) =>
    strike(piece, material, { tune: tune * exp2(piece.between(-0.6, 1.1)), ringing: 0.5, hardness: 0.8 }),
  );
}

function glassBreak(voice: Voice): void {
  const material = materialOf(voice, "glass");
  const brittle: Material = material === "ceramic" || material === "wood" || material === "stone" ? material : "glass";
  strike(voice, brittle, { gain: 0.9, ringing: 0.4, hardness: 1 });
  voice.burst({ t60: 0.12, pass: "high", hertz: 3000 * voice.open, gain: 1.3 });
  voice.burst({ t60: 0.3, hertz: 6500 * voice.open, q: 0.6, gain: 0.8, pan: 0.2 });
  const fall = Math.min(voice.seconds, 1.5 * voice.long);
  const density = voice.line(0, 260, 0.05, 160, fall * 0.35, 40, fall * 0.8, 3, fall * 0.9, 0);
  voice.scatter(pieces(voice, brittle, 0.25, 1.3), { density, spread_db: 26, width: 0.9, gain: 0.55 });
}

function debris(voice: Voice): void {
  const material = materialOf(voice, "stone");
  const end = voice.seconds;
  const density = voice.line(0, 20, end * 0.15, 60, end * 0.6, 22, end * 0.95, 0);
  voice.scatter(pieces(voice, material, 0.2, 0.8), { density, spread_db: 26, width: 0.9, gain: 0.7 });
  const dust = voice.noise("brown");
  voice.filter(dust, "low", 500 * voice.open);
  voice.shape(dust, through(0, 0.1, end * 0.2, 1, end * 0.9, 0.02, end, 0));
  voice.add(dust, 1.2);
}

function crash(voice: Voice): void {
  const material = materialOf(voice, "metal");
  for (let n = 0; n < 5; n++) {
    const at = n === 0 ? 0 : voice.between(0.02, 0.28) * voice.long;
    const tune = voice.between(0.4, 1.3);
    strike(voice, material, {
      at,
      gain: n === 0 ? 1 : 0.6,
      tune,
      ringing: 0.35,
      hardness: 1,
      pan: voice.between(-0.7, 0.7),
    });
  }
  voice.burst({ t60: voice.fit(0.5 * voice.long), hertz: 1200 * voice.open, q: 0.4, gain: 1.6 });
  voice.burst({ t60: voice.fit(0.35), pass: "low", hertz: 180, gain: 2 });
  const end = voice.seconds;
  const density = voice.line(0, 90, end * 0.3, 28, end * 0.8, 2, end * 0.9, 0);
  voice.scatter(pieces(voice, material, 0.3, 0.9), { density, spread_db: 24, width: 0.9, gain: 0.4 });
  voice.scatter(pieces(voice, "glass", 0.2, 1.3), { density, spread_db: 24, width: 0.9, gain: 0.25 });
  saturate(voice.left, 0.8);
  saturate(voice.right, 0.8);
}

function explosion(voice: Voice): void {
  const t60 = voice.fit(3.4 * voice.long);
  // The crack, the blast that rolls off, and the rumble that stays.
  voice.burst({ t60: 0.12, pass: "high", hertz: 900, gain: 0.9 });
  const blast = (): Float32Array => {
    const samples = voice.noise("white");
    const cut = voice.glide(0, 7000 * voice.open, 0.12, 1800 * voice.open, t60 * 0.5, 260 * voice.open, t60, 90);
    voice.filter(samples, "low", cut);
    return voice.shape(samples, voice.glide(0, 0.001, 0.006, 1, 0.1, 0.75, t60 * 0.4, 0.16, t60, 0.001));
  };
  voice.wide(blast, 1.4, 0.6);
  const rumble = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.shape(samples, voice.wander(9, 0.3, 1));
    return voice.shape(samples, voice.glide(0, 0.01, 0.08, 1, t60 * 0.5, 0.3, t60, 0.001));
  };
  voice.wide(rumble, 2.2, 0.5);
  voice.tone({ t60: t60 * 0.5, hertz: 110 * voice.tune, to: 32 * voice.tune, glide: 0.4, gain: 1.1 });
  if (voice.seconds > 0.8) {
    const density = voice.line(0.1, 0, 0.3, 45, t60 * 0.7, 6, t60 * 0.9, 0);
    voice.scatter(pieces(voice, "stone", 0.15, 0.8), { density, spread_db: 28, width: 1, gain: 0.25 });
  }
  saturate(voice.left, 1.1);
  saturate(voice.right, 1.1);
}

function gunshot(voice: Voice): void {
  const t60 = voice.fit(0.9 * voice.long);
  voice.burst({ attack: 0.0002, t60: 0.05, pass: "high", hertz: 500, gain: 1.6 });
  voice.burst({ attack: 0.0002, t60: 0.13, hertz: 1100 * voice.open * voice.tune, q: 0.5, gain: 2.2 });
  voice.burst({ t60: t60 * 0.5, pass: "low", hertz: 420 * voice.open, gain: 1.4, pan: -0.3 });
  voice.burst({ t60, pass: "low", hertz: 900 * voice.open, gain: 0.35, pan: 0.4, at: 0.04, attack: 0.02 });
  voice.burst({ t60, pass: "low", hertz: 800 * voice.open, gain: 0.3, pan: -0.5, at: 0.09, attack: 0.02 });
  voice.tone({ t60: 0.13, hertz: 220 * voice.tune, to: 60 * voice.tune, glide: 0.06, gain: 1 });
  saturate(voice.left, 1.5);
  saturate(voice.right, 1.5);
}

function firework(voice: Voice): void {
  const burst = Math.min(1.1, voice.seconds * 0.35);
  const path = voice.glide(0, 900 * voice.tune, burst, 2600 * voice.tune);
  const whistle = voice.osc("sine", path, voice.line(0, 0, 0.05, 0.16, burst * 0.9, 0.1, burst, 0));
  voice.add(whistle);
  const left = voice.seconds - burst;
  voice.tone({ at: burst, t60: Math.min(0.7, left), hertz: 110, to: 45, gain: 1 });
  voice.burst({ at: burst, t60: Math.min(0.9, left), pass: "low", hertz: 1400 * voice.open, gain: 1.3 });
  const density = voice.line(burst, 0, burst + 0.15, 220, burst + left * 0.6, 40, burst + left * 0.9, 0);
  const snaps = voice.templates(8, 0.03, (snap) => snap.burst({ t60: 0.015, hertz: snap.between(2500, 7000) }));
  voice.scatter(snaps, { density, spread_db: 22, width: 1, gain: 0.5 });
}

function drumRoll(voice: Voice): void {
  const end = voice.seconds;
  const hits = voice.templates(6, 0.16, (hit) => {
    hit.burst({ t60: 0.12, hertz: 3400, q: 0.5 });
    hit.tone({ t60: 0.09, hertz: 190, gain: 0.5 });
  });
  let at = 0;
  while (at < end - 0.25) {
    voice.add(hits[Math.floor(voice.next() * 6)]!, (0.25 + (0.6 * at) / end) * voice.between(0.8, 1), 0.1, at);
    at += voice.vary(0.045 / voice.traits.speed, 0.15);
  }
  voice.burst({ at, t60: 0.25, hertz: 2500, q: 0.4, gain: 1.5 });
  voice.tone({ at, t60: 0.25, hertz: 120, to: 60, gain: 1.2 });
}

export const IMPACTS: Renders = {
  impact,
  knock,
  boom,
  sub_drop: subDrop,
  cinematic_hit: cinematicHit,
  punch,
  slap,
  drop,
  glass_break: glassBreak,
  debris,
  crash,
  explosion,
  gunshot,
  firework,
  drum_roll: drumRoll,
};
