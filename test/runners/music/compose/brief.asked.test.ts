/** What a prompt asks of length and company, and that the score has it. Prompts other than those the lexicon was written with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { understand } from "../../../../runners/music/compose/brief/understand.ts";
import { compose } from "../../../../runners/music/compose/compose.ts";
import { keysOfPiece } from "../../../../runners/music/compose/drum_pieces.ts";
import type { Score } from "../../../../runners/music/compose/score.ts";

const written = (prompt: string, seed = 3): Score => {
  const brief = understand(prompt);
  return compose(brief, brief.seconds === undefined ? {} : { seconds: brief.seconds }, seed);
};
const players = ({ parts }: Score): string[] => [...new Set(parts.map(({ instrument }) => instrument))].sort();

test("understand() reads how long a piece is to be, and leaves places in it alone", () => {
  for (const [prompt, seconds] of [
    ["a 40 second jingle, upbeat", 40],
    ["two minutes of calm harp", 120],
    ["a three-and-a-bit minute song", undefined],
    ["90-second trailer", 90],
    ["one and a half minutes of funk", 90],
    ["1 minute 20 seconds, salsa", 80],
    ["2:15 long, surf rock", 135],
    ["calm piano, 1:30", 90],
    ["fifty seconds of ska", 50],
    ["techno, drop at 1:30", undefined],
    ["train leaves 1:30 tomorrow", undefined],
    ["eine Minute ruhige Musik", undefined],
    ["45 Sekunden Walzer", 45],
    ["techno with a break at 50 seconds", undefined],
    ["drums enter after 10 seconds", undefined],
    ["ten second intro, then rock", undefined],
    ["house, 124 bpm", undefined],
  ] as const)
    assert.equal(understand(prompt).seconds, seconds, prompt);
  const score = written("40 seconds of bright bluegrass");
  assert.ok(Math.abs((score.beats * 60) / score.bpm - 40) < 3);
});

test("compose() seats only who was named where nothing else is wanted, and trios and duos are that many", () => {
  assert.deepEqual(players(written("just a marimba and a flute")), ["flute", "marimba"]);
  assert.deepEqual(
    players(written("piano trio, swinging jazz")).filter((name) => !/kit|bass/u.test(name)),
    ["piano"],
  );
  assert.deepEqual(players(written("nylon guitar duo")), ["nylon_guitar"]);
  assert.deepEqual(players(written("solemn a cappella anthem")), ["choir"]);
  assert.ok(players(written("rain outside, lonely solo piano")).includes("rain_texture"));
});

test("compose() leaves out single pieces of a kit, the tune, or what is nearly a piano", () => {
  const hatless = written("boom bap without hi-hats");
  const drums = hatless.parts.filter(({ role }) => role === "drums");
  assert.ok(drums.length > 0 && drums.every(({ notes }) => notes.length > 0));
  for (const { notes } of drums) assert.ok(notes.every(({ pitch }) => !keysOfPiece("hi-hats").includes(pitch)));
  assert.ok(written("bossa nova, no melody").parts.every(({ role }) => role !== "lead" && role !== "counter"));
  for (let seed = 0; seed < 6; seed++)
    assert.ok(players(written("soft rock ballad, no piano", seed)).every((name) => !/piano/u.test(name)));
});
