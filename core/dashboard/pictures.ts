/**
 * Pictures of stored audio, each made once. They lie in the bucket beside what they show, under keys that nothing names: the sweep takes
 * them away after a day, and with them what would outlive its operation; who looks again later has them drawn again.
 */

import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { refuse } from "../errors.ts";
import { describeError, type Log } from "../log.ts";
import type { Runner } from "../plugin.ts";
import type { Bucket, PictureInput, Pictures, Pool } from "../ports.ts";

export const PICTURE_NAME = /^(?:waveform-light|waveform-dark|spectrogram)-[12]x$/;

export interface PictureCache {
  /** The WebP file `name` of the audio at `key`; undefined where there is no such audio. */
  find(key: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Decoding ten minutes and drawing takes some seconds; what takes longer is a busy machine. */
const DRAW_MS = 60_000;
/** Sets that are kept in memory: some pages' worth, about 150 KB each. */
const KEPT_MAX = 40;

export function createPictures(services: {
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly picture: Runner<PictureInput, Pictures>;
  readonly log: Log;
  /** Folder for audio on its way out of a bucket that has no files. */
  readonly folder: string;
}): PictureCache {
  const { bucket, pool, picture, log, folder } = services;
  /** In the order of their last use. */
  const kept = new Map<string, Promise<Pictures | undefined>>();

  const draw = async (key: string): Promise<Pictures | undefined> => {
    if ((await bucket.stat(key)) === undefined) return undefined;
    const local = bucket.path(key);
    const path = local ?? join(folder, `picture-${randomUUID()}`);
    try {
      if (local === undefined) {
        const opened = await bucket.open(key);
        if (opened === undefined) return undefined;
        await pipeline(Readable.fromWeb(opened.stream as never), createWriteStream(path));
      }
      const options = { signal: new AbortController().signal, ms_max: DRAW_MS };
      const pictures = await pool.run(picture, { path }, options).catch((error: Error) => {
        log("dashboard.picture_failed", { object: key, error: describeError(error) });
        throw refuse.unavailable("The picture could not be drawn just now, try again", 10);
      });
      await keep(key, pictures);
      return pictures;
    } finally {
      if (local === undefined) await rm(path, { force: true });
    }
  };

  /** For other nodes and the next start. What cannot be kept is drawn again. */
  const keep = async (key: string, pictures: Pictures): Promise<void> => {
    for (const [name, bytes] of Object.entries(pictures)) {
      const place = objectOf(key, name);
      try {
        if ((await bucket.stat(place)) === undefined) await bucket.put(place, bytes, "image/webp");
      } catch (error) {
        // Another node was faster, or the disk is full: neither keeps the picture from being seen.
        log("dashboard.picture_not_kept", { object: place, error: describeError(error) });
        return;
      }
    }
  };

  const all = (key: string): Promise<Pictures | undefined> => {
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const drawn = draw(key);
    kept.set(key, drawn);
    const forget = () => void (kept.get(key) === drawn && kept.delete(key));
    drawn.then((pictures) => pictures ?? forget(), forget);
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return drawn;
  };

  return {
    async find(key, name) {
      if (!kept.has(key)) {
        const stored = await bucket.open(objectOf(key, name));
        if (stored !== undefined) return new Uint8Array(await new Response(stored.stream).arrayBuffer());
      }
      const found = (await all(key))?.[name];
      return found === undefined ? undefined : new Uint8Array(found);
    },
  };
}

const objectOf = (key: string, name: string): string => `${key}.${name}.webp`;
