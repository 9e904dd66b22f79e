/**
 * Whether this node can do its work now: commit to the store, write and read a file of its own, and look into a bucket
 * of files. Callers need no key, so all share one verdict: each check runs once in its interval, and never twice at a
 * time.
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
  /** Resolves within TRY_MS to the fault, in words for clients. Undefined: all is well. */
  check(): Promise<string | undefined>;
}

/** For a caller who waits, a longer check is as bad as none. */
const TRY_MS = 1_000;
/** How long a verdict counts. Each commit costs a write to the disk, or a round trip, that jobs then lack. */
const FILES_MS = 1_000;
const STORE_MS = 2_000;

export function createHealth({ store, bucket, scratch, log, now = () => performance.now() }: HealthServices): Health {
  const path = join(scratch, `health-${randomUUID()}`);
  const tryFiles = async (): Promise<void> => {
    await writeFile(path, "ok");
    const text = await readFile(path, "utf8");
    await rm(path, { force: true });
    if (text !== "ok") throw new Error(`"${path}" does not hold what was written`);
    // Undefined for a remote bucket, which only jobs wait for. The object need not exist: the look itself counts.
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

/** Tries at most once in `every_ms`, never twice at a time. All share the verdict. `onFail`: when it turns bad. */
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

  const start = async (): Promise<boolean> => {
    is_open = true;
    const late = Promise.withResolvers<never>();
    const too_late = new Error(`No answer within ${TRY_MS} ms`);
    // In a later turn: if this process was busy, an answer that has arrived counts first.
    const timer = setTimeout(() => setTimeout(late.reject, 0, too_late), TRY_MS);
    const attempted = attempt().finally(() => {
      clearTimeout(timer);
      is_open = false;
    });
    try {
      await Promise.race([attempted, late.promise]);
      was_well = true;
    } catch (error) {
      if (was_well) onFail(error);
      was_well = false;
    }
    return was_well;
  };

  return () => {
    if (is_open || now() - began_at < every_ms) return verdict;
    began_at = now();
    verdict = start();
    return verdict;
  };
}
