/** Words that stand in no list steer by what they mean, or not at all; never by what they look like. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { understand } from "../../../../runners/music/compose/brief/mod.ts";

test("an unknown adjective is a mood, an unknown noun a player or a kind of music", () => {
  assert.ok(understand("a lugubrious waltz").moods.includes("mournful"));
  assert.ok(understand("mirthful polka").moods.includes("happy"));
  assert.deepEqual(understand("folk with an amati").wanted, ["violin"]);
  assert.equal(understand("motet").genre, "baroque");
  // Where no genre is named, instruments tell whose music it is.
  assert.equal(understand("oud and riq").genre, "arabic");
  assert.equal(understand("kora and calabash").genre, "afrobeat");
  assert.deepEqual(understand("no amatis, only a harp").unwanted.instruments, ["violin"]);
});

test("words that look like others are not taken for them", () => {
  // Steamy, glassy, ballet, slower, heartfelt, classical: what these were read as.
  for (const prompt of ["steam train", "glass breaking", "bullet ricochet", "shower running", "heart monitor"]) {
    const { moods, wanted, traits } = understand(prompt);
    assert.deepEqual([moods, wanted, traits], [[], [], []], prompt);
  }
});
