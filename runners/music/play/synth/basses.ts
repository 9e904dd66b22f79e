/** Synthesised basses: monophonic, in the middle, with their fundamental where the note is. */
import { control, STEP, shape } from "../../../signal/dsp/control.ts";
import { sine } from "../../../signal/dsp/exact.ts";
import { halve } from "../../../signal/dsp/half_band_fir.ts";
import { ladder } from "../../../signal/dsp/ladder.ts";
import { octaves } from "../../../signal/dsp/octave_table.ts";
import { release } from "../../../signal/dsp/release.ts";
import { svf } from "../../../signal/dsp/svf.ts";
import { addWave, type Drift, wavetable } from "../../../signal/dsp/wavetable.ts";
import { adsr, fall, pitches } from "./motion.ts";
import { end, extent, loudness, type Sound } from "./patch.ts";
import type { Phrase } from "./phrase.ts";

export type Render = (phrase: Phrase, frames: number, rate: number, next: () => number, drift: Drift) => Sound;

const STILL: Drift = new Float32Array(2);

/** The long kick of the TR-808 as a bass: a sine that drops a fifth at its attack, rings on, and is driven until small speakers show it. */
export const subBass: Render = (phrase, frames, rate) => {
  const amp = { attack: 0.0015, decay: 5.5, sustain: 0, release: 0.16 };
  const length = extent(phrase, amp.release, frames, rate);
  const out = new Float32Array(length);
  const hertz = pitches(phrase, length, rate, 0.05, 0.14);
  // The drop: an octave and a half within 40 ms, under the click that it makes.
  let height = 1.3;
  const down = octaves((-9.965784 * STEP) / (0.11 * rate));
  for (let n = 0; n < hertz.length && height > 0.0005; n++) {
    hertz[n] = hertz[n]! * octaves(height);
    height *= down;
  }
  const level = adsr(length, rate, amp, phrase.held);
  const drive = control(length);
  const firm = phrase.notes[0]!.velocity;
  for (let n = 0; n < drive.length; n++) drive[n] = level[n]! * (1 + 2.3 * firm);
  addWave(out, undefined, rate, {
    wave: wavetable("sine"),
    hertz,
    ratio: 1,
    drift: STILL,
    drift_at: 0,
    drift_depth: 0,
    gain_left: 1,
    gain_right: 0,
    phase: 0,
  });
  shape(out, drive);
  for (let n = 0; n < length; n++) {
    // A little asymmetry gives the even harmonics of a driven amplifier.
    const x = Math.min(3, Math.max(-3, out[n]! + 0.12 * out[n]! * out[n]!));
    out[n] = (x * (27 + x * x)) / (27 + 9 * x * x);
  }
  svf(out, rate, "high", 18, 0.7);
  // What is left of the envelope after saturation: the release, and the note's level.
  const gate = adsr(length, rate, { attack: 0.001, decay: 1, sustain: 1, release: amp.release }, phrase.held);
  loudness(gate, phrase, 0.22);
  shape(out, gate);
  end(out);
  return [out];
};

/** The TB-303: a saw into a ladder whose resonance sings, accents that open it, slides that take a fixed time. */
export const acidBass: Render = (phrase, frames, rate) => {
  const length = extent(phrase, 0.03, frames, rate);
  const twice = new Float32Array(2 * length);
  const hertz = pitches(phrase, length, rate, 0.055, 0.07);
  // The oscillator runs at twice the rate: two frames for each of the control signal's.
  const held = stretch(hertz);
  addWave(twice, undefined, 2 * rate, {
    wave: wavetable("saw"),
    hertz: held,
    ratio: 1,
    drift: STILL,
    drift_at: 0,
    drift_depth: 0,
    gain_left: 0.8,
    gain_right: 0,
    phase: 0,
  });
  svf(twice, 2 * rate, "high", 24, 0.7);
  const cutoff = control(length);
  const resonance = control(length);
  const level = control(length);
  let index = -1;
  let sweep = 0;
  // Accents charge a capacitor: those that follow one another open further.
  let weight = phrase.notes[0]!.accent ? 0.8 : 0;
  let accent = 0;
  let open = 0;
  let down = fall(0.9, rate);
  const away = fall(0.03, rate);
  const notes = phrase.notes;
  const off = Math.max(1, Math.round(phrase.held / STEP));
  for (let n = 0; n < level.length; n++) {
    while (index + 1 < notes.length && notes[index + 1]!.at <= n * STEP) {
      index++;
      const note = notes[index]!;
      open = note.velocity;
      if (index === 0) {
        sweep = 1;
        down = fall(note.accent ? 0.6 : 1.1, rate);
      } else if (note.accent) sweep = Math.max(sweep, 0.8);
      accent = note.accent ? 1 : 0;
    }
    weight += (accent - weight) * 0.02;
    sweep *= down;
    const key = (notes[index]!.pitch - 36) / 12;
    cutoff[n] = Math.min(14_000, 380 * octaves(0.3 * key + (2.7 + 1.3 * weight) * sweep + 1.9 * (open - 0.6)));
    resonance[n] = 0.84 + 0.08 * weight * sweep + 0.06 * open;
    level[n] = n === 0 ? 0 : n > off ? level[n - 1]! * away : Math.min(1, level[n - 1]! + 0.4);
  }
  ladder(twice, 2 * rate, cutoff, resonance, 0.18, 2 * STEP);
  const out = halve(twice);
  release(twice);
  svf(out, rate, "high", 28, 0.7);
  loudness(level, phrase, 0.8);
  shape(out, level);
  end(out);
  return [out];
};

/** Three detuned saws beating against one another under a sine, through a low-pass and a notch that travel: K. Saunderson's bass. */
export const reeseBass: Render = (phrase, frames, rate, next, drift) => {
  const amp = { attack: 0.006, decay: 2, sustain: 0.9, release: 0.14 };
  const length = extent(phrase, amp.release, frames, rate);
  const out = new Float32Array(length);
  const sub = new Float32Array(length);
  const hertz = pitches(phrase, length, rate, 0.06, 0.16);
  const reading = { hertz, drift, drift_depth: 0.0018, gain_right: 0 };
  for (const cents of [-19, 2, 17]) {
    addWave(out, undefined, rate, {
      ...reading,
      wave: wavetable("saw"),
      ratio: octaves(cents / 1200),
      drift_at: Math.floor(next() * drift.length),
      gain_left: 0.42,
      phase: next(),
    });
  }
  addWave(sub, undefined, rate, {
    ...reading,
    wave: wavetable("sine"),
    ratio: 1,
    drift_at: 0,
    drift_depth: 0,
    gain_left: 0.95,
    phase: 0,
  });
  const firm = phrase.notes[0]!.velocity;
  const cutoff = control(length);
  const notch = control(length);
  const pace = 0.11 + 0.09 * next();
  const phase = next();
  for (let n = 0; n < cutoff.length; n++) {
    const time = (n * STEP) / rate;
    cutoff[n] = Math.min(9000, 750 * octaves(1.1 * sine(phase + pace * time) + 2 * (firm - 0.6)));
    notch[n] = 420 * octaves(1.3 * sine(phase + 0.37 + 0.7 * pace * time));
  }
  // A notch is what a narrow band-pass leaves.
  const band = out.slice();
  svf(band, rate, "band", notch, 1.1);
  for (let n = 0; n < length; n++) out[n] = out[n]! - 0.95 * band[n]!;
  release(band);
  svf(out, rate, "low", cutoff, 1.3);
  svf(out, rate, "low", cutoff, 0.6);
  // The saws leave the bottom to the sine, which does not beat.
  svf(out, rate, "high", 110, 0.7);
  for (let n = 0; n < length; n++) {
    const x = Math.min(3, Math.max(-3, 1.3 * out[n]!));
    out[n] = (x * (27 + x * x)) / (27 + 9 * x * x) + sub[n]!;
  }
  release(sub);
  const level = adsr(length, rate, amp, phrase.held);
  loudness(level, phrase, 0.19);
  shape(out, level);
  end(out);
  return [out];
};

/** A control signal at half the speed, for what runs at twice the rate. */
function stretch(signal: Float32Array): Float32Array {
  const out = new Float32Array(2 * signal.length + 1);
  for (let n = 0; n < signal.length; n++) {
    out[2 * n] = signal[n]!;
    out[2 * n + 1] = n + 1 < signal.length ? (signal[n]! + signal[n + 1]!) / 2 : signal[n]!;
  }
  out[out.length - 1] = signal.at(-1)!;
  return out;
}
