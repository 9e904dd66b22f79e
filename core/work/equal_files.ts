/** Whether two files have the same bytes: their sizes first, then piece by piece up to the first difference. */
import { open } from "node:fs/promises";

const PIECE = 1 << 20;

export async function areEqualFiles(one: string, other: string): Promise<boolean> {
  const a = await open(one);
  try {
    const b = await open(other);
    try {
      const { size } = await a.stat();
      if (size !== (await b.stat()).size) return false;
      const [from_a, from_b] = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)];
      for (let at = 0; at < size; at += PIECE) {
        const length = Math.min(PIECE, size - at);
        await readAll(a, from_a, length, at);
        await readAll(b, from_b, length, at);
        if (from_a.compare(from_b, 0, length, 0, length) !== 0) return false;
      }
      return true;
    } finally {
      await b.close();
    }
  } finally {
    await a.close();
  }
}

/** A read may bring less than it was asked for. */
async function readAll(
  file: Awaited<ReturnType<typeof open>>,
  into: Buffer,
  length: number,
  at: number,
): Promise<void> {
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(into, done, length - done, at + done);
    if (bytesRead === 0) throw new Error("Cannot compare sources: one became shorter meanwhile");
    done += bytesRead;
  }
}
