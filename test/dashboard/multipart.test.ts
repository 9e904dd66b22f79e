import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "../../core/surface.ts";
import { boundaryOf, readParts } from "../../plugins/dashboard/multipart.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function read(bytes: Uint8Array, boundary: string, size: number) {
  const parts: { name: string; filename: string | undefined; bytes: Buffer }[] = [];
  for await (const { name, filename, chunks } of readParts(inPieces(bytes, size), boundary)) {
    const held: Uint8Array[] = [];
    // Not copied: what was handed out stays as it is.
    for await (const chunk of chunks) held.push(chunk);
    parts.push({ name, filename, bytes: Buffer.concat(held) });
  }
  return parts;
}

test("a form that the runtime wrote is read the same in pieces of any size", async () => {
  const data = new FormData();
  data.append("text", "ä\r\n--not-it\r\n");
  // Bytes that look like line breaks and delimiters.
  const file = Buffer.from("\r\n--\r\n\r\n-----x\r\n\0\xff", "latin1");
  data.append("file", new File([file], 'a "b".flac'));
  data.append("none", new File([], ""));
  const response = new Response(data);
  const boundary = boundaryOf(response.headers.get("content-type"))!;
  const bytes = new Uint8Array(await response.arrayBuffer());
  for (const size of [1, 2, 3, 7, 64, 100_000]) {
    const [text, audio, none] = await read(bytes, boundary, size);
    assert.equal(text?.bytes.toString("utf8"), "ä\r\n--not-it\r\n");
    assert.deepEqual([audio?.name, audio?.filename], ["file", 'a "b".flac']);
    assert.deepEqual(audio?.bytes, file);
    assert.equal(none?.bytes.length, 0);
  }
});

test("what nobody reads of a part is skipped", async () => {
  const data = new FormData();
  data.append("file", new File([Buffer.alloc(100_000, 13)], "a"));
  data.append("after", "here");
  const response = new Response(data);
  const names: string[] = [];
  const chunks = inPieces(new Uint8Array(await response.clone().arrayBuffer()), 1000);
  for await (const { name } of readParts(chunks, boundaryOf(response.headers.get("content-type"))!)) names.push(name);
  assert.deepEqual(names, ["file", "after"]);
});

test("what is cut short, or none, is a 422", async () => {
  const sound = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n--x--';
  assert.deepEqual(
    (await read(Buffer.from(sound), "x", 5)).map(({ name }) => name),
    ["a"],
  );
  const broken = [
    "",
    "x",
    sound.slice(0, -2),
    sound.slice(0, 30),
    `--x\r\n${"h".repeat(9000)}`,
    sound.replace("--x--", "--x??"),
  ];
  for (const text of broken) {
    await assert.rejects(read(Buffer.from(text), "x", 4), { status: 422 }, text.slice(0, 40));
  }
});

const FILE = '--x\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\n';

/** What reading the first part's bytes ends with. */
async function readFirst(source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const { chunks } of readParts(source, "x")) for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

test("a file that is cut short is refused where it is read, not stored as if it were whole", async () => {
  for (const tail of ["", "\r\n", "\r\n--x"]) {
    const form = Buffer.from(`${FILE}${"v".repeat(50_000)}${tail}`);
    let refused: unknown;
    for await (const { chunks } of readParts(inPieces(form, 8_192), "x")) {
      try {
        for await (const _ of chunks);
      } catch (error) {
        refused = error;
        break;
      }
    }
    assert.equal((refused as { status?: number } | undefined)?.status, 422, JSON.stringify(tail));
  }
});

test("what the body is refused with is what its reader gets, within a file and before one", async () => {
  for (const begin of [`${FILE}${"v".repeat(50_000)}`, "--x\r\nContent-Disp", ""]) {
    async function* slow() {
      yield* inPieces(Buffer.from(begin), 8_192);
      throw refuse.bodyTooSlow();
    }
    await assert.rejects(readFirst(slow()), { status: 408 });
  }
});

test("who stops in the middle of a file ends the body, and a part that is left may still break off", async () => {
  let ended = false;
  async function* endless() {
    try {
      yield Buffer.from(FILE);
      for (;;) yield Buffer.alloc(8_192, 118);
    } finally {
      ended = true;
    }
  }
  await assert.rejects(async () => {
    for await (const { chunks } of readParts(endless(), "x")) for await (const _ of chunks) throw new Error("enough");
  }, /enough/);
  for (let turn = 0; !ended && turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(ended, "nobody reads the body any more");
  const cut = Buffer.from(`${FILE}${"v".repeat(300_000)}`);
  await assert.rejects(
    async () => {
      for await (const { chunks } of readParts(inPieces(cut, 8_192), "x")) void chunks;
    },
    { status: 422 },
  );
});

test("a form has at most 100 parts, and what is no form-data is left out", async () => {
  const field = (n: number) => `--x\r\nContent-Disposition: form-data; name="n${n}"\r\n\r\nv\r\n`;
  const form = (parts: number) => Buffer.from(`${Array.from({ length: parts }, (_, n) => field(n)).join("")}--x--`);
  assert.equal((await read(form(100), "x", 1_000)).length, 100);
  await assert.rejects(read(form(101), "x", 1_000), { status: 422 });
  const other = `--x\r\nContent-Disposition: attachment; name="a"\r\n\r\nv\r\n${form(1)}`;
  assert.deepEqual(
    (await read(Buffer.from(other), "x", 7)).map(({ name }) => name),
    ["n0"],
  );
});

test("only multipart has a boundary", () => {
  assert.equal(boundaryOf("multipart/form-data; boundary=abc"), "abc");
  assert.equal(boundaryOf('Multipart/Form-Data; charset=utf-8; boundary="a b"'), "a b");
  for (const type of [null, "", "text/plain; boundary=x", "multipart/form-data"])
    assert.equal(boundaryOf(type), undefined);
});
