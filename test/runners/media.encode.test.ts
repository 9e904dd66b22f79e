import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { readFlacFile, type StreamInfo, writeFlacFile } from "../../runners/signal/flac/mod.ts";
import { decode } from "../../runners/signal/media/decode.ts";
import { encodeFlac, verifyFlac } from "../../runners/signal/media/encode.ts";
import { inFolder, music, noise, silence } from "../audio.ts";
import { LIMITS, pcmOf, program, signal } from "./media_files.ts";

for (const bits of [16, 24] as const) {
  test(`encodeFlac() writes ${bits} bits that read back the same, with an MD5 and only the tags it was given`, async () => {
    await inFolder(async (path) => {
      for (const channels of [
        music(5, 1.3),
        [noise(6, 0.2)],
        [new Float32Array([0.5])],
        [silence(0.5), silence(0.5)],
      ]) {
        const pcm = pcmOf(channels, bits);
        const tags = { TITLE: "Ein Lied: ä=ö", ENGINE: "test" };
        const { bytes, sha256 } = await encodeFlac(pcm, 44_100, path("out.flac"), tags, signal);
        const file = await readFile(path("out.flac"));
        assert.equal(file.length, bytes);
        assert.match(sha256, /^[0-9a-f]{64}$/);
        const info = await infoOf(path("out.flac"));
        assert.deepEqual(
          [info.sample_rate, info.channels, info.bits, info.frames],
          [44_100, channels.length, bits, pcm.frames],
        );
        assert.notEqual(info.md5, "0".repeat(32));
        const comments = file.toString("utf8", 42, 400);
        assert.ok(comments.includes("TITLE=Ein Lied: ä=ö") && comments.includes("ENGINE=test"));
        const meant = channels.map((channel) => new Float32Array(channel.length));
        pcm.samples(0, pcm.frames, meant);
        for (const choice of program === undefined ? (["own"] as const) : (["own", "ffmpeg"] as const)) {
          const { audio } = await decode(path("out.flac"), { ...LIMITS, seconds_min: 0 }, signal, choice);
          assert.deepEqual(audio.channels, meant);
        }
        assert.equal((await encodeFlac(pcm, 44_100, path("again.flac"), tags, signal)).sha256, sha256);
      }
    });
  });
}

test("encodeFlac() leaves no file when it is aborted or cannot write", async () => {
  await inFolder(async (path) => {
    const stop = new AbortController();
    const pcm = pcmOf([noise(7, 20), noise(8, 20)]);
    const stopping = {
      ...pcm,
      samples(...[from, to, out]: Parameters<typeof pcm.samples>) {
        if (from > 0) stop.abort(new Error("enough"));
        pcm.samples(from, to, out);
      },
    };
    await assert.rejects(encodeFlac(stopping, 44_100, path("never.flac"), {}, stop.signal), /enough/);
    await assert.rejects(readFile(path("never.flac")), { code: "ENOENT" });
    await assert.rejects(encodeFlac(pcm, 44_100, path("no/folder/x.flac"), {}, signal), { code: "ENOENT" });
  });
});

test("verifyFlac() refuses a file that is not what was written, or whose head says what is not meant", async () => {
  await inFolder(async (path) => {
    const meant = await writeFlacFile(pcmOf([noise(9, 2)]), 44_100, path("a.flac"), {}, signal);
    const file = await readFile(path("a.flac"));
    const { bytes, sha256 } = await verifyFlac(path("a.flac"), meant, signal);
    assert.equal(bytes, file.length);
    assert.equal(sha256, createHash("sha256").update(file).digest("hex"));
    for (const [fact, value] of [
      ["md5", "0".repeat(32)],
      ["bits", 16],
      ["frames", 1],
    ] as const) {
      const other = { ...meant, info: { ...meant.info, [fact]: value } };
      await assert.rejects(verifyFlac(path("a.flac"), other, signal), new RegExp(`its ${fact} is .* was meant`));
    }
    const flipped = (at: number): Uint8Array => file.with(at, file[at]! ^ 0x10);
    const broken: readonly [Uint8Array, RegExp][] = [
      [flipped(12), /its head is not/],
      [flipped(meant.head.length), /frame 0 is not/],
      [flipped(file.length - 200), /frame 21 is not/],
      [flipped(file.length - 1), /frame 21 is not/],
      [file.subarray(0, file.length - 3000), /it ends within a frame/],
      [Buffer.concat([file, new Uint8Array(1)]), /goes on behind its last frame/],
      [new Uint8Array(0), /its head is not/],
    ];
    for (const [bytes, why] of broken) {
      await writeFile(path("b.flac"), bytes);
      await assert.rejects(verifyFlac(path("b.flac"), meant, signal), why);
    }
  });
});

async function infoOf(path: string): Promise<StreamInfo> {
  for await (const { info } of readFlacFile(path, signal)) return info;
  throw new Error("no frame");
}
