/**
 * How fast an account's uploads are taken while other accounts ask for something, too. Bytes cost the event loop that
 * counts them and the disk that everybody's commits wait for. Whoever is alone has all of both. Counted by each node,
 * whose loop and disk they are.
 */
import type { Clock } from "../ports/mod.ts";

interface UploadRate {
  /** The account has asked for something. */
  seen(account_id: string): void;
  /** Milliseconds to wait before more of the account's is taken; 0 while no other one is about. */
  delayOf(account_id: string, bytes: number): number;
}

/** 128 Mbit/s; looking at what is uploaded is slower where it is decoded much. */
const BYTES_PER_MS = 16_000;
/** A song without compression at whatever speed it comes. */
const BURST_BYTES = 16_000_000;
/** Whoever has not asked for so long is not about. */
const ABOUT_MS = 10_000;

export function createUploadRate(clock: Pick<Clock, "now">): UploadRate {
  let last = { account_id: "", at: Number.NEGATIVE_INFINITY };
  /** Of another account than `last`. */
  let before = last;
  /** What each may still send at once, by account; negative: what it is ahead. A full one is forgotten. */
  const levels = new Map<string, { level: number; at: number }>();

  const isAlone = (account_id: string, now: number): boolean => {
    const other = last.account_id === account_id ? before : last;
    return now - other.at > ABOUT_MS;
  };

  return {
    seen(account_id) {
      const at = clock.now();
      if (last.account_id === account_id) last.at = at;
      else [before, last] = [last, { account_id, at }];
    },
    delayOf(account_id, bytes) {
      const now = clock.now();
      if (isAlone(account_id, now)) return 0;
      const { level, at } = levels.get(account_id) ?? { level: BURST_BYTES, at: now };
      const left = Math.min(BURST_BYTES, level + Math.max(0, now - at) * BYTES_PER_MS) - bytes;
      levels.delete(account_id);
      levels.set(account_id, { level: left, at: now });
      // Those that were used longest ago are full by now.
      for (const [other, of] of levels) {
        if (of.level + (now - of.at) * BYTES_PER_MS < BURST_BYTES) break;
        levels.delete(other);
      }
      return Math.max(0, Math.ceil(-left / BYTES_PER_MS));
    },
  };
}
