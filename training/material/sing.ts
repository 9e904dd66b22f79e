/** A plain formant singer: glottal pulses with vibrato through three resonators, a consonant before each note. A voice, not a performance. */
import { random } from "../../runners/signal/dsp/random.ts";
import type { Note } from "./compose.ts";

const RATE = 44_100;
/** First three formants of five vowels, Hz (Peterson and Barney 1952, men, rounded). */
const VOWELS = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [270, 2290, 3010],
  [570, 840, 2410],
  [300, 870, 2240],
];

/** Sings `notes` (one at a time) into a mono track of `seconds`. */
export function sing(notes: readonly Note[], seconds: number, seed: number): Float32Array {
  const next = random(seed ^ 0x51_0b_e5);
  const out = new Float32Array(Math.ceil(seconds * RATE));
  const stretch = 0.95 + 0.3 * next();
  for (const [index, note] of notes.entries()) {
    const vowel = VOWELS[Math.floor(next() * VOWELS.length)]!;
    const from = Math.floor(note.at * RATE);
    const end = Math.min(notes[index + 1]?.at ?? note.until + 0.05, note.until + 0.05);
    const to = Math.min(out.length, Math.floor(end * RATE));
    const loud = 0.25 * (note.velocity / 100);
    const consonant = next() < 0.6 ? (next() < 0.5 ? 0.06 : 0.03) : 0;
    const resonators = vowel.map((hertz, n) => resonator(hertz * stretch, [90, 110, 170][n]!));
    const hertz = 440 * 2 ** ((note.key - 69) / 12);
    const depth = 0.004 + 0.008 * next();
    const scoop = 0.03 * next();
    let phase = 0;
    for (let n = from; n < to; n++) {
      const t = (n - from) / RATE;
      const vibrato = 1 + depth * Math.min(1, t * 3) * Math.sin(2 * Math.PI * 5.4 * t) - scoop * Math.exp(-t * 25);
      phase += (hertz * vibrato) / RATE;
      if (phase >= 1) phase -= 1;
      // A saw softened at its jump: enough of a glottal source.
      const pulse = phase < 0.9 ? 1 - (2 * phase) / 0.9 : -1 + (2 * (phase - 0.9)) / 0.1;
      const breath = 0.04 * (2 * next() - 1);
      const source = pulse + breath;
      let voice = 0;
      for (const [k, one] of resonators.entries()) voice += one(source) * [1, 0.6, 0.35][k]!;
      const rise = Math.min(1, t / 0.03);
      const fall = Math.min(1, (to - n) / (0.04 * RATE));
      out[n]! += loud * voice * rise * fall;
    }
    const begin = Math.max(0, from - Math.floor(consonant * RATE));
    for (let n = begin; n < from && n < out.length; n++)
      out[n]! += 0.06 * loud * 4 * (2 * next() - 1) * Math.sin((Math.PI * (n - begin)) / (from - begin));
  }
  return out;
}

/** A two-pole resonator of unit gain at its peak. */
function resonator(hertz: number, width: number): (x: number) => number {
  const r = Math.exp((-Math.PI * width) / RATE);
  const angle = (2 * Math.PI * hertz) / RATE;
  const a1 = -2 * r * Math.cos(angle);
  const a2 = r * r;
  const gain = (1 - r) * Math.sqrt(1 - 2 * r * Math.cos(2 * angle) + r * r);
  let y1 = 0;
  let y2 = 0;
  return (x) => {
    const y = gain * x - a1 * y1 - a2 * y2;
    y2 = y1;
    y1 = y;
    return y;
  };
}
