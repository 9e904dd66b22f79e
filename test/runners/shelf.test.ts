/** Sounds that are wanted again: the same from memory and from the disk, and gone where there is none. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { useScratch } from "../../runners/scratch.ts";
import { Shelf } from "../../runners/shelf.ts";

/** Of one of the sounds below. */
const BYTES = 2 * 4 * 1000;
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tonwerk-shelf-"));
});
afterEach(() => {
  useScratch(undefined);
  rmSync(folder, { recursive: true, force: true });
});

const soundOf = (value: number): Float32Array[] => [0, 1].map((c) => new Float32Array(1000).fill(value + c / 2));

function filled(shelf: Shelf): readonly Float32Array[][] {
  const sounds = [1, 2, 3, 4].map(soundOf);
  for (const [n, sound] of sounds.entries()) shelf.put(`${n}`, sound);
  return sounds;
}

test("what does not fit into memory is given back, and read from the disk as it was", () => {
  useScratch(folder);
  const shelf = new Shelf(2 * BYTES);
  const sounds = filled(shelf);
  assert.deepEqual(
    sounds.map(([left]) => left!.length),
    [0, 0, 1000, 1000],
  );
  // Each again, and again: what was put aside once is not written anew.
  for (const n of [0, 3, 1, 2, 0, 1]) assert.deepEqual(shelf.get(`${n}`), soundOf(n + 1), `sound ${n}`);
  assert.equal(shelf.get("4"), undefined);
  assert.deepEqual(readdirSync(folder), []);
});

test("what was wanted last stays in memory, and a sound that is too long by itself too", () => {
  useScratch(folder);
  const shelf = new Shelf(2 * BYTES);
  const [first, second, third] = [1, 2, 3].map(soundOf) as [Float32Array[], Float32Array[], Float32Array[]];
  shelf.put("first", first);
  shelf.put("second", second);
  shelf.get("first");
  shelf.put("third", third);
  assert.deepEqual(
    [first, second, third].map(([left]) => left!.length),
    [1000, 0, 1000],
  );
  const small = new Shelf(1);
  const long = soundOf(5);
  small.put("long", long);
  assert.equal(small.get("long"), long);
});

test("without a disk, what does not fit is gone", () => {
  const shelf = new Shelf(2 * BYTES);
  filled(shelf);
  assert.equal(shelf.get("0"), undefined);
  assert.deepEqual(shelf.get("3"), soundOf(4));
});

test("what is dropped is given back, wherever it lies", () => {
  useScratch(folder);
  const shelf = new Shelf(2 * BYTES);
  const sounds = filled(shelf);
  shelf.drop("0");
  shelf.drop("3");
  assert.equal(sounds[3]![0]!.length, 0);
  assert.equal(shelf.get("0"), undefined);
  assert.equal(shelf.get("3"), undefined);
  assert.deepEqual(shelf.get("1"), soundOf(2));
  shelf.close();
  assert.equal(sounds[2]![0]!.length, 0);
  assert.equal(shelf.get("2"), undefined);
});
