import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecent, recentKey } from "../../core/operations/recent.ts";
import { fakeClock } from "../clock.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MINUTE = 60_000;

test("bodies, actions and accounts that differ never share a key, invalid UTF-8 included", () => {
  const keys = [
    recentKey("acc_1", "a.b", bytes("{}")),
    recentKey("acc_2", "a.b", bytes("{}")),
    recentKey("acc_1", "a.c", bytes("{}")),
    recentKey("acc_1", "a.b", bytes("{} ")),
    recentKey("acc_1", "a.b", bytes("\uFFFD")),
    recentKey("acc_1", "a.b", new Uint8Array([0xff])),
    recentKey("acc_1", "a.b", new Uint8Array([0xfe])),
  ];
  assert.equal(new Set(keys).size, keys.length);
  // A view into a larger buffer counts for itself alone.
  assert.equal(recentKey("acc_1", "a.b", bytes("x{}x").subarray(1, 3)), keys[0]);
});

test("an answer is found for five minutes, and not after a clock that stepped back", () => {
  const clock = fakeClock();
  const recent = createRecent(clock);
  recent.remember("key", "answer");
  clock.advance(5 * MINUTE - 1);
  assert.equal(recent.find("key"), "answer");
  clock.advance(1);
  assert.equal(recent.find("key"), undefined);
  recent.remember("key", "answer");
  assert.equal(createRecent({ now: () => 0 }).find("key"), undefined);
  const back = { time: 10 * MINUTE, now: () => back.time };
  const stepped = createRecent(back);
  stepped.remember("key", "answer");
  back.time -= 6 * MINUTE;
  assert.equal(stepped.find("key"), undefined);
});

test("the oldest go first, half of what there is room for stays, and large bodies are not kept", () => {
  const recent = createRecent(fakeClock());
  const answer = "a".repeat(4_000);
  for (let n = 0; n < 10_000; n++) recent.remember(`key ${n}`, answer);
  const kept = Array.from({ length: 10_000 }, (_, n) => recent.find(`key ${n}`) === answer);
  assert.ok(kept.filter(Boolean).length * 4_000 <= 16_000_000);
  assert.ok(kept.slice(10_000 - Math.floor(8_000_000 / 4_200)).every(Boolean));
  assert.equal(kept[0], false);
  recent.remember("large", "a".repeat(9_000));
  assert.equal(recent.find("large"), undefined);
});
