/** What sources say of themselves is somebody's text: only words, on one line, bounded, and never an error. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { readTags } from "../../runners/signal/media/tags.ts";
import { inFolder, seeded } from "../audio.ts";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const long = (value: number): Buffer => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const small = (value: number): Buffer => long(value).reverse() as Buffer;
const sevens = (value: number): Buffer =>
  Buffer.from([value >> 21, (value >> 14) & 127, (value >> 7) & 127, value & 127]);

function id3(version: 2 | 3 | 4, frames: readonly (readonly [string, Buffer])[], flags = 0): Buffer {
  const body = Buffer.concat(
    frames.flatMap(([name, content]) => {
      if (version === 2) return [latin(name), long(content.length).subarray(1), content];
      return [latin(name), version === 4 ? sevens(content.length) : long(content.length), Buffer.alloc(2), content];
    }),
  );
  return Buffer.concat([latin("ID3"), Buffer.from([version, 0, flags]), sevens(body.length), body]);
}

function info(entries: readonly (readonly [string, Buffer])[]): Buffer {
  const list = Buffer.concat([
    latin("INFO"),
    ...entries.flatMap(([name, text]) => [latin(name), small(text.length), text, Buffer.alloc(text.length % 2)]),
  ]);
  return Buffer.concat([latin("RIFF"), small(4 + 8 + list.length), latin("WAVELIST"), small(list.length), list]);
}

const utf16 = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from("Żółw", "utf16le")]);
const v1 = Buffer.concat([
  latin("TAG"),
  latin("Old title".padEnd(30, "\0")),
  latin("caf\xe9".padEnd(30)),
  Buffer.alloc(65),
]);

const FILES: readonly (readonly [what: string, bytes: Buffer, tags: object])[] = [
  ["ID3v2.3 in UTF-16", id3(3, [["TIT2", utf16]]), { TITLE: "Żółw" }],
  ["ID3v2.4 in UTF-8", id3(4, [["TPE1", latin("\x03a\0b")]]), { ARTIST: "a" }],
  ["ID3v2.2", id3(2, [["TAL", latin("\0caf\xe9")]]), { ALBUM: "café" }],
  [
    "a picture before the words",
    id3(3, [
      ["APIC", Buffer.alloc(90_000, 1)],
      ["TIT2", latin("\0t")],
    ]),
    { TITLE: "t" },
  ],

  ["ID3v1", Buffer.concat([Buffer.alloc(300), v1]), { TITLE: "Old title", ARTIST: "café" }],
  ["INFO in Latin-1", info([["INAM", latin("caf\xe9\0")]]), { TITLE: "café" }],
  ["controls and lines", info([["INAM", latin(" a\r\n\x1b[31mb ")]]), { TITLE: "a [31mb" }],
  ["too much", info([["IART", Buffer.alloc(100_000, "x")]]), { ARTIST: "x".repeat(200) }],
  ["nothing but spaces", info([["IPRD", latin("   \0")]]), {}],
  ["a list without a name", Buffer.concat([latin("RIFF    WAVELIST"), small(2), latin("INFO")]), {}],
  ["an empty file", Buffer.alloc(0), {}],
];

test("title, artist and album are words on one line, at most 200 characters", () =>
  inFolder(async (path) => {
    for (const [what, bytes, tags] of FILES) {
      await writeFile(path("tagged"), bytes);
      assert.deepEqual(await readTags(path("tagged")), tags, what);
    }
  }));

test("damaged tags are no error", () =>
  inFolder(async (path) => {
    const next = seeded(7);
    for (let round = 0; round < 600; round++) {
      const bytes = Buffer.from(FILES[round % FILES.length]![1].subarray(0, 2_000));
      for (let n = 0; n < 4 && bytes.length > 0; n++)
        bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
      await writeFile(path("damaged"), bytes.subarray(0, Math.ceil(next() * bytes.length)));
      for (const text of Object.values(await readTags(path("damaged")))) {
        assert.ok([...text].length <= 200 && text !== "");
        assert.doesNotMatch(text, /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
      }
    }
  }));
