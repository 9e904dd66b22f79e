/** Devices that give signals. */
import { wave } from "../../signal/dsp/control.ts";
import { exp2 } from "../../signal/dsp/exact.ts";
import { through, type Voice } from "../voice.ts";
import { strike } from "./bodies.ts";

/** A ping, and what comes back from afar. */
export function sonar(voice: Voice): void {
  const hertz = 1080 * voice.tune;
  for (const [at, gain, pan] of [
    [0, 1, 0],
    [0.55, 0.28, -0.5],
    [1.1, 0.1, 0.6],
  ] as const) {
    if (at > voice.seconds - 0.2) continue;
    const t60 = voice.fit(1.7 * voice.long, 0.9 * (1 - at / voice.seconds));
    voice.tone({ at, attack: 0.006, t60, hertz, to: hertz * 0.992, gain, pan });
    voice.tone({ at, attack: 0.006, t60: t60 * 0.4, hertz: hertz * 2, gain: 0.12 * gain, pan });
  }
}

/** Clicks as chance has them, in slow waves of more and fewer. */
export function geiger(voice: Voice): void {
  const clicks = voice.templates(4, 0.012, (one) => {
    one.burst({ attack: 0.0002, t60: 0.004, hertz: 3200 * one.open, q: 0.9 });
    one.burst({ attack: 0.0002, t60: 0.008, hertz: 900, q: 1, gain: 0.5 });
  });
  const rate = exp2(3 * voice.traits.intensity) * voice.traits.speed;
  voice.scatter(clicks, { density: voice.wander(0.7, 2 * rate, 12 * rate), spread_db: 3, width: 0.05, gain: 1 });
}

/** DTMF (ITU-T Q.23): rows and columns, Hz. */
const ROWS = [697, 770, 852, 941] as const;
const COLUMNS = [1209, 1336, 1477] as const;

/** A modem of the nineties: dial tone, digits, answer tone, then the two ends talk over each other in noise. */
export function modem(voice: Voice): void {
  const end = voice.seconds;
  const span = end / 6;
  const tone = (hertz: number, from: number, to: number, gain: number): void => {
    const samples = voice.osc("sine", hertz, gain);
    voice.add(voice.shape(samples, through(from, 0, from + 0.005, 1, to - 0.005, 1, to, 0)), 1);
  };
  tone(350, 0, span * 0.6, 0.4);
  tone(440, 0, span * 0.6, 0.4);
  for (let n = 0; n < 7; n++) {
    const at = span * (0.7 + 0.13 * n);
    tone(ROWS[Math.floor(voice.next() * 4)]!, at, at + span * 0.08, 0.45);
    tone(COLUMNS[Math.floor(voice.next() * 3)]!, at, at + span * 0.08, 0.45);
  }
  tone(2100, span * 1.8, span * 2.5, 0.5);
  tone(1650, span * 2.55, span * 3, 0.4);
  tone(1180, span * 2.8, span * 3.3, 0.3);
  // Symbols that change 75 times a second, first few, then many.
  const warble = voice.osc("sine", voice.scale(voice.wander(150, 0.6, 1.5), 1400), 0.6);
  voice.add(voice.shape(warble, through(span * 3.1, 0, span * 3.15, 1, span * 4.2, 0.8, span * 4.3, 0)), 1);
  const hash = voice.noise("white");
  voice.filter(hash, "band", 1700 * voice.open, 0.7);
  voice.add(
    voice.shape(hash, through(span * 4.2, 0, span * 4.25, 1, span * 4.6, 0.6, span * 4.65, 1.1, end * 0.98, 1, end, 0)),
    1.1,
  );
}

/** A relay: on and off do not sound alike. */
export function blinker(voice: Voice): void {
  const on = voice.turn % 2 === 0;
  strike(voice, "plastic", { tune: on ? 3 : 2.3, ringing: 0.3, hardness: 0.9, gain: on ? 1 : 0.8 });
  voice.burst({ attack: 0.0003, t60: 0.012, hertz: on ? 3600 : 2500, gain: 0.8 });
}

export function monitorBeep(voice: Voice): void {
  const length = Math.min(0.11, voice.seconds * 0.8);
  const tone = voice.osc("sine", 960 * voice.tune, 1);
  const second = voice.osc("sine", 1920 * voice.tune, 0.12);
  for (let n = 0; n < tone.length; n++) tone[n] = tone[n]! + second[n]!;
  voice.add(voice.shape(tone, through(0, 0, 0.004, 1, length - 0.006, 1, length, 0)), 0.8);
}

/** The beeps of a monitor that come to an end: one tone, on and on. */
export function flatline(voice: Voice): void {
  const end = voice.seconds;
  const level: (readonly [number, number])[] = [];
  for (const at of [0, 0.16, 0.34]) {
    const start = end * at;
    const length = Math.min(0.11, end * 0.08);
    level.push([start, 0], [start + 0.004, 1], [start + length, 1], [start + length + 0.004, 0]);
  }
  level.push([end * 0.56, 0], [end * 0.56 + 0.004, 1], [end * 0.98, 1], [end, 0]);
  voice.add(voice.shape(voice.osc("sine", 960 * voice.tune, 0.9), level), 0.8);
}

/** Four notes down by half steps through a plunger, the last one long, shaking and falling: somebody has lost. */
export function sadTrombone(voice: Voice): void {
  const step = voice.seconds / 5.6;
  const [pitch, level, mute]: number[][] = [[], [], []];
  for (let note = 0; note < 4; note++) {
    const [at, end] = [note * step, note === 3 ? voice.seconds : (note + 0.93) * step];
    const hertz = 233 * exp2(-note / 12) * voice.tune;
    pitch!.push(
      at,
      hertz * 0.97,
      at + 0.05,
      hertz,
      at + 0.8 * (end - at),
      hertz,
      end,
      note === 3 ? hertz * 0.9 : hertz,
    );
    level!.push(at, 0, at + 0.03, 1, at + 0.75 * (end - at), 0.8, end, 0);
    mute!.push(at, 330, at + 0.35 * (end - at), 1500 * voice.open, end, 380);
  }
  const shaking = wave(voice.frames, voice.rate, 5.6, 0.992, 1.008);
  const tone = voice.osc("saw", voice.scale(voice.glide(...pitch!), shaking), 0.7);
  voice.filter(tone, "low", voice.glide(...mute!), 2.5);
  voice.add(voice.shape(tone, voice.line(...level!)), 1);
}
