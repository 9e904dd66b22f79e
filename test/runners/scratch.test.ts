/** What a job puts aside on the disk, and where it is when there is none. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Scratch, useScratch } from "../../runners/scratch.ts";
import { random } from "../../runners/signal/dsp/random.ts";
import { Kept } from "../../runners/signal/separate/kept.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-scratch-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const PARTS = [3, 70_000, 1, 40_000].map((length, part) =>
  Uint8Array.from({ length }, (_, n) => (n * 31 + part * 7) % 251),
);
const ALL = Uint8Array.from(PARTS.flatMap((part) => [...part]));

function written(scratch: Scratch): void {
  for (const part of PARTS) scratch.write(part);
  for (const [from, length] of [
    [0, ALL.length],
    [2, 5],
    [70_000, 40_004],
    [110_003, 1],
  ] as const) {
    const out = new Uint8Array(length);
    scratch.read(from, out);
    assert.deepEqual(out, ALL.slice(from, from + length));
  }
}

test("bytes come back from the disk, and the file has no name", () => {
  useScratch(folder);
  const scratch = new Scratch(ALL.length);
  written(scratch);
  assert.deepEqual(readdirSync(folder), []);
});

for (const [where, given] of [
  ["the disk", folder],
  ["memory", join(folder, "missing")],
] as const)
  test(`what is written further on, or over what was there, is found where it was put: ${where}`, () => {
    useScratch(given);
    const scratch = new Scratch(12);
    scratch.write(Uint8Array.of(7, 8, 9), 6);
    scratch.write(Uint8Array.of(1, 2));
    scratch.write(Uint8Array.of(5), 7);
    const out = new Uint8Array(11);
    scratch.read(0, out);
    assert.deepEqual([...out], [0, 0, 0, 0, 0, 0, 7, 5, 9, 1, 2]);
    scratch.close();
    assert.deepEqual(readdirSync(folder), []);
  });

test("where there is no such folder they are in memory", () => {
  useScratch(join(folder, "missing"));
  written(new Scratch(ALL.length));
});

test("where the disk is full half-way, what it has is read back and the rest stays in memory", () => {
  useScratch(folder);
  let calls = 0;
  const full = new Scratch(ALL.length, (file, data, position) => {
    if (++calls === 3) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    writeSync(file, data, 0, data.length, position);
  });
  written(full);
  assert.equal(calls, 3);
});

test("stems that are kept on the disk are those that are kept in memory", () => {
  useScratch(folder);
  const next = random(3);
  const frames = 100_003;
  const source = [0.5, 0.001].map((level) => Float32Array.from({ length: frames }, () => level * (2 * next() - 1)));
  const keeps = [0, Number.POSITIVE_INFINITY].map((in_memory) => {
    const kept = new Kept(2, frames, in_memory);
    for (let at = 0, step = 1; at < frames; at += step, step = (step * 3 + 1) % 9001)
      kept.write(source.map((channel) => channel.subarray(at, Math.min(frames, at + step))));
    return kept;
  });
  for (const [c, channel] of source.entries()) {
    for (const [from, length] of [
      [0, frames],
      [32_700, 200],
      [99_000, 1003],
      [65_536, 4096],
    ] as const) {
      const [disk, memory] = keeps.map((kept) => {
        const out = new Float32Array(length);
        kept.read(c, from, out);
        return out;
      });
      assert.deepEqual(disk, memory);
      const peak = Math.max(...channel.map(Math.abs));
      for (let n = 0; n < length; n++) assert.ok(Math.abs(disk![n]! - channel[from + n]!) <= peak / 60_000);
    }
  }
});
