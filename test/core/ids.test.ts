import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalUuid, createIds, type IdPrefix, newId, OPERATION_ID, operationId } from "../../core/base/ids.ts";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM_MASK = (1n << 80n) - 1n;

function decode(text: string): bigint {
  let value = 0n;
  for (const character of text) {
    const digit = CROCKFORD.indexOf(character);
    assert.notEqual(digit, -1, `"${character}" is not Crockford base32`);
    value = value * 32n + BigInt(digit);
  }
  return value;
}

test("createIds() makes ULIDs that hold the time", () => {
  const ids = createIds();
  for (const ms of [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1]) {
    assert.equal(decode(ids("op_", ms).slice(3)) >> 80n, BigInt(ms));
  }
});

test("createIds() writes the time as an independent encoder does", () => {
  const ids = createIds();
  // The example of github.com/ulid/spec, then two made with Python.
  assert.equal(ids("op_", 1_469_918_176_385).slice(3, 13), "01aryz6s41");
  assert.equal(ids("evt_", 2 ** 46 + 123_456_789).slice(4, 14), "20003nqk8n");
  assert.equal(ids("file_", 2 ** 47 - 1).slice(5, 15), "3zzzzzzzzz");
});

test("createIds() sorts by creation, also within one millisecond and when the clock steps back", () => {
  const newer = createIds();
  const ids: string[] = [];
  for (let ms = 1_700_000_000_000; ms < 1_700_000_000_020; ms++) {
    for (let i = 0; i < 500; i++) ids.push(newer("op_", i % 7 === 6 ? ms - 5 : ms));
  }
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, ids.length);
});

test("createIds() carries into the upper half of the random bits", () => {
  const ids = createIds();
  const upper = new Set<bigint>();
  let last = -1n;
  // Steps are 2^31 on average, so that 4,000 of them pass 2^40 about eight times.
  for (let i = 0; i < 4_000; i++) {
    const random = decode(ids("op_", 5).slice(3)) & RANDOM_MASK;
    assert.ok(random > last);
    last = random;
    upper.add(random >> 40n);
  }
  assert.ok(upper.size > 2, `${upper.size} upper halves`);
});

test("createIds() spreads its random bits over all 80", () => {
  const ids = createIds();
  let any = 0n;
  let all = RANDOM_MASK;
  for (let ms = 0; ms < 400; ms++) {
    const random = decode(ids("op_", ms).slice(3)) & RANDOM_MASK;
    any |= random;
    all &= random;
  }
  // A bit that is fair stays the same over 400 draws with probability 2^-399.
  assert.equal(any, RANDOM_MASK);
  assert.equal(all, 0n);
});

test("createIds() refuses times outside 48 bits", () => {
  const ids = createIds();
  for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 48])
    assert.throws(() => ids("op_", bad), RangeError);
});

test("operationId() and newId() share one order and carry their prefix", () => {
  const at = Date.now();
  const prefixes: IdPrefix[] = ["op_", "file_", "evt_", "key_", "sec_", "acc_", ""];
  const ids = [operationId(at), ...prefixes.map((prefix) => newId(prefix, at)), operationId(at)];
  assert.match(ids[0]!, OPERATION_ID);
  for (const [i, prefix] of prefixes.entries()) {
    assert.match(ids[i + 1]!, new RegExp(`^${prefix}[${CROCKFORD}]{26}$`));
  }
  const ulids = ids.map((id) => id.slice(-26));
  assert.deepEqual(ulids, [...ulids].sort());
});

test("OPERATION_ID refuses everything else", () => {
  const id = operationId(Date.now());
  for (const bad of [
    "",
    "op_",
    id.slice(1),
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    `${id}\n`,
    ` ${id}`,
    id.replace("op_", "xp_"),
  ]) {
    assert.doesNotMatch(bad, OPERATION_ID);
  }
});

test("canonicalUuid() lowers any case and refuses other forms", () => {
  const canonical = "0189f7e2-1c3d-7abc-8def-0123456789ab";
  assert.equal(canonicalUuid(canonical), canonical);
  assert.equal(canonicalUuid(canonical.toUpperCase()), canonical);
  assert.equal(canonicalUuid("0189F7e2-1c3D-7abc-8dEF-0123456789aB"), canonical);
  assert.equal(canonicalUuid("00000000-0000-0000-0000-000000000000"), "00000000-0000-0000-0000-000000000000");
  for (const bad of [
    "",
    canonical.replaceAll("-", ""),
    `{${canonical}}`,
    `urn:uuid:${canonical}`,
    ` ${canonical}`,
    `${canonical}\n`,
    canonical.replace("a", "g"),
    canonical.slice(1),
    `${canonical}0`,
    canonical.replace("-", "_"),
    canonical.replace("0", "０"),
  ]) {
    assert.equal(canonicalUuid(bad), undefined, JSON.stringify(bad));
  }
});
