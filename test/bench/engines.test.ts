/** What the peers of engines are given is what ours play, and answers are judged as MIREX judges them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mirex } from "../../bench/engines/accuracy.ts";
import { midiFile } from "../../bench/engines/midi.ts";

test("midiFile() has a tick for each frame, and ends a note before it is struck again", () => {
  const note = { frame: 0, frames: 300, pitch: 60.2, velocity: 1, turn: 0 };
  const events = [note, { ...note, frame: 300, frames: 900 }];
  const bytes = midiFile([{ channel: 9, program: 8, events }], 1000, 1);
  const track = [...bytes.subarray(22)];
  const end = [0, 0xff, 0x2f, 0];
  assert.deepEqual(track, [
    ...[0, 0xff, 0x51, 3, 0x07, 0xa1, 0x20],
    // The program, the first note, its end 300 ticks later, the second at once, cut at the end of the piece.
    ...[0, 0xc9, 8, 0, 0x99, 60, 127, 0x82, 0x2c, 0x89, 60, 0, 0, 0x99, 60, 127, 0x85, 0x3c, 0x89, 60, 0],
    ...end,
  ]);
  assert.equal(new DataView(bytes.buffer).getUint16(12), 22_050);
  assert.ok(midiFile([{ channel: 0, program: 0, events }], 1000, 2).length > bytes.length);
});

test("mirex() weighs keys by how near they are", () => {
  const weights = [
    [5, "major"],
    [0, "major"],
    [2, "minor"],
    [5, "minor"],
    [6, "major"],
  ] as const;
  assert.deepEqual(
    weights.map(([tonic, mode]) => mirex(tonic, mode, "F major")),
    [1, 0.5, 0.3, 0.2, 0],
  );
  assert.equal(mirex(10, "minor", "Bb minor"), 1);
});
