/** Weather, water and fire. */
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

/** A bubble of radius r sings at 3.26 / r Hz (Minnaert 1933) and rises as it nears the surface. */
function bubble(voice: Voice, at: number, radius: number, gain: number): void {
  const hertz = (3.26 / radius) * voice.traits.pitch;
  voice.tone({ at, t60: 0.03 + 14 * radius, hertz, to: hertz * 1.5, gain, attack: 0.002, pan: 0 });
}

function bubbleSet(voice: Voice, count: number, small: number, large: number): Float32Array[] {
  return voice.templates(count, 0.04 + 18 * large, (one) => {
    const u = one.next();
    bubble(one, 0, small * exp2(u * u * octaves(large / small)), 1);
  });
}

function octaves(ratio: number): number {
  let n = 0;
  for (let r = ratio; r > 1; r /= 1.1) n += 0.1375;
  return n;
}

function dropSet(voice: Voice, surface: "ground" | "roof" | "glass" | "leaf"): Float32Array[] {
  return voice.templates(16, 0.09, (one) => {
    const hertz =
      surface === "roof"
        ? one.between(500, 1900)
        : surface === "leaf"
          ? one.between(900, 3000)
          : one.between(2000, 7500);
    one.burst({ t60: one.between(0.006, 0.03), hertz: hertz * voice.tune, q: surface === "roof" ? 4 : 1.2 });
    if (surface === "roof")
      strike(one, "metal", { tune: one.between(0.8, 2), ringing: 0.04, gain: 0.3, hardness: 0.8 });
    if (surface === "glass") strike(one, "glass", { tune: one.between(0.8, 1.5), ringing: 0.05, gain: 0.3 });
    if (surface === "ground" && one.next() < 0.3) bubble(one, 0.01, one.between(0.0008, 0.002), 0.3);
  });
}

function rain(voice: Voice): void {
  const { intensity, material } = voice.traits;
  const heavy = intensity * intensity;
  const surface =
    material === "metal" || material === "wood"
      ? "roof"
      : material === "glass"
        ? "glass"
        : material === "grass"
          ? "leaf"
          : "ground";
  const wash = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "high", 900);
    return voice.filter(samples, "low", (3800 + 5000 * intensity) * voice.open);
  };
  voice.wide(wash, 0.05 + 0.3 * heavy, 0.9);
  if (intensity > 0.3) {
    const body = (): Float32Array => voice.filter(voice.noise("pink"), "low", 900 * voice.open);
    voice.wide(body, 0.5 * heavy, 0.8);
  }
  const density = 40 + 700 * intensity * intensity;
  voice.scatter(dropSet(voice, surface), { density, spread_db: 26, width: 1, gain: 0.55 });
}

function hail(voice: Voice): void {
  const stones = voice.templates(14, 0.08, (one) =>
    strike(one, voice.traits.material ?? "stone", { tune: one.between(1.4, 3.6), ringing: 0.5, hardness: 0.9 }),
  );
  voice.scatter(stones, { density: 60 + 160 * voice.traits.intensity, spread_db: 22, width: 1, gain: 0.8 });
  voice.wide(() => voice.filter(voice.noise("white"), "high", 1800), 0.05, 0.9);
}

/** A near crack, then claps that arrive from along the channel, then the roll. */
function thunder(voice: Voice): void {
  const end = voice.seconds;
  const near = 0.25 + 0.75 * voice.traits.intensity;
  voice.burst({ t60: 0.25, hertz: 1900 * voice.open, q: 0.4, gain: 1.3 * near, pan: -0.2 });
  voice.burst({ at: 0.03, t60: 0.4, hertz: 700 * voice.open, q: 0.4, gain: 1.6 * near, pan: 0.3 });
  for (let n = 0; n < 7; n++) {
    const at = voice.between(0.02, 0.4) * end;
    const gain = (1.2 * (1 - at / end)) / (1 + n * 0.2);
    const hertz = (160 + 300 * (1 - at / end)) * voice.open;
    voice.burst({
      at,
      attack: 0.05,
      t60: voice.between(0.5, 1.4),
      pass: "low",
      hertz,
      gain: 2 * gain,
      pan: voice.between(-0.8, 0.8),
    });
  }
  const roll = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.filter(samples, "low", voice.glide(0, 500 * voice.open, end, 90));
    voice.shape(samples, voice.wander(5, 0.15, 1));
    return voice.shape(samples, voice.glide(0, 0.08, 0.25, 1, end * 0.5, 0.35, end * 0.92, 0.006, end, 0.001));
  };
  voice.wide(roll, 3, 0.8);
}

function storm(voice: Voice): void {
  const layer = (make: (part: Voice) => void, gain: number, intensity: number): void => {
    const part = new Voice(voice.frames, { ...voice.traits, intensity }, voice.seed());
    make(part);
    voice.add(part.left, gain, -0.9);
    voice.add(part.right, gain, 0.9);
  };
  layer(rain, 0.9, 0.9);
  layer(wind, 0.8, 0.8);
  for (let at = voice.seconds * 0.12; at < voice.seconds * 0.75; at += voice.between(4, 8)) {
    const room = Math.min(7, voice.seconds - at);
    const part = new Voice(Math.round(room * voice.rate), voice.traits, voice.seed());
    thunder(part);
    voice.add(part.left, 0.35, -0.8, at);
    voice.add(part.right, 0.35, 0.8, at);
  }
}

function wind(voice: Voice): void {
  const gusts = voice.wander(0.5, 0.3, 1);
  voice.wide(
    () => voice.shape(voice.filter(voice.noise("pink"), "band", voice.scale(gusts, 600), 0.7), gusts),
    1.2,
    0.8,
  );
}

function fire(voice: Voice): void {
  const { intensity } = voice.traits;
  const roar = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.filter(samples, "low", voice.wander(3, 180 * voice.open, 500 * voice.open));
    return voice.shape(samples, voice.wander(6, 0.5, 1));
  };
  voice.wide(roar, 0.16 + 0.4 * intensity, 0.7);
  voice.wide(
    () => voice.shape(voice.filter(voice.noise("pink"), "band", 1800, 0.5), voice.wander(4, 0.1, 1)),
    0.12,
    0.8,
  );
  const snaps = voice.templates(16, 0.05, (one) => {
    one.burst({ attack: 0.0003, t60: one.between(0.003, 0.03), hertz: one.between(900, 6500) * voice.open, q: 1 });
  });
  voice.scatter(snaps, {
    density: voice.scale(voice.wander(1.5, 4, 26), 0.5 + intensity),
    spread_db: 30,
    width: 0.8,
    gain: 1.6,
  });
  const knots = voice.templates(5, 0.12, (one) =>
    strike(one, "wood", { tune: one.between(1.5, 3), ringing: 0.3, hardness: 1 }),
  );
  voice.scatter(knots, { density: 0.9 + intensity, spread_db: 10, width: 0.7, gain: 0.7 });
}

function drip(voice: Voice): void {
  const radius = voice.between(0.0022, 0.0042) * exp2(voice.traits.size);
  voice.burst({ t60: 0.012, hertz: 3800, gain: 0.25 });
  bubble(voice, 0.012, radius, 1);
  if (voice.next() < 0.5) bubble(voice, voice.between(0.06, 0.12), radius * 0.6, 0.3);
}

function stream(voice: Voice): void {
  const { intensity } = voice.traits;
  const wash = (): Float32Array => {
    const samples = voice.noise("pink");
    voice.filter(samples, "band", voice.wander(2, 700 * voice.open, 1500 * voice.open), 0.5);
    return voice.shape(samples, voice.wander(3, 0.7, 1));
  };
  voice.wide(wash, 0.2 + 0.9 * intensity, 0.9);
  const large = 0.006 * exp2(voice.traits.size);
  voice.scatter(bubbleSet(voice, 24, 0.0011, large), {
    density: 60 + 160 * intensity,
    spread_db: 26,
    width: 0.9,
    gain: 0.35,
  });
}

function waterfall(voice: Voice): void {
  voice.wide(() => voice.filter(voice.noise("pink"), "high", 90), 1, 0.9);
  voice.wide(
    () => voice.shape(voice.filter(voice.noise("white"), "band", 1800 * voice.open, 0.4), voice.wander(4, 0.8, 1)),
    0.7,
    0.9,
  );
  voice.scatter(bubbleSet(voice, 14, 0.002, 0.012), { density: 50, spread_db: 20, width: 1, gain: 0.15 });
}

function pour(voice: Voice): void {
  const end = voice.seconds;
  // The air above the water is a pipe that gets shorter: its tone rises while the glass fills.
  const body = voice.noise("white");
  voice.filter(body, "band", voice.glide(0, 420 * voice.tune, end, 1500 * voice.tune), 5);
  const level = through(0, 0, 0.15, 1, end * 0.85, 0.9, end * 0.97, 0, end, 0);
  voice.add(voice.shape(voice.shape(body, voice.wander(12, 0.5, 1)), level), 0.7);
  const density = voice.line(0, 20, 0.2, 160, end * 0.88, 150, end * 0.95, 0);
  voice.scatter(bubbleSet(voice, 24, 0.0012, 0.005), { density, spread_db: 22, width: 0.4, gain: 0.35 });
}

function splash(voice: Voice): void {
  const big = exp2(voice.traits.size);
  const fall = voice.fit(0.9 * voice.long);
  voice.tone({ t60: 0.18 * big, hertz: 150 / big, to: 60 / big, gain: 0.8 });
  voice.burst({ t60: 0.15, pass: "low", hertz: 900 * voice.open, gain: 1.2 });
  const sheet = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", voice.glide(0, 900, 0.12 * big, 3200 * voice.open, fall, 1600), 0.6);
    return voice.shape(samples, voice.glide(0, 0.05, 0.04 * big, 1, fall * 0.4, 0.2, fall, 0.002));
  };
  voice.wide(sheet, 0.9, 0.8);
  const end = voice.seconds;
  const density = voice.line(0, 120, end * 0.3, 130, end * 0.7, 14, end * 0.9, 0);
  voice.scatter(bubbleSet(voice, 22, 0.0014, 0.009 * big), { density, spread_db: 24, width: 0.9, gain: 0.45 });
}

function bubbles(voice: Voice): void {
  const { speed, intensity } = voice.traits;
  const small = 0.002 * exp2(voice.traits.size * 0.7);
  const density = voice.scale(voice.wander(1.5, 4, 42), speed * (0.5 + intensity));
  voice.scatter(bubbleSet(voice, 26, small, small * 5), { density, spread_db: 18, width: 0.7, gain: 0.8 });
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 300), 0.06, 0.6);
}

/** Each wave swells, breaks and draws back over the beach; several of them overlap. */
function sea(voice: Voice): void {
  const period = (6.5 * exp2(0.5 * voice.traits.size)) / voice.traits.speed;
  const gain = 0.6 + 0.8 * voice.traits.intensity;
  const bed = (): Float32Array => voice.filter(voice.noise("brown"), "low", 380 * voice.open);
  voice.wide(bed, 0.7 * gain, 0.8);
  for (let at = -period * voice.between(0.35, 0.6); at < voice.seconds; at += period * voice.between(0.75, 1.2)) {
    const peak = at + period * 0.4;
    const gone = at + period * 1.1;
    const level = through(
      at,
      0,
      at + period * 0.25,
      0.25,
      peak,
      1,
      peak + period * 0.12,
      0.75,
      peak + period * 0.4,
      0.25,
      gone,
      0,
    );
    const colour = voice.glide(at, 260, peak, 2400 * voice.open, gone, 5200);
    const pan = voice.between(-0.6, 0.6);
    const from = Math.max(0, Math.floor(at * voice.rate));
    const to = Math.min(voice.frames, Math.ceil(gone * voice.rate));
    if (to - from < 64) continue;
    for (const side of [-0.35, 0.35]) {
      const samples = voice.noise("pink");
      voice.filter(samples, "low", colour, 0.6);
      voice.add(voice.shape(samples, level), gain * 1.1, Math.min(1, Math.max(-1, pan + side)));
    }
  }
}

export const NATURE: Renders = {
  rain,
  hail,
  thunder,
  storm,
  fire,
  drip,
  stream,
  waterfall,
  pour,
  splash,
  bubbles,
  sea,
};
