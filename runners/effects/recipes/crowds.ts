/** Many people, and what one of them does among them. */
import { through, Voice } from "../voice.ts";
import { throat } from "./throat.ts";

function clapSet(voice: Voice): Float32Array[] {
  return voice.templates(20, 0.06, (one) => {
    const hertz = one.between(800, 2400) * voice.open;
    one.burst({ attack: 0.0004, t60: one.between(0.012, 0.04), hertz, q: 1.6 });
    one.burst({ attack: 0.0004, t60: 0.01, hertz: hertz * 2.3, gain: 0.4 });
  });
}

export function applause(voice: Voice): void {
  const end = voice.seconds;
  const people = 60 + 260 * Math.max(0, voice.traits.intensity + 0.5 * voice.traits.size);
  const density = voice.line(0, people * 0.15, Math.min(0.9, end * 0.2), people, end * 0.7, people, end, people * 0.12);
  voice.scatter(clapSet(voice), { density, spread_db: 24, width: 1, gain: 0.6 });
  if (voice.traits.intensity > 0.45) {
    const murmur = (): Float32Array => voice.filter(voice.noise("pink"), "band", 900, 0.5);
    voice.wide(murmur, 0.12, 0.9);
  }
}

const VOWELS = [
  [700, 1150, 2500],
  [500, 1800, 2500],
  [320, 2200, 2900],
  [480, 900, 2400],
  [340, 800, 2300],
] as const;

function talker(voice: Voice, at: number, length: number, pitch: number, pan: number, gain: number): void {
  const path = voice.glide(at, pitch * voice.between(0.95, 1.15), at + length, pitch * voice.between(0.8, 1));
  const vowel = VOWELS[Math.floor(voice.next() * 5)]!;
  throat(voice, {
    hertz: path,
    breath: 0.15,
    pan,
    gain,
    level: through(at, 0, at + length * 0.3, 1, at + length * 0.7, 0.7, at + length, 0),
    formants: [
      [vowel[0], 5, 1],
      [vowel[1], 7, 0.6],
      [vowel[2], 8, 0.25],
    ],
  });
}

function syllables(voice: Voice, low: number, high: number): Float32Array[] {
  return voice.templates(30, 0.28, (one) =>
    talker(one, 0, one.between(0.12, 0.27), one.between(low, high) * voice.tune, 0, 1),
  );
}

export function crowd(voice: Voice): void {
  const people = 26 + 60 * voice.traits.intensity;
  voice.scatter(syllables(voice, 95, 230), { density: people, spread_db: 22, width: 1, gain: 0.5 });
  const murmur = (): Float32Array =>
    voice.shape(voice.filter(voice.noise("pink"), "band", 480 * voice.open, 0.7), voice.wander(3, 0.6, 1));
  voice.wide(murmur, 0.5, 0.9);
}

export function cheer(voice: Voice): void {
  const end = voice.seconds;
  const swell = voice.line(0, 0.2, Math.min(0.7, end * 0.25), 1, end * 0.6, 0.75, end, 0.02);
  const shouts = voice.templates(18, 0.75, (one) => {
    const length = one.between(0.4, 0.72);
    const pitch = one.between(190, 480) * voice.tune;
    const path = one.glide(0, pitch, length * 0.3, pitch * 1.3, length, pitch * 0.9);
    throat(one, {
      hertz: path,
      breath: 0.2,
      level: through(0, 0, 0.05, 1, length * 0.7, 0.8, length, 0),
      formants: [
        [760, 4, 1],
        [1250, 5, 0.9],
        [2700, 6, 0.5],
      ],
    });
  });
  voice.scatter(shouts, { density: voice.scale(swell, 26), spread_db: 18, width: 1, gain: 0.5 });
  voice.wide(() => voice.shape(voice.filter(voice.noise("pink"), "band", 1300 * voice.open, 0.5), swell), 0.9, 0.9);
  voice.scatter(clapSet(voice), { density: voice.scale(swell, 70), spread_db: 20, width: 1, gain: 0.3 });
}

export function laugh(voice: Voice): void {
  const pitch = voice.between(150, 260) * voice.tune;
  const step = 0.19 / voice.traits.speed;
  for (let at = 0, n = 0; at < voice.seconds - 0.15; at += step, n++) {
    const length = step * 0.7;
    const f = pitch * (1.35 - 0.05 * Math.min(8, n));
    const part = new Voice(Math.round(0.2 * voice.rate), voice.traits, voice.seed());
    throat(part, {
      hertz: part.glide(0, f * 1.1, length, f * 0.85),
      breath: 0.25,
      level: through(0, 0, 0.015, 1, length * 0.6, 0.7, length, 0),
      formants: [
        [720, 5, 1],
        [1250, 6, 0.8],
        [2600, 7, 0.35],
      ],
    });
    voice.add(part.left, 1 - 0.05 * Math.min(12, n), 0, at);
  }
}
