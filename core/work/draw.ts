/** Draws pictures of stored audio, for surfaces: in this node's pool, where probes run and jobs do not. Nothing here keeps them. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FreeWork } from "../accounts/free_work.ts";
import { refuse } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import type { Bucket, Pictures, Pool, Runners } from "../ports/mod.ts";
import { copyObject } from "./fetch_source.ts";

/** Audio in the bucket. */
export interface StoredAudio {
  readonly key: string;
  readonly account_id: string;
  readonly seconds: number;
}

/** Undefined where there is no such audio. Refuses with 503 where it could not be drawn now. */
export type Draw = (audio: StoredAudio) => Promise<Pictures | undefined>;

/** Decoding ten minutes and drawing takes some seconds; what takes longer is a busy machine. */
const DRAW_MS = 60_000;

/** `folder`: for audio on its way out of a bucket that has no files. */
export function createDraw({
  bucket,
  pool,
  picture,
  free_work,
  log,
  folder,
}: {
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly picture: Runners["picture"];
  readonly free_work: Pick<FreeWork, "spend">;
  readonly log: Log;
  readonly folder: string;
}): Draw {
  return async ({ key, account_id, seconds }) => {
    const copy = join(folder, `picture-${randomUUID()}`);
    const { signal } = new AbortController();
    // Nobody pays for a picture.
    const onCost = (ms: number): void => free_work.spend(account_id, ms);
    try {
      if ((await bucket.stat(key)) === undefined) return undefined;
      const path = bucket.path(key) ?? (await copyObject(bucket, key, copy, signal));
      if (path === undefined) return undefined;
      return await pool
        .run(picture, { path, seconds }, { signal, ms_max: DRAW_MS, lane: "probe", fair_by: account_id, onCost })
        .catch((error: Error) => {
          log("picture.failed", { object: key, error: describeError(error) });
          throw refuse.unavailable("The picture could not be drawn just now, try again", 10);
        });
    } finally {
      await rm(copy, { force: true });
    }
  };
}
