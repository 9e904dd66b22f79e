/** Bytes on their way to the disk and back: synced before anybody names them. */
import { constants } from "node:fs";
import { copyFile, type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Content } from "../../ports/mod.ts";
import { orAbsent, unavailable } from "./errors.ts";

/** Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Bytes read at a time: large enough that system calls do not show, small enough for a thousand slow readers. */
const CHUNK_BYTES = 65_536;

export function isPath(content: Content): content is { readonly path: string } {
  return "path" in content;
}

export async function writeDraft(draft: string, content: Content): Promise<number> {
  if (isPath(content)) {
    await copyFile(content.path, draft, constants.COPYFILE_EXCL);
    return syncFile(draft);
  }
  const handle = await open(draft, "wx", 0o600);
  try {
    const bytes = content instanceof Uint8Array ? await writeAll(handle, content) : await writeStream(handle, content);
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

async function writeStream(handle: FileHandle, stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  // Leaving the loop by an error cancels the stream.
  for await (const chunk of stream) bytes += await writeAll(handle, chunk);
  return bytes;
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<number> {
  // What streams carry is not checked by anybody else, and `write` takes text, too.
  if (!(chunk instanceof Uint8Array)) throw new TypeError("Cannot put a stream of anything but bytes");
  for (let offset = 0; offset < chunk.length; ) {
    const { bytesWritten } = await handle.write(chunk, offset, chunk.length - offset, null);
    offset += bytesWritten;
  }
  return chunk.length;
}

/** Syncs a file that somebody else wrote and makes it its owner's alone. Resolves to its size. */
export async function syncFile(path: string): Promise<number> {
  const handle = await open(path, constants.O_RDWR | NO_FOLLOW);
  try {
    await handle.chmod(0o600);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Makes the names in `folder` and in those above it, up to `top`, last. */
export async function syncFolders(folder: string, top: string): Promise<void> {
  for (let path = folder; ; path = dirname(path)) {
    // Absent: whatever was put here has been deleted again already.
    const handle = await orAbsent(open(path, "r"));
    await handle?.sync();
    await handle?.close();
    if (path === top) return;
  }
}

/**
 * Handles of streams that were not read to their end or cancelled yet. Bun throws out of nowhere, which ends the
 * process, when it collects an open one; a stream that somebody forgets must cost a descriptor, not the service.
 */
const open_handles = new Set<FileHandle>();

/** The bytes from `start` to `end`, both included. Closes the handle at the end, on failure and on cancel. */
export function streamOf(handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  open_handles.add(handle);
  let position = start;

  async function close(): Promise<void> {
    open_handles.delete(handle);
    await handle.close();
  }

  let reading: Promise<Uint8Array<ArrayBuffer>> | undefined;
  let canceled = false;

  async function read(): Promise<Uint8Array<ArrayBuffer>> {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - position + 1));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new Error(`Cannot read on: the object ends at byte ${position}, before ${end}`);
    position += bytesRead;
    return chunk.subarray(0, bytesRead);
  }

  return new ReadableStream({
    type: "bytes",
    async start(controller) {
      if (start <= end) return;
      await close();
      controller.close();
    },
    async pull(controller) {
      try {
        reading = read();
        const chunk = await reading;
        if (canceled) return;
        controller.enqueue(chunk);
        if (position <= end) return;
      } catch (error) {
        if (!canceled) await close();
        throw unavailable(error);
      }
      // Now and not at the next pull, which a reader that counts bytes never makes.
      await close();
      controller.close();
      // Tells a reader with a buffer of its own that there is no more.
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      canceled = true;
      // A descriptor that is closed under a read may be another file's by the time the read happens.
      await reading?.catch(() => undefined);
      await close();
    },
  });
}
