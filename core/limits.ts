/**
 * Rate limits of accounts, in the memory of this process: a token bucket for each account and kind of request, and a count of open
 * long-polls. A node of several has its own; an account's limit is then per node.
 */
import type { Clock } from "./ports.ts";

export interface Limits {
  /** Takes one request from the account's bucket. `per_minute` is capacity and refill; 0: unlimited. */
  take(account_id: string, kind: LimitKind, per_minute: number): Taken;
  /** Counts a long-poll until the returned function is called, undefined where `most` (0: unlimited) are open already. */
  enter(account_id: string, most: number): (() => void) | undefined;
  /** Buckets and counts in memory. */
  size(): number;
}

export type LimitKind = "put" | "get";

export interface Taken {
  readonly ok: boolean;
  /** Requests a minute; 0: unlimited, and then the other numbers say nothing. */
  readonly limit: number;
  /** Whole requests that could follow at once. */
  readonly remaining: number;
  /** Until the bucket is full again, rounded up. */
  readonly reset_seconds: number;
  /** Until the next request can be taken, rounded up; 0 when this one was. */
  readonly retry_seconds: number;
}

export function createLimits({ clock }: { readonly clock: Pick<Clock, "now"> }): Limits {
  // A bucket that was not used for a minute is full, which is what an absent one is. So two generations do: what is used moves to the
  // young one, and each minute the old one is forgotten, however many accounts there were.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let young_since = clock.now();
  const open_polls = new Map<string, number>();

  function bucketOf(name: string, now: number, full: number): Bucket {
    const age = now - young_since;
    if (age >= MINUTE_MS || age < 0) {
      old = age >= 2 * MINUTE_MS ? new Map() : young;
      young = new Map();
      young_since = now;
    }
    const bucket = young.get(name) ?? old.get(name) ?? { level: full, at: now };
    young.set(name, bucket);
    old.delete(name);
    return bucket;
  }

  return {
    take(account_id, kind, per_minute) {
      if (per_minute === 0) return UNLIMITED;
      const now = clock.now();
      const full = per_minute * TOKEN;
      const bucket = bucketOf(`${kind} ${account_id}`, now, full);
      // A clock that stepped back adds nothing and takes nothing.
      bucket.level = Math.min(full, bucket.level + Math.max(0, now - bucket.at) * per_minute);
      bucket.at = now;
      const ok = bucket.level >= TOKEN;
      if (ok) bucket.level -= TOKEN;
      return {
        ok,
        limit: per_minute,
        remaining: Math.floor(bucket.level / TOKEN),
        reset_seconds: Math.ceil((full - bucket.level) / per_minute / 1000),
        retry_seconds: ok ? 0 : Math.ceil((TOKEN - bucket.level) / per_minute / 1000),
      };
    },

    enter(account_id, most) {
      const before = open_polls.get(account_id) ?? 0;
      if (most !== 0 && before >= most) return undefined;
      open_polls.set(account_id, before + 1);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        const others = open_polls.get(account_id)! - 1;
        if (others === 0) open_polls.delete(account_id);
        else open_polls.set(account_id, others);
      };
    },

    size: () => young.size + old.size + open_polls.size,
  };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10; none where there is no limit. */
export function limitHeaders(kind: LimitKind, taken: Taken): Readonly<Record<string, string>> {
  if (taken.limit === 0) return {};
  return {
    "ratelimit-policy": `"${kind}";q=${taken.limit};w=60`,
    ratelimit: `"${kind}";r=${taken.remaining};t=${taken.reset_seconds}`,
  };
}

const MINUTE_MS = 60_000;
/** One request, in the unit that makes all of it whole numbers: each millisecond refills `per_minute` of these. */
const TOKEN = MINUTE_MS;
const UNLIMITED: Taken = Object.freeze({ ok: true, limit: 0, remaining: 0, reset_seconds: 0, retry_seconds: 0 });

interface Bucket {
  /** In units of 1/TOKEN request. */
  level: number;
  at: number;
}
