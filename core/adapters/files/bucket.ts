/**
 * The bucket as files: object `a/b.flac` is `<folder>/objects/a/b.flac`. It is written to `<folder>/tmp`, synced, and
 * linked into place, so that it is there completely or not at all, also after a power cut.
 *
 * A key is written once: a second `put` is refused and the first object stays. No key can be the folder of another (`a`
 * and `a/b`). One bucket at a time owns the folder, which the lock on the data folder sees to. Where the disk is at
 * fault (full, failing, read-only, out of descriptors), a verb rejects with StoreUnavailable; where the key is none,
 * with a RangeError.
 */
import { randomBytes } from "node:crypto";
import { constants, lstatSync, realpathSync } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, readdir, realpath, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Bucket, type Content, OBJECT_KEY, type StoredObject } from "../../ports/mod.ts";
import { ABSENT, guarded, isCode, orAbsent, unavailable } from "./errors.ts";
import { isPath, NO_FOLLOW, streamOf, syncFile, syncFolders, writeDraft } from "./transfer.ts";

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

  /**
   * Deletions are not synced: one that a power cut undoes is an object that nothing names, and the sweep finds it
   * again.
   */
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
    // Folder by folder and not entry by entry: an `opendir` that is left early keeps its descriptor for ever on Deno
    // 2.9.6.
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

    /**
     * `bytes` is the length of the stream. It must be read to its end or cancelled: until then it holds a descriptor.
     */
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

const DRAFT = /^draft-[0-9a-f]{16}$/;
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

/** False: on another disk, to be copied. Throws for what is not a file: a link would name something outside. */
async function isMovable(path: string, objects: string): Promise<boolean> {
  const found = await lstat(path);
  if (!found.isFile()) throw new Error(`Cannot put "${path}": it is not a file`);
  return found.dev === (await lstat(objects)).dev;
}

function isInside(start: number, end: number, size: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end < size;
}

function taken(key: string): Error {
  return new Error(`Cannot put "${key}": it exists already, or is the folder of another key, or has one as its folder`);
}
