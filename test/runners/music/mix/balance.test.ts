import assert from "node:assert/strict";
import { test } from "node:test";
import { genres, type Part, type Role } from "../../../../runners/music/compose/mod.ts";
import {
  correction,
  equaliser,
  octaveLevels,
  octavePowers,
  spectrumOf,
} from "../../../../runners/music/mix/balance.ts";
import { createDesk } from "../../../../runners/music/mix/desk.ts";
import { LEAD_LUFS, roleLoudness } from "../../../../runners/music/mix/levels.ts";
import { gatedLoudness } from "../../../../runners/music/mix/loudness.ts";
import { FIRST_SIDE, OCTAVES, octaveTargets, sideTargets } from "../../../../runners/music/mix/targets.ts";
import type { Stem } from "../../../../runners/music/play/mod.ts";
import { Reel } from "../../../../runners/reel.ts";
import { Cascade, highPass, lowPass, powerAt } from "../../../../runners/signal/dsp/biquad.ts";
import { correlation, drummed, noise, PLAIN, partOf, RATE, rms, scoreOf, struck } from "./material.ts";

const SECONDS = 3;

test("every genre has a target for every octave, falling towards the treble", () => {
  for (const genre of genres()) {
    const targets = octaveTargets(genre);
    assert.equal(targets.length, OCTAVES.length);
    for (let band = 5; band < OCTAVES.length; band++)
      assert.ok(targets[band]! < targets[band - 1]!, `${genre} ${band}`);
    const slope = (targets[2]! - targets[8]!) / 6;
    assert.ok(slope > 1.5 && slope < 5.5, `${genre} falls ${slope} dB an octave`);
  }
  assert.ok(octaveTargets("trap")[0]! > octaveTargets("rock")[0]! + 5, "more sub in trap");
  assert.ok(octaveTargets("lofi")[8]! < octaveTargets("pop")[8]! - 5, "darker lofi");
});

test("octaveLevels() finds equal octaves in pink noise and 3 dB an octave in white", () => {
  const white = noise(6, 0.3, 1);
  const levels = octaveLevels(white, white, false);
  // The topmost band ends at half the rate, 0.03 octaves early.
  for (let band = 3; band < 10; band++)
    assert.ok(Math.abs(levels[band]! - levels[band - 1]! - 3.01) < 0.9, `band ${band}`);
});

test("equaliser() has the wanted gain in the middle of every octave", () => {
  const wanted = [3, -2, 0, 4, -6, 6, 1, -3, 5, -6];
  const sections = equaliser(wanted);
  for (const [band, middle] of OCTAVES.entries()) {
    const gain = 10 * Math.log10(powerAt(sections, middle, RATE));
    assert.ok(Math.abs(gain - wanted[band]!) < 0.8, `${middle} Hz: ${gain} dB for ${wanted[band]}`);
  }
});

test("equaliser() moves an octave whose sound lies at its edge as far as wanted", () => {
  const spectrum = new Float64Array(6 * OCTAVES.length).fill(1);
  // Of 88 to 177 Hz only the lowest sixth sounds.
  for (let slot = 1; slot < 6; slot++) spectrum[12 + slot] = 0;
  const wanted = OCTAVES.map((_, band) => (band === 2 ? 6 : 0));
  const sections = equaliser(wanted, spectrum);
  const gain = 10 * Math.log10(powerAt(sections, 125 * 2 ** (-5 / 12), RATE));
  assert.ok(Math.abs(gain - 6) < 1, `${gain} dB`);
  const plain = 10 * Math.log10(powerAt(equaliser(wanted), 125 * 2 ** (-5 / 12), RATE));
  assert.ok(plain < 5, `${plain} dB without knowing`);
});

test("correction() leaves bands alone in which nothing plays", () => {
  const targets = octaveTargets("pop");
  const thin = targets.map((target, band) => target - (band < 2 ? 40 : 0));
  assert.deepEqual(correction(thin, targets).slice(0, 2), [0, 0]);
  assert.deepEqual(correction(targets, targets), new Array(OCTAVES.length).fill(0));
  const far = correction(
    targets.map((target, band) => target + (band % 2 === 0 ? 14 : -14)),
    targets,
  );
  assert.ok(far.every((gain, band) => gain <= (band > 0 && band < 4 ? 10 : 8) && gain >= -12));
});

test("gatedLoudness() is that of BS.1770 where steps divide the time", () => {
  // A K-weighted mean square of 1 is -0.691 LUFS; half the time in silence counts nothing but its edge.
  const powers = new Float32Array(13_800).fill(1);
  assert.ok(Math.abs(gatedLoudness(powers, undefined, false) + 0.691) < 1e-6);
  powers.fill(0, 6900);
  assert.ok(Math.abs(gatedLoudness(powers, undefined, false) + 0.691) < 0.2);
  assert.equal(gatedLoudness(new Float32Array(100), undefined, true), Number.NEGATIVE_INFINITY);
});

async function mixOf(parts: readonly Part[], stems: readonly Stem[], genre: "pop" | "trap" | "ambient", width = 0.6) {
  const desk = createDesk(scoreOf(parts, { genre, width, space: 0.5 }), {
    frames: SECONDS * RATE,
    ring: false,
    seed: 1,
  });
  const { signal } = new AbortController();
  for (const [index, part] of parts.entries()) await desk.add(part, stems[index]!, signal);
  return (await desk.finish(signal)).channels;
}

test("roles come out as loud against one another as the genre's table says", async () => {
  // Two bands of noise far apart, found again in the mix by filters; tone and glue move both by little.
  const band = (low: number, high: number, seed: number): Float32Array => {
    const samples = Float64Array.from(noise(SECONDS, 0.3, seed));
    const narrow = [highPass(low, RATE), highPass(low, RATE), lowPass(high, RATE), lowPass(high, RATE)];
    new Cascade([...narrow, ...narrow]).run(samples, undefined, samples.length);
    return Float32Array.from(samples);
  };
  const heard = async (level_db: number): Promise<number> => {
    const parts = [partOf("lead"), partOf("counter", { level_db })];
    const channels = await mixOf(parts, [[band(500, 700, 1)], [band(700, 1000, 2).map((x) => 0.02 * x)]], "pop", 0);
    const low = Float64Array.from(channels[0]!);
    const high = Float64Array.from(channels[0]!);
    new Cascade(new Array(4).fill(lowPass(600, RATE))).run(low, undefined, low.length);
    new Cascade(new Array(4).fill(highPass(850, RATE))).run(high, undefined, high.length);
    return 20 * Math.log10(rms(Float32Array.from(high)) / rms(Float32Array.from(low)));
  };
  const [plain, louder] = [await heard(0), await heard(6)];
  assert.ok(Math.abs(louder - plain - 6) < 2, `6 dB more are ${louder - plain}`);
  assert.ok(roleLoudness("bass", "hip_hop") > roleLoudness("bass", "folk") + 3);
  assert.equal(roleLoudness("lead", "pop"), LEAD_LUFS);
});

test("whatever comes in, left and right stay alike, and the bass is in the middle", async () => {
  const opposed = noise(SECONDS, 0.2, 1);
  const roles: readonly Role[] = ["drums", "bass", "pad", "lead"];
  const parts = roles.map((role, index) => partOf(role, { pan: [0, 0.8, -0.7, 0.5][index]! }));
  const sets: readonly (readonly Stem[])[] = [
    // All in the middle.
    [[drummed(SECONDS)], [struck(SECONDS, [55], 0.25)], [struck(SECONDS, [220], 1)], [struck(SECONDS, [660], 0.5)]],
    // All sides, no middle.
    parts.map((): Stem => [opposed, opposed.map((x) => -x)]),
    // Nothing in common.
    parts.map((_, index): Stem => [noise(SECONDS, 0.2, 2 * index), noise(SECONDS, 0.2, 2 * index + 1)]),
  ];
  for (const [index, stems] of sets.entries()) {
    for (const genre of ["trap", "ambient"] as const) {
      const [left, right] = await mixOf(parts, stems, genre);
      // Opposed channels alone have no middle to come from.
      if (index !== 1) {
        const alike = correlation(left!, right!);
        // Most of trap is a bass in the middle.
        assert.ok(alike > 0.2 && alike < 0.97, `set ${index}, ${genre}: ${alike}`);
        const { middle, side } = spectrumOf(Reel.of(left!), Reel.of(right!), false);
        const [middles, sides] = [octavePowers(middle), octavePowers(side)];
        const targets = sideTargets({ ...PLAIN, genre, width: 0.6 });
        for (let band = 0; band < 5; band++) {
          const share = 10 * Math.log10(sides[FIRST_SIDE + band]! / middles[FIRST_SIDE + band]!);
          assert.ok(Math.abs(share - targets[band]!) < 6, `set ${index}, ${genre}: ${share} dB at ${band}`);
        }
      }
      const side = Float64Array.from(left!, (value, n) => value - right![n]!);
      const middle = Float64Array.from(left!, (value, n) => value + right![n]!);
      for (const samples of [side, middle])
        new Cascade(new Array(6).fill(lowPass(80, RATE))).run(samples, undefined, samples.length);
      if (index !== 1) {
        const share = 20 * Math.log10(rms(Float32Array.from(side)) / rms(Float32Array.from(middle)));
        assert.ok(share < -18, `set ${index}, ${genre}: side under 80 Hz ${share} dB`);
      }
    }
  }
});
