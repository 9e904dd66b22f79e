import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openFilesBucket } from "../../core/adapters/files/bucket.ts";
import { type Bucket, StoreUnavailable } from "../../core/ports/mod.ts";
import { bucketSuite, bytesOf, pattern, streamed } from "./bucket.suite.ts";

const FLAC = "audio/flac";

bucketSuite("files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-files-"));
  return { bucket: await openFilesBucket(folder), end: () => rm(folder, { recursive: true, force: true }) };
});

async function withBucket(use: (bucket: Bucket, folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-files-"));
  try {
    await use(await openFilesBucket(folder), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How often this process has files below `folder` open; undefined where the system does not tell. */
async function openDescriptors(folder: string): Promise<number | undefined> {
  const links = await readdir("/proc/self/fd").catch(() => undefined);
  if (links === undefined) return undefined;
  const targets = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => "")));
  return targets.filter((target) => target.startsWith(folder)).length;
}

test("openFilesBucket() keeps objects over a restart, each under its key", async () => {
  await withBucket(async (bucket, folder) => {
    await bucket.put("op_1/1/0.flac", pattern(1_000), FLAC);
    await bucket.close();
    assert.deepEqual(new Uint8Array(await readFile(join(folder, "objects/op_1/1/0.flac"))), pattern(1_000));
    const again = await openFilesBucket(folder);
    assert.deepEqual(await bytesOf((await again.open("op_1/1/0.flac"))!.stream), pattern(1_000));
    assert.equal(again.path("op_1/1/0.flac"), await bucket.path("op_1/1/0.flac"));
  });
});

test("openFilesBucket() removes half-written objects and nothing else", async () => {
  await withBucket(async (_, folder) => {
    await writeFile(join(folder, "tmp/draft-0123456789abcdef"), "half");
    await writeFile(join(folder, "tmp/somebody-else's"), "whole");
    await openFilesBucket(folder);
    assert.deepEqual(await readdir(join(folder, "tmp")), ["somebody-else's"]);
  });
});

test("openFilesBucket() works where the folder is reached through a link", async () => {
  await withBucket(async (bucket, folder) => {
    await bucket.put("a/b", pattern(10), FLAC);
    const link = join(folder, "link");
    await symlink(folder, link);
    const linked = await openFilesBucket(link);
    assert.equal((await linked.stat("a/b"))?.bytes, 10);
    await linked.put("a/c", pattern(20), FLAC);
    assert.equal((await bucket.stat("a/c"))?.bytes, 20);
  });
});

test("put() leaves no draft behind, however it ends", async () => {
  await withBucket(async (bucket, folder) => {
    const path = join(folder, "made.flac");
    await writeFile(path, pattern(10));
    await bucket.put("a", pattern(10), FLAC);
    await bucket.put("b", streamed([pattern(10)]), FLAC);
    await bucket.put("c", { path }, FLAC);
    await assert.rejects(bucket.put("d", streamed([pattern(10)], new Error("gone")), FLAC), /gone/);
    await assert.rejects(bucket.put("a", pattern(10), FLAC), /exists already/);
    await assert.rejects(bucket.put("e", streamed(["text" as never]), FLAC));
    assert.deepEqual(await readdir(join(folder, "tmp")), []);
    assert.deepEqual((await readdir(join(folder, "objects"))).sort(), ["a", "b", "c"]);
  });
});

test("put() makes files that only their owner can read", async (t) => {
  if (process.platform === "win32") return t.skip("no mode bits on Windows");
  await withBucket(async (bucket, folder) => {
    const path = join(folder, "made.flac");
    await writeFile(path, pattern(10));
    await chmod(path, 0o644);
    await bucket.put("x/a", pattern(10), FLAC);
    await bucket.put("x/b", { path }, FLAC);
    for (const key of ["a", "b"]) assert.equal((await stat(join(folder, "objects/x", key))).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "objects/x"))).mode & 0o777, 0o700);
  });
});

test("put() moves a file without copying it, and copies one from another disk", async (t) => {
  await withBucket(async (bucket, folder) => {
    const path = join(folder, "made.flac");
    await writeFile(path, pattern(10));
    const { ino } = await stat(path);
    await bucket.put("moved", { path }, FLAC);
    assert.equal((await stat(join(folder, "objects/moved"))).ino, ino);

    const other = await mkdtemp("/dev/shm/tonwerk-files-").catch(() => undefined);
    if (other === undefined) return t.diagnostic("no second disk to copy from");
    try {
      if ((await stat(other)).dev === (await stat(folder)).dev) return t.diagnostic("no second disk to copy from");
      await writeFile(join(other, "made.flac"), pattern(100_000));
      assert.deepEqual(await bucket.put("copied", { path: join(other, "made.flac") }, FLAC), { bytes: 100_000 });
      assert.deepEqual(await bytesOf((await bucket.open("copied"))!.stream), pattern(100_000));
      assert.deepEqual(await readdir(other), []);
      assert.deepEqual(await readdir(join(folder, "tmp")), []);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

test("put() refuses a link as a file, a key as a folder and a folder as a key", async () => {
  await withBucket(async (bucket, folder) => {
    await writeFile(join(folder, "target"), "secret");
    await symlink(join(folder, "target"), join(folder, "link"));
    await assert.rejects(bucket.put("a", { path: join(folder, "link") }, FLAC), /not a file/);
    assert.equal(await readFile(join(folder, "target"), "utf8"), "secret");
    assert.deepEqual((await readdir(folder)).sort(), ["objects", "target", "tmp"]);

    await bucket.put("a/b", pattern(1), FLAC);
    await assert.rejects(bucket.put("a", pattern(1), FLAC), /exists already/);
    await assert.rejects(bucket.put("a/b/c", pattern(1), FLAC), /has one as its folder/);
    await assert.rejects(bucket.put("a/b/c/d", pattern(1), FLAC), /has one as its folder/);
    assert.equal((await bucket.stat("a/b"))?.bytes, 1);
  });
});

test("no verb follows a link out of the folder", async () => {
  await withBucket(async (bucket, folder) => {
    const outside = join(folder, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "secret"), "secret");
    await bucket.put("in/side", pattern(1), FLAC);
    await symlink(outside, join(folder, "objects/out"));
    await symlink(join(outside, "secret"), join(folder, "objects/in/leaf"));
    await symlink(join(folder, "objects/in"), join(folder, "objects/alias"));
    for (const key of ["out/secret", "in/leaf", "alias/side"]) {
      assert.equal(await bucket.stat(key), undefined, key);
      assert.equal(await bucket.open(key), undefined, key);
      assert.equal(bucket.path(key), undefined, key);
      await bucket.delete([key]);
    }
    await assert.rejects(bucket.put("out/new", pattern(1), FLAC), /leads elsewhere/);
    await assert.rejects(bucket.put("in/leaf", pattern(1), FLAC), /exists already/);
    const keys: string[] = [];
    for (const prefix of ["", "out/", "alias/", "in/l"])
      for await (const { key } of bucket.list(prefix)) keys.push(key);
    assert.deepEqual(keys, ["in/side"]);
    assert.deepEqual(await readdir(outside), ["secret"]);
    assert.equal(await readFile(join(outside, "secret"), "utf8"), "secret");
  });
});

test("delete() removes folders that it empties, and no others", async () => {
  await withBucket(async (bucket, folder) => {
    await bucket.put("op_1/1/a", pattern(1), FLAC);
    await bucket.put("op_1/2/a", pattern(1), FLAC);
    await bucket.delete(["op_1/1/a"]);
    assert.deepEqual(await readdir(join(folder, "objects/op_1")), ["2"]);
    await bucket.delete(["op_1/2/a"]);
    assert.deepEqual(await readdir(join(folder, "objects")), []);
  });
});

test("list() passes over files that are not objects", async () => {
  await withBucket(async (bucket, folder) => {
    await bucket.put("a/b", pattern(1), FLAC);
    await writeFile(join(folder, "objects/a/.DS_Store"), "x");
    await writeFile(join(folder, "objects/a/ä"), "x");
    await mkdir(join(folder, "objects/.hidden"));
    await writeFile(join(folder, "objects/.hidden/c"), "x");
    const keys: string[] = [];
    for await (const { key } of bucket.list("")) keys.push(key);
    assert.deepEqual(keys, ["a/b"]);
  });
});

test("no descriptor stays open after reads, cancels, failures and lists", async (t) => {
  await withBucket(async (bucket, folder) => {
    if ((await openDescriptors(folder)) === undefined) return t.skip("the system does not list open descriptors");
    for (let i = 0; i < 5; i++) await bucket.put(`a/${i}/b`, pattern(200_000), FLAC);
    await bucket.put("empty", new Uint8Array(0), FLAC);

    const held = await bucket.open("a/0/b");
    assert.equal(await openDescriptors(folder), 1);
    await held!.stream.cancel();

    for (let i = 0; i < 10; i++) {
      await bytesOf((await bucket.open("a/0/b"))!.stream);
      await bytesOf((await bucket.open("empty"))!.stream);
      const reader = (await bucket.open("a/1/b"))!.stream.getReader();
      await reader.read();
      await reader.cancel();
      const pending = (await bucket.open("a/2/b"))!.stream.getReader();
      void pending.read();
      await pending.cancel();
      await assert.rejects(bucket.open("a/0/b", { start: 0, end: 200_000 }), RangeError);
      await assert.rejects(bucket.put("a/0/b", pattern(1), FLAC));
      await assert.rejects(bucket.put("new", streamed([pattern(1)], new Error("gone")), FLAC));
      for await (const { key } of bucket.list("a/")) if (key !== "") break;
    }
    // A reader that stops after the last byte has not seen the end, and never cancels.
    const exact = (await bucket.open("a/3/b", { start: 0, end: 9 }))!.stream.getReader();
    await exact.read();
    await exact.read();
    assert.equal(await openDescriptors(folder), 0);
  });
});

test("open() fails the stream of an object that somebody shortened", async () => {
  await withBucket(async (bucket, folder) => {
    await bucket.put("a", pattern(200_000), FLAC);
    const opened = await bucket.open("a");
    await writeFile(join(folder, "objects/a"), pattern(70_000));
    await assert.rejects(bytesOf(opened!.stream), /the object ends at byte 70000/);
    if ((await openDescriptors(folder)) !== undefined) assert.equal(await openDescriptors(folder), 0);
  });
});

test("put() reports a disk that is full or failing as StoreUnavailable, and other errors as they are", async () => {
  await withBucket(async (bucket, folder) => {
    for (const code of ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE"]) {
      const failure = Object.assign(new Error(`${code}: from the disk`), { code });
      await assert.rejects(bucket.put("a", streamed([pattern(10)], failure), FLAC), (error) => {
        assert.ok(error instanceof StoreUnavailable);
        assert.equal(error.cause, failure);
        return true;
      });
    }
    const reset = Object.assign(new Error("ECONNRESET: the client went away"), { code: "ECONNRESET" });
    await assert.rejects(bucket.put("a", streamed([], reset), FLAC), reset);
    assert.deepEqual(await readdir(join(folder, "tmp")), []);
  });
});
