/**
 * Whether this node can do its work now: commit to the store, write and read a file of its own, and look into the bucket where that is
 * files. Asked without a key, so callers share what is found: however many ask, each of these is tried once in its time, and not again
 * before it has come back.
 */
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../base/log.ts";
import type { Bucket, StoreLife } from "../ports/mod.ts";
import type { HttpServices } from "./services.ts";

export interface HealthServices extends Pick<HttpServices, "scratch" | "log"> {
  readonly store: Pick<StoreLife, "health">;
  readonly bucket: Pick<Bucket, "path" | "stat">;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

export interface Health {
  /** Resolves within TRY_MS to the fault in words for clients; undefined: all is well. */
  check(): Promise<string | undefined>;
}

/** Longer is as good as never, for whoever waits for an answer. */
const TRY_MS = 1_000;
/** How long what was found counts. A commit is a write to the disk, or a round trip, that work pays for. */
const FILES_MS = 1_000;
const STORE_MS = 2_000;

export function createHealth({ store, bucket, scratch, log, now = () => performance.now() }: HealthServices): Health {
  const path = join(scratch, `health-${randomUUID()}`);
  const tryFiles = async (): Promise<void> => {
    await writeFile(path, "ok");
    const text = await readFile(path, "utf8");
    await rm(path, { force: true });
    if (text !== "ok") throw new Error(`"${path}" does not hold what was written`);
    // Undefined for a bucket elsewhere, which jobs wait for. No such object: the look is what counts.
    if (bucket.path("health") !== undefined) await bucket.stat("health");
  };
  const files = shareAttempts(tryFiles, FILES_MS, now, (error) =>
    log("health.files_away", { error: describeError(error) }),
  );
  const commits = shareAttempts(
    () => store.health(),
    STORE_MS,
    now,
    (error) => log("health.store_away", { error: describeError(error) }),
  );
  return {
    async check() {
      const [is_stored, is_read] = await Promise.all([commits(), files()]);
      if (!is_stored) return "The service cannot store anything right now, try again";
      return is_read ? undefined : "The service cannot read its files right now, try again";
    },
  };
}

/** Tries at most once in `every_ms`, never beside a try that has not come back, and gives everybody the same verdict. `onFail`: when it turns. */
function shareAttempts(
  attempt: () => Promise<void>,
  every_ms: number,
  now: () => number,
  onFail: (error: unknown) => void,
): () => Promise<boolean> {
  let began_at = Number.NEGATIVE_INFINITY;
  let is_open = false;
  let was_well = true;
  let verdict: Promise<boolean> = Promise.resolve(true);

  const start = (): Promise<boolean> =>
    new Promise((resolve) => {
      const fail = (error: unknown) => {
        if (was_well) onFail(error);
        was_well = false;
        resolve(false);
      };
      const late = setTimeout(() => {
        // In a later turn: where this process was busy itself, an answer that is there is heard first.
        setTimeout(() => is_open && fail(new Error(`No answer within ${TRY_MS} ms`)), 0);
      }, TRY_MS);
      is_open = true;
      attempt()
        .then(
          () => {
            was_well = true;
            resolve(true);
          },
          (error: unknown) => fail(error),
        )
        .finally(() => {
          clearTimeout(late);
          is_open = false;
        });
    });

  return () => {
    if (is_open || now() - began_at < every_ms) return verdict;
    began_at = now();
    verdict = start();
    return verdict;
  };
}
