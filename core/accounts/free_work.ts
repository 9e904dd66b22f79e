/**
 * The budget of free work: processor time of work that ended without a charge (operations that failed, uploads that
 * were looked at, pictures), for each account and UTC day. The store adds it up, so that it counts on all nodes and
 * outlives a restart. What the store knows comes with the account, which is remembered for some seconds; what was spent
 * here counts at once. So nobody asks the store for it.
 */

import type { Config } from "../base/config.ts";
import { refuse } from "../base/errors.ts";
import { type AccountsStore, type Clock, DAY_MS } from "../ports/mod.ts";
import type { Principal } from "./keyring.ts";

export interface FreeWork {
  /** Counts `ms` of processor time. The store is told soon, and not waited for. */
  spend(account_id: string, ms: number): void;
  /** Refuses with 429 while the account's budget of the day is spent. What was accepted before goes on. */
  check(account: Principal): void;
  /** Today's, in seconds; a limit of 0 is none. */
  of(account: Principal): { readonly limit: number; readonly used: number; readonly resets_at: number };
}

interface FreeWorkServices {
  readonly config: Pick<Config, "free_seconds">;
  readonly store: Pick<AccountsStore, "addFreeWork">;
  readonly clock: Pick<Clock, "now">;
}

export function createFreeWork({ config, store, clock }: FreeWorkServices): FreeWork {
  /** Of accounts that spent something here on `day`: what they have of it, as far as is known here. */
  const known = new Map<string, number>();
  let day = 0;

  function today(): number {
    const now = clock.now();
    const begin = now - (now % DAY_MS);
    if (begin !== day) known.clear();
    day = begin;
    return begin;
  }

  function usedMs({ id, free_day, free_ms }: Principal, begin: number): number {
    return Math.max(known.get(id) ?? 0, free_day === begin ? free_ms : 0);
  }

  return {
    spend(account_id, ms) {
      const begin = today();
      const whole = Math.ceil(ms);
      if (whole <= 0) return;
      known.set(account_id, (known.get(account_id) ?? 0) + whole);
      store.addFreeWork(account_id, begin, whole).then(
        (total) => {
          if (begin === day) known.set(account_id, Math.max(known.get(account_id) ?? 0, total));
        },
        // The store is away: it counts here.
        () => undefined,
      );
    },

    check(account) {
      const limit = account.free_seconds ?? config.free_seconds;
      if (limit === 0) return;
      const begin = today();
      if (usedMs(account, begin) < limit * 1000) return;
      throw refuse.tooMany(
        "free_work_used_up",
        (begin + DAY_MS - clock.now()) / 1000,
        `Failed operations and uploads have used up the ${limit.toLocaleString("en")} s of processor time that ` +
          "a day has for them; it begins anew at 00:00 UTC",
      );
    },

    of(account) {
      const begin = today();
      return {
        limit: account.free_seconds ?? config.free_seconds,
        used: usedMs(account, begin) / 1000,
        resets_at: begin + DAY_MS,
      };
    },
  };
}
