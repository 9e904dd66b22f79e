import assert from "node:assert/strict";
import { test } from "node:test";
import { nextAttemptAt, timestampOf } from "../../core/webhooks/schedule.ts";

const FIRST = Date.UTC(2026, 0, 1, 12, 0, 0, 750);
const noJitter = () => 0;
const mostJitter = () => 1 - Number.EPSILON;

/** Seconds after the first attempt; an attempt that began at `began` and took `took`. */
function next(
  began: number,
  took = 0,
  {
    retry_after = null,
    long_retries = false,
    random = noJitter,
  }: { retry_after?: number | null; long_retries?: boolean; random?: () => number } = {},
): number | null {
  const started_at = FIRST + began * 1000;
  const ended_at = started_at + took * 1000;
  const at = nextAttemptAt(
    { first_attempt_at: FIRST, started_at, ended_at, retry_after_seconds: retry_after, long_retries },
    random,
  );
  return at === null ? null : (at - FIRST) / 1000;
}

/** All attempts of a receiver that answers after `took`, in seconds after the first. */
function attempts(took: number, options: Parameters<typeof next>[2] = {}): number[] {
  const seen: number[] = [];
  for (let at: number | null = 0; at !== null; at = next(at, took, options)) seen.push(at);
  return seen;
}

test("nextAttemptAt() follows the schedule", () => {
  assert.deepEqual(attempts(0.1), [0, 5, 15, 45, 105, 270]);
});

test("nextAttemptAt() goes on for ten hours where the account chose long retries", () => {
  assert.deepEqual(attempts(0.1, { long_retries: true }), [0, 5, 15, 45, 105, 270, 1_800, 7_200, 18_000, 36_000]);
});

test("nextAttemptAt() comes earlier by at most a tenth", () => {
  const earliest = attempts(0.1, { long_retries: true, random: mostJitter });
  const nominal = [0, 5, 15, 45, 105, 270, 1_800, 7_200, 18_000, 36_000];
  assert.equal(earliest.length, nominal.length);
  for (const [i, at] of earliest.entries()) assert.ok(Math.abs(at - nominal[i]! * 0.9) <= 0.001, `${at}`);
  for (let round = 0; round < 200; round++) {
    const seen = attempts(Math.random() * 3, { random: Math.random });
    assert.equal(seen.length, 6, seen.join());
    for (const [i, at] of seen.entries()) assert.ok(at <= nominal[i]! && at >= nominal[i]! * 0.9, seen.join());
  }
});

test("nextAttemptAt() makes up at once for a time that passed while the receiver hung", () => {
  assert.deepEqual(attempts(15), [0, 15, 45, 105, 270]);
  assert.deepEqual(attempts(15.02), [0, 15.02, 45, 105, 270]);
});

test("nextAttemptAt() makes one attempt for all times that passed while the service was away", () => {
  assert.equal(next(60), 105);
  assert.equal(next(200), 270);
  assert.equal(next(3_600), null);
  assert.equal(next(3_600, 0, { long_retries: true }), 7_200);
});

test("nextAttemptAt() waits for Retry-After, at most until the last attempt", () => {
  assert.equal(next(0, 0.5, { retry_after: 3 }), 5);
  assert.equal(next(0, 0.5, { retry_after: 20 }), 20.5);
  assert.equal(next(20.5, 0, { retry_after: 20 }), 45);
  assert.equal(next(0, 0.5, { retry_after: 86_400 }), 270);
  assert.equal(next(270, 0.5, { retry_after: 20 }), null);
  assert.equal(next(0, 0.5, { retry_after: 3_600, long_retries: true }), 3_600.5);
  assert.equal(next(0, 0.5, { retry_after: 86_400, long_retries: true }), 36_000);
  // Jitter does not undercut what the receiver asked for.
  assert.equal(next(0, 0, { retry_after: 5, random: mostJitter }), 5);
});

test("nextAttemptAt() stays at the first place when the clock was set back", () => {
  assert.equal(next(-100), 5);
});

test("timestampOf() is the first attempt's for 285 s, and the attempt's own afterwards", () => {
  const first = Math.floor(FIRST / 1000);
  assert.equal(timestampOf(FIRST, FIRST), first);
  assert.equal(timestampOf(FIRST, FIRST + 285_000), first);
  assert.equal(timestampOf(FIRST, FIRST + 285_001), Math.floor((FIRST + 285_001) / 1000));
  assert.equal(timestampOf(FIRST, FIRST + 1_800_000), first + 1_800);
});

test("no receiver refuses an attempt for its age: each is under 5 minutes old when it is answered", () => {
  for (const at of attempts(15, { long_retries: true })) {
    const started_at = FIRST + at * 1000;
    const age = (started_at + 15_000) / 1000 - timestampOf(FIRST, started_at);
    assert.ok(age <= 300, `${at} s: ${age} s old`);
  }
});
