import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grid } from "../../../../runners/signal/analyse/form/grid.ts";
import { chordsOf, TONES } from "../../../../runners/signal/analyse/harmony/chords.ts";
import { type Chroma, normalise } from "../../../../runners/signal/analyse/harmony/chroma.ts";
import { reinforced } from "../../../../runners/signal/analyse/harmony/repetition.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";

type Triad = readonly [root: number, quality: "maj" | "min"];

const LOOP: readonly Triad[] = [
  [3, "maj"],
  [7, "min"],
  [8, "maj"],
  [10, "maj"],
];

/** A row a beat in bars of four. */
function beats(rows: number): Grid {
  return {
    edges: Array.from({ length: rows + 1 }, (_, k) => k / 2),
    positions: Array.from({ length: rows }, (_, k) => (k % 4) + 1),
    steady: true,
    bar: 4,
  };
}

/** A chord a bar, over which tunes and basses walk: in each beat two other notes, up to half as loud again as the chord's. */
function walked(chords: readonly Triad[], seed: number): Chroma {
  const next = random(seed);
  const rows = 4 * chords.length;
  const treble = new Float32Array(12 * rows);
  const bass = new Float32Array(12 * rows);
  for (let row = 0; row < rows; row++) {
    const [root, quality] = chords[Math.floor(row / 4)]!;
    for (const tone of TONES[quality]) treble[12 * row + ((root + tone) % 12)]! += 0.4 + 0.6 * next();
    for (let k = 0; k < 2; k++) treble[12 * row + Math.floor(12 * next())]! += 1.5 * next();
    bass[12 * row + (row % 4 === 0 ? root : Math.floor(12 * next()))] = 1;
    normalise(treble, 12 * row, 12);
    normalise(bass, 12 * row, 12);
  }
  return { rows, treble, bass };
}

function right(chroma: Chroma, chords: readonly Triad[]): number {
  const { path } = chordsOf(chroma, beats(chroma.rows));
  const names = Object.keys(TONES);
  let count = 0;
  for (const [row, state] of path.entries()) {
    const [root, quality] = chords[Math.floor(row / 4)]!;
    // Sevenths on the same root and third are the same chord here.
    const heard = names[state % names.length]!;
    if (Math.floor(state / names.length) === root && heard.startsWith("min") === (quality === "min")) count++;
  }
  return count / path.length;
}

test("what returns is heard better together than alone", () => {
  const chords = Array.from({ length: 6 }, () => LOOP).flat();
  let [alone, together] = [0, 0];
  for (let seed = 1; seed <= 10; seed++) {
    const chroma = walked(chords, seed);
    alone += right(chroma, chords) / 10;
    together += right(reinforced(chroma, beats(chroma.rows)), chords) / 10;
  }
  assert.ok(1 - together < 0.5 * (1 - alone), `wrong alone ${1 - alone}, together ${1 - together}`);
});

test("a bar that differs from its returns keeps chords of its own", () => {
  const chords = Array.from({ length: 6 }, () => LOOP).flat();
  // A minor third below, once, for two bars.
  chords.splice(10, 2, [5, "min"], [0, "min"]);
  const next = random(5);
  const clear = walked(chords, 3);
  for (let row = 0; row < clear.rows; row++) {
    const [root, quality] = chords[Math.floor(row / 4)]!;
    clear.treble.fill(0, 12 * row, 12 * row + 12);
    clear.bass.fill(0, 12 * row, 12 * row + 12);
    for (const tone of TONES[quality]) clear.treble[12 * row + ((root + tone) % 12)] = 0.8 + 0.2 * next();
    clear.bass[12 * row + root] = 1;
    normalise(clear.treble, 12 * row, 12);
  }
  assert.equal(right(reinforced(clear, beats(clear.rows)), chords), 1);
});

test("silence stays silence, and pieces of no length or one row are taken", () => {
  for (const rows of [0, 1, 7, 40]) {
    const silent: Chroma = { rows, treble: new Float32Array(12 * rows), bass: new Float32Array(12 * rows) };
    assert.deepEqual(reinforced(silent, beats(rows)), silent);
    assert.deepEqual(reinforced(silent, { ...beats(rows), steady: false, bar: 0 }), silent);
  }
});
