/** What every Bucket promises (core/ports/mod.ts), as tests to run on each adapter. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Bucket, StoredObject } from "../../core/ports/mod.ts";

/** An empty bucket, and how to end it with all that it holds. */
export interface BucketFixture {
  readonly bucket: Bucket;
  end(): Promise<void>;
}

/** `skipped`: title of a test -> why this adapter cannot promise it. */
export function bucketSuite(
  name: string,
  factory: () => Promise<BucketFixture>,
  skipped: Readonly<Record<string, string>> = {},
): void {
  for (const [title, check] of Object.entries(CHECKS)) {
    const reason = skipped[title];
    test(`${name}: ${title}`, reason === undefined ? {} : { skip: reason }, async () => {
      const { bucket, end } = await factory();
      const folder = await mkdtemp(join(tmpdir(), "tonwerk-bucket-"));
      try {
        await check(bucket, folder);
      } finally {
        await bucket.close();
        await end();
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
  for (const title of Object.keys(skipped)) assert.ok(title in CHECKS, `no test is called "${title}"`);
}

const FLAC = "audio/flac";

/** `length` bytes that repeat at no power of two. */
export function pattern(length: number, first = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (first + i * 7 + Math.floor(i / 251)) & 0xff);
}

/** A stream of the chunks, then of `failure` if there is one. */
export function streamed(chunks: readonly Uint8Array[], failure?: Error): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (failure !== undefined) controller.error(failure);
      else controller.close();
    },
  });
}

export async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

async function read(bucket: Bucket, key: string, range?: { start: number; end: number }): Promise<Uint8Array> {
  const opened = await bucket.open(key, range);
  assert.ok(opened !== undefined, `no object "${key}"`);
  const bytes = await bytesOf(opened.stream);
  assert.equal(opened.bytes, bytes.length);
  return bytes;
}

async function listed(bucket: Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix)) keys.push(key);
  return keys.sort();
}

const BAD_KEYS = [
  "",
  "/",
  "/etc/passwd",
  "..",
  "../x",
  "a/../b",
  "a/..",
  "a/./b",
  "a//b",
  "a/",
  "/a",
  ".hidden",
  "a/.hidden",
  "a\\b",
  "a\0b",
  "a b",
  "a\n",
  "ä",
  "%2e%2e/a",
  "a:b",
  "1/2/3/4/5/6/7/8/9",
];

const CHECKS: Readonly<Record<string, (bucket: Bucket, folder: string) => Promise<void>>> = {
  async "put() and open() carry bytes, streams and files of any size"(bucket, folder) {
    for (const length of [0, 1, 1_000, 65_535, 65_536, 65_537, 1_000_003]) {
      const bytes = pattern(length);
      assert.deepEqual(await bucket.put(`bytes/${length}.flac`, bytes, FLAC), { bytes: length });
      const chunks = [bytes.subarray(0, 10), bytes.subarray(10, 10), bytes.subarray(10)];
      assert.deepEqual(await bucket.put(`stream/${length}.flac`, streamed(chunks), FLAC), { bytes: length });
      const path = join(folder, "made.flac");
      await writeFile(path, bytes);
      assert.deepEqual(await bucket.put(`file/${length}.flac`, { path }, FLAC), { bytes: length });
      for (const kind of ["bytes", "stream", "file"])
        assert.deepEqual(await read(bucket, `${kind}/${length}.flac`), bytes);
    }
    assert.deepEqual(await readdir(folder), []);
  },

  async "put() accepts the longest and oddest keys"(bucket) {
    for (const key of [
      "a",
      "_",
      "-",
      "0.flac",
      "a..b",
      "op_01/1/vocals.flac",
      "A-1/b_2/c.3/d/e/f/g/h",
      `${"k".repeat(200)}/x`,
    ]) {
      await bucket.put(key, pattern(3), FLAC);
      assert.equal((await bucket.stat(key))?.bytes, 3, key);
    }
  },

  async "put() refuses a key that exists, whatever is put, and keeps the first object"(bucket, folder) {
    const first = pattern(100);
    await bucket.put("a/b.flac", first, FLAC);
    const path = join(folder, "made.flac");
    await writeFile(path, pattern(50, 1));
    for (const content of [pattern(70, 2), first, streamed([pattern(60, 3)]), { path }]) {
      await assert.rejects(bucket.put("a/b.flac", content, FLAC), /exists already/);
    }
    assert.deepEqual(await read(bucket, "a/b.flac"), first);
    assert.deepEqual(await readdir(folder), []);
  },

  async "put() of one key at the same time lets exactly one win"(bucket) {
    const contents = Array.from({ length: 8 }, (_, i) => pattern(100_000, i));
    const results = await Promise.allSettled(
      contents.map((content) => bucket.put("a/b.flac", streamed([content]), FLAC)),
    );
    const winners = contents.filter((_, i) => results[i]?.status === "fulfilled");
    assert.equal(winners.length, 1);
    assert.deepEqual(await read(bucket, "a/b.flac"), winners[0]);
  },

  async "put() of a stream that fails rejects with its error and leaves nothing"(bucket) {
    const failure = new Error("the client went away");
    await assert.rejects(bucket.put("a/b.flac", streamed([pattern(100_000)], failure), FLAC), failure);
    await assert.rejects(bucket.put("a/c.flac", streamed([], failure), FLAC), failure);
    assert.equal(await bucket.stat("a/b.flac"), undefined);
    assert.equal(await bucket.open("a/b.flac"), undefined);
    assert.deepEqual(await listed(bucket, ""), []);
    await bucket.put("a/b.flac", pattern(10), FLAC);
    assert.deepEqual(await read(bucket, "a/b.flac"), pattern(10));
  },

  async "put() shows no object before it is complete"(bucket) {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(pattern(1_000));
        begin();
        await finished;
        controller.close();
      },
    });
    const put = bucket.put("a/b.flac", stream, FLAC);
    await begun;
    assert.equal(await bucket.stat("a/b.flac"), undefined);
    assert.equal(await bucket.open("a/b.flac"), undefined);
    assert.equal(bucket.path("a/b.flac"), undefined);
    assert.deepEqual(await listed(bucket, ""), []);
    finish();
    assert.deepEqual(await put, { bytes: 1_000 });
    assert.equal((await bucket.stat("a/b.flac"))?.bytes, 1_000);
  },

  async "put() takes the file away also when it fails, and rejects for one that is not there"(bucket, folder) {
    const path = join(folder, "made.flac");
    await writeFile(path, pattern(10));
    await assert.rejects(bucket.put("../x", { path }, FLAC), RangeError);
    assert.deepEqual(await readdir(folder), []);
    await assert.rejects(bucket.put("a", { path }, FLAC));
    assert.equal(await bucket.stat("a"), undefined);
  },

  async "put() that is refused tells the stream that nobody reads it"(bucket) {
    await bucket.put("a", pattern(1), FLAC);
    for (const key of ["a", "../x"]) {
      let canceled = false;
      const stream = new ReadableStream<Uint8Array>({
        cancel() {
          canceled = true;
        },
      });
      await assert.rejects(bucket.put(key, stream, FLAC));
      assert.equal(canceled, true, key);
    }
  },

  async "open() reads ranges, both ends included"(bucket) {
    const bytes = pattern(200_000);
    await bucket.put("a", bytes, FLAC);
    for (const [start, end] of [
      [0, 0],
      [0, 199_999],
      [199_999, 199_999],
      [1, 65_536],
      [65_536, 131_071],
      [12_345, 123_456],
    ] as const) {
      assert.deepEqual(await read(bucket, "a", { start, end }), bytes.subarray(start, end + 1), `${start}-${end}`);
    }
  },

  async "open() refuses ranges outside the object"(bucket) {
    await bucket.put("a", pattern(10), FLAC);
    await bucket.put("empty", new Uint8Array(0), FLAC);
    for (const [start, end] of [
      [0, 10],
      [10, 10],
      [5, 4],
      [-1, 4],
      [0.5, 4],
      [0, Number.NaN],
    ] as const) {
      await assert.rejects(bucket.open("a", { start, end }), RangeError, `${start}-${end}`);
    }
    await assert.rejects(bucket.open("empty", { start: 0, end: 0 }), RangeError);
  },

  async "open() reads into a reader's own buffer and can be cancelled anywhere"(bucket) {
    const bytes = pattern(300_000);
    await bucket.put("a", bytes, FLAC);
    const opened = await bucket.open("a");
    const reader = opened!.stream.getReader({ mode: "byob" });
    const first = await reader.read(new Uint8Array(1_000));
    assert.deepEqual(first.value, bytes.subarray(0, first.value!.length));
    assert.ok(first.value!.length > 0);
    await reader.cancel();
    const unread = await bucket.open("a");
    await unread!.stream.cancel();
    const canceled = (await bucket.open("a", { start: 10, end: 250_000 }))!.stream.getReader();
    const pending = canceled.read();
    await canceled.cancel();
    // The read that was under way may come back with what it had, or with nothing.
    const { value } = await pending;
    if (value !== undefined) assert.deepEqual(value, bytes.subarray(10, 10 + value.length));
    assert.deepEqual(await read(bucket, "a"), bytes);
  },

  async "open() goes on reading an object that is deleted meanwhile"(bucket) {
    const bytes = pattern(300_000);
    await bucket.put("a", bytes, FLAC);
    const opened = await bucket.open("a");
    await bucket.delete(["a"]);
    assert.deepEqual(await bytesOf(opened!.stream), bytes);
    assert.equal(await bucket.open("a"), undefined);
  },

  async "open() serves many at the same time"(bucket) {
    const bytes = pattern(150_000);
    await bucket.put("a", bytes, FLAC);
    const reads = Array.from({ length: 50 }, (_, i) =>
      read(bucket, "a", { start: i * 1_000, end: i * 1_000 + 99_999 }),
    );
    for (const [i, part] of (await Promise.all(reads)).entries()) {
      assert.deepEqual(part, bytes.subarray(i * 1_000, i * 1_000 + 100_000));
    }
  },

  async "stat() tells size and time, and nothing of what is not there"(bucket) {
    const before = Date.now();
    await bucket.put("a/b", pattern(123), FLAC);
    const found = await bucket.stat("a/b");
    assert.equal(found?.key, "a/b");
    assert.equal(found?.bytes, 123);
    assert.ok(Number.isInteger(found?.modified_at));
    // Clocks of file systems and servers may be coarser than a second, or another machine's.
    assert.ok(Math.abs((found?.modified_at ?? 0) - before) < 60_000);
    for (const key of ["a", "a/c", "a/b/c", "b", "k".repeat(300)]) {
      assert.equal(await bucket.stat(key), undefined, key);
      assert.equal(await bucket.open(key), undefined, key);
      assert.equal(bucket.path(key), undefined, key);
    }
  },

  async "delete() removes what is there and minds nothing else"(bucket) {
    for (const key of ["a/1", "a/2", "a/b/3", "c"]) await bucket.put(key, pattern(5), FLAC);
    await bucket.delete([]);
    await bucket.delete(["a/1", "a/none", "none/x", "a", "a/1/x", "c", "c"]);
    assert.deepEqual(await listed(bucket, ""), ["a/2", "a/b/3"]);
    await bucket.delete(["a/2", "a/b/3"]);
    assert.deepEqual(await listed(bucket, ""), []);
    await bucket.put("a/1", pattern(6), FLAC);
    assert.deepEqual(await read(bucket, "a/1"), pattern(6));
  },

  async "delete() and put() in one place do not get in each other's way"(bucket) {
    // The deletion comes later from round to round, so that some meet the moment between two steps of `put`.
    const deleteAfter = async (ms: number): Promise<void> => {
      const end = performance.now() + ms;
      while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
      await bucket.delete(["op/1/old"]);
    };
    for (let round = 0; round < 90; round++) {
      await bucket.put("op/1/old", pattern(1), FLAC);
      await Promise.all([deleteAfter((round % 30) * 0.05), bucket.put("op/1/new", pattern(2), FLAC)]);
      assert.deepEqual(await listed(bucket, "op/"), ["op/1/new"]);
      await bucket.delete(["op/1/new"]);
    }
  },

  async "list() finds objects by the beginning of their keys"(bucket) {
    const keys = [
      "op_1/1/0.flac",
      "op_1/1/1.flac",
      "op_1/2/0.flac",
      "op_10/1/0.flac",
      "op_2/1/0.flac",
      "files/f.wav",
      "top",
    ];
    for (const key of keys) await bucket.put(key, pattern(key.length), FLAC);
    const prefixes = [
      "",
      "op",
      "op_1",
      "op_1/",
      "op_1/1",
      "op_1/1/",
      "op_1/1/0.flac",
      "top",
      "t",
      "files/",
      "none",
      "op_1/1/0.flac/",
    ];
    for (const prefix of prefixes) {
      assert.deepEqual(
        await listed(bucket, prefix),
        keys.filter((key) => key.startsWith(prefix)).sort(),
        `"${prefix}"`,
      );
    }
    for (const prefix of ["/", "../", "..", ".", "op_1//", "op_1/../op_2/", "a\\b", "op_1/../../"]) {
      assert.deepEqual(await listed(bucket, prefix), [], `"${prefix}"`);
    }
    const found: StoredObject[] = [];
    for await (const object of bucket.list("op_10/")) found.push(object);
    assert.deepEqual(found, [await bucket.stat("op_10/1/0.flac")]);
  },

  async "list() can be left early, and while objects are deleted"(bucket) {
    for (let i = 0; i < 60; i++) await bucket.put(`a/${i % 6}/${i}`, pattern(1), FLAC);
    let seen = 0;
    for await (const object of bucket.list("")) {
      seen++;
      if (object !== undefined && seen === 3) break;
    }
    assert.equal(seen, 3);
    for await (const { key } of bucket.list("a/")) await bucket.delete([key]);
    assert.deepEqual(await listed(bucket, ""), []);
  },

  async "path() is a file with the object's content, where there is one"(bucket) {
    await bucket.put("a/b.flac", pattern(100), FLAC);
    const path = bucket.path("a/b.flac");
    if (path !== undefined) assert.deepEqual(new Uint8Array(await readFile(path)), pattern(100));
  },

  async "address() is a URL, where there is one"(bucket) {
    await bucket.put("a/b.flac", pattern(100), FLAC);
    const address = await bucket.address("a/b.flac", 60, "inline");
    if (address !== undefined) assert.ok(URL.canParse(address), address);
  },

  async "every verb refuses what is no key"(bucket, folder) {
    const path = join(folder, "made.flac");
    for (const key of BAD_KEYS) {
      await writeFile(path, pattern(1));
      const shown = JSON.stringify(key);
      await assert.rejects(bucket.put(key, pattern(1), FLAC), RangeError, shown);
      await assert.rejects(bucket.put(key, { path }, FLAC), RangeError, shown);
      await assert.rejects(bucket.open(key), RangeError, shown);
      await assert.rejects(bucket.stat(key), RangeError, shown);
      await assert.rejects(bucket.delete(["a", key]), RangeError, shown);
      assert.throws(() => bucket.path(key), RangeError, shown);
    }
    assert.deepEqual(await listed(bucket, ""), []);
  },
};
