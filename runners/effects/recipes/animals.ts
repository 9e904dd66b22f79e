/** Animals with a call of their own, beside those in `life.ts`; wings. */
import { wave } from "../../signal/dsp/control.ts";
import type { Renders } from "../recipe.ts";
import { through, type Voice } from "../voice.ts";
import { throat } from "./throat.ts";

/** A whinny: high at first, falling in shakes, and a snort at the end. */
function neigh(voice: Voice): void {
  const end = voice.seconds;
  const pitch = voice.vary(880 * voice.tune, 0.1);
  const path = voice.glide(0, pitch * 0.7, end * 0.12, pitch * 1.35, end * 0.35, pitch * 1.1, end * 0.8, pitch * 0.42);
  const shake = wave(voice.frames, voice.rate, 11.5 * voice.traits.speed, 0.9, 1.1);
  const level = voice.line(0, 0, end * 0.06, 0.8, end * 0.3, 1, end * 0.7, 0.4, end * 0.82, 0);
  throat(voice, {
    hertz: voice.scale(path, shake),
    breath: 0.15,
    drive: 2,
    level: through(0, 1, end, 1),
    formants: [
      [950, 3, 1],
      [1750, 4, 0.8],
      [3100, 4, 0.4],
    ],
  });
  const tremble = voice.scale(level, wave(voice.frames, voice.rate, 11.5 * voice.traits.speed, 0.45, 1));
  voice.shape(voice.left, tremble);
  voice.shape(voice.right, tremble);
  const snort = voice.noise("pink");
  voice.filter(snort, "band", 900 * voice.open, 0.8);
  voice.shape(snort, wave(voice.frames, voice.rate, 26, 0.2, 1));
  voice.shape(snort, through(end * 0.78, 0, end * 0.84, 1, end * 0.97, 0));
  voice.add(snort, 1.2);
}

/** Long notes under water, each gliding to another place, with an octave above. */
function whale(voice: Voice): void {
  for (let at = 0.05; at < voice.seconds - 0.6; ) {
    const length = Math.min(voice.seconds - at, voice.between(1.2, 2.6) / voice.traits.speed);
    const from = voice.between(130, 420) * voice.tune;
    const to = from * voice.between(0.55, 1.9);
    const song = voice.buffer();
    const path = voice.glide(0, from, length * 0.5, to, length, to * voice.between(0.7, 1.3));
    const level = through(0, 0, length * 0.3, 1, length * 0.7, 0.8, length, 0);
    for (const [ratio, gain] of [
      [1, 1],
      [2, 0.35],
      [3, 0.12],
    ] as const) {
      const tone = voice.osc("sine", voice.scale(path, ratio), gain);
      for (let n = 0; n < song.length; n++) song[n] = song[n]! + tone[n]!;
    }
    voice.shape(song, level);
    const pan = voice.between(-0.5, 0.5);
    voice.add(song, voice.between(0.6, 1), pan, at);
    // The sea gives it back.
    voice.add(song, 0.3, -pan, at + 0.31);
    voice.add(song, 0.15, pan, at + 0.67);
    at += length * voice.between(0.8, 1.4);
  }
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 260 * voice.open), 0.25, 0.9);
}

/** Horny rings at forty and more a second, whose level swells. */
function rattlesnake(voice: Voice): void {
  const end = voice.seconds;
  const rings = (): Float32Array => {
    const samples = voice.noise("white");
    voice.filter(samples, "band", 6200 * voice.open * voice.traits.pitch, 0.9);
    voice.shape(samples, wave(voice.frames, voice.rate, voice.vary(46 * voice.traits.speed, 0.05), 0.06, 1));
    return voice.shape(samples, through(0, 0.2, end * 0.25, 1, end * 0.8, 0.9, end, 0));
  };
  voice.wide(rings, 1, 0.3);
}

/** One beat of a pair of wings. */
function wingbeat(voice: Voice): void {
  const end = Math.min(voice.seconds, 0.1 * voice.long);
  const push = voice.noise("pink");
  voice.filter(push, "band", voice.vary(620 * voice.open * voice.tune, 0.15), 0.7);
  voice.shape(push, through(0, 0, end * 0.3, 1, end, 0));
  voice.add(push, 1, voice.turn % 2 === 0 ? -0.25 : 0.25);
  voice.burst({ at: end * 0.25, t60: 0.03, hertz: 2600 * voice.open, q: 0.8, gain: 0.35 });
}

/** Trains of clicks, and whistles that loop up and down. */
function dolphin(voice: Voice): void {
  const clicks = voice.templates(4, 0.01, (one) => one.burst({ attack: 0.0002, t60: 0.004, hertz: 6500, q: 1.2 }));
  for (let at = 0.02, turn = 0; at < voice.seconds - 0.3; turn++) {
    const length = Math.min(voice.seconds - at, voice.between(0.25, 0.55));
    if (turn % 2 === 0) {
      let gap = 0.022;
      for (let t = 0; t < length; t += gap, gap *= 0.965) voice.add(clicks[turn % 4]!, 0.6, 0.2, at + t);
    } else {
      const from = voice.between(3200, 5200) * voice.tune;
      const song = voice.osc(
        "sine",
        voice.glide(0, from, length * 0.4, from * voice.between(1.4, 1.9), length, from * voice.between(0.8, 1.3)),
        0.7,
      );
      const sung = voice.shape(song, through(0, 0, length * 0.2, 1, length * 0.8, 0.8, length, 0));
      voice.add(sung, 1, -0.2, at);
    }
    at += length * voice.between(1.1, 1.5);
  }
}

/** One hoot of an ape: short, rising, hoarse. */
function ape(voice: Voice): void {
  const end = Math.min(voice.seconds, 0.24);
  const climb = 1 + 0.06 * Math.min(8, voice.turn);
  const pitch = voice.vary(330 * voice.tune, 0.06) * climb;
  throat(voice, {
    hertz: voice.glide(0, pitch * 0.8, end * 0.6, pitch * 1.35, end, pitch),
    breath: voice.turn % 2 === 0 ? 0.15 : 0.5,
    drive: 2,
    level: through(0, 0, end * 0.25, 1, end * 0.7, 0.7, end, 0),
    formants: [
      [voice.turn % 2 === 0 ? 520 : 850, 4, 1],
      [1150, 5, 0.7],
      [2600, 4, 0.3],
    ],
  });
}

export const ANIMALS: Renders = {
  neigh,
  pig: "call",
  sheep: "call",
  duck: "call",
  seagull: "call",
  crow: "call",
  elephant: "call",
  whale,
  dolphin,
  monkey: ape,
  rattlesnake,
  wings: wingbeat,
};
