/**
 * The bucket as files: object `a/b.flac` is `<folder>/objects/a/b.flac`. It is written to `<folder>/tmp`, synced, and linked into place, so
 * that it is there completely or not at all, also after a power cut.
 *
 * A key is written once: a second `put` is refused and the first object stays. No key can be the folder of another (`a` and `a/b`).
 * One bucket at a time owns the folder, which the lock on the data folder sees to. Where the disk is at fault (full, failing, read-only,
 * out of descriptors), a verb rejects with StoreUnavailable; where the key is none, with a RangeError.
 */
import { randomBytes } from "node:crypto";
import { constants, lstatSync, realpathSync } from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rmdir,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Bucket, type Content, OBJECT_KEY, type StoredObject, StoreUnavailable } from "../../ports/mod.ts";

/** Makes the folder where it is missing, and clears away what an earlier process left half-written. */
export async function openFilesBucket(folder: string): Promise<Bucket> {
  const { objects, tmp } = await guarded(() => prepare(folder));

  async function store(key: string, content: Content): Promise<{ bytes: number }> {
    const file = join(objects, checked(key));
    // Before 50 MB are written in vain; what counts is that `place` refuses.
    if ((await orAbsent(lstat(file))) !== undefined) throw taken(key);
    if (isPath(content) && (await isMovable(content.path, objects))) {
      return place(key, file, content.path, await syncFile(content.path));
    }
    const draft = join(tmp, `draft-${randomBytes(8).toString("hex")}`);
    try {
      return await place(key, file, draft, await writeDraft(draft, content));
    } finally {
      await orAbsent(unlink(draft));
    }
  }

  /** Gives the synced file at `from` its name. Both names are the same file until the caller removes the old one. */
  async function place(key: string, file: string, from: string, bytes: number): Promise<{ bytes: number }> {
    const top = await linkInto(key, file, from);
    try {
      await syncFolders(dirname(file), top);
    } catch (error) {
      await orAbsent(unlink(file));
      throw error;
    }
    return { bytes };
  }

  /** Resolves to the topmost folder that has a new entry. */
  async function linkInto(key: string, file: string, from: string): Promise<string> {
    const parent = dirname(file);
    for (let tries = 1; ; tries++) {
      try {
        const made = await mkdir(parent, { recursive: true, mode: 0o700 });
        if ((await realpath(parent)) !== parent) throw new Error(`Cannot put "${key}": "${parent}" leads elsewhere`);
        // Not a rename, which would replace an object.
        await link(from, file);
        return made === undefined ? parent : dirname(made);
      } catch (error) {
        // A runtime's recursive `mkdir` says EEXIST of a folder, too, that is removed before it looks what is there.
        const in_the_way = isCode(error, "EEXIST", "ENOTDIR");
        if (in_the_way && (await isTaken(file))) throw taken(key);
        // A `delete` removed the empty folder between two of the steps.
        if (!(in_the_way || isCode(error, "ENOENT")) || tries === 10) throw error;
      }
    }
  }

  /** Whether there is an object at `file`, or one where a folder of it would have to be. */
  async function isTaken(file: string): Promise<boolean> {
    if ((await orAbsent(lstat(file))) !== undefined) return true;
    for (let parent = dirname(file); parent.length > objects.length; parent = dirname(parent)) {
      const found = await orAbsent(lstat(parent));
      if (found !== undefined && !found.isDirectory()) return true;
    }
    return false;
  }

  /** Opened without following a link anywhere below the bucket's folder. */
  async function openObject(key: string): Promise<{ handle: FileHandle; size: number } | undefined> {
    const file = join(objects, checked(key));
    if ((await orAbsent(realpath(file))) !== file) return undefined;
    const handle = await orAbsent(open(file, constants.O_RDONLY | NO_FOLLOW));
    if (handle === undefined) return undefined;
    const found = await handle.stat();
    if (found.isFile()) return { handle, size: found.size };
    await handle.close();
    return undefined;
  }

  async function statObject(key: string): Promise<StoredObject | undefined> {
    const file = join(objects, checked(key));
    if ((await orAbsent(realpath(file))) !== file) return undefined;
    const found = await orAbsent(lstat(file));
    return found?.isFile() ? { key, bytes: found.size, modified_at: Math.floor(found.mtimeMs) } : undefined;
  }

  /** Deletions are not synced: one that a power cut undoes is an object that nothing names, and the sweep finds it again. */
  async function deleteObject(key: string): Promise<void> {
    if ((await statObject(key)) === undefined) return;
    await orAbsent(unlink(join(objects, key)));
    for (let parent = dirname(key); parent !== "."; parent = dirname(parent)) {
      try {
        await rmdir(join(objects, parent));
      } catch (error) {
        if (isCode(error, "ENOTEMPTY", "EEXIST", "ENOENT")) return;
        throw error;
      }
    }
  }

  /** Objects below the folder (empty: all), its own entries only where they begin with `beginning`. */
  async function* walk(folder_key: string, beginning: string): AsyncGenerator<StoredObject, void, undefined> {
    const path = join(objects, folder_key);
    if ((await orAbsent(realpath(path))) !== path) return;
    // Folder by folder and not entry by entry: an `opendir` that is left early keeps its descriptor for ever on Deno 2.9.6.
    for (const entry of (await orAbsent(readdir(path, { withFileTypes: true }))) ?? []) {
      const key = folder_key === "" ? entry.name : `${folder_key}/${entry.name}`;
      if (!entry.name.startsWith(beginning) || !OBJECT_KEY.test(key)) continue;
      if (entry.isDirectory()) yield* walk(key, "");
      // Deleted meanwhile, or a link: left out.
      const object = entry.isFile() ? await statObject(key) : undefined;
      if (object !== undefined) yield object;
    }
  }

  return {
    async put(key, content) {
      try {
        return await guarded(() => store(key, content));
      } catch (error) {
        // Nobody will read it any more. One that has failed by itself rejects again, with what is thrown here already.
        if (content instanceof ReadableStream && !content.locked) await content.cancel(error).catch(() => undefined);
        throw error;
      } finally {
        if (isPath(content)) await orAbsent(unlink(content.path));
      }
    },

    /** `bytes` is the length of the stream. It must be read to its end or cancelled: until then it holds a descriptor. */
    open: (key, range) =>
      guarded(async () => {
        const opened = await openObject(key);
        if (opened === undefined) return undefined;
        const { handle, size } = opened;
        const { start, end } = range ?? { start: 0, end: size - 1 };
        if (range !== undefined && !isInside(start, end, size)) {
          await handle.close();
          throw new RangeError(`Cannot open bytes ${start} to ${end} of "${key}": it has ${size}`);
        }
        return { bytes: end - start + 1, stream: streamOf(handle, start, end) };
      }),

    stat: (key) => guarded(() => statObject(key)),

    delete: (keys) =>
      guarded(async () => {
        for (const key of keys) checked(key);
        for (const key of keys) await deleteObject(key);
      }),

    /** In no particular order. What is put or deleted meanwhile may or may not be there. */
    async *list(prefix) {
      const slash = prefix.lastIndexOf("/");
      const folder_key = prefix.slice(0, Math.max(0, slash));
      // No key begins like that.
      if (slash !== -1 && !OBJECT_KEY.test(folder_key)) return;
      try {
        yield* walk(folder_key, prefix.slice(slash + 1));
      } catch (error) {
        throw unavailable(error);
      }
    },

    path(key) {
      const file = join(objects, checked(key));
      try {
        return realpathSync(file) === file && lstatSync(file).isFile() ? file : undefined;
      } catch (error) {
        if (isCode(error, ...ABSENT)) return undefined;
        throw unavailable(error);
      }
    },

    address: async () => undefined,

    // They were cleared away when the bucket was opened, and no other process puts anything here.
    sweep: async () => 0,

    // Nothing is held between two calls.
    close: async () => undefined,
  };
}

const ABSENT = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
const UNAVAILABLE = ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "ENODEV", "ENXIO", "ESTALE"];
/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const DRAFT = /^draft-[0-9a-f]{16}$/;
/** Bytes read at a time: large enough that system calls do not show, small enough for a thousand slow readers. */
const CHUNK_BYTES = 65_536;

async function prepare(folder: string): Promise<{ objects: string; tmp: string }> {
  await mkdir(join(folder, "objects"), { recursive: true, mode: 0o700 });
  await mkdir(join(folder, "tmp"), { recursive: true, mode: 0o700 });
  // Resolved once: the folder may be reached through a link; nothing below it may be one.
  const objects = await realpath(join(folder, "objects"));
  const tmp = await realpath(join(folder, "tmp"));
  if ((await lstat(objects)).dev !== (await lstat(tmp)).dev) {
    throw new Error(`Cannot open the bucket "${folder}": its folders objects and tmp must be on one disk`);
  }
  // By their names, for the folder may have been somebody's before it was given to us.
  for (const name of await readdir(tmp)) if (DRAFT.test(name)) await orAbsent(unlink(join(tmp, name)));
  await syncFolders(objects, dirname(objects));
  return { objects, tmp };
}

/** Everything that touches a path passes here first. */
function checked(key: string): string {
  if (!OBJECT_KEY.test(key)) throw new RangeError(`"${key}" is not an object key`);
  return key;
}

function isPath(content: Content): content is { readonly path: string } {
  return "path" in content;
}

/** False: on another disk, to be copied. Throws for what is not a file: a link would name something outside. */
async function isMovable(path: string, objects: string): Promise<boolean> {
  const found = await lstat(path);
  if (!found.isFile()) throw new Error(`Cannot put "${path}": it is not a file`);
  return found.dev === (await lstat(objects)).dev;
}

function isInside(start: number, end: number, size: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end < size;
}

async function writeDraft(draft: string, content: Content): Promise<number> {
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
async function syncFile(path: string): Promise<number> {
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
async function syncFolders(folder: string, top: string): Promise<void> {
  for (let path = folder; ; path = dirname(path)) {
    // Absent: whatever was put here has been deleted again already.
    const handle = await orAbsent(open(path, "r"));
    await handle?.sync();
    await handle?.close();
    if (path === top) return;
  }
}

/**
 * Handles of streams that were not read to their end or cancelled yet. Bun throws out of nowhere, which ends the process, when it collects
 * an open one; a stream that somebody forgets must cost a descriptor, not the service.
 */
const open_handles = new Set<FileHandle>();

/** The bytes from `start` to `end`, both included. Closes the handle at the end, on failure and on cancel. */
function streamOf(handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
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

/** Undefined where there is no such file. */
async function orAbsent<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isCode(error, ...ABSENT)) return undefined;
    throw error;
  }
}

async function guarded<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw unavailable(error);
  }
}

/** The error as it is, or a StoreUnavailable where the disk is at fault. */
function unavailable(error: unknown): unknown {
  if (!isCode(error, ...UNAVAILABLE)) return error;
  return new StoreUnavailable(`The audio folder cannot be used now: ${(error as Error).message}`, { cause: error });
}

function taken(key: string): Error {
  return new Error(`Cannot put "${key}": it exists already, or is the folder of another key, or has one as its folder`);
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
