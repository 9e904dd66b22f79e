/** Places and moods of films. */
import { exp2 } from "../../signal/dsp/exact.ts";
import type { Voice } from "../voice.ts";

/** Detuned saws on a root and fifth, slowly opening filter: the same chord never twice. */
export function drone(voice: Voice): void {
  const base = 55 * voice.tune;
  for (const [ratio, pan] of [
    [1, 0],
    [1.003, -0.8],
    [1.5, 0.7],
    [2.004, -0.5],
    [2.99, 0.9],
  ] as const) {
    const drift = voice.wander(0.3, base * ratio * 0.996, base * ratio * 1.004);
    const tone = voice.osc("saw", drift, 0.4 / ratio);
    voice.filter(tone, "low", voice.wander(0.25 * voice.traits.speed, 140 * voice.open, 900 * voice.open), 1.6);
    voice.add(voice.shape(tone, voice.wander(0.4, 0.4, 1)), 1, pan);
  }
  voice.wide(
    () =>
      voice.shape(
        voice.filter(voice.noise("pink"), "band", voice.wander(0.3, 300, 1100), 1.2),
        voice.wander(0.4, 0.1, 1),
      ),
    0.4,
    1,
  );
}

export function space(voice: Voice): void {
  const base = 110 * voice.tune;
  for (const [ratio, pan] of [
    [1, -0.4],
    [1.498, 0.5],
    [2.245, -0.8],
    [3.01, 0.8],
    [4.5, 0],
  ] as const) {
    const tone = voice.fm(
      voice.wander(0.2, base * ratio * 0.997, base * ratio * 1.003),
      1.002,
      voice.wander(0.2, 0.2, 1.6),
      0.4 / ratio,
    );
    voice.add(voice.shape(tone, voice.wander(0.3, 0.05, 1)), 1, pan);
  }
  voice.wide(
    () =>
      voice.shape(
        voice.filter(voice.noise("pink"), "band", voice.wander(0.25, 250, 1600), 3),
        voice.wander(0.3, 0.1, 1),
      ),
    0.5,
    1,
  );
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 120), 0.6, 0.6);
}

export function underwater(voice: Voice): void {
  voice.wide(
    () =>
      voice.shape(voice.filter(voice.noise("brown"), "low", voice.wander(0.6, 160, 420)), voice.wander(0.8, 0.6, 1)),
    1.6,
    0.8,
  );
  const pops = voice.templates(20, 0.16, (one) => {
    const hertz = 3.26 / one.between(0.003, 0.012);
    one.tone({ t60: 0.08, attack: 0.004, hertz, to: hertz * 1.6, gain: 1 });
    one.filter(one.left, "low", 900);
  });
  voice.scatter(pops, { density: voice.scale(voice.wander(0.8, 0, 1), 24), spread_db: 20, width: 0.8, gain: 0.5 });
}

export function tension(voice: Voice): void {
  const base = 233 * voice.tune;
  for (let n = 0; n < 7; n++) {
    const ratio = exp2((n * 1.02) / 12 + voice.between(-0.01, 0.01));
    const tone = voice.osc("saw", voice.wander(5, base * ratio * 0.994, base * ratio * 1.006), 0.3);
    voice.filter(tone, "band", 1700 * voice.open, 0.6);
    voice.shape(tone, voice.wander(9, 0.6, 1));
    voice.add(voice.shape(tone, voice.wander(0.4, 0.3, 1)), 0.8, -0.9 + 0.3 * n);
  }
  voice.wide(() => voice.filter(voice.noise("brown"), "low", 90), 0.9, 0.6);
}
