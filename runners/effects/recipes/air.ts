/** Whooshes, sweeps, wind and steam: moved air. */
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

/** Noise through a band that opens and closes as the thing passes, from one side to the other. */
function whoosh(voice: Voice): void {
  const end = voice.seconds;
  const middle = end * voice.between(0.46, 0.54);
  const high = 2400 * voice.open * exp2(-0.4 * voice.traits.size) * voice.traits.pitch;
  const make = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.glide(0, high * 0.14, middle, high, end, high * 0.12), 1.3);
    return voice.shape(
      samples,
      voice.glide(0, 0.004, middle * 0.55, 0.12, middle, 1, middle + (end - middle) * 0.4, 0.16, end, 0.002),
    );
  };
  const near = make();
  const side = voice.next() < 0.5 ? 1 : -1;
  const cross = voice.shape(near.slice(), through(0, 1, middle * 0.8, 0.9, end - middle * 0.4, 0.1, end, 0));
  voice.add(cross, 1, -0.8 * side);
  voice.add(voice.shape(near, through(0, 0, middle * 0.7, 0.1, end - middle * 0.6, 0.9, end, 1)), 1, 0.8 * side);
  const air = make();
  voice.filter(air, "low", high * 0.5);
  voice.add(air, 0.8);
}

function swipe(voice: Voice): void {
  const end = voice.seconds;
  const up = voice.next() < 0.5;
  const base = 1800 * voice.open * voice.traits.pitch;
  const samples = voice.noise("white");
  voice.filter(samples, "band", voice.glide(0, up ? base : base * 3, end, up ? base * 3 : base), 1.6);
  voice.shape(samples, through(0, 0, end * 0.35, 1, end * 0.6, 0.4, end, 0));
  voice.add(samples, 1, -0.3);
  voice.add(samples.slice(), 0.6, 0.5, 0.006);
}

function riser(voice: Voice): void {
  const end = voice.seconds;
  const peak = end * 0.97;
  const noise = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.glide(0, 250 * voice.open, peak, 8500 * voice.open), 1.1);
    return voice.shape(samples, voice.glide(0, 0.01, peak, 1, end, 0.004));
  };
  voice.wide(noise, 0.8, 0.8);
  const base = 90 * voice.tune;
  for (const [detune, pan] of [
    [1, -0.6],
    [1.008, 0.6],
    [1.5, 0],
  ] as const) {
    const path = voice.glide(0, base * detune, peak, base * detune * 8);
    const saw = voice.osc("saw", path, voice.glide(0, 0.01, peak, 0.4, end, 0.002));
    voice.filter(saw, "low", voice.glide(0, 300, peak, 9000 * voice.open), 1.2);
    voice.add(saw, 1, pan);
  }
}

function downer(voice: Voice): void {
  const end = voice.seconds;
  const base = 900 * voice.tune;
  for (const [detune, pan] of [
    [1, -0.6],
    [1.009, 0.6],
    [0.5, 0],
  ] as const) {
    const path = voice.glide(0, base * detune, end, (base * detune) / 14);
    const saw = voice.osc("saw", path, voice.glide(0, 0.001, 0.02, 0.5, end * 0.8, 0.16, end, 0.002));
    voice.filter(saw, "low", voice.glide(0, 7000 * voice.open, end, 180), 1.2);
    voice.add(saw, 1, pan);
  }
  const noise = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.glide(0, 7000 * voice.open, end, 200), 1.1);
    return voice.shape(samples, voice.glide(0, 0.6, end * 0.7, 0.15, end, 0.002));
  };
  voice.wide(noise, 0.6, 0.8);
}

/** Gusts move level and colour together; a narrow band above howls where the wind is strong. */
function wind(voice: Voice): void {
  const { intensity, speed } = voice.traits;
  const rate = 0.35 * speed * (0.7 + 0.6 * intensity);
  const gusts = voice.wander(rate, 0.25, 1);
  const flutter = voice.wander(rate * 6, 0.8, 1.1);
  const base = 320 * voice.open * voice.traits.pitch;
  const make = (): Float32Array => {
    const samples = voice.noise("pink");
    voice.filter(samples, "band", voice.scale(gusts, base * 2.2), 0.7);
    voice.shape(samples, flutter);
    return voice.shape(samples, gusts);
  };
  voice.wide(make, 1.6, 0.8);
  const howl = 0.25 + 0.9 * intensity;
  for (const [ratio, pan] of [
    [1, -0.4],
    [1.52, 0.4],
  ] as const) {
    const samples = voice.noise("white");
    const path = voice.wander(rate * 1.5, 380 * ratio * voice.tune, 720 * ratio * voice.tune);
    voice.filter(samples, "band", path, 22);
    voice.shape(samples, gusts);
    voice.shape(samples, voice.wander(rate, 0, 1));
    voice.add(samples, howl * 1.6, pan);
  }
}

function steam(voice: Voice): void {
  const end = voice.seconds;
  const make = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "high", 2200 * voice.open * voice.traits.pitch);
    voice.filter(samples, "low", 9500 * voice.open);
    voice.shape(samples, voice.wander(30, 0.85, 1));
    return voice.shape(samples, through(0, 0, 0.015, 1, end * 0.2, 0.75, end * 0.75, 0.5, end, 0));
  };
  voice.wide(make, 1, 0.4);
}

function arrow(voice: Voice): void {
  const end = voice.seconds;
  voice.tone({ t60: 0.12, hertz: 170 * voice.tune, wave: "triangle", gain: 0.5 });
  voice.burst({ t60: 0.03, hertz: 1400, gain: 0.6 });
  const hit = Math.min(end * 0.55, 0.5);
  const flight = voice.noise("white");
  voice.filter(flight, "band", voice.glide(0, 2600, hit, 4200 * voice.open), 2.5);
  voice.shape(flight, through(0, 0, 0.03, 0.25, hit * 0.9, 0.9, hit, 0, end, 0));
  voice.shape(flight, voice.wander(60, 0.5, 1));
  voice.add(flight, 0.9, 0.2);
  strike(voice, voice.traits.material ?? "wood", { at: hit, tune: 1.3, hardness: 0.7 });
  voice.tone({ at: hit, t60: Math.min(0.4, end - hit), hertz: 92, wave: "triangle", gain: 0.35 });
}

function sword(voice: Voice): void {
  const end = voice.seconds;
  const scrape = Math.min(0.3, end * 0.4);
  const samples = voice.noise("white");
  voice.filter(samples, "band", voice.glide(0, 3000, scrape, 8000 * voice.open), 2);
  voice.shape(samples, through(0, 0.1, scrape * 0.8, 1, scrape * 1.4, 0.05, end, 0));
  voice.add(samples, 0.5, -0.2);
  const clash = scrape * 0.85;
  for (let n = 0; n < 2; n++) {
    strike(voice, "metal", {
      at: clash + n * 0.006,
      tune: voice.between(2.6, 4.2),
      ringing: 0.5,
      hardness: 1,
      gain: 0.7,
      pan: n - 0.5,
    });
  }
}

function breath(voice: Voice): void {
  const end = voice.seconds;
  const sniff = (from: number, to: number, hertz: number, gain: number): void => {
    const samples = voice.noise("pink");
    voice.filter(samples, "band", hertz * voice.open * voice.tune, 1.2);
    const length = to - from;
    voice.shape(samples, through(from, 0, from + length * 0.4, 1, from + length * 0.6, 0.8, to, 0, end, 0));
    voice.add(samples, gain);
  };
  sniff(0, end * 0.42, 1900, 0.9);
  sniff(end * 0.5, end * 0.98, 1000, 1.2);
}

export const AIR: Renders = { whoosh, swipe, riser, downer, wind, steam, arrow, sword, breathing: breath };
