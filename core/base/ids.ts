/**
 * Identifiers: a prefix and the 26 lower-case Crockford base32 characters of a ULID, 48 bits of time (milliseconds
 * since 1970 UTC) and 80 random bits. They sort, as text, in the order in which this process made them. They are names,
 * not secrets.
 */
import { randomFillSync } from "node:crypto";

/** An id of an operation, made at `now_ms`. */
export function operationId(now_ms: number): string {
  return newId("op_", now_ms);
}

/** An id of any kind. `now_ms` is a whole number from 0 to 2^48-1; outside it a RangeError. */
export function newId(prefix: IdPrefix, now_ms: number): string {
  return process_ids(prefix, now_ms);
}

/** Empty for a bare ULID. */
export type IdPrefix =
  | "op_"
  | "file_"
  | "evt_"
  | "key_"
  | "sec_"
  | "acc_"
  | "aud_"
  | "usr_"
  | "inv_"
  | "leak_"
  | "hook_"
  | "";

/** The first id of this kind that could be made at `ms`: a bound for lists that go by id. */
export function idBound(prefix: IdPrefix, ms: number): string {
  const whole = Math.min(TIME_MAX, Math.max(0, Math.floor(ms)));
  return prefix + pair(whole / HALF) + text40(whole % HALF) + "0".repeat(16);
}

/**
 * Whose operations, uploads and limits those of an account's test keys are: an account beside it, so that nothing of
 * them is among what is live. It has no key, no secret and no settings of its own.
 */
export function testAccountOf(account_id: string): string {
  return TEST_ACCOUNT + account_id;
}

/** The account itself, of its test account too. */
export function liveAccountOf(account_id: string): string {
  return account_id.startsWith(TEST_ACCOUNT) ? account_id.slice(TEST_ACCOUNT.length) : account_id;
}

const TEST_ACCOUNT = "test_";
/** Sorts after every account and before every test account. */
export const AFTER_ACCOUNTS = "acc_~";

/** The last code point: sorts after every id, where a list begins at its newest. */
export const AFTER_ALL_IDS = "\u{10FFFF}";

/** What an operation id looks like; anything else in a query is answered with 422. */
export const OPERATION_ID = /^op_[0-9a-z]{26}$/;

/**
 * The RFC 4122 text form in lower case, undefined for any other text. Version and variant bits are the client's affair.
 */
export function canonicalUuid(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const TIME_MAX = 2 ** 48 - 1;
const HALF = 2 ** 40;

// Crockford: no i, l, o, u. Two characters (10 bits) an entry, so that 40 bits take four look-ups.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const PAIRS: readonly string[] = Array.from(
  { length: 1024 },
  (_, i) => ALPHABET.charAt(i >> 5) + ALPHABET.charAt(i & 31),
);

/** A generator of its own, whose ids sort among themselves. */
export function createIds(): (prefix: IdPrefix, now_ms: number) => string {
  let last_ms = -1;
  let time_text = "";
  // The 80 random bits as two halves below 2^40, exact as numbers.
  let random_high = 0;
  let random_low = 0;

  function startMillisecond(ms: number): void {
    last_ms = ms;
    // 48 bits in 10 characters: the first two bits of the 50 are 0.
    time_text = pair(ms / HALF) + text40(ms % HALF);
    random_high = random40();
    random_low = random40();
  }

  /**
   * The same millisecond again: greater by 1 to 2^32, so that ids sort and the neighbour of a known one is still a
   * guess.
   */
  function step(): void {
    random_low += 1 + random32();
    if (random_low < HALF) return;
    random_low -= HALF;
    random_high += 1;
    // All 80 bits used up, which one millisecond in 2^40 may come near: borrow the next.
    if (random_high === HALF) startMillisecond(last_ms + 1);
  }

  return (prefix, now_ms) => {
    if (!Number.isInteger(now_ms) || now_ms < 0 || now_ms > TIME_MAX) {
      throw new RangeError(`Cannot make an id: the time must be whole milliseconds from 0 to 2^48-1, not ${now_ms}`);
    }
    // A clock that stepped back must not unsort the ids: they stay at the latest time until the clock has caught up.
    if (now_ms > last_ms) startMillisecond(now_ms);
    else step();
    return prefix + time_text + text40(random_high) + text40(random_low);
  };
}

function text40(value: number): string {
  return pair(value / 2 ** 30) + pair(value / 2 ** 20) + pair(value / 2 ** 10) + pair(value);
}

/** The lowest ten bits of the whole part. */
function pair(value: number): string {
  return PAIRS[Math.floor(value) % 1024]!;
}

// One call of the generator costs about as much as 1,000 ids: draw many numbers at once.
const pool = new Uint32Array(1024);
let pool_next = pool.length;

function random40(): number {
  return random32() * 256 + (random32() & 0xff);
}

function random32(): number {
  if (pool_next === pool.length) {
    randomFillSync(pool);
    pool_next = 0;
  }
  return pool[pool_next++]!;
}

const process_ids = createIds();
