/**
 * Stems as one ZIP (APPNOTE 6.3), stored as they are, written as it is read: a few hundred kilobytes of it are in
 * memory at a time.
 */
import { crc32 } from "node:zlib";

export interface Entry {
  /** ASCII. */
  readonly name: string;
  readonly bytes: number;
  /** Undefined where it is gone. */
  open(): Promise<ReadableStream<Uint8Array> | undefined>;
}

const [LOCAL, DESCRIPTOR, CENTRAL, END] = [0x04034b50, 0x08074b50, 0x02014b50, 0x06054b50];
/** Sizes and checksum follow the content, which is read once. */
const FLAGS = 8;
/** 1980-01-01: the same outputs make the same archive. */
const DATE = 0x21;

/** Bytes of the whole: what is around an entry follows from its name. */
export function archiveBytes(entries: readonly Entry[]): number {
  return entries.reduce((sum, { name, bytes }) => sum + 30 + 16 + 46 + 2 * name.length + bytes, 22);
}

/** Fails where an entry is not as long as it says. Sizes are below 4 GB: an output has 1,200 s at most. */
export function writeArchive(entries: readonly Entry[]): ReadableStream<Uint8Array> {
  const parts = archive(entries);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

async function* archive(entries: readonly Entry[]): AsyncGenerator<Uint8Array, undefined> {
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, open } of entries) {
    const head = Buffer.concat([
      fields(LOCAL, [20, FLAGS, 0, 0, DATE], [0, 0, 0], [name.length, 0]),
      Buffer.from(name),
    ]);
    yield new Uint8Array(head);
    const content = await open();
    if (content === undefined) throw new Error(`Cannot archive "${name}": it is gone`);
    let [sum, length] = [0, 0];
    for await (const chunk of content) {
      sum = crc32(chunk, sum);
      length += chunk.length;
      yield chunk;
    }
    if (length !== bytes) throw new Error(`Cannot archive "${name}": it has ${length} bytes, ${bytes} were meant`);
    yield new Uint8Array(fields(DESCRIPTOR, [], [sum, bytes, bytes], []));
    const about = fields(CENTRAL, [20, 20, FLAGS, 0, 0, DATE], [sum, bytes, bytes], [name.length, 0, 0, 0, 0]);
    central.push(Buffer.concat([about, longs(0, offset), Buffer.from(name)]));
    offset += head.length + bytes + 16;
  }
  const directory = Buffer.concat(central);
  const ends = fields(END, [0, 0, entries.length, entries.length], [directory.length, offset], [0]);
  yield new Uint8Array(Buffer.concat([directory, ends]));
}

/** A signature, then numbers of 16, 32 and 16 bits. */
function fields(
  signature: number,
  first: readonly number[],
  second: readonly number[],
  third: readonly number[],
): Buffer {
  return Buffer.concat([longs(signature), shorts(first), longs(...second), shorts(third)]);
}

function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}

function shorts(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}
