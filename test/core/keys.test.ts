import assert from "node:assert/strict";
import { test } from "node:test";
import { checkApiKey, hashApiKey, lastFour, newApiKey } from "../../core/base/keys.ts";

// Made with Python: zlib.crc32 of the 30 characters, divmod by 62; hashlib.sha256 of the whole key.
const KNOWN = [
  ["tonwerk_0000000000000000000000000000002C8GjS", "e80d0a1eb57b921d4d23028f3fdb44c98801abc52ab419a002c3af0001fe98a6"],
  ["tonwerk_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz4IlJEz", "a03554c7902167cfb995b94b100189928562a062ed88f95e66cf107c87db4563"],
  ["tonwerk_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp", "64c0c1acaa3349046a1b0f895954bccf3519664214f457a381e53c605380a6b1"],
  ["tonwerk_QRSTUVWXYZabcdefghijklmnopqrst1ws2ts", "2095aad942b34420e35ceebe42368cb573da0892fadaa04a0bb39a24f4580154"],
  // A small CRC, padded with zeros.
  ["tonwerk_AAAAAAAAAAAAAAAAAAAAAAAAA13925000tgp", "8c837e8cf5d9129060918bdbc0aebf7026bdeaf52908d36632462a38a205d86a"],
] as const;

test("checkApiKey() accepts keys made by an independent implementation", () => {
  for (const [key] of KNOWN) assert.equal(checkApiKey(key), true, key);
});

test("hashApiKey() and lastFour() agree with an independent implementation", () => {
  for (const [key, sha256] of KNOWN) assert.equal(hashApiKey(key), sha256);
  assert.equal(lastFour(KNOWN[0][0]), "8GjS");
});

test("checkApiKey() refuses every change of one character", () => {
  const key = KNOWN[2][0];
  for (let i = 0; i < key.length; i++) {
    for (const other of "0aZz_-é ") {
      if (key[i] === other) continue;
      const changed = key.slice(0, i) + other + key.slice(i + 1);
      assert.equal(checkApiKey(changed), false, changed);
    }
  }
});

test("checkApiKey() refuses other lengths, neighbours swapped and surrounding text", () => {
  const key = KNOWN[3][0];
  const swapped = key.slice(0, 10) + key[11] + key[10] + key.slice(12);
  for (const bad of [
    "",
    "tonwerk_",
    key.slice(1),
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    swapped,
    "a".repeat(100_000),
  ]) {
    assert.equal(checkApiKey(bad), false, bad.slice(0, 60));
  }
});

test("newApiKey() makes valid keys that differ", () => {
  const keys = Array.from({ length: 200 }, newApiKey);
  for (const key of keys) assert.equal(checkApiKey(key), true, key);
  assert.equal(new Set(keys).size, keys.length);
});

test("newApiKey() draws its characters evenly", () => {
  const counts = new Map<string, number>();
  const draws = 4_000 * 30;
  for (let i = 0; i < 4_000; i++) {
    for (const character of newApiKey().slice(8, 38)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  const expected = draws / 62;
  let chi_squared = 0;
  for (const count of counts.values()) chi_squared += (count - expected) ** 2 / expected;
  // 61 degrees of freedom: a fair source exceeds 160 once in 10^10 runs, `byte % 62` without rejection gives about 1,000.
  assert.ok(chi_squared < 160, `chi squared ${chi_squared}`);
});
