/** Knocks, hits, crashes and blasts. */
import { saturate } from "../../signal/dsp/envelope.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Recipe } from "../recipe.ts";
import type { Material, Voice } from "../voice.ts";
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
  const path = voice.curve(
    [
      [0, 120 * voice.tune],
      [gone * 0.8, 27 * voice.tune],
    ],
    "exponential",
  );
  const body = voice.osc("sine", path);
  saturate(body, 1.5);
  voice.shape(body, [
    [0, 0],
    [0.01, 1],
    [gone * 0.5, 0.8],
    [gone, 0.02],
    [voice.seconds, 0],
  ]);
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
  const density = voice.curve([
    [0, 260],
    [0.05, 160],
    [fall * 0.35, 40],
    [fall * 0.8, 3],
    [fall * 0.9, 0],
  ]);
  voice.scatter(pieces(voice, brittle, 0.25, 1.3), { density, spread_db: 26, width: 0.9, gain: 0.55 });
}

function debris(voice: Voice): void {
  const material = materialOf(voice, "stone");
  const end = voice.seconds;
  const density = voice.curve([
    [0, 20],
    [end * 0.15, 60],
    [end * 0.6, 22],
    [end * 0.95, 0],
  ]);
  voice.scatter(pieces(voice, material, 0.2, 0.8), { density, spread_db: 26, width: 0.9, gain: 0.7 });
  const dust = voice.noise("brown");
  voice.filter(dust, "low", 500 * voice.open);
  voice.shape(dust, [
    [0, 0.1],
    [end * 0.2, 1],
    [end * 0.9, 0.02],
    [end, 0],
  ]);
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
  const density = voice.curve([
    [0, 90],
    [end * 0.3, 28],
    [end * 0.8, 2],
    [end * 0.9, 0],
  ]);
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
    const cut = voice.curve(
      [
        [0, 7000 * voice.open],
        [0.12, 1800 * voice.open],
        [t60 * 0.5, 260 * voice.open],
        [t60, 90],
      ],
      "exponential",
    );
    voice.filter(samples, "low", cut);
    return voice.shape(
      samples,
      voice.curve(
        [
          [0, 0.001],
          [0.006, 1],
          [0.1, 0.75],
          [t60 * 0.4, 0.16],
          [t60, 0.001],
        ],
        "exponential",
      ),
    );
  };
  voice.wide(blast, 1.4, 0.6);
  const rumble = (): Float32Array => {
    const samples = voice.noise("brown");
    voice.shape(samples, voice.wander(9, 0.3, 1));
    return voice.shape(
      samples,
      voice.curve(
        [
          [0, 0.01],
          [0.08, 1],
          [t60 * 0.5, 0.3],
          [t60, 0.001],
        ],
        "exponential",
      ),
    );
  };
  voice.wide(rumble, 2.2, 0.5);
  voice.tone({ t60: t60 * 0.5, hertz: 110 * voice.tune, to: 32 * voice.tune, glide: 0.4, gain: 1.1 });
  if (voice.seconds > 0.8) {
    const density = voice.curve([
      [0.1, 0],
      [0.3, 45],
      [t60 * 0.7, 6],
      [t60 * 0.9, 0],
    ]);
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
  const path = voice.curve(
    [
      [0, 900 * voice.tune],
      [burst, 2600 * voice.tune],
    ],
    "exponential",
  );
  const whistle = voice.osc(
    "sine",
    path,
    voice.curve([
      [0, 0],
      [0.05, 0.16],
      [burst * 0.9, 0.1],
      [burst, 0],
    ]),
  );
  voice.add(whistle);
  const left = voice.seconds - burst;
  voice.tone({ at: burst, t60: Math.min(0.7, left), hertz: 110, to: 45, gain: 1 });
  voice.burst({ at: burst, t60: Math.min(0.9, left), pass: "low", hertz: 1400 * voice.open, gain: 1.3 });
  const density = voice.curve([
    [burst, 0],
    [burst + 0.15, 220],
    [burst + left * 0.6, 40],
    [burst + left * 0.9, 0],
  ]);
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

export const IMPACTS: readonly Recipe[] = [
  {
    name: "impact",
    group: "impact",
    kind: "event",
    seconds: 1.2,
    every: 0.7,
    jitter: 0.1,
    words:
      "impact, hit:0.8, hitting:0.8, strike, thud, thump, bump, collide, collision, clang, tennis:1.2, tennis match:2, ping pong:1.6, golf:1.2, baseball:1.2, racket, clank, clunk, bonk, bang:0.8, hammer, hammering, tap:0.7, plank, anvil, pipe:0.6, wood:0.3, metal:0.3, stone:0.3, rock:0.3, plastic:0.3, ceramic:0.3, aufprall, aufschlag, schlag, hammer, choc, coup, golpe, colpo, impatto, impacto, 🔨",
    render: impact,
  },
  {
    name: "knock",
    group: "impact",
    kind: "event",
    seconds: 0.35,
    events: 3,
    every: 0.28,
    jitter: 0.08,
    words:
      "knock, knocking, woodpecker, ノック, 敲门, knock door:1.5, rap, rapping, klopfen, klopf, anklopfen, toquer, frapper porte, toc, golpear puerta, golpe puerta:1.4, bussare, llamar puerta",
    render: knock,
  },
  {
    name: "boom",
    group: "impact",
    kind: "event",
    seconds: 3,
    once: true,
    words: "boom, kaboom:0.8, braam, bass hit, low hit, dumpf, donnerschlag:0.9",
    render: boom,
  },
  {
    name: "sub_drop",
    group: "impact",
    kind: "sweep",
    seconds: 3,
    words: "sub drop:1.5, subdrop, bass drop:1.5, sub bass, sub hit, 808",
    render: subDrop,
  },
  {
    name: "cinematic_hit",
    group: "impact",
    kind: "event",
    seconds: 3.5,
    once: true,
    words:
      "cinematic hit:1.5, cinematic impact:1.5, trailer hit:1.5, trailer:0.9, cinematic:0.9, stinger, dramatic hit, orchestral hit, epic hit",
    render: cinematicHit,
  },
  {
    name: "punch",
    group: "impact",
    kind: "event",
    seconds: 0.4,
    every: 0.5,
    jitter: 0.2,
    words:
      "punch, kick:0.9, body hit, body fall, fist, smack:0.8, pow, wham, uppercut, faustschlag, coup poing, punetazo, pugno, 👊",
    render: punch,
  },
  {
    name: "slap",
    group: "impact",
    kind: "event",
    seconds: 0.3,
    every: 0.4,
    jitter: 0.15,
    words:
      "slap, spank, whip, whip crack:1.5, snap:0.7, finger snap:1.5, ohrfeige, gifle, schiaffo, bofetada, clap:0.6",
    render: slap,
  },
  {
    name: "drop",
    group: "impact",
    kind: "event",
    seconds: 1.4,
    every: 1.6,
    words:
      "drop:0.8, dropped, dropping:0.8, fall:0.7, falling:0.6, bounce, bouncing, ball:0.8, tumble, basketball, dice, fallen, tomber, caer, cadere",
    render: drop,
  },
  {
    name: "glass_break",
    group: "break",
    kind: "event",
    seconds: 1.8,
    every: 1.2,
    jitter: 0.2,
    once: true,
    words:
      "glass:0.6, glass break:1.6, ガラス, 玻璃, glass breaking:1.6, glass shatter:1.6, glass smash:1.6, window break:1.6, shatter, shattering, smash:0.9, break:0.7, breaking:0.7, bottle:0.6, vase, plate:0.5, crack:0.4, glas, scherben, zerbrechen, zersplittern, verre, briser, vidrio, cristal, romper, vetro, rompere",
    render: glassBreak,
  },
  {
    name: "debris",
    group: "break",
    kind: "sweep",
    seconds: 3,
    words:
      "debris, rubble, rockfall, rock slide, avalanche, landslide, collapse, collapsing, crumble, crumbling, demolition, tree fall:1.8, falling tree:1.8, trummer, einsturz, escombros, macerie, decombres, rocks:0.6, falling rocks:1.3",
    render: debris,
  },
  {
    name: "crash",
    group: "break",
    kind: "event",
    seconds: 2.4,
    every: 1.8,
    jitter: 0.2,
    once: true,
    words:
      "crash, car crash:1.7, crashing:0.8, wreck, accident, metal crash, unfall, collision car, accident voiture, choque, incidente",
    render: crash,
  },
  {
    name: "explosion",
    group: "blast",
    kind: "event",
    seconds: 4,
    every: 1.6,
    jitter: 0.3,
    once: true,
    words:
      "explosion, explode, 爆発, 爆炸, exploding, blast:0.9, bomb, detonation, grenade, cannon:1.1, cannon fire:2, cannon shot:2, kaboom, dynamite, missile:0.7, bombe, explodieren, explosionen, esplosione, bomba, explosión, kanone, canon, nuke, nuclear, взрыв, 爆発, 爆炸, 💥, 💣, 🧨",
    render: explosion,
  },
  {
    name: "gunshot",
    group: "blast",
    kind: "event",
    seconds: 1.3,
    every: 0.5,
    jitter: 0.25,
    once: true,
    words:
      "gunshot, gun, 銃声, 枪声, shot:0.9, gunfire, pistol, rifle, shotgun, shotgun blast:1.9, revolver, shoot:0.8, shooting:0.8, sniper, bang:0.7, machine gun:1.4, schuss, gewehr, pistole, coup feu, disparo, sparo, tiro, pistola, выстрел, 🔫",
    render: gunshot,
  },
  {
    name: "firework",
    group: "blast",
    kind: "event",
    seconds: 3,
    every: 1.4,
    jitter: 0.4,
    words:
      "firework, fireworks, firecracker, petard, feuerwerk, feu artifice, fuegos artificiales, fuochi artificio, 🎆, 🎇",
    render: firework,
  },
  {
    name: "drum_roll",
    group: "impact",
    kind: "sweep",
    seconds: 3,
    words:
      "drum roll:1.6, drumroll, drum:0.8, snare roll, snare:0.8, trommelwirbel, trommel, tambour, tambor, tamburo, 🥁",
    render: drumRoll,
  },
];
