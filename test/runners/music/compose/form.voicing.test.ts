import assert from "node:assert/strict";
import { test } from "node:test";
import { voiceLead } from "../../../../runners/music/compose/form/voicing.ts";
import type { ScoreChord } from "../../../../runners/music/compose/score.ts";
import { swung } from "../../../../runners/music/compose/swing.ts";

const chord = (root: number, tones: readonly number[], bass = root): ScoreChord => ({
  beat: 0,
  beats: 4,
  root,
  bass,
  tones,
  symbol: "",
});
const pop = [chord(0, [0, 4, 7]), chord(9, [9, 0, 4]), chord(5, [5, 9, 0]), chord(7, [7, 11, 2])];
const jazz = [chord(2, [2, 5, 9, 0, 4]), chord(7, [7, 11, 2, 5, 9]), chord(0, [0, 4, 7, 11, 2])];
const motionOf = (voicings: readonly (readonly number[])[]) =>
  voicings.slice(1).reduce((sum, now, k) => sum + now.reduce((s, p, v) => s + Math.abs(p - voicings[k]![v]!), 0), 0);

test("voiceLead() keeps to chord, range and number of voices", () => {
  for (const chords of [pop, jazz]) {
    for (const voices of [1, 2, 3, 4, 5, 6]) {
      const found = voiceLead(chords, { voices, range: [48, 79] });
      assert.equal(found.length, chords.length);
      found.forEach((pitches, k) => {
        assert.equal(pitches.length, voices);
        for (const pitch of pitches) {
          assert.ok(pitch >= 48 && pitch <= 79);
          assert.ok(chords[k]!.tones.includes(pitch % 12));
        }
        assert.deepEqual(
          [...pitches].sort((a, b) => a - b),
          pitches,
        );
      });
    }
  }
});

test("voiceLead() moves far less than root position does", () => {
  const led = motionOf(voiceLead(pop, { voices: 3, range: [52, 76] }));
  const blocks = motionOf(pop.map(({ root, tones }) => tones.map((tone) => 48 + root + ((tone - root + 12) % 12))));
  assert.ok(led <= 12 && led < blocks / 2, `${led} against ${blocks}`);
});

test("voiceLead() keeps third and seventh where voices are few", () => {
  for (const [k, pitches] of voiceLead(jazz, { voices: 2, range: [52, 70] }).entries()) {
    const classes = new Set(pitches.map((pitch) => pitch % 12));
    assert.deepEqual(classes, new Set([jazz[k]!.tones[1], jazz[k]!.tones[3]]));
  }
});

test("voiceLead() puts the bass lowest, doubles no leading note and avoids parallels where asked", () => {
  const chords = [...pop, chord(0, [0, 4, 7], 4), chord(2, [2, 5, 9]), chord(7, [7, 11, 2]), chord(0, [0, 4, 7])];
  const found = voiceLead(chords, {
    voices: 4,
    range: [40, 76],
    with_bass: true,
    leading: 11,
    strict: true,
    spread: 19,
  });
  let parallels = 0;
  found.forEach((pitches, k) => {
    assert.equal(pitches[0]! % 12, chords[k]!.bass);
    assert.ok(pitches.filter((pitch) => pitch % 12 === 11).length <= 1);
    for (let low = 0; k > 0 && low < 4; low++) {
      for (let high = low + 1; high < 4; high++) {
        const [a, b] = [found[k - 1]![low]! - pitches[low]!, found[k - 1]![high]! - pitches[high]!];
        if (a !== 0 && a === b && [0, 7].includes((pitches[high]! - pitches[low]!) % 12)) parallels++;
      }
    }
  });
  assert.equal(parallels, 0);
});

test("voiceLead() comes back to its beginning on a ring", () => {
  const found = voiceLead(pop, { voices: 3, range: [48, 84], ring: true });
  assert.ok(motionOf([found.at(-1)!, found[0]!]) <= 6);
});

test("voiceLead() makes do with a range too narrow, no chords, and one", () => {
  assert.deepEqual(voiceLead([], { voices: 3, range: [48, 60] }), []);
  assert.equal(voiceLead(pop, { voices: 4, range: [60, 63] }).length, 4);
  assert.equal(voiceLead([pop[0]!], { voices: 3, range: [48, 60], ring: true }).length, 1);
});

test("swung() keeps whole beats, bends the middle and is monotonic", () => {
  assert.equal(swung(3, 0.67), 3);
  assert.equal(swung(3.5, 0.67), 3.67);
  assert.equal(swung(-0.5, 0.6), -0.4);
  assert.equal(swung(1.25, 0.5), 1.25);
  for (let beat = -1; beat < 2; beat += 1 / 16) assert.ok(swung(beat + 1 / 16, 0.7) > swung(beat, 0.7));
});
