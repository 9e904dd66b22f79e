/**
 * Work on stored audio for surfaces: in this node's pool, where probes run and jobs do not, on the account's budget of
 * free work.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Runner } from "../../contract/mod.ts";
import type { FreeWork } from "../accounts/free_work.ts";
import { refuse } from "../base/errors.ts";
import { describeError, type Log } from "../base/log.ts";
import type { Bucket, Pool } from "../ports/mod.ts";
import { copyObject } from "./fetch_source.ts";

/** Audio in the bucket. */
export interface StoredAudio {
  readonly key: string;
  readonly account_id: string;
  readonly seconds: number;
}

/**
 * Does `work` with the object as a file, and with a folder that goes with the work; undefined where there is no such
 * audio. What `run` cannot finish now is refused with 503.
 */
export type WorkOn = <Result>(
  audio: StoredAudio,
  work: (path: string, folder: string, run: Run) => Promise<Result>,
) => Promise<Result | undefined>;

/**
 * In the lane of probes, where each `fair_by` has at most half of the threads. `what` names it in the log and to the
 * client.
 */
type Run = <Input, Output>(
  runner: Runner<Input, Output>,
  input: Input,
  options: { readonly fair_by: string; readonly ms_max: number; readonly what: string },
) => Promise<Output>;

interface AudioWork {
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly free_work: Pick<FreeWork, "spend">;
  readonly log: Log;
  /** For files in flight. */
  readonly scratch: string;
}

export function createWorkOn({ bucket, pool, free_work, log, scratch }: AudioWork): WorkOn {
  return async ({ key, account_id }, work) => {
    const own = join(scratch, `audio-${randomUUID()}`);
    const { signal } = new AbortController();
    // Nobody pays for it.
    const onCost = (ms: number): void => free_work.spend(account_id, ms);
    const run: Run = (runner, input, { fair_by, ms_max, what }) =>
      pool.run(runner, input, { signal, ms_max, lane: "probe", fair_by, onCost }).catch((error: Error) => {
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
  };
}
