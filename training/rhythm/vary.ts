/** Styles between the styles, and mixes as other hands would make them: what keeps the beat network from learning one composer by heart. */
import { random } from "../../runners/signal/dsp/random.ts";
import type { Stems } from "../material/render.ts";
import { STYLES, type Style } from "../material/styles.ts";

const RATE = 44_100;

/** `genre` with tempo, feel and patterns drawn anew: now and then the drums, figures or bass of another style that counts alike. */
export function varied(genre: string, seed: number, without: ReadonlySet<string> = new Set()): Style {
  const own = STYLES[genre]!;
  const next = random(Math.imul(seed, 0x85eb_ca6b) ^ genre.length ^ (genre.charCodeAt(0) << 8));
  const middle = Math.sqrt(own.tempo[0] * own.tempo[1]);
  const kin = Object.entries(STYLES)
    .filter(([name, other]) => {
      const ratio = Math.sqrt(other.tempo[0] * other.tempo[1]) / middle;
      const counts = other.steps === own.steps && other.beats_per_bar === own.beats_per_bar;
      return name !== genre && !without.has(name) && counts && ratio > 0.72 && ratio < 1.4;
    })
    .map(([, other]) => other);
  const relative = (): Style => kin[Math.floor(next() * kin.length)] ?? own;
  const straight = own.steps === 4 && own.swing[1] < 0.55;
  const feel = next();
  return {
    ...own,
    tempo: [Math.max(46, own.tempo[0] * 0.93), own.tempo[1] * 1.07],
    swing: straight && feel < 0.12 ? [0.54, 0.66] : own.swing,
    swung: feel < 0.06 ? "quavers" : own.swung,
    time: next() < 0.15 ? (["steady", "human", "rubato"] as const)[Math.floor(next() * 3)]! : own.time,
    drums: next() < 0.3 ? relative().drums : own.drums,
    bass: next() < 0.3 ? relative().bass : own.bass,
    bass_programs: next() < 0.3 ? relative().bass_programs : own.bass_programs,
    comps: next() < 0.3 ? relative().comps : own.comps,
    lead_programs: next() < 0.4 ? relative().lead_programs : own.lead_programs,
    sung: Math.max(own.sung, 0.5),
  };
}

/** One channel at 44.1 kHz: the stems balanced, coloured, compressed, in a room and in noise as `seed` has it. */
export function mixed(stems: Stems, seed: number): Float32Array {
  const next = random(seed ^ 0x5bd1_e995);
  const between = (low: number, high: number): number => low + (high - low) * next();
  const missing = next();
  const gains = {
    drums: missing < 0.1 ? 0 : 10 ** (between(-9, 6) / 20),
    bass: missing > 0.1 && missing < 0.18 ? 0 : 10 ** (between(-9, 5) / 20),
    other: missing > 0.18 && missing < 0.2 ? 0.02 : 10 ** (between(-5, 5) / 20),
    vocals: missing > 0.2 && missing < 0.27 ? 0 : 10 ** (between(-4, 9) / 20),
  };
  const frames = stems.bass[0].length;
  const out = new Float32Array(frames);
  for (const name of ["drums", "bass", "other", "vocals"] as const) {
    const gain = 0.5 * gains[name];
    const [left, right] = stems[name];
    for (let n = 0; n < frames; n++) out[n]! += gain * (left[n]! + right[n]!);
  }
  colour(out, next);
  return out;
}

/** Tone, room, compression, drive and noise of other hands than those that mixed it, in place: 44.1 kHz. */
export function colour(out: Float32Array, next: () => number): void {
  const between = (low: number, high: number): number => low + (high - low) * next();
  if (next() < 0.6) tilt(out, 10 ** between(2.3, 3.6), 10 ** (between(-7, 7) / 20));
  if (next() < 0.35) tilt(out, 10 ** between(3.3, 3.9), 10 ** (between(-24, 3) / 20));
  if (next() < 0.2) tilt(out, 150, 1 / 10 ** (between(-20, 4) / 20));
  if (next() < 0.45) reverberate(out, between(0.08, 0.55), between(0.4, 2.2), next);
  if (next() < 0.5) compress(out, between(0.1, 0.4), between(2, 8), between(0.04, 0.25));
  if (next() < 0.15) drive(out, between(1.5, 5));
  if (next() < 0.4) hiss(out, 10 ** (between(-62, -30) / 20), next);
}

/** Above `hertz` by `gain`, below as it was: one pole. */
function tilt(samples: Float32Array, hertz: number, gain: number): void {
  const pole = 1 - Math.exp((-2 * Math.PI * hertz) / RATE);
  let low = 0;
  for (let n = 0; n < samples.length; n++) {
    low += pole * (samples[n]! - low);
    samples[n] = low + gain * (samples[n]! - low);
  }
}

/** Schroeder's reverberator: six combs side by side and two all-passes behind. */
function reverberate(samples: Float32Array, wet: number, seconds: number, next: () => number): void {
  const count = samples.length;
  const tail = new Float32Array(count);
  for (let k = 0; k < 6; k++) {
    const delay = Math.round(RATE * (0.025 + 0.004 * k + 0.003 * next()));
    const feedback = 10 ** ((-3 * delay) / RATE / seconds);
    const line = new Float32Array(delay);
    let damped = 0;
    for (let n = 0, at = 0; n < count; n++) {
      const heard = line[at]!;
      damped += 0.6 * (heard - damped);
      line[at] = samples[n]! + feedback * damped;
      tail[n]! += heard / 6;
      if (++at === delay) at = 0;
    }
  }
  for (const delay of [221, 556]) {
    const line = new Float32Array(delay);
    for (let n = 0, at = 0; n < count; n++) {
      const held = line[at]!;
      const fed = tail[n]! + 0.6 * held;
      tail[n] = held - 0.6 * fed;
      line[at] = fed;
      if (++at === delay) at = 0;
    }
  }
  let dry = 1e-9;
  let late = 1e-9;
  for (let n = 0; n < count; n++) {
    dry += samples[n]! * samples[n]!;
    late += tail[n]! * tail[n]!;
  }
  const scale = wet * Math.sqrt(dry / late);
  for (let n = 0; n < count; n++) samples[n] = (1 - 0.5 * wet) * samples[n]! + scale * tail[n]!;
}

/** Above `threshold` of the peak by `ratio`: attack of 4 ms, release in seconds. */
function compress(samples: Float32Array, threshold: number, ratio: number, release: number): void {
  const peak = peakOf(samples);
  const up = 1 - Math.exp(-1 / (0.004 * RATE));
  const down = 1 - Math.exp(-1 / (release * RATE));
  let level = 0;
  for (let n = 0; n < samples.length; n++) {
    const size = Math.abs(samples[n]!) / peak;
    level += (size > level ? up : down) * (size - level);
    if (level > threshold) samples[n]! *= (level / threshold) ** (1 / ratio - 1);
  }
}

function drive(samples: Float32Array, amount: number): void {
  const scale = amount / peakOf(samples);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.tanh(scale * samples[n]!);
}

/** Noise of `level` of the peak, between white and red. */
function hiss(samples: Float32Array, level: number, next: () => number): void {
  const gain = level * peakOf(samples);
  const pole = 0.02 + 0.98 * next();
  let red = 0;
  for (let n = 0; n < samples.length; n++) {
    red += pole * (2 * next() - 1 - red);
    samples[n]! += (gain * red) / Math.sqrt(pole / (2 - pole));
  }
}

function peakOf(samples: Float32Array): number {
  let peak = 1e-6;
  for (let n = 0; n < samples.length; n++) peak = Math.max(peak, Math.abs(samples[n]!));
  return peak;
}
