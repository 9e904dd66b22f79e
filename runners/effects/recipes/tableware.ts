/** Kitchen, table and hand: what clinks, rolls, sizzles and snips; and the blade of light, which is swung by hand too. */
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { type Material, through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

const TABLE: ReadonlySet<Material> = new Set<Material>(["glass", "ceramic", "metal", "plastic", "stone", "wood"]);

/** Two small bodies that meet, and once more where they bounce. Of glass, unless something else that rings was named. */
function clink(voice: Voice): void {
  const { material } = voice.traits;
  const of = material !== null && TABLE.has(material) ? material : "glass";
  const tune = of === "glass" ? 1.25 : 1.6;
  strike(voice, of, { gain: 0.9, tune, ringing: 0.7, hardness: 0.75, pan: -0.2 });
  strike(voice, of, { at: 0.001, gain: 0.7, tune: tune * 1.33, ringing: 0.6, hardness: 0.75, pan: 0.25 });
  if (voice.next() < 0.6) {
    const at = voice.between(0.05, 0.12);
    strike(voice, of, { at, gain: 0.35, tune: tune * 1.34, ringing: 0.4, hardness: 0.6, pan: 0.2 });
  }
}

/** Something round over something hard: a rumble that follows each turn, with the bumps of the ground. */
function rolling(voice: Voice): void {
  const { material, speed } = voice.traits;
  const of = material !== null && TABLE.has(material) ? material : "wood";
  const end = voice.seconds;
  const turns = 5 * speed * exp2(-0.6 * voice.traits.size);
  const swell = voice.line(0, 0.25, end * 0.3, 1, end * 0.7, 0.8, end, 0.1);
  const rumble = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.filter(samples, "band", 260 * voice.tune * voice.open, 0.5);
    voice.shape(samples, voice.wander(turns, 0.25, 1));
    return voice.shape(samples, swell);
  };
  voice.wide(rumble, 2.4, 0.35);
  const skin = voice.noise("pink");
  voice.filter(skin, "band", (of === "metal" || of === "glass" ? 2600 : 900) * voice.open, 0.8);
  voice.shape(skin, voice.wander(2 * turns, 0, 1));
  voice.add(voice.shape(skin, swell), 0.7);
  const bumps = voice.templates(8, 0.15, (one) =>
    strike(one, of, { tune: one.between(0.7, 1.2), ringing: 0.3, hardness: 0.35 }),
  );
  voice.scatter(bumps, { density: voice.scale(swell, 2.2 * turns), spread_db: 18, width: 0.4, gain: 0.3 });
}

/** Water that bursts in hot fat: dense crackles over a bright hiss, both unsteady. */
function sizzle(voice: Voice): void {
  const heat = voice.wander(3, 0.55, 1);
  const hiss = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "high", 2600);
    voice.filter(samples, "low", 9500 * voice.open);
    return voice.shape(samples, heat);
  };
  voice.wide(hiss, 0.5, 0.6);
  const spit = (): Float32Array => {
    const samples = voice.crackle(900 * (0.5 + voice.traits.intensity));
    voice.filter(samples, "band", 4200 * voice.open, 0.6);
    return voice.shape(samples, heat);
  };
  voice.wide(spit, 1.6, 0.7);
  const pops = voice.templates(8, 0.03, (one) =>
    one.burst({ attack: 0.0003, t60: one.between(0.008, 0.025), hertz: one.between(900, 3000), q: 1.2 }),
  );
  voice.scatter(pops, { density: voice.scale(heat, 14), spread_db: 22, width: 0.7, gain: 0.9 });
}

/** Two blades that pass each other and close. */
function snip(voice: Voice): void {
  const length = 0.11 / voice.traits.speed;
  const shear = voice.noise("white", length);
  voice.filter(shear, "band", 5200 * voice.open * voice.traits.pitch, 1.4);
  voice.add(voice.shape(shear, through(0, 0.05, length * 0.8, 0.6, length, 0)), 0.9, -0.1);
  strike(voice, "metal", { at: length, gain: 0.5, tune: 6.5, ringing: 0.05, hardness: 0.9 });
  voice.burst({ at: length, attack: 0.0003, t60: 0.02, hertz: 3600, gain: 0.9 });
}

/** One kernel that bursts under a lid. */
function kernel(voice: Voice): void {
  const hertz = voice.vary(330 * voice.tune, 0.35);
  voice.tone({ t60: 0.035, hertz: 1.6 * hertz, to: hertz, glide: 0.012, gain: 0.8, pan: voice.between(-0.6, 0.6) });
  voice.burst({ attack: 0.0003, t60: 0.03, hertz: voice.vary(1500, 0.4), q: 1, gain: 0.8 });
  strike(voice, "metal", { at: 0.012, gain: 0.08, tune: voice.between(1.5, 2.5), ringing: 0.08, hardness: 0.5 });
}

/** A rubber blade across glass: there with a squeak, and a thump where it turns. */
function wiper(voice: Voice): void {
  const end = voice.seconds;
  const swish = voice.noise("pink");
  voice.filter(swish, "band", 1500 * voice.open, 0.7);
  voice.shape(swish, through(0, 0, end * 0.35, 0.9, end * 0.75, 0.5, end * 0.85, 0));
  voice.add(swish, 1, voice.turn % 2 === 0 ? -0.4 : 0.4);
  voice.burst({ at: end * 0.8, t60: 0.07, pass: "low", hertz: 260, gain: 1.2 });
}

/** A blade of light: it comes on with a crackle, hums with a beat, and bends as it is swung past. */
function energyBlade(voice: Voice): void {
  const end = voice.seconds;
  const on = Math.min(0.35, 0.25 * end);
  const base = 92 * voice.tune;
  const swing = Math.min(end * 0.9, Math.max(on * 1.5, end * 0.55));
  const reach = Math.min(0.35, 0.2 * end) / voice.traits.speed;
  // Towards the ear and away: the pitch rises and falls, the level swells.
  const pitch = voice.line(
    0,
    0.55 * base,
    on,
    base,
    Math.max(on, swing - reach),
    base,
    swing - 0.3 * reach,
    1.32 * base,
    swing + 0.3 * reach,
    0.78 * base,
    Math.min(end, swing + reach),
    base,
    end,
    base,
  );
  const level = voice.line(
    0,
    0,
    on,
    0.55,
    Math.max(on, swing - reach),
    0.5,
    swing,
    1,
    Math.min(end, swing + reach),
    0.5,
    end,
    0.35,
  );
  const hum = (): Float32Array => {
    const samples = voice.osc("saw", voice.scale(pitch, voice.vary(1, 0.012)), 0.6);
    const second = voice.osc("pulse", voice.scale(pitch, 1.008), 0.4, 0.3);
    for (let n = 0; n < samples.length; n++) samples[n] = samples[n]! + second[n]!;
    voice.filter(samples, "low", voice.scale(level, 1900 * voice.open), 1.1);
    return voice.shape(samples, level);
  };
  voice.wide(hum, 1.1, 0.5);
  const air = voice.noise("pink");
  voice.filter(air, "band", voice.scale(pitch, 9), 1.2);
  voice.shape(
    air,
    through(0, 0, Math.max(0, swing - reach), 0.02, swing, 0.9, Math.min(end, swing + reach), 0.02, end, 0),
  );
  voice.add(air, 0.8, 0.2);
  const sparks = voice.crackle(1800);
  voice.filter(sparks, "high", 1800);
  voice.shape(sparks, through(0, 1, on, 0.25, Math.min(end, on * 1.6), 0.02, end, 0.02));
  voice.add(sparks, 0.9, -0.2);
}

export const TABLEWARE: Renders = {
  clink,
  rolling_ball: rolling,
  sizzle,
  snip,
  popcorn: kernel,
  wiper,
  energy_blade: energyBlade,
};
