/** The rest of the General MIDI percussion map, synthesised: hand drums, bells, woods, rattles. Mono one-shots. */
import { svf } from "../../../../signal/dsp/svf.ts";
import type { Drum } from "../../drums.ts";
import { RATE } from "../../performance.ts";
import { body, driven, finish, hiss, METAL_808, metal, mix, silence, strike, tone } from "./voice.ts";

type Make = (v: number, next: () => number) => Float32Array;

const seedOf = (next: () => number): number => Math.floor(next() * 1e6);

/** A hand on a skin: membrane modes, a slap where it is muted or struck hard. */
function skin(hertz: number, t60: number, slap: number): Make {
  return (v, next) => {
    const out = silence(t60 * 1.05 + 0.03);
    const tune = 1 + 0.012 * (next() - 0.5);
    tone(out, { hertz: hertz * tune, drop: 0.12 + 0.1 * v, drop_seconds: 0.09, attack: 0.0008, t60, gain: 1 });
    body(
      out,
      [
        [hertz * 1.59, t60 * 0.5, 0.35],
        [hertz * 2.14, t60 * 0.35, 0.28 * v],
        [hertz * 2.92, t60 * 0.2, 0.2 * v],
      ],
      tune,
    );
    hiss(out, {
      seed: seedOf(next),
      low: hertz * 1.5,
      high: 6500 + 4000 * v,
      attack: 0.0004,
      t60: 0.028,
      gain: slap * (0.25 + 0.8 * v),
    });
    driven(out, 1.2);
    return finish(out, 0.85);
  };
}

/** Two squares through a band-pass: the 808's cowbell, and agogos above it. */
function bell(hertz: number, ratio: number, t60: number): Make {
  return (v, next) => {
    const out = silence(t60 * 1.05);
    metal(out, [hertz, hertz * ratio], 1 + 0.003 * (next() - 0.5), 1, next);
    svf(out, RATE, "band", hertz * 2.2, 0.9);
    strike(out, 0.0004, 0.05, t60, 0.4 + 0.1 * v);
    return finish(out, 0.6);
  };
}

function wood(hertz: number, t60: number): Make {
  return (v, next) => {
    const out = silence(t60 * 1.2 + 0.02);
    body(
      out,
      [
        [hertz, t60, 1],
        [hertz * 2.57, t60 * 0.5, 0.35 + 0.2 * v],
        [hertz * 4.9, t60 * 0.25, 0.15 * v],
      ],
      1 + 0.006 * (next() - 0.5),
    );
    hiss(out, { seed: seedOf(next), low: 1200, high: 9000, t60: 0.01, gain: 0.35 * v });
    return finish(out, 0.75);
  };
}

/** A finger slides off the thumb and strikes the palm: a rub, a sharp crack whose hollow hand rings, and the room. */
function snap(hertz: number, t60: number): Make {
  return (v, next) => {
    const out = silence(0.16);
    const seed = seedOf(next);
    const tune = 1 + 0.08 * (next() - 0.5);
    hiss(out, { seed, low: 2500, high: 9000, attack: 0.006, t60: 0.01, gain: 0.08 + 0.06 * v });
    const crack = { delay: 0.011, attack: 0.0002 };
    hiss(out, { ...crack, seed: seed + 1, low: 0.62 * hertz, high: 1.9 * hertz, q: 1.6, t60, gain: 1 });
    hiss(out, { ...crack, seed: seed + 2, low: 3 * hertz, high: 0, t60: 0.3 * t60, gain: 0.35 + 0.4 * v });
    hiss(out, { seed: seed + 3, low: 900, high: 5000, delay: 0.014, attack: 0.004, t60: 0.12, gain: 0.07 });
    const rung = silence(0.16);
    body(
      rung,
      [
        [hertz, 0.8 * t60, 0.5],
        [1.63 * hertz, 0.5 * t60, 0.3],
      ],
      tune,
    );
    mix(out, rung, 1, 0.011);
    return finish(out, 0.8);
  };
}

/** Grains thrown forward and back: two swells of high noise. */
function rattle(low: number, rise: number, t60: number, grain: number): Make {
  return (v, next) => {
    const out = silence(rise + t60 * 1.1 + 0.01);
    const seed = seedOf(next);
    hiss(out, { seed, low, high: 0, attack: rise * (1.1 - 0.4 * v), t60, gain: 0.8 });
    hiss(out, { seed: seed + 1, low: low * 0.7, high: low * 1.6, attack: rise * 0.6, t60: t60 * 0.6, gain: grain });
    return finish(out, 0.5);
  };
}

/** Strokes over notches, quick or slow. */
function guiro(seconds: number, strokes: number): Make {
  return (v, next) => {
    const out = silence(seconds + 0.05);
    const seed = seedOf(next);
    for (let n = 0; n < strokes; n++) {
      const share = n / strokes;
      hiss(out, {
        seed: seed + n,
        low: 1800 + 900 * share,
        high: 9500,
        q: 1.4,
        attack: 0.0006,
        t60: 0.018,
        gain: (0.5 + 0.5 * share) * (0.7 + 0.3 * next()),
        delay: seconds * share * (0.96 + 0.05 * next()),
      });
    }
    hiss(out, {
      seed: seed + 99,
      low: 2500,
      high: 0,
      attack: seconds * 0.7,
      t60: seconds * 1.4,
      gain: 0.1 + 0.1 * v,
      seconds,
    });
    return finish(out, 0.5);
  };
}

function whistle(seconds: number): Make {
  return (v, next) => {
    const out = silence(seconds);
    const air = silence(seconds);
    hiss(air, { seed: seedOf(next), low: 2300, high: 3100, q: 4, attack: 0.006, t60: 60, gain: 0.25, seconds });
    // The pea: two whistles that take turns.
    tone(out, { hertz: 2550 + 60 * v, drop: -0.04, drop_seconds: 0.05, attack: 0.008, t60: 30, gain: 0.7 });
    tone(out, { hertz: 2591 + 60 * v, drop: -0.04, drop_seconds: 0.05, attack: 0.008, t60: 30, gain: 0.6 });
    mix(out, air, 1);
    return finish(out, 0.45);
  };
}

/** A stick pulled through a skin: a pitch that rises and falls under a wave with many partials. */
function cuica(hertz: number, t60: number, drop: number): Make {
  return (v, next) => {
    const out = silence(t60 * 1.1);
    for (let k = 1; k <= 6; k++)
      tone(out, { hertz: hertz * k, drop, drop_seconds: t60 * 1.2, attack: 0.012, t60, gain: 1 / (k * Math.sqrt(k)) });
    hiss(out, { seed: seedOf(next), low: hertz, high: hertz * 5, attack: 0.01, t60: t60 * 0.6, gain: 0.12 + 0.1 * v });
    return finish(out, 0.6);
  };
}

/** Partials of a bent steel rod. */
function triangle(t60: number): Make {
  return (v, next) => {
    const out = silence(t60 * 0.95);
    const tune = 1 + 0.004 * (next() - 0.5);
    body(
      out,
      [
        [1710, t60 * 0.5, 0.25],
        [3940, t60, 0.6],
        [5120, t60 * 0.8, 0.5],
        [6630, t60 * 0.9, 0.6],
        [8870, t60 * 0.6, 0.5 * v + 0.1],
        [11_300, t60 * 0.4, 0.45 * v],
        [14_100, t60 * 0.25, 0.35 * v],
      ],
      tune,
    );
    hiss(out, { seed: seedOf(next), low: 6000, high: 0, t60: 0.01, gain: 0.3 * v });
    return finish(out, 0.45);
  };
}

export function tambourine(v: number, next: () => number): Float32Array {
  const out = silence(0.34);
  const jingles = silence(0.34);
  metal(jingles, METAL_808, 4.6 + 0.1 * next(), 0.8, next);
  const seed = seedOf(next);
  hiss(jingles, { seed, low: 0, high: 0, t60: 20, gain: 0.5, seconds: 0.34 });
  svf(jingles, RATE, "high", 6800, 0.8);
  svf(jingles, RATE, "high", 5200, 0.7);
  strike(jingles, 0.002, 0.07, 0.32, 0.4);
  mix(out, jingles, 1);
  // The plates fall back once more.
  mix(out, jingles, 0.35 + 0.2 * v, 0.026 + 0.008 * next());
  return finish(out, 0.5);
}

export function vibraslap(_v: number, next: () => number): Float32Array {
  const out = silence(0.9);
  const seed = seedOf(next);
  let delay = 0;
  for (let n = 0; n < 26; n++) {
    hiss(out, { seed: seed + n, low: 2100, high: 6500, q: 2, t60: 0.03, gain: 0.9 * (1 - n / 30), delay });
    delay += 0.021 + 0.0007 * n + 0.003 * next();
  }
  return finish(out, 0.5);
}

/** What a drum is made of that all machines have alike. */
export function percussion(drum: Drum): Make {
  if (drum.skin !== undefined) return skin(drum.skin.hertz, drum.skin.t60, drum.skin.slap);
  if (drum.bell !== undefined) return bell(drum.bell.hertz, drum.bell.ratio, drum.bell.t60);
  if (drum.snap !== undefined) return snap(drum.snap.hertz, drum.snap.t60);
  if (drum.wood !== undefined) return wood(drum.wood.hertz, drum.wood.t60);
  if (drum.guiro !== undefined) return guiro(drum.guiro.seconds, drum.guiro.strokes);
  if (drum.whistle !== undefined) return whistle(drum.whistle.seconds);
  if (drum.cuica !== undefined) return cuica(drum.cuica.hertz, drum.cuica.t60, drum.cuica.drop);
  if (drum.triangle !== undefined) return triangle(drum.triangle.t60);
  const { low_hertz, rise, t60, grain } = drum.rattle!;
  return rattle(low_hertz, rise, t60, grain);
}
