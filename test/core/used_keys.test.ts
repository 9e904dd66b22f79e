import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createUsedKeys } from "../../core/operations/used_keys.ts";

test("used keys are known for the account that used them, and hardly any other", () => {
  const used = createUsedKeys();
  const keys = Array.from({ length: 20_000 }, () => randomUUID());
  for (const key of keys) used.add("acc_a", key);
  assert.ok(keys.every((key) => used.has("acc_a", key)));
  const others = keys.filter((key) => used.has("acc_b", key));
  assert.ok(others.length < 100, `${others.length} of 20,000 keys of another account seem used`);
});

test("used keys are remembered for a generation, then forgotten, and mistakes stay rare", () => {
  const used = createUsedKeys();
  const generation = 262_144;
  const first = Array.from({ length: 1_000 }, () => randomUUID());
  const remembered = () => first.filter((key) => used.has("acc_a", key)).length;
  for (const key of first) used.add("acc_a", key);
  for (let i = first.length; i < generation; i++) used.add("acc_a", randomUUID());
  assert.equal(remembered(), first.length);
  for (let i = 0; i < generation; i++) used.add("acc_a", randomUUID());
  assert.equal(remembered(), first.length);
  const fresh = Array.from({ length: 10_000 }, () => randomUUID()).filter((key) => used.has("acc_a", key));
  assert.ok(fresh.length < 1_000, `${fresh.length} of 10,000 new keys seem used`);
  for (let i = 0; i < generation; i++) used.add("acc_a", randomUUID());
  assert.ok(remembered() < 100, `${remembered()} of 1,000 old keys still seem used`);
});
