/**
 * Drawing pictures of stored audio. That is heavy work, so it is done in the pool of a node that does the jobs; a node that only answers
 * requests wishes for a picture, and finds it in the bucket once another one has drawn it. Pictures lie beside what they show, under keys that
 * nothing names: the sweep takes them away after a day, and with them what would outlive its operation; they are drawn again when wanted.
 */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { StoredOutput } from "../actions/render.ts";
import { refuse } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import type { Runner } from "../plugin.ts";
import type { Bucket, Clock, FilesStore, OperationsStore, PictureInput, Pictures, Pool, Queue } from "../ports/mod.ts";

/** Audio in the bucket. */
export interface StoredAudio {
  readonly key: string;
  readonly account_id: string;
  readonly seconds: number;
}

/** Undefined where there is no such audio. Refuses with 503 where it could not be drawn now. */
export type Draw = (audio: StoredAudio) => Promise<Pictures | undefined>;

export interface DrawingServices {
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly picture: Runner<PictureInput, Pictures>;
  readonly log: Log;
  /** Folder for audio on its way out of a bucket that has no files. */
  readonly folder: string;
}

const NAMES = ["waveform-light", "waveform-dark", "spectrogram"].flatMap((name) => [`${name}-1x`, `${name}-2x`]);
/** Written last: where it is, all are. */
const LAST = NAMES.at(-1)!;
/** Decoding ten minutes and drawing takes some seconds; what takes longer is a busy machine. */
const DRAW_MS = 60_000;

/** Key of a picture of the audio at `key`. */
export const pictureKey = (key: string, name: string): string => `${key}.${name}.webp`;

/** Upload or output that an object is; undefined where it is neither, or is gone. */
export async function storedAudio(
  store: Pick<FilesStore, "file"> & Pick<OperationsStore, "snapshot">,
  key: string,
): Promise<StoredAudio | undefined> {
  const [, file_id] = /^files\/(file_[0-9a-z]{26})\./u.exec(key) ?? [];
  if (file_id !== undefined) {
    const file = await store.file(file_id);
    return file && { key, account_id: file.account_id, seconds: file.seconds };
  }
  const [, operation_id] = /^op\/(op_[0-9a-z]{26})\//u.exec(key) ?? [];
  const made = operation_id === undefined ? undefined : await store.snapshot(operation_id);
  const output = (JSON.parse(made?.outputs ?? "[]") as StoredOutput[]).find(({ object }) => object === key);
  return made && output && { key, account_id: made.account_id, seconds: output.duration };
}

/** Draws in this process's pool, where probes run and jobs do not, and keeps what was drawn in the bucket. */
export function createDrawing({ bucket, pool, picture, log, folder }: DrawingServices): Draw {
  /** For other nodes and the next start. What cannot be kept is drawn again. */
  const storePictures = async (key: string, pictures: Pictures): Promise<void> => {
    for (const name of NAMES) {
      const place = pictureKey(key, name);
      try {
        if ((await bucket.stat(place)) === undefined) await bucket.put(place, pictures[name]!, "image/webp");
      } catch (error) {
        // Another node was faster, or the disk is full: neither keeps the picture from being seen.
        log("picture.not_kept", { object: place, error: describeError(error) });
        return;
      }
    }
  };

  return async ({ key, account_id, seconds }) => {
    if ((await bucket.stat(key)) === undefined) return undefined;
    const local = bucket.path(key);
    const path = local ?? join(folder, `picture-${randomUUID()}`);
    try {
      if (local === undefined) {
        const opened = await bucket.open(key);
        if (opened === undefined) return undefined;
        await pipeline(Readable.fromWeb(opened.stream as never), createWriteStream(path));
      }
      const options = {
        signal: new AbortController().signal,
        ms_max: DRAW_MS,
        lane: "probe",
        fair_by: account_id,
      } as const;
      const pictures = await pool.run(picture, { path, seconds }, options).catch((error: Error) => {
        log("picture.failed", { object: key, error: describeError(error) });
        throw refuse.unavailable("The picture could not be drawn just now, try again", 10);
      });
      await storePictures(key, pictures);
      return pictures;
    } finally {
      if (local === undefined) await rm(path, { force: true });
    }
  };
}

/** How long a node waits for another one's picture, and how often it looks. */
const WISH_MS = 8_000;
const LOOK_MS = 250;

/** Has another node draw: its wish is a hint of the queue, and what comes of it is found in the bucket. A wish that was lost is wished again by who asks again. */
export function createWishes({
  bucket,
  queue,
  clock,
}: {
  readonly bucket: Bucket;
  readonly queue: Queue;
  readonly clock: Clock;
}): Draw {
  return async ({ key }) => {
    if ((await bucket.stat(key)) === undefined) return undefined;
    queue.wake("picture", key);
    for (const until = clock.now() + WISH_MS; clock.now() < until; ) {
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
      if ((await bucket.stat(pictureKey(key, LAST))) !== undefined) return await readAll(bucket, key);
    }
    throw refuse.unavailable("The picture is being drawn, try again", 5);
  };
}

async function readAll(bucket: Bucket, key: string): Promise<Pictures | undefined> {
  const found: Record<string, Uint8Array> = {};
  for (const name of NAMES) {
    const bytes = await readPicture(bucket, key, name);
    if (bytes === undefined) return undefined;
    found[name] = bytes;
  }
  return found;
}

/** A picture that was drawn before. */
export async function readPicture(
  bucket: Bucket,
  key: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const stored = await bucket.open(pictureKey(key, name));
  return stored && new Uint8Array(await new Response(stored.stream).arrayBuffer());
}

/** Wishes that are drawn at once; the pool's lane is fair between their accounts. */
const WISHES_MAX = 16;
const IDLE_MS = 5_000;
/** For so long a drawing is its node's alone: longer than one takes. */
const CLAIM_MS = 2 * DRAW_MS;

export interface WishServices {
  readonly bucket: Bucket;
  readonly queue: Queue;
  readonly store: Pick<FilesStore, "file"> & Pick<OperationsStore, "snapshot">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Draws what other nodes wish for, until the returned function is called. */
export function startDrawingForOthers({ bucket, queue, store, clock, log }: WishServices, draw: Draw): () => void {
  const stopping = new AbortController();
  const drawn = new Set<Promise<void>>();

  /** A queue without Redis tells every node; the bucket, in which a key is written once, tells one of them. */
  const claimDrawing = async (key: string): Promise<string | undefined> => {
    const place = `${key}.claim-${Math.floor(clock.now() / CLAIM_MS)}`;
    const put = bucket.put(place, new Uint8Array(0), "application/octet-stream");
    return put.then(
      () => place,
      () => undefined,
    );
  };

  const drawWish = async (key: string): Promise<void> => {
    try {
      const audio = await storedAudio(store, key);
      if (audio === undefined || (await bucket.stat(pictureKey(key, LAST))) !== undefined) return;
      const claimed = await claimDrawing(key);
      if (claimed === undefined) return;
      try {
        await draw(audio);
      } finally {
        await bucket.delete([claimed]);
      }
    } catch (error) {
      // Whoever wished looks again, and wishes again.
      log("picture.wish_failed", { object: key, error: describeError(error) });
    } finally {
      queue.taken("picture", key);
    }
  };

  void (async () => {
    while (!stopping.signal.aborted) {
      if (drawn.size >= WISHES_MAX) await Promise.race(drawn);
      const key = await queue.wait("picture", IDLE_MS, stopping.signal);
      if (key === undefined || stopping.signal.aborted) continue;
      const one = drawWish(key).finally(() => drawn.delete(one));
      drawn.add(one);
    }
  })();
  return () => stopping.abort();
}
