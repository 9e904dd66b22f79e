/** Footsteps, hands, hearts and animals. */
import { wave } from "../../signal/dsp/control.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, Voice } from "../voice.ts";
import { BODIES, strike } from "./bodies.ts";
import { applause, cheer, crowd, laugh } from "./crowds.ts";
import { throat } from "./throat.ts";

function footstep(voice: Voice): void {
  const surface = voice.traits.material ?? "stone";
  const side = voice.turn % 2 === 0 ? -0.18 : 0.18;
  const gain = voice.between(0.75, 1);
  const heavy = exp2(0.8 * voice.traits.size);
  const roll = voice.between(0.07, 0.1) / Math.min(2, Math.max(0.7, voice.traits.speed));
  const loose =
    surface === "gravel" || surface === "snow" || surface === "grass" || surface === "paper" || surface === "water";
  // Heel, then sole.
  voice.tone({
    t60: 0.09 * heavy,
    hertz: 115 * voice.tune,
    to: 65 * voice.tune,
    gain: (loose ? 0.35 : 0.7) * gain,
    pan: side,
  });
  if (loose) {
    const [, hertz] = BODIES[surface].contact;
    const length = surface === "snow" ? 0.26 : 0.2;
    const grains = voice.templates(10, 0.05, (one) =>
      one.burst({ t60: one.between(0.006, 0.03), hertz: one.vary(hertz * voice.open, 0.8), q: 1.5 }),
    );
    const rate = surface === "gravel" ? 420 : surface === "snow" ? 800 : 300;
    const density = voice.line(0, rate, 0.05, rate * 0.4, roll, rate * 0.9, length, 0);
    voice.scatter(grains, { density, spread_db: 20, width: 0.25, gain: 0.6 * gain });
    if (surface === "water") voice.tone({ at: 0.03, t60: 0.08, hertz: 420, to: 900, gain: 0.3 });
    voice.burst({ t60: length, attack: 0.01, hertz: hertz * 0.7 * voice.open, q: 0.7, gain: 0.35 * gain, pan: side });
    return;
  }
  const tune = surface === "metal" ? 0.55 : surface === "wood" ? 0.75 : 1;
  const ringing = surface === "metal" ? 0.25 : 0.5;
  strike(voice, surface, { gain: 0.7 * gain, tune, ringing, pan: side, hardness: 0.45 });
  strike(voice, surface, { at: roll, gain: 0.4 * gain, tune: tune * 1.15, ringing, pan: side, hardness: 0.35 });
  voice.burst({ at: roll, attack: 0.006, t60: 0.06, hertz: 1700 * voice.open, q: 0.6, gain: 0.12 * gain, pan: side });
}

function heartbeat(voice: Voice): void {
  const second = Math.min(0.3, voice.seconds * 0.36);
  for (const [at, gain, hertz] of [
    [0, 1, 62],
    [second, 0.75, 74],
  ] as const) {
    voice.tone({ at, attack: 0.012, t60: 0.2, hertz: hertz * voice.tune * 1.3, to: hertz * voice.tune, gain });
    voice.burst({ at, attack: 0.01, t60: 0.1, pass: "low", hertz: 190 * voice.open, gain: 0.7 * gain });
  }
}

/** Insects all round, birds among the trees, drops that fall from leaf to leaf. */
function rainforest(voice: Voice): void {
  crickets(voice);
  for (const channel of [voice.left, voice.right])
    for (let n = 0; n < channel.length; n++) channel[n] = 0.5 * channel[n]!;
  birds(voice);
  const drops = voice.templates(5, 0.09, (drop) =>
    drop.tone({ t60: 0.05, hertz: drop.vary(1400, 0.6), to: drop.vary(2300, 0.4), attack: 0.001 }),
  );
  voice.scatter(drops, { density: 5, spread_db: 18, width: 0.8, gain: 0.25 });
}

/** Chirps and trills of several birds in turn, each with a song of its own. */
function birds(voice: Voice): void {
  const count = 2 + Math.floor(3 * voice.traits.intensity + voice.next() * 2);
  for (let bird = 0; bird < count; bird++) {
    const base = voice.between(2400, 5200) * voice.tune;
    const pan = voice.between(-0.9, 0.9);
    const notes = 1 + Math.floor(voice.next() * 3);
    const songs = Array.from(
      { length: notes },
      () => [exp2(voice.between(-0.4, 0.4)), exp2(voice.between(-0.5, 0.5)), voice.between(0.04, 0.13)] as const,
    );
    const gain = voice.between(0.4, 1);
    for (let at = bird === 0 ? 0.02 : voice.between(0.1, 0.8); at < voice.seconds - 0.15; ) {
      const repeats = 2 + Math.floor(voice.next() * 6);
      for (let n = 0; n < repeats && at < voice.seconds - 0.15; n++) {
        const [from, to, length] = songs[n % notes]!;
        voice.tone({
          at,
          attack: length * 0.25,
          t60: length * 2.2,
          hertz: base * from,
          to: base * to,
          glide: length,
          gain,
          pan,
        });
        at += length * voice.between(1.25, 1.6);
      }
      at += voice.between(0.25, 1.4) / voice.traits.speed;
    }
  }
}

function crickets(voice: Voice): void {
  for (let one = 0; one < 5; one++) {
    const hertz = voice.between(3900, 5200) * voice.tune;
    const rate = voice.between(2, 3.2) * voice.traits.speed;
    const pan = voice.between(-0.9, 0.9);
    const gain = one === 0 ? 0.8 : voice.between(0.1, 0.5);
    const chirp = new Voice(Math.round(0.2 * voice.rate), voice.traits, voice.seed());
    for (let pulse = 0; pulse < 4; pulse++) chirp.tone({ at: pulse * 0.03, attack: 0.008, t60: 0.035, hertz });
    for (let at = voice.next() * 0.3; at < voice.seconds - 0.15; at += voice.vary(1 / rate, 0.06))
      voice.add(chirp.left, gain * voice.between(0.85, 1), pan, at);
  }
  voice.wide(() => voice.filter(voice.noise("white"), "band", 4600, 9), 0.025, 0.9);
}

function buzz(voice: Voice): void {
  const wings = voice.wander(2.5, 190 * voice.tune, 235 * voice.tune);
  const tone = voice.osc("saw", wings, 0.5);
  voice.shape(tone, voice.wander(5, 0.4, 1));
  voice.filter(tone, "band", 900 * voice.open, 0.6);
  const right = tone.slice();
  const across = voice.wander(0.5, 0.05, 0.95);
  const back = across.map((value) => 1 - value);
  voice.add(voice.shape(tone, across), 1, -0.9);
  voice.add(voice.shape(right, back), 1, 0.9);
}

function frog(voice: Voice): void {
  const pitch = voice.vary(105 * voice.tune, 0.15);
  const end = voice.seconds;
  const part = end * 0.36;
  for (const [at, high] of [
    [0, 1],
    [part * 1.3, 1.35],
  ] as const) {
    throat(voice, {
      hertz: voice.glide(at, pitch, at + part, pitch * 1.25 * high),
      breath: 0.05,
      drive: 2,
      level: through(at, 0, at + 0.02, 1, at + part * 0.8, 0.8, at + part, 0),
      formants: [
        [620 * high, 6, 1],
        [1500, 7, 0.5],
      ],
    });
  }
}

function purr(voice: Voice): void {
  const level = wave(voice.frames, voice.rate, 0.4, 0.35, 1);
  throat(voice, {
    hertz: voice.wander(1, 24, 27),
    breath: 0.3,
    drive: 1.5,
    level: through(0, 1, voice.seconds, 1),
    formants: [
      [180, 1.5, 1],
      [420, 2, 0.6],
      [1100, 2, 0.15],
    ],
  });
  voice.shape(voice.left, level);
  voice.shape(voice.right, level);
}

/** A roar: a rough low voice, an octave of growl under it. */
function monster(voice: Voice): void {
  const end = voice.seconds;
  const pitch = 92 * voice.tune;
  const contour = through(0, pitch * 0.75, end * 0.25, pitch * 1.3, end * 0.6, pitch, end, pitch * 0.55);
  const level = through(0, 0, end * 0.12, 0.8, end * 0.35, 1, end * 0.75, 0.5, end, 0);
  const open = voice.line(0, 320, end * 0.35, 780, end, 300);
  for (const [ratio, pan] of [
    [1, -0.3],
    [0.497, 0.3],
    [1.335, 0],
  ] as const) {
    const path = voice.curve(
      contour.map(([at, f]) => [at, f * ratio] as const),
      "exponential",
    );
    const rough = voice.wander(38, 0.88, 1.14);
    for (let n = 0; n < path.length; n++) path[n] = path[n]! * rough[n]!;
    throat(voice, {
      hertz: path,
      breath: 0.32,
      drive: 3,
      pan,
      level,
      formants: [
        [open, 2.5, 1],
        [voice.scale(open, 2.1), 3, 0.7],
        [2300 * voice.open, 3, 0.25],
        [110, 1, 0.6],
      ],
    });
  }
}

function ghost(voice: Voice): void {
  const end = voice.seconds;
  const base = 310 * voice.tune;
  for (const [ratio, pan] of [
    [1, -0.5],
    [1.012, 0.5],
    [1.5, 0],
  ] as const) {
    const path = voice.glide(
      0,
      base * ratio * 0.8,
      end * 0.3,
      base * ratio * 1.4,
      end * 0.6,
      base * ratio * 1.15,
      end,
      base * ratio * 0.7,
    );
    const shake = voice.wander(5, 0.97, 1.03);
    for (let n = 0; n < path.length; n++) path[n] = path[n]! * shake[n]!;
    throat(voice, {
      hertz: path,
      breath: 0.35,
      pan,
      level: through(0, 0, end * 0.3, 1, end * 0.65, 0.8, end, 0),
      formants: [
        [360, 5, 1],
        [820, 6, 0.7],
        [2500, 5, 0.1],
      ],
    });
  }
  voice.wide(
    () =>
      voice.shape(
        voice.filter(voice.noise("pink"), "band", voice.wander(0.7, 400, 900), 4),
        through(0, 0, end * 0.4, 1, end, 0),
      ),
    0.4,
    1,
  );
}

function owl(voice: Voice): void {
  const base = 340 * voice.tune;
  for (const [at, length, gain] of [
    [0, 0.22, 0.7],
    [0.42, 0.12, 0.5],
    [0.6, 0.55, 1],
  ] as const) {
    if (at + length > voice.seconds) continue;
    const tone = voice.osc("sine", voice.glide(at, base * 0.94, at + length * 0.4, base, at + length, base * 0.9));
    voice.add(voice.shape(tone, through(at, 0, at + length * 0.3, 1, at + length * 0.7, 0.9, at + length, 0)), gain);
    const air = voice.filter(voice.noise("white"), "band", base * 1.5, 3);
    voice.add(voice.shape(air, through(at, 0, at + length * 0.5, 1, at + length, 0)), gain * 0.12);
  }
}

function horse(voice: Voice): void {
  const beats = [
    [0, 0.8],
    [0.11, 0.7],
    [0.22, 1],
  ] as const;
  for (const [at, gain] of beats) {
    const place = at / voice.traits.speed;
    strike(voice, voice.traits.material ?? "wood", {
      at: place,
      gain,
      tune: voice.between(1.9, 2.6),
      ringing: 0.3,
      hardness: 0.7,
      pan: voice.between(-0.15, 0.15),
    });
    voice.tone({ at: place, t60: 0.07, hertz: 130, to: 80, gain: 0.5 * gain });
  }
}

export const LIFE: Renders = {
  cry: "call",
  cough: "call",
  burp: "call",
  fart: "call",
  shush: "call",
  footsteps: footstep,
  heartbeat,
  applause,
  crowd,
  cheer,
  laugh,
  scream: "call",
  birds,
  rainforest,
  crickets,
  insect: buzz,
  frog,
  dog: "call",
  cat: "call",
  purr,
  monster,
  ghost,
  wolf: "call",
  owl,
  cow: "call",
  rooster: "call",
  horse,
};
