/**
 * Who is asking, remembered for some seconds: a client sends the same header with every request, and hashing and looking up its key
 * each time costs more than the rest of a read. A key that is revoked here is refused from the next request on, one that is revoked
 * on another node after `FRESH_MS` at the latest.
 */

import type { AccountsStore, ApiKey, Clock } from "../ports/mod.ts";
import { type Caller, findCaller, type Principal, refuseAddress } from "./accounts.ts";

export interface Keyring {
  /** Resolves to the key's account; refuses with 401. */
  authenticate(caller: Caller): Principal | Promise<Principal>;
  /** Headers in memory. */
  size(): number;
}

/** The bound that is promised for revocations on other nodes. */
const FRESH_MS = 5_000;
const USED_MS = 3_600_000;
/** Some megabytes. Beyond it everything is asked again, which costs what every request cost before. */
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly principal: Principal;
  readonly until: number;
}

export function createKeyring(
  store: AccountsStore,
  clock: Pick<Clock, "now">,
  trusted_proxies: readonly string[],
): Keyring {
  const known = new Map<string, Entry>();
  /** Raised by every change: a look-up that began before one must not be remembered. */
  let changes = 0;
  store.onAccountChanged((account_id) => {
    changes++;
    for (const [header, { principal }] of known) {
      if (account_id === null || principal.id === account_id) known.delete(header);
    }
  });

  /** To the hour: a key's owner wants to know whether it is in use, and a write for each request would cost more than the request. */
  function noteUse({ id, used_at }: ApiKey, now: number): void {
    if (used_at !== null && now - used_at < USED_MS) return;
    // Not waited for, and not missed where the store is away: a later request says the same.
    store.touchKey(id, now).catch(() => undefined);
  }

  async function lookUp(caller: Caller, now: number): Promise<Principal> {
    const before = changes;
    const principal = await findCaller(store, caller.authorization, (key) => noteUse(key, now));
    if (changes === before && caller.authorization !== null) {
      if (known.size >= ENTRIES_MAX) known.clear();
      known.set(caller.authorization, { principal, until: now + FRESH_MS });
    }
    refuseAddress(principal, caller, trusted_proxies);
    return principal;
  }

  return {
    authenticate(caller) {
      const now = clock.now();
      const entry = caller.authorization === null ? undefined : known.get(caller.authorization);
      // A clock that stepped back must not keep a key alive.
      if (entry === undefined || now >= entry.until || now < entry.until - FRESH_MS) return lookUp(caller, now);
      refuseAddress(entry.principal, caller, trusted_proxies);
      return entry.principal;
    },
    size: () => known.size,
  };
}
