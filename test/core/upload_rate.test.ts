/** How fast an account's uploads are taken beside others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createUploadRate } from "../../core/accounts/upload_rate.ts";
import { fakeClock } from "../clock.ts";

const MB = 1_000_000;

test("an account that is alone never waits, however much it sends", () => {
  const rate = createUploadRate(fakeClock());
  rate.seen("a");
  for (let sent = 0; sent < 1_000; sent++) assert.equal(rate.delayOf("a", MB), 0);
});

test("beside another account it sends 16 MB at once and 16 MB a second then, until that one has been silent for 10 s", () => {
  const clock = fakeClock();
  const rate = createUploadRate(clock);
  rate.seen("b");
  // However often it asks itself.
  rate.seen("a");
  rate.seen("a");
  for (let sent = 0; sent < 16; sent++) assert.equal(rate.delayOf("a", MB), 0);
  let waited_ms = 0;
  for (let sent = 0; sent < 32; sent++) {
    const wait_ms = rate.delayOf("a", MB);
    waited_ms += wait_ms;
    clock.advance(wait_ms);
  }
  assert.ok(Math.abs(waited_ms - 2_000) < 40, `${waited_ms} ms`);
  assert.equal(rate.delayOf("b", MB), 0, "the other one has its own");
  clock.advance(10_001);
  rate.seen("a");
  for (let sent = 0; sent < 100; sent++) assert.equal(rate.delayOf("a", MB), 0);
});

test("bodies that an account sends at once share its rate", () => {
  const rate = createUploadRate(fakeClock());
  rate.seen("b");
  rate.seen("a");
  const waits = Array.from({ length: 24 }, () => rate.delayOf("a", MB));
  assert.deepEqual(waits.slice(16), [63, 125, 188, 250, 313, 375, 438, 500]);
});
