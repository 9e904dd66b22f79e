import assert from "node:assert/strict";
import { test } from "node:test";
import { BANDS } from "../../../../runners/signal/analyse/rhythm/bands.ts";
import { FEATURES } from "../../../../runners/signal/analyse/rhythm/features.ts";
import { doubled, everyOther, pulseFeatures } from "../../../../runners/signal/analyse/rhythm/pulse.ts";
import { FIRST, ROW } from "../../../../runners/signal/analyse/rhythm/settle.ts";
import type { Heard } from "../../../../runners/signal/analyse/rhythm/strokes.ts";

const SECONDS = 40;
const ROWS = Math.round(SECONDS / ROW);

/** Strokes at `pace` a minute: a kick on every fourth, a snare two later, cymbals on each and half-way between, a beat heard on each. */
function played(pace: number): { strokes: number[]; heard: Heard } {
  const rows = new Float32Array(ROWS * FEATURES);
  const beat = new Float32Array(ROWS);
  const downbeat = new Float32Array(ROWS);
  const rowOf = (time: number): number => Math.round((time - FIRST) / ROW);
  const strike = (time: number, first: number, last: number): void => {
    rows.fill(1, rowOf(time) * FEATURES + BANDS + first, rowOf(time) * FEATURES + BANDS + last);
  };
  const strokes: number[] = [];
  for (let time = 0.5; time < SECONDS - 1; time += 60 / pace) {
    const place = strokes.length % 4;
    if (place === 0) strike(time, 0, 3);
    if (place === 2) strike(time, 20, 27);
    for (const at of [time, time + 30 / pace]) strike(at, 27, 32);
    beat[rowOf(time)] = 1;
    if (place === 0) downbeat[rowOf(time)] = 1;
    strokes.push(time);
  }
  const onsets = strokes.flatMap((time) => [
    { time: time + 0.001, strength: 3 },
    { time: time + 30 / pace, strength: 1 },
  ]);
  return { strokes, heard: { rows, activations: { beat, downbeat }, onsets } };
}

test("pulseFeatures() tells what is on the strokes, between them, and after how many it comes back", () => {
  const { strokes, heard } = played(120);
  const values = pulseFeatures(strokes, heard)!;
  const near = (index: number, expected: number, what: string): void =>
    assert.ok(Math.abs(values[index]! - expected) < 0.06, `${what}: ${values[index]}, expected ${expected}`);
  near(0, Math.log2(1.2), "octaves above 100");
  near(2, 1 / 4, "kick on the strokes");
  near(6, 1 / 4, "snare on the strokes");
  near(7, 1, "cymbals on the strokes");
  near(8, 0, "kick between them");
  near(13, 1, "cymbals between them");
  near(14, 1, "beat on the strokes");
  near(15, 0, "beat between them");
  // Eleven values for each of the lags 1, 2, 3, 4, 6, 8, 16: the kick is the first.
  near(18, -1 / 3, "kick after one stroke");
  near(18 + 3 * 11, 1, "kick after four");
  near(95, 3 / 4, "attacks on the strokes");
  near(96, 1 / 4, "attacks half-way");
  near(99, 2, "attacks a stroke");
});

test("everyOther() is a likelihood, and says nothing of few strokes or of no pulse of people's", () => {
  const { strokes, heard } = played(120);
  const likely = everyOther(strokes, heard)!;
  assert.ok(likely >= 0 && likely <= 1, `${likely}`);
  assert.equal(everyOther(strokes.slice(0, 20), heard), undefined);
  assert.equal(everyOther(doubled(strokes), heard), undefined, "240 a minute");
  assert.equal(
    everyOther(
      strokes.filter((_, n) => n % 2 === 0),
      heard,
    ),
    undefined,
    "60 a minute",
  );
});

test("doubled() puts a stroke half-way between each two", () => {
  assert.deepEqual(doubled([1, 2, 4]), [1, 1.5, 2, 3, 4]);
  assert.deepEqual(doubled([]), []);
});
