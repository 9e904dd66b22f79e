/** What is worked by hand at a desk, in a kitchen, in a shop. */
import type { Mode } from "../../signal/dsp/modal.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

/** A small bell of steel: few partials, high, clear. */
function smallBell(voice: Voice, hertz: number, t60: number, gain: number, at = 0): void {
  const modes: Mode[] = [1, 2.32, 3.9, 5.85].map((ratio, index) => ({
    hertz: hertz * ratio,
    t60: Math.max(0.02, Math.min(t60 / (1 + 0.7 * index), (voice.seconds - at) * 0.95)),
    gain: gain / (1 + 1.2 * index),
    pan: 0.1 * index,
  }));
  voice.ring(modes, at);
  voice.burst({ at, attack: 0.0003, t60: 0.012, hertz: hertz * 3, gain: 0.35 * gain });
}

function ding(voice: Voice): void {
  smallBell(voice, voice.vary(1950 * voice.tune, 0.03), 1.5 * voice.long, 1);
}

/** A wheel of the thumb throws the clapper round: a rattle on the bell, twice. */
function bicycleBell(voice: Voice): void {
  const half = voice.seconds * 0.45;
  const hertz = voice.vary(2150 * voice.tune, 0.05);
  for (const start of [0, half * 0.75])
    for (let n = 0; n < 7; n++) {
      const at = start + n * 0.038 + voice.between(0, 0.006);
      smallBell(voice, hertz * (n % 2 === 0 ? 1 : 1.012), 0.7, 0.9 - 0.08 * n, at);
    }
}

/** One type bar: the key goes down, the type strikes the platen, the bar falls back. */
function typeBar(voice: Voice): void {
  voice.burst({ attack: 0.0005, t60: 0.012, hertz: voice.vary(2300, 0.15), gain: 0.4 });
  strike(voice, "metal", { at: 0.022, tune: voice.between(3.4, 4.4), ringing: 0.035, hardness: 1, gain: 0.8 });
  voice.burst({ at: 0.022, attack: 0.0003, t60: 0.03, hertz: 3400, gain: 1 });
  voice.tone({ at: 0.022, t60: 0.05, hertz: 230 * voice.tune, to: 150 * voice.tune, gain: 0.7 });
  voice.burst({ at: 0.075, attack: 0.0005, t60: 0.015, hertz: voice.vary(1500, 0.2), gain: 0.3 });
}

/** The bell at the end of the line, the carriage over its ratchet, and its stop. */
function carriageReturn(voice: Voice): void {
  const end = voice.seconds;
  smallBell(voice, 2350 * voice.tune, 0.9, 0.8);
  const from = end * 0.3;
  const to = end * 0.82;
  let n = 0;
  for (let at = from; at < to; at += 0.019 / voice.traits.speed, n++) {
    voice.burst({ at, attack: 0.0003, t60: 0.009, hertz: voice.vary(3300, 0.12), gain: 0.5, pan: -0.5 + n * 0.025 });
    if (n % 2 === 0) strike(voice, "metal", { at, tune: 6, ringing: 0.02, hardness: 1, gain: 0.16 });
  }
  const slide = voice.noise("pink");
  voice.filter(slide, "band", 1300 * voice.open, 0.7);
  voice.add(voice.shape(slide, through(from, 0, from + 0.05, 0.5, to, 0.7, to + 0.02, 0)), 0.6);
  strike(voice, "metal", { at: to, tune: 1.4, ringing: 0.06, hardness: 0.8, gain: 0.9, pan: 0.4 });
  voice.tone({ at: to, t60: 0.12, hertz: 150, to: 90, gain: 0.9, pan: 0.4 });
}

/** Keys, the bell, and a drawer full of coins that springs open. */
function cashRegister(voice: Voice): void {
  for (const at of [0, 0.09]) {
    strike(voice, "metal", { at, tune: 1.6, ringing: 0.05, hardness: 0.8, gain: 0.6 });
    voice.tone({ at, t60: 0.06, hertz: 190, to: 120, gain: 0.6 });
  }
  smallBell(voice, 2050 * voice.tune, 1.2 * voice.long, 1, 0.2);
  smallBell(voice, 2050 * 1.26 * voice.tune, 1 * voice.long, 0.6, 0.215);
  const slide = voice.noise("pink");
  voice.filter(slide, "band", 700 * voice.open, 0.6);
  voice.add(voice.shape(slide, through(0.3, 0, 0.36, 1, 0.58, 0.6, 0.62, 0)), 0.8);
  strike(voice, "wood", { at: 0.6, tune: 0.7, gain: 0.9, hardness: 0.6 });
  const coins = voice.templates(10, 0.2, (one) =>
    strike(one, "metal", { tune: one.between(7, 12), ringing: 0.08, hardness: 1 }),
  );
  const density = voice.line(0.58, 0, 0.61, 90, 0.85, 12, 1.1, 0);
  voice.scatter(coins, { density, spread_db: 16, width: 0.5, gain: 0.4 });
}

/** The pump hums, steam hisses and gurgles. */
function coffeeMachine(voice: Voice): void {
  const end = voice.seconds;
  const pump = voice.osc("pulse", 50 * voice.tune, 0.8, 0.2);
  voice.filter(pump, "low", 600 * voice.open);
  voice.add(voice.shape(pump, through(0, 0, 0.08, 1, end * 0.6, 0.9, end * 0.64, 0)), 0.35);
  const steam = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", 4200 * voice.open, 0.6);
    voice.shape(samples, voice.wander(7, 0.3, 1));
    return voice.shape(samples, through(end * 0.15, 0, end * 0.3, 0.5, end * 0.7, 1, end * 0.95, 0.1));
  };
  voice.wide(steam, 0.7, 0.5);
  const drops = voice.templates(12, 0.1, (one) =>
    one.tone({ attack: 0.006, t60: one.between(0.03, 0.08), hertz: one.between(260, 620), to: one.between(500, 1200) }),
  );
  const density = voice.line(end * 0.2, 0, end * 0.35, 24, end * 0.8, 16, end, 3);
  voice.scatter(drops, { density, spread_db: 18, width: 0.5, gain: 0.6 });
}

/** The sheet is lifted, bends through the air and comes to lie. */
function pageTurn(voice: Voice): void {
  const end = voice.seconds;
  const swish = (): Float32Array => {
    const samples = voice.noise("white");
    const sweep = voice.glide(0, 1700, end * 0.45, 5200 * voice.open, end * 0.8, 2300);
    voice.filter(samples, "band", sweep, 0.8);
    voice.shape(samples, voice.wander(32, 0.35, 1));
    return voice.shape(
      samples,
      through(0, 0, end * 0.08, 0.35, end * 0.2, 0.12, end * 0.5, 1, end * 0.74, 0.15, end, 0),
    );
  };
  voice.wide(swish, 1, 0.35);
  const crackles = voice.templates(10, 0.02, (one) =>
    one.burst({ attack: 0.0003, t60: one.between(0.004, 0.014), hertz: one.between(2200, 5500), q: 1 }),
  );
  voice.scatter(crackles, { density: 45, spread_db: 20, width: 0.4, gain: 0.35 });
  voice.burst({ at: end * 0.78, attack: 0.003, t60: 0.06, hertz: 900 * voice.open, q: 0.6, gain: 0.8 });
}

/** Fibres that give way one after another, ever faster. */
function tear(voice: Voice): void {
  const end = voice.seconds;
  const pull = voice.line(0, 0.15, end * 0.25, 0.6, end * 0.85, 1, end * 0.95, 0);
  const fibres = voice.templates(16, 0.02, (one) =>
    one.burst({ attack: 0.0002, t60: one.between(0.003, 0.012), hertz: one.between(1800, 6500) * one.open, q: 1.2 }),
  );
  voice.scatter(fibres, { density: voice.scale(pull, 700), spread_db: 24, width: 0.4, gain: 0.8 });
  const hiss = voice.noise("white");
  const sweep = voice.glide(0, 2200, end, 5200);
  voice.filter(hiss, "band", sweep, 0.7);
  voice.shape(hiss, voice.wander(28, 0.2, 1));
  voice.add(voice.shape(hiss, pull), 0.8);
}

/** Strokes of a point on paper, in words. */
function writing(voice: Voice): void {
  const stroke = voice.wander(9 * voice.traits.speed, 0, 1);
  const words = voice.wander(1.3, -0.6, 2.2);
  const level = stroke.map((value, n) => value * Math.max(0, Math.min(1, words[n]!)));
  const scrape = voice.noise("white");
  voice.filter(scrape, "band", 3900 * voice.open, 1);
  voice.add(voice.shape(scrape, level), 1);
  const table = voice.noise("brown");
  voice.filter(table, "band", 420, 0.9);
  voice.add(voice.shape(table, level), 0.5);
  const taps = voice.templates(6, 0.04, (one) => strike(one, "wood", { tune: 2.2, ringing: 0.2, hardness: 0.6 }));
  voice.scatter(taps, { density: 3.5 * voice.traits.speed, spread_db: 12, width: 0.1, gain: 0.25 });
}

/** Rubber or felt that sticks and slips at a pitch. */
function squeak(voice: Voice): void {
  const end = Math.min(voice.seconds, voice.between(0.18, 0.34) * voice.long);
  const from = voice.vary(1050 * voice.tune, 0.2);
  const path = voice.glide(
    0,
    from * 0.8,
    end * 0.4,
    from * voice.between(1.2, 1.5),
    end,
    from * voice.between(0.95, 1.3),
  );
  const rub = voice.osc("saw", voice.scale(path, voice.wander(55, 0.98, 1.02)), 0.8);
  voice.filter(rub, "band", voice.scale(path, 1.7), 1.6);
  voice.add(voice.shape(rub, through(0, 0, end * 0.12, 0.7, end * 0.8, 1, end, 0)), 1, voice.between(-0.2, 0.2));
}

/** A wheel against flint, a spark, and a small flame. */
function lighter(voice: Voice): void {
  const end = voice.seconds;
  strike(voice, "metal", { tune: 6, ringing: 0.03, hardness: 1, gain: 0.4 });
  for (const [at, gain] of [
    [0.08, 0.7],
    [0.13, 1],
  ] as const) {
    voice.burst({ at, attack: 0.004, t60: 0.05, hertz: 5200 * voice.open, q: 1.2, gain });
    strike(voice, "metal", { at: at + 0.03, tune: 4.5, ringing: 0.03, hardness: 1, gain: 0.25 });
  }
  const flame = voice.noise("pink");
  voice.filter(flame, "band", 800 * voice.open, 0.5);
  voice.shape(flame, voice.wander(11, 0.6, 1));
  voice.add(voice.shape(flame, through(0.17, 0, 0.22, 1, 0.4, 0.35, end * 0.9, 0.2, end, 0)), 0.8);
}

/** Grains in a box, there and back. */
function shaker(voice: Voice): void {
  const end = Math.min(voice.seconds, 0.22);
  const of = voice.traits.material ?? "paper";
  const tune = of === "metal" || of === "glass" ? 2.4 : 3.4;
  const grains = voice.templates(12, 0.05, (one) => {
    strike(one, of, { tune: tune * one.between(0.7, 1.4), ringing: 0.12, hardness: 0.8, gain: 0.6 });
    one.burst({ attack: 0.0003, t60: one.between(0.006, 0.02), hertz: one.between(2600, 5200), q: 1 });
  });
  const density = voice.line(0, 40, end * 0.35, 420, end * 0.6, 90, end, 0);
  voice.scatter(grains, { density, spread_db: 20, width: 0.3, gain: 0.6 });
}

/** A blade through something crisp, onto a board. */
function chop(voice: Voice): void {
  const of = voice.traits.material === "metal" ? "wood" : (voice.traits.material ?? "wood");
  voice.burst({ attack: 0.001, t60: 0.025, hertz: 4600 * voice.open, q: 0.8, gain: 0.5 });
  strike(voice, of, { at: 0.014, tune: voice.between(1.15, 1.35), ringing: 0.35, hardness: 0.75, gain: 1 });
  voice.tone({ at: 0.014, t60: 0.08, hertz: 210 * voice.tune, to: 140 * voice.tune, gain: 0.7 });
  strike(voice, "metal", { at: 0.014, tune: 7, ringing: 0.02, hardness: 1, gain: 0.12 });
}

/** A heavy blade into a log: a thud, a crack, splinters. */
function axe(voice: Voice): void {
  strike(voice, "wood", { tune: 0.75, ringing: 0.7, hardness: 0.9, gain: 1 });
  voice.tone({ t60: voice.fit(0.2), hertz: 130 * voice.tune, to: 70 * voice.tune, gain: 1 });
  voice.burst({ attack: 0.0003, t60: 0.05, hertz: 2600 * voice.open, q: 0.6, gain: 1.1 });
  const splinters = voice.templates(8, 0.05, (one) => strike(one, "wood", { tune: one.between(2, 4), ringing: 0.15 }));
  const density = voice.line(0, 60, 0.12, 10, 0.25, 0);
  voice.scatter(splinters, { density, spread_db: 18, width: 0.4, gain: 0.3 });
}

function bubbleWrap(voice: Voice): void {
  const hertz = voice.vary(820 * voice.tune, 0.3);
  voice.burst({ attack: 0.0003, t60: 0.02, hertz: 2.4 * hertz, q: 0.8, gain: 1, pan: voice.between(-0.4, 0.4) });
  voice.tone({ t60: 0.03, hertz: hertz * 1.3, to: hertz * 0.7, glide: 0.015, gain: 0.6 });
  voice.burst({ at: 0.03, attack: 0.004, t60: 0.04, hertz: 5200, q: 1, gain: 0.12 });
}

/** A basketball: the floor, the skin and the air in it. */
function dribble(voice: Voice): void {
  voice.tone({ t60: 0.13, hertz: 120 * voice.tune, to: 78 * voice.tune, glide: 0.05, gain: 1 });
  voice.burst({ attack: 0.0006, t60: 0.06, pass: "low", hertz: 900 * voice.open, gain: 1 });
  voice.ring([
    { hertz: 505 * voice.tune, t60: voice.fit(0.2), gain: 0.2, pan: 0 },
    { hertz: 1010 * voice.tune, t60: voice.fit(0.12), gain: 0.1, pan: 0.1 },
  ]);
  strike(voice, voice.traits.material ?? "wood", { tune: 0.8, ringing: 0.35, hardness: 0.4, gain: 0.35 });
}

/** The ring gives, gas escapes, the lid bends in. */
function canOpen(voice: Voice): void {
  const end = voice.seconds;
  strike(voice, "metal", { tune: 3.2, ringing: 0.03, hardness: 0.9, gain: 0.5 });
  strike(voice, "metal", { at: 0.11, tune: 2.3, ringing: 0.06, hardness: 1, gain: 1 });
  voice.burst({ at: 0.11, attack: 0.0004, t60: 0.06, hertz: 2400, q: 0.6, gain: 1.1 });
  const gas = voice.noise("white");
  voice.filter(gas, "high", 3200);
  voice.add(voice.shape(gas, through(0.11, 0, 0.125, 1, 0.24, 0.35, 0.45, 0.06, end, 0)), 1);
  strike(voice, "metal", { at: 0.3, tune: 1.6, ringing: 0.05, hardness: 0.6, gain: 0.5 });
  const fizz = voice.crackle(1400);
  voice.filter(fizz, "high", 4200);
  voice.add(voice.shape(fizz, through(0.12, 0, 0.3, 0.5, end, 0)), 0.6);
}

export const HOUSEHOLD: Renders = {
  ding,
  can_open: canOpen,
  bicycle_bell: bicycleBell,
  typewriter: typeBar,
  carriage_return: carriageReturn,
  cash_register: cashRegister,
  coffee_machine: coffeeMachine,
  page_turn: pageTurn,
  tear,
  writing,
  squeak,
  lighter,
  shaker,
  chop,
  axe,
  bubble_wrap: bubbleWrap,
  dribble,
};
