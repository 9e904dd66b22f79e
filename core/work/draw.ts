/** Works on stored audio for surfaces: in this node's pool, where probes run and jobs do not. Draws pictures, and writes outputs in other forms. */
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { FreeWork } from "../accounts/free_work.ts";
import { refuse } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import type { Runner } from "../plugin.ts";
import type { Bucket, DeliveredForm, Pictures, Pool, Runners } from "../ports/mod.ts";
import { copyObject } from "./fetch_source.ts";

/** Audio in the bucket. */
export interface StoredAudio {
  readonly key: string;
  readonly account_id: string;
  readonly seconds: number;
}

/** Undefined where there is no such audio. Refuses with 503 where it could not be drawn now. Keeps nothing. */
export type Draw = (audio: StoredAudio) => Promise<Pictures | undefined>;

/**
 * Writes `form` of an output to the bucket as `place`. Resolves to false where this installation cannot make it, to undefined where there is no
 * such output. Refuses with 503 where it could not be made now.
 */
export type Convert = (
  audio: StoredAudio,
  made: {
    readonly form: DeliveredForm;
    readonly dither: boolean;
    readonly place: string;
    readonly content_type: string;
  },
) => Promise<boolean | undefined>;

interface AudioWork {
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly free_work: Pick<FreeWork, "spend">;
  readonly log: Log;
  /** For files in flight. */
  readonly scratch: string;
}

/** Decoding ten minutes and drawing takes some seconds; what takes longer is a busy machine. */
const DRAW_MS = 60_000;
/** Encoding ten minutes as MP3 takes a quarter of it. */
const CONVERT_MS = 120_000;

export function createDraw(work: AudioWork, picture: Runners["picture"]): Draw {
  return (audio) =>
    runOn(work, audio, (path, _folder, run) =>
      run(picture, { path, seconds: audio.seconds }, audio.account_id, DRAW_MS, "picture"),
    );
}

export function createConvert(work: AudioWork, convert: Runners["convert"]): Convert {
  return (audio, { form, dither, place, content_type }) =>
    runOn(work, audio, async (path, folder, run) => {
      const to = join(folder, "made");
      // A line of all accounts together: at most half of the lane's threads, so that uploads never wait for it.
      if (!(await run(convert, { path, to, form, dither }, "conversions", CONVERT_MS, "conversion"))) return false;
      await work.bucket.put(place, { path: to }, content_type).catch(async (error: unknown) => {
        // Another node was faster.
        if ((await work.bucket.stat(place)) === undefined) throw error;
      });
      return true;
    });
}

type Run = <Input, Output>(
  runner: Runner<Input, Output>,
  input: Input,
  fair_by: string,
  ms_max: number,
  what: string,
) => Promise<Output>;

/** With the object as a file, and a folder that goes with the work. */
async function runOn<Result>(
  { bucket, pool, free_work, log, scratch }: AudioWork,
  { key, account_id }: StoredAudio,
  work: (path: string, folder: string, run: Run) => Promise<Result>,
): Promise<Result | undefined> {
  const own = join(scratch, `audio-${randomUUID()}`);
  const { signal } = new AbortController();
  const run: Run = (runner, input, fair_by, ms_max, what) =>
    pool
      // Nobody pays for it.
      .run(runner, input, { signal, ms_max, lane: "probe", fair_by, onCost: (ms) => free_work.spend(account_id, ms) })
      .catch((error: Error) => {
        log(`${what}.failed`, { object: key, error: describeError(error) });
        throw refuse.unavailable(`The ${what} could not be made just now, try again`, 10);
      });
  try {
    if ((await bucket.stat(key)) === undefined) return undefined;
    await mkdir(own, { mode: 0o700 });
    const path = bucket.path(key) ?? (await copyObject(bucket, key, join(own, "object"), signal));
    return path === undefined ? undefined : await work(path, own, run);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
