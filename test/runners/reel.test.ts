/** What of a long channel lies on the disk is what lies in memory of a short one. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Reel } from "../../runners/reel.ts";
import { useScratch } from "../../runners/scratch.ts";
import { random } from "../../runners/signal/dsp/random.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-reel-"));
after(() => {
  useScratch(undefined);
  rmSync(folder, { recursive: true, force: true });
});

const BLOCK = 64;
const SPAN = 4 * BLOCK;
const FRAMES = 3 * SPAN + 77;

/** Adds noise to some blocks, in order, as a part is added to a bus. */
function play(reel: Reel, seed: number, plays: (block: number) => boolean): void {
  const next = random(seed);
  for (let at = 0, block = 0; at < FRAMES; at += BLOCK, block++) {
    if (!plays(block)) continue;
    const samples = reel.around(at);
    const from = at - reel.first;
    for (let n = 0; n < Math.min(BLOCK, FRAMES - at); n++) samples[from + n] = samples[from + n]! + next() - 0.5;
  }
}

for (const [where, given] of [
  ["the disk", folder],
  ["memory, where there is no disk", undefined],
] as const)
  test(`a reel that is put aside span by span on ${where} holds what one in memory does`, () => {
    useScratch(given);
    const [long, short] = [new Reel(FRAMES, SPAN), new Reel(FRAMES)];
    const alike = (): void => assert.deepEqual(long.whole(), short.whole());
    for (const reel of [long, short]) {
      // The middle is never played, and the end before the beginning.
      play(reel, 1, (block) => block >= 12);
      play(reel, 2, (block) => block < 3);
      assert.equal(reel.around(0)[0] === 0, false);
    }
    alike();
    assert.ok(
      long
        .whole()
        .subarray(SPAN, 3 * SPAN)
        .every((value) => value === 0),
    );
    assert.ok(
      long
        .whole()
        .subarray(3 * SPAN)
        .every((value) => value !== 0),
    );
    // Whole, it is still worked on as before.
    for (const reel of [long, short]) play(reel, 3, (block) => block % 5 === 0);
    alike();
    assert.deepEqual(readdirSync(folder), []);
    const copy = Reel.of(short.whole(), SPAN);
    assert.equal(copy.around(0).length, SPAN);
    assert.deepEqual(copy.whole(), short.whole());
    copy.drop();
  });

test("a minute lies in spans by itself, and a loop of some seconds as a whole", () => {
  useScratch(folder);
  const [minute, loop] = [new Reel(60 * 44_100), new Reel(8 * 44_100)];
  assert.ok(minute.around(0).length < 100_000);
  assert.equal(loop.around(0).length, 8 * 44_100);
  minute.drop();
  loop.drop();
});
