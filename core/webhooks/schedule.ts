/** When a webhook is attempted, and which timestamp an attempt carries. Pure; times are milliseconds since 1970 UTC. */

export interface Attempted {
  /** When the first attempt of this schedule began. */
  readonly first_attempt_at: number;
  /** When this one began, and when it ended. */
  readonly started_at: number;
  readonly ended_at: number;
  /** What the receiver asked for. */
  readonly retry_after_seconds: number | null;
  /** The account's choice. */
  readonly long_retries: boolean;
}

/**
 * When to attempt again after one that failed; null: that was the last. The step of the schedule follows from when the
 * attempt began, not from how many there were: a time that passed meanwhile (a receiver that hung, a restart) is made
 * up for at once, several of them by one attempt. `Retry-After` moves an attempt back, at most to the last one's time.
 * `random` is in [0, 1).
 */
export function nextAttemptAt(attempted: Attempted, random: () => number): number | null {
  const { first_attempt_at, started_at, ended_at, retry_after_seconds, long_retries } = attempted;
  const offsets = long_retries ? [...OFFSETS_MS, ...LONG_OFFSETS_MS] : OFFSETS_MS;
  const began_ms = started_at - first_attempt_at;
  // A clock that was set back leaves the attempt at the first step.
  const step = Math.max(
    0,
    offsets.findLastIndex((offset) => offset * (1 - JITTER) <= began_ms),
  );
  const planned_ms = offsets[step + 1];
  if (planned_ms === undefined) return null;
  const ended_ms = ended_at - first_attempt_at;
  const asked_ms = ended_ms + (retry_after_seconds ?? 0) * 1000;
  const earliest_ms = Math.min(asked_ms, Math.max(ended_ms, offsets.at(-1)!));
  return first_attempt_at + Math.max(Math.ceil(planned_ms * (1 - JITTER * random())), earliest_ms);
}

/**
 * `webhook-timestamp`, in whole seconds: the first attempt's for as long as receivers accept it (they refuse what is
 * over 5 minutes old), the attempt's own afterwards.
 */
export function timestampOf(first_attempt_at: number, started_at: number): number {
  const stamped_at = started_at - first_attempt_at > STAMP_MS_MAX ? started_at : first_attempt_at;
  return Math.floor(stamped_at / 1000);
}

/** After the first attempt. All but late ones arrive within the receivers' 5 minutes with the first one's timestamp. */
const OFFSETS_MS = [0, 5_000, 15_000, 45_000, 105_000, 270_000] as const;
/** After the first attempt too, for accounts that chose them: 30 min, 2 h, 5 h, 10 h. */
const LONG_OFFSETS_MS = [1_800_000, 7_200_000, 18_000_000, 36_000_000] as const;
/** An attempt comes earlier by up to this fraction, so that those of one moment spread. */
const JITTER = 0.1;
/** 15 s below the receivers' 5 minutes: what one attempt may take. */
const STAMP_MS_MAX = 285_000;
