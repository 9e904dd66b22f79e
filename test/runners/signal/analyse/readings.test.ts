import assert from "node:assert/strict";
import { test } from "node:test";
import { BANDS } from "../../../../runners/signal/analyse/rhythm/bands.ts";
import { FEATURES } from "../../../../runners/signal/analyse/rhythm/features.ts";
import {
  barFeatures,
  onTheBeat,
  phaseFeatures,
  threeInBar,
} from "../../../../runners/signal/analyse/rhythm/readings.ts";
import { rhythmFrom } from "../../../../runners/signal/analyse/rhythm/rhythm.ts";
import { FIRST, ROW } from "../../../../runners/signal/analyse/rhythm/settle.ts";
import { evenPulse, type Step, withPassages } from "../../../../runners/signal/analyse/rhythm/steady.ts";
import { between, type Heard } from "../../../../runners/signal/analyse/rhythm/strokes.ts";

const SECONDS = 40;
const ROWS = Math.round(SECONDS / ROW);

/** Bars of six quavers; kick on the first, snare on those named, cymbals on all, beats heard where kick and snare are, or at `beats`. */
function played(snares: readonly number[], length = 0.25, beats = [0, ...snares]): { quavers: number[]; heard: Heard } {
  const rows = new Float32Array(ROWS * FEATURES);
  const beat = new Float32Array(ROWS);
  const downbeat = new Float32Array(ROWS);
  const rowOf = (time: number): number => Math.round((time - FIRST) / ROW);
  const quavers: number[] = [];
  for (let time = 0.5; time < SECONDS - 1; time += length) {
    const place = quavers.length % 6;
    const strike = (first: number, last: number): void => {
      rows.fill(2, rowOf(time) * FEATURES + BANDS + first, rowOf(time) * FEATURES + BANDS + last);
    };
    strike(27, 32);
    if (place === 0) strike(0, 7);
    if (snares.includes(place)) strike(20, 27);
    beat[rowOf(time)] = beats.includes(place) ? 0.9 : 0.05;
    downbeat[rowOf(time)] = place === 0 ? 0.9 : 0.02;
    quavers.push(time);
  }
  const onsets = quavers.map((time, n) => ({ time: time + 0.001, strength: n % 2 === 0 ? 3 : 1 }));
  return { quavers, heard: { rows, activations: { beat, downbeat }, onsets } };
}

test("threeInBar() tells 3/4 from 6/8 by the six quavers of the bars", () => {
  const waltz = played([2, 4]);
  const jig = played([3]);
  const bars = ({ quavers }: { quavers: number[] }): number[] => quavers.filter((_, n) => n % 6 === 0);
  assert.ok(threeInBar(bars(waltz), waltz.heard)! > 0.8, `${threeInBar(bars(waltz), waltz.heard)}`);
  assert.ok(threeInBar(bars(jig), jig.heard)! < 0.1, `${threeInBar(bars(jig), jig.heard)}`);
  assert.equal(threeInBar(bars(waltz).slice(0, 5), waltz.heard), undefined, "five bars say nothing");
  // Series 8 is the beat's activation: (beats - fourth quaver, beats - weak, fourth - weak, first - fourth).
  const values = barFeatures(bars(waltz), waltz.heard)!;
  for (const [n, expected] of [0.85, 0.85, 0, 0.85].entries())
    assert.ok(Math.abs(values[4 * 8 + n]! - expected) < 1e-6, `${n}: ${values[4 * 8 + n]}`);
});

test("rhythmFrom() leaves three quick beats in a bar where two would be quicker than any bar of two is", async () => {
  const { quavers, heard } = played([3], 1 / 6, [0, 2, 4]);
  const bars = quavers.filter((_, n) => n % 6 === 0);
  // Chords on the fourth quaver make it sound like two in three.
  for (const time of quavers.filter((_, n) => n % 6 === 3)) {
    const row = Math.round((time - FIRST) / ROW);
    heard.rows.fill(2, row * FEATURES + BANDS + 7, row * FEATURES + BANDS + 20);
    heard.activations.beat[row] = 0.5;
  }
  assert.ok(threeInBar(bars, heard)! < 0.3, `${threeInBar(bars, heard)}`);
  const { tempo_bpm, metre } = await rhythmFrom(heard, SECONDS, new AbortController().signal);
  assert.equal(metre.beats_per_bar, 3);
  assert.ok(Math.abs(tempo_bpm - 180) < 1, `${tempo_bpm}`);
});

test("onTheBeat() tells beats from off-beats, and the two add to one", () => {
  const { quavers, heard } = played([2, 4]);
  const beats = quavers.filter((_, n) => n % 2 === 0);
  const on = onTheBeat(beats, heard)!;
  const off = onTheBeat(between(beats), heard)!;
  assert.ok(on > 0.95, `${on}`);
  assert.ok(off < 0.05, `${off}`);
  assert.equal(onTheBeat(beats.slice(0, 12), heard), undefined);
  const values = phaseFeatures(beats, heard)!;
  const turned = phaseFeatures(between(beats), heard)!;
  for (const [n, value] of values.entries())
    assert.ok(Math.abs(value + turned[n]!) < 0.1, `${n}: ${value} ${turned[n]}`);
});

/** Beats every 50.3 steps; from beat 30 on, for a while, the attacks are louder half-way between. */
function heardAs(silent: ReadonlySet<number>): { path: Step[]; evidence: { plain: Float32Array; down: Float32Array } } {
  const pace = 50.3;
  const plain = new Float32Array(Math.ceil(80 * pace)).fill(-4);
  const at = (beat: number): number => Math.round(20 + beat * pace);
  for (let n = 0; n < 78; n++) for (let k = -1; k <= 1; k++) plain[at(n) + k] = silent.has(n) ? -0.5 : 1;
  const down = plain.map((value) => value - 2);
  for (let n = 2; n < 78; n += 4) for (let k = -1; k <= 1; k++) down[at(n) + k] = plain[at(n) + k]! + 1;
  // A path that slips: half a beat on from beat 30, and back from 50.
  const path = Array.from({ length: 78 }, (_, n) => {
    const slip = Math.max(0, Math.min(0.5, (n - 30) / 10, (60 - n) / 10)) * pace;
    return { step: Math.round(at(n) + slip), place: (n + 2) % 4 };
  });
  for (const { step } of path.slice(40, 50)) for (let k = -1; k <= 1; k++) plain[step + k] = 2;
  return { path, evidence: { plain, down } };
}

test("evenPulse() goes through where the loudest is beside the beat, and keeps to the bars", () => {
  const { path, evidence } = heardAs(new Set([33, 36, 44]));
  const pulse = evenPulse(path, evidence, 4)!;
  for (const [n, { step, place }] of pulse.entries()) {
    assert.ok(Math.abs(step - (20 + n * 50.3)) < 2, `beat ${n} at ${step}`);
    assert.equal(place, (n + 2) % 4, `beat ${n}`);
  }
});

test("evenPulse() leaves time that drifts alone, and few beats", () => {
  const { path, evidence } = heardAs(new Set());
  assert.equal(evenPulse(path.slice(0, 31), evidence, 4), undefined);
  const drifting = path.map(({ place }, n) => ({ step: Math.round(20 + n * 46 + 0.05 * n * n), place }));
  const plain = new Float32Array(evidence.plain.length).fill(-4);
  for (const { step } of drifting) plain.fill(1, step - 1, step + 2);
  assert.equal(evenPulse(drifting, { plain, down: plain }, 4), undefined);
});

test("withPassages() keeps a passage in another tempo, and not a path that only slips off the pulse", () => {
  const { path, evidence } = heardAs(new Set([33, 36, 44]));
  const pulse = path.map(({ place }, n) => ({ step: 20 + n * 50.3, place }));
  assert.deepEqual(withPassages(pulse, path, evidence), pulse);
  // Eleven slower beats, then the pulse.
  const slow = Array.from({ length: 11 }, (_, n) => ({ step: 20 + n * 66, place: n % 4 }));
  const rest = pulse.slice(14);
  const plain = new Float32Array(evidence.plain.length).fill(-4);
  for (const { step } of [...slow, ...rest]) plain.fill(1, Math.round(step) - 1, Math.round(step) + 2);
  const loose = [...slow, ...rest.map(({ step, place }) => ({ step: Math.round(step) + 1, place }))];
  assert.deepEqual(withPassages(pulse, loose, { plain, down: plain }), [...slow, ...rest]);
});
