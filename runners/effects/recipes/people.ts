/** What people do with mouth and breath, beside what is in `life.ts`. */
import { wave } from "../../signal/dsp/control.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { throat } from "./throat.ts";

/** A whistle with a pea in it: two tones that beat, chopped by the pea, and the breath. */
function refereeWhistle(voice: Voice): void {
  const end = voice.seconds;
  const hertz = 2750 * voice.tune;
  const pea = wave(voice.frames, voice.rate, voice.vary(38, 0.1), 0.35, 1);
  const level = voice.line(0, 0, 0.03, 1, end * 0.85, 1, end * 0.97, 0);
  const bend = wave(voice.frames, voice.rate, 38, 0.985, 1.015);
  for (const [ratio, gain] of [
    [1, 1],
    [1.087, 0.6],
    [2.02, 0.12],
  ] as const) {
    const tone = voice.osc("sine", voice.scale(bend, hertz * ratio), gain);
    voice.shape(tone, pea);
    voice.add(voice.shape(tone, level), 0.7);
  }
  const air = voice.noise("white");
  voice.filter(air, "band", hertz * 1.2, 1.2);
  voice.add(voice.shape(air, level), 0.15);
}

/** Degrees of the pentatonic scale, semitones. */
const PENTATONIC = [0, 2, 4, 7, 9, 12];

/** Somebody whistles a few notes, each slurred into the next. */
function whistling(voice: Voice): void {
  const base = 1180 * voice.tune;
  const beat = 0.24 / voice.traits.speed;
  let degree = 2;
  const pitches: (readonly [number, number])[] = [];
  const levels: (readonly [number, number])[] = [[0, 0]];
  for (let at = 0.02; at < Math.max(0.03, voice.seconds - 0.12); ) {
    const length = Math.max(0.03, Math.min(voice.seconds - at - 0.05, beat * (voice.next() < 0.3 ? 2 : 1)));
    const moved = degree + Math.floor(voice.next() * 5) - 2;
    degree = moved < 0 ? -moved : moved > 5 ? 10 - moved : moved;
    const hertz = base * exp2(PENTATONIC[degree]! / 12);
    pitches.push([at, hertz * 0.985], [at + Math.min(0.04, length * 0.3), hertz], [at + length * 0.93, hertz]);
    levels.push([at, 0.15], [at + length * 0.25, 1], [at + length * 0.8, 0.8], [at + length, 0.12]);
    at += length;
  }
  levels.push([voice.seconds, 0]);
  const path = voice.scale(voice.curve(pitches, "exponential"), wave(voice.frames, voice.rate, 5.6, 0.994, 1.006));
  const level = voice.curve(levels);
  const tone = voice.osc("sine", path, 1);
  voice.add(voice.shape(tone, level), 0.8);
  const air = voice.noise("white");
  voice.filter(air, "band", path, 5);
  voice.add(voice.shape(air, level), 0.25);
}

/** Many low voices that hold one falling vowel. */
function boo(voice: Voice): void {
  const end = voice.seconds;
  const voices = voice.templates(18, Math.min(2.2, end), (one) => {
    const length = one.seconds * one.between(0.7, 0.98);
    const pitch = one.between(105, 240) * one.tune;
    throat(one, {
      hertz: one.glide(0, pitch * 1.12, length, pitch * 0.85),
      breath: 0.15,
      level: through(0, 0, length * 0.2, 1, length * 0.7, 0.8, length, 0),
      formants: [
        [330, 4, 1],
        [760, 5, 0.7],
        [2300, 5, 0.12],
      ],
    });
  });
  const swell = voice.line(0, 26, end * 0.4, 16, end * 0.75, 6, end, 0);
  voice.scatter(voices, { density: swell, spread_db: 14, width: 1, gain: 0.5 });
  const room = (): Float32Array => voice.filter(voice.noise("pink"), "band", 420 * voice.open, 0.6);
  voice.wide(() => voice.shape(room(), voice.scale(swell, 1 / 26)), 0.25, 0.9);
}

/** Breath is drawn in twice, and bursts out. */
function sneeze(voice: Voice): void {
  const end = voice.seconds;
  const out = end * 0.5;
  const pitch = voice.vary(220 * voice.tune, 0.15);
  const gasp = voice.noise("pink");
  voice.filter(gasp, "band", 1400 * voice.open, 1);
  voice.add(voice.shape(gasp, through(0, 0, out * 0.35, 0.35, out * 0.5, 0.05, out * 0.85, 0.6, out * 0.95, 0)), 0.6);
  throat(voice, {
    hertz: voice.glide(0, pitch, out, pitch * 1.6, end, pitch * 0.7),
    breath: 0.3,
    level: through(out * 0.5, 0, out * 0.85, 0.35, out * 0.95, 0, out, 0, out + 0.02, 0.9, out + 0.22, 0),
    formants: [
      [650, 4, 1],
      [1500, 5, 0.7],
      [2600, 5, 0.3],
    ],
  });
  voice.burst({ at: out, attack: 0.004, t60: voice.fit(0.45, 0.45), hertz: 3600 * voice.open, q: 0.5, gain: 1.4 });
  voice.burst({ at: out, attack: 0.003, t60: 0.16, pass: "low", hertz: 900, gain: 0.8 });
}

/** In with a rattle of the palate, out with a sigh. */
function snore(voice: Voice): void {
  const end = voice.seconds;
  const inhaled = end * 0.5;
  throat(voice, {
    hertz: voice.wander(2.5, 31 * voice.tune, 41 * voice.tune),
    breath: 0.45,
    drive: 3,
    level: through(0, 0, inhaled * 0.3, 0.8, inhaled * 0.85, 1, inhaled, 0),
    formants: [
      [260, 2.5, 1],
      [620, 3, 0.8],
      [1500, 3, 0.35],
    ],
  });
  const sigh = voice.noise("pink");
  voice.filter(sigh, "band", 780 * voice.open, 0.8);
  voice.add(voice.shape(sigh, through(inhaled * 1.15, 0, inhaled * 1.4, 0.5, end * 0.95, 0)), 0.45);
}

/** Two palms, cupped more or less. */
function clap(voice: Voice): void {
  const hertz = voice.vary(1250 * voice.open * voice.tune, 0.2);
  voice.burst({ attack: 0.0004, t60: voice.between(0.05, 0.08), hertz, q: 1.3, gain: 1 });
  voice.burst({ attack: 0.0003, t60: 0.025, hertz: hertz * 2.6, q: 0.8, gain: 0.6 });
  voice.burst({ at: 0.004, attack: 0.0005, t60: 0.03, pass: "low", hertz: 480, gain: 0.5 });
}

/** Lips that draw, and part. */
function kiss(voice: Voice): void {
  const end = Math.min(voice.seconds, 0.3);
  const draw = voice.noise("white");
  const path = voice.glide(0, 1600, end * 0.7, 3600 * voice.tune);
  voice.filter(draw, "band", path, 3);
  voice.shape(draw, wave(voice.frames, voice.rate, 47, 0.3, 1));
  voice.add(voice.shape(draw, through(0, 0, end * 0.65, 0.5, end * 0.7, 0)), 0.7);
  voice.tone({ at: end * 0.7, t60: 0.04, hertz: 700 * voice.tune, to: 1500 * voice.tune, glide: 0.02, gain: 0.8 });
  voice.burst({ at: end * 0.7, attack: 0.0005, t60: 0.025, hertz: 2600, q: 1, gain: 0.8 });
}

/** A throat that closes over a mouthful. */
function gulp(voice: Voice): void {
  const base = voice.vary(230 * voice.tune, 0.12);
  voice.tone({ attack: 0.01, t60: 0.12, hertz: base * 1.6, to: base, glide: 0.08, gain: 0.7 });
  voice.tone({ at: 0.11, attack: 0.006, t60: 0.09, hertz: base * 0.9, to: base * 2.3, glide: 0.06, gain: 1 });
  voice.burst({ at: 0.1, attack: 0.004, t60: 0.05, hertz: 900, q: 1.5, gain: 0.35 });
}

/** Children at play: high voices that call, laugh and answer, some far, some near. */
function children(voice: Voice): void {
  const calls = voice.templates(26, 0.7, (one) => {
    const length = one.between(0.18, 0.62);
    const pitch = one.between(290, 520) * one.tune;
    const open = one.between(650, 1150);
    throat(one, {
      hertz: one.glide(
        0,
        pitch,
        length * one.between(0.2, 0.5),
        pitch * one.between(1.1, 1.6),
        length,
        pitch * one.between(0.75, 1.1),
      ),
      breath: 0.15,
      level: through(0, 0, length * 0.2, 1, length * 0.7, 0.7, length, 0),
      formants: [
        [open, 5, 1],
        [open * one.between(1.5, 2.6), 6, 0.7],
        [3300, 6, 0.3],
      ],
    });
  });
  const busy = voice.wander(0.8, 4, 14);
  voice.scatter(calls, {
    density: voice.scale(busy, 0.6 + voice.traits.intensity),
    spread_db: 20,
    width: 1,
    gain: 0.6,
  });
  voice.wide(() => voice.filter(voice.noise("pink"), "band", 700 * voice.open, 0.5), 0.12, 0.9);
}

/** Semitones of a chord that a choir takes: root, fifth, octave, third above, fifth above. */
const CHORD = [0, 7, 12, 16, 19] as const;

/** Voices in parts on one vowel, each a little beside the others. */
function choir(voice: Voice): void {
  const end = voice.seconds;
  const root = 110 * voice.tune;
  for (const [part, semitones] of CHORD.entries())
    for (const side of [-1, 1]) {
      const hertz = root * exp2(semitones / 12) * (1 + 0.004 * (2 * voice.next() - 1));
      const open = part < 3 ? 620 : 760;
      throat(voice, {
        hertz: voice.scale(voice.wander(4.6, 0.992, 1.008), hertz),
        breath: 0.08,
        pan: side * voice.between(0.15, 0.8),
        gain: 0.5,
        level: through(0, 0, end * 0.22 + 0.1 * part * Math.min(1, end * 0.1), 1, end * 0.75, 0.85, end, 0),
        formants: [
          [open, 5, 1],
          [1080, 6, 0.7],
          [2650, 7, 0.25],
        ],
      });
    }
}

/** Speech without a voice: breath through the vowels, with hisses between. */
function whisper(voice: Voice): void {
  for (let at = 0.02; at < Math.max(0.03, voice.seconds - 0.12); ) {
    const length = Math.max(0.05, Math.min(voice.seconds - at, voice.between(0.1, 0.22) / voice.traits.speed));
    const breath = voice.noise("white", length);
    const f1 = voice.between(450, 900) * voice.tune;
    const out = voice.filter(breath.slice(), "band", f1, 3);
    const upper = voice.filter(breath.slice(), "band", f1 * voice.between(1.8, 3.6), 4);
    for (let n = 0; n < out.length; n++) out[n] = out[n]! + 0.8 * upper[n]!;
    voice.add(
      voice.shape(out, through(0, 0, length * 0.3, 1, length, 0)),
      voice.between(0.6, 1),
      voice.between(-0.1, 0.1),
      at,
    );
    if (voice.next() < 0.45)
      voice.burst({
        at: at + length * 0.9,
        attack: 0.02,
        t60: 0.09,
        hertz: voice.between(4200, 6800),
        q: 1.2,
        gain: 0.4,
      });
    at += length * (voice.next() < 0.15 ? 2.4 : 1.1);
  }
}

export const PEOPLE: Renders = {
  whistle: refereeWhistle,
  clap,
  children,
  choir,
  whisper,
  kiss,
  gulp,
  hiccup: "call",
  yawn: "call",
  whistling,
  boo,
  sneeze,
  snore,
};
