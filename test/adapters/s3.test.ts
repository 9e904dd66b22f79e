import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CreateMultipartUploadCommand, HeadObjectCommand, ListMultipartUploadsCommand } from "@aws-sdk/client-s3";
import { openS3Bucket, type S3Bucket } from "../../core/adapters/s3/bucket.ts";
import { createS3Client } from "../../core/adapters/s3/client.ts";
import { StoreUnavailable } from "../../core/ports/mod.ts";
import { type FaultProxy, startFaultProxy } from "../services/fault_proxy.ts";
import { S3_MISSING, startS3 } from "../services/s3.ts";
import { whenThere } from "../services/services.ts";
import { bucketSuite, bytesOf, pattern, streamed } from "./bucket.suite.ts";

const FLAC = "audio/flac";
/** Two whole parts and a piece. */
const LARGE = 2 * 8_388_608 + 12_345;

await whenThere("s3 bucket", S3_MISSING, async () => {
  const server = await startS3();
  after(() => server.end());

  bucketSuite("s3", async () => ({ bucket: await openS3Bucket(server.options()), end: async () => undefined }));

  const withBucket = async (
    use: (bucket: S3Bucket, raw: ReturnType<typeof createS3Client>, name: string, proxy: FaultProxy) => Promise<void>,
  ): Promise<void> => {
    const proxy = await startFaultProxy(server.port);
    const options = server.options({ endpoint: `http://127.0.0.1:${proxy.port}` });
    const raw = createS3Client({ ...options, endpoint: server.endpoint });
    const bucket = await openS3Bucket(options);
    try {
      await use(bucket, raw, options.bucket, proxy);
    } finally {
      await bucket.close();
      raw.destroy();
      await proxy.close();
    }
  };
  const large = pattern(LARGE);
  const inPieces = () =>
    streamed(
      Array.from({ length: 100 }, (_, n) =>
        large.subarray(Math.ceil((LARGE / 100) * n), Math.ceil((LARGE / 100) * (n + 1))),
      ),
    );

  test("put() sends what is large in parts with checksums, and leaves no upload open", () =>
    withBucket(async (bucket, raw, Bucket) => {
      const path = join(tmpdir(), `tonwerk-s3-${crypto.randomUUID()}`);
      await writeFile(path, large);
      assert.deepEqual(await bucket.put("op/a/1/0.flac", { path }, FLAC), { bytes: LARGE });
      assert.deepEqual(await bucket.put("op/a/1/1.flac", inPieces(), FLAC), { bytes: LARGE });
      for (const Key of ["op/a/1/0.flac", "op/a/1/1.flac"]) {
        const got = await bytesOf((await bucket.open(Key))!.stream);
        assert.equal(sha256(got), sha256(large));
        const head = await raw.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
        assert.equal(head.ContentType, FLAC);
        assert.match(head.ChecksumSHA256 ?? "", /-3$/);
      }
      await assert.rejects(bucket.put("op/a/1/0.flac", inPieces(), FLAC), /exists already/);
      const failure = new Error("the client went away");
      await assert.rejects(
        bucket.put("op/b", streamed([large.subarray(0, 9_000_000), large.subarray(0, 9_000_000)], failure), FLAC),
        failure,
      );
      assert.equal(await bucket.stat("op/b"), undefined);
      assert.equal((await raw.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0, 0);
    }));

  test("of two large puts of one key at the same time one wins", () =>
    withBucket(async (bucket) => {
      const results = await Promise.allSettled([bucket.put("a", inPieces(), FLAC), bucket.put("a", inPieces(), FLAC)]);
      assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      assert.equal((await bucket.stat("a"))?.bytes, LARGE);
    }));

  test("sweep() ends uploads that nobody finished, and only those from before", () =>
    withBucket(async (bucket, raw, Bucket) => {
      await raw.send(new CreateMultipartUploadCommand({ Bucket, Key: "op/left" }));
      assert.equal(await bucket.sweep(Date.now() - 3_600_000), 0);
      assert.equal(await bucket.sweep(Date.now() + 60_000), 1);
      assert.equal((await raw.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0, 0);
    }));

  test("address() is a URL that serves the object with type and disposition, without a key, until it expires", () =>
    withBucket(async (bucket) => {
      await bucket.put("op/a/1/0.flac", pattern(1_000), "application/octet-stream");
      const url = (await bucket.address("op/a/1/0.flac", 60, 'attachment; filename="song.flac"'))!;
      const answer = await fetch(url);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("content-type"), FLAC);
      assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="song.flac"');
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), pattern(1_000));
      const part = await fetch(url, { headers: { range: "bytes=10-19" } });
      assert.equal(part.status, 206);
      assert.deepEqual(new Uint8Array(await part.arrayBuffer()), pattern(1_000).subarray(10, 20));
      assert.match(url, /X-Amz-Expires=60&/);
      for (const changed of [
        url.replace("0.flac", "1.flac"),
        url.replace("song", "sing"),
        url.replace("X-Amz-Expires=60", "X-Amz-Expires=600"),
      ]) {
        const refused = await fetch(changed);
        await refused.body?.cancel();
        assert.equal(refused.status, 403);
      }
      assert.match((await bucket.address("a.wav", 60, "inline"))!, /response-content-type=audio%2Fwav/);
    }));

  test("a public endpoint is where clients are sent, and bucket names may come first in the host", async () => {
    const options = server.options({ public_endpoint: "https://audio.example.com" });
    const bucket = await openS3Bucket(options);
    assert.ok(
      (await bucket.address("a.flac", 60, "inline"))!.startsWith(`https://audio.example.com/${options.bucket}/a.flac?`),
    );
    await bucket.close();
    // *.localhost is this machine, by RFC 6761, where the resolver knows that.
    const virtual = server.options({ endpoint: `http://localhost:${server.port}`, path_style: false });
    const { lookup } = await import("node:dns/promises");
    const isKnown = await lookup(`${virtual.bucket}.localhost`).then(
      () => true,
      () => false,
    );
    if (!isKnown) return;
    const hosted = await openS3Bucket(virtual);
    await hosted.put("a/b.flac", pattern(100), FLAC);
    assert.deepEqual(await bytesOf((await hosted.open("a/b.flac"))!.stream), pattern(100));
    const url = (await hosted.address("a/b.flac", 60, "inline"))!;
    assert.ok(url.startsWith(`http://${virtual.bucket}.localhost:${server.port}/a/b.flac?`));
    const answer = await fetch(url);
    assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), pattern(100));
    await hosted.close();
  });

  test("a server that answers 503 twice is asked again; one that does nothing else is unavailable", () =>
    withBucket(async (bucket, _raw, _name, proxy) => {
      proxy.answer(503, 2);
      await bucket.put("a", pattern(100), FLAC);
      assert.equal((await bucket.stat("a"))?.bytes, 100);
      proxy.answer(500, 1_000);
      await assert.rejects(bucket.stat("a"), StoreUnavailable);
      await assert.rejects(bucket.put("b", pattern(100), FLAC), StoreUnavailable);
      await assert.rejects(bucket.delete(["a"]), StoreUnavailable);
      proxy.heal();
      assert.equal((await bucket.stat("a"))?.bytes, 100);
      assert.equal(await bucket.stat("b"), undefined);
    }));

  test("a put whose answer is lost is done once, and is no refusal", () =>
    withBucket(async (bucket, _raw, _name, proxy) => {
      // The look before comes through; then the request arrives and its answer does not.
      proxy.loseAnswers({ method: "PUT", count: 1 });
      assert.deepEqual(await bucket.put("a", pattern(100), FLAC), { bytes: 100 });
      assert.equal(proxy.lost, 1);
      proxy.loseAnswers({ method: "POST", path: /uploadId=/, count: 1 });
      assert.deepEqual(await bucket.put("b", inPieces(), FLAC), { bytes: LARGE });
      assert.equal(proxy.lost, 2);
      assert.equal(sha256(await bytesOf((await bucket.open("b"))!.stream)), sha256(large));
    }));

  test("a body that breaks off goes on where it was, byte for byte", () =>
    withBucket(async (bucket, _raw, _name, proxy) => {
      await bucket.put("a", pattern(3_000_000), FLAC);
      proxy.truncate({ after_bytes: 1_000_000, count: 2 });
      const whole = await bucket.open("a");
      assert.deepEqual(await bytesOf(whole!.stream), pattern(3_000_000));
      assert.equal(proxy.truncated, 2);
      proxy.truncate({ after_bytes: 500_000, count: 1 });
      const part = await bucket.open("a", { start: 1_000, end: 2_000_999 });
      assert.deepEqual(await bytesOf(part!.stream), pattern(3_000_000).subarray(1_000, 2_001_000));
      proxy.truncate({ after_bytes: 10_000, count: 1_000 });
      await assert.rejects(bytesOf((await bucket.open("a"))!.stream));
    }));

  test("a bucket that cannot be used says which and why", async () => {
    const wrong = server.options({ credentials: { access_key_id: "tonwerk", secret_access_key: "hidden-and-wrong" } });
    await assert.rejects(openS3Bucket(wrong), (error: Error) => {
      assert.match(error.message, new RegExp(`Cannot use the bucket "${wrong.bucket}" at http://127.0.0.1`));
      assert.doesNotMatch(error.message, /hidden-and-wrong/);
      return true;
    });
  });

  test("retain() sets rules and keeps those of others, or says why not", () =>
    withBucket(async (bucket) => {
      const why = await bucket.retain(30);
      assert.ok(why === null || /NotImplemented|Lifecycle/i.test(why), String(why));
    }));
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
