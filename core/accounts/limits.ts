/**
 * Rate limits of accounts: a token bucket for each account and kind of request, and a count of open long-polls. They
 * are counted in the memory of this process and, where there are several, by all nodes together; while what they share
 * is away, by each node alone.
 */
import type { Config } from "../base/config.ts";
import { refuse } from "../base/errors.ts";
import type { Clock, Tallies } from "../ports/mod.ts";
import { requireWrite } from "./key_rights.ts";
import type { Principal } from "./keyring.ts";
import { createUploadRate } from "./upload_rate.ts";

export interface Limits {
  /**
   * Takes one request from the account's bucket. `per_minute` is capacity and refill; 0: unlimited. No promise where
   * nobody else counts.
   */
  take(account_id: string, kind: LimitKind, per_minute: number): Taken | Promise<Taken>;
  /**
   * Counts a long-poll, or an upload, until the returned function is called; undefined where `most` (0: unlimited) are
   * open already.
   */
  enter(account_id: string, most: number, kind?: "poll" | "upload"): Promise<(() => void) | undefined>;
  /** When the oldest of them began that are open on this node. */
  openSince(account_id: string, kind?: "poll" | "upload"): number | undefined;
  /** The account asks for something. */
  seen(account_id: string): void;
  /** Milliseconds that an upload waits after so many more bytes, so that others have their part of the node. */
  uploadDelay(account_id: string, bytes: number): number;
  /** Buckets and counts in memory. */
  size(): number;
}

type LimitKind = "put" | "get" | "picture" | "form";

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

export interface LimitServices {
  readonly clock: Pick<Clock, "now">;
  /** What the nodes share. */
  readonly tallies?: Tallies | undefined;
  /** In which an empty bucket fills; a minute unless said. What is called `per_minute` is allowed in it. */
  readonly window_ms?: number;
}

type Take = (name: string, per_minute: number) => Taken;

/** Token buckets in the memory of this process alone. */
function createBuckets({ clock }: LimitServices, window_ms: number): { readonly take: Take; size(): number } {
  // A bucket that was not used for a window is full, which is what an absent one is. So two generations do: what is
  // used moves to the young one, and each window the old one is forgotten, however many accounts there were. Whoever
  // makes up names can only make that come sooner, with more tries than a forgotten bucket gives back.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let young_since = clock.now();
  function bucketOf(name: string, now: number, full: number): Bucket {
    const age = now - young_since;
    if (age >= window_ms || age < 0 || young.size >= BUCKETS_MAX) {
      old = age >= 2 * window_ms ? new Map() : young;
      young = new Map();
      young_since = now;
    }
    const bucket = young.get(name) ?? old.get(name) ?? { level: full, at: now };
    young.set(name, bucket);
    old.delete(name);
    return bucket;
  }

  const take: Take = (name, per_minute) => {
    const now = clock.now();
    // In units that make all of it whole numbers: each millisecond refills `per_minute` of these.
    const full = per_minute * window_ms;
    const bucket = bucketOf(name, now, full);
    // A clock that stepped back adds nothing and takes nothing.
    bucket.level = Math.min(full, bucket.level + Math.max(0, now - bucket.at) * per_minute);
    bucket.at = now;
    const ok = bucket.level >= window_ms;
    if (ok) bucket.level -= window_ms;
    return describeTaken(ok, bucket.level, per_minute, window_ms);
  };
  return { take, size: () => young.size + old.size };
}

/** `level` in units of which a request is `window_ms`. */
function describeTaken(ok: boolean, level: number, per_minute: number, window_ms: number): Taken {
  return {
    ok,
    limit: per_minute,
    remaining: Math.floor(level / window_ms),
    reset_seconds: Math.ceil((per_minute * window_ms - level) / per_minute / 1000),
    retry_seconds: ok ? 0 : Math.max(1, Math.ceil((window_ms - level) / per_minute / 1000)),
  };
}

/** What is open of each name, the oldest first. */
function createCounts({ now }: Pick<Clock, "now">) {
  const open = new Map<string, Set<{ readonly since: number }>>();
  function enter(name: string, most: number): (() => void) | undefined {
    const others = open.get(name) ?? new Set();
    if (most !== 0 && others.size >= most) return undefined;
    const one = { since: now() };
    open.set(name, others.add(one));
    return () => {
      if (others.delete(one) && others.size === 0) open.delete(name);
    };
  }
  const oldest = (name: string): number | undefined => open.get(name)?.values().next().value?.since;
  return { enter, oldest, size: () => open.size };
}

export function createLimits(services: LimitServices): Limits {
  const { clock, tallies, window_ms = MINUTE_MS } = services;
  const buckets = createBuckets(services, window_ms);
  const counts = createCounts(clock);
  const rate = createUploadRate(clock);
  return {
    take(account_id, kind, per_minute) {
      if (per_minute === 0) return UNLIMITED;
      const name = `${kind}:${account_id}`;
      if (tallies?.up !== true) return buckets.take(name, per_minute);
      return tallies.take(name, per_minute, window_ms).then((taken) => {
        if (taken === undefined) return buckets.take(name, per_minute);
        return describeTaken(taken.ok, taken.level * window_ms, per_minute, window_ms);
      });
    },

    async enter(account_id, most, kind = "poll") {
      const name = `${kind}:${account_id}`;
      const leave = counts.enter(name, most);
      if (leave === undefined || most === 0 || tallies?.up !== true) return leave;
      const member = crypto.randomUUID();
      const entered = await tallies.enter(name, member, most, OPEN_MS[kind]);
      if (entered === false) {
        leave();
        return undefined;
      }
      return () => {
        leave();
        tallies.leave(name, member);
      };
    },

    openSince: (account_id, kind = "poll") => counts.oldest(`${kind}:${account_id}`),

    seen: rate.seen,
    uploadDelay: rate.delayOf,
    size: () => buckets.size() + counts.size(),
  };
}

/** What counts against a limit. Its answer sends the state of that, be it a refusal. */
export interface Counted {
  limit_headers: Readonly<Record<string, string>> | undefined;
}

/**
 * Counts a request of the account and refuses with 429 one too many, with 403 a PUT of a key that only reads. `counted`
 * gets what is left, before a refusal too. A promise only where several nodes count together.
 */
export function countRequest(
  { limits, config }: { readonly limits: Limits; readonly config: Config },
  account: Pick<Principal, "id" | "put_per_minute" | "get_per_minute" | "key">,
  kind: "put" | "get",
  counted?: Counted,
): void | Promise<void> {
  limits.seen(account.id);
  const setting = kind === "put" ? "put_per_minute" : "get_per_minute";
  const per_minute = account[setting] ?? config[setting];
  const taken = per_minute === 0 ? undefined : limits.take(account.id, kind, per_minute);
  if (taken instanceof Promise) return taken.then((late) => admit(late, account, kind, counted));
  admit(taken, account, kind, counted);
}

/** `taken` is undefined where there is no limit. */
function admit(
  taken: Taken | undefined,
  account: Pick<Principal, "key">,
  kind: "put" | "get",
  counted: Counted | undefined,
): void {
  if (taken !== undefined && counted !== undefined) counted.limit_headers = limitHeaders(kind, taken);
  if (taken?.ok === false) throw refuse.tooManyRequests(taken.retry_seconds);
  if (kind === "put") requireWrite(account);
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
/**
 * Somewhat longer than a long-poll, and than an upload may take: the place of one whose node was killed is free again
 * then.
 */
const OPEN_MS = { poll: 30_000, upload: 1_000_000 } as const;
/** Of one generation: some 20 MB. */
const BUCKETS_MAX = 100_000;
const UNLIMITED: Taken = Object.freeze({ ok: true, limit: 0, remaining: 0, reset_seconds: 0, retry_seconds: 0 });

interface Bucket {
  /** A request is as many of these as a window has milliseconds. */
  level: number;
  at: number;
}
