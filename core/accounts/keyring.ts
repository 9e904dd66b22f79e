/**
 * Who is asking: Bearer keys and allowlists. A caller is remembered for some seconds: a client sends the same header
 * with every request, and hashing and looking up its key each time costs more than the rest of a read. A key that is
 * revoked here is refused from the next request on, one that is revoked on another node after `FRESH_MS` at the latest.
 */
import { clientAddress, household, matches } from "../base/addresses.ts";
import { refuse } from "../base/errors.ts";
import { liveAccountOf, testAccountOf } from "../base/ids.ts";
import { checkApiKey, hashApiKey, UPLOAD_TOKEN_PREFIX } from "../base/keys.ts";
import { isFresh } from "../base/timers.ts";
import type { Account, AccountsStore, ApiKey, Clock } from "../ports/mod.ts";
import { ALL_RIGHTS, type CallingKey } from "./key_rights.ts";

/** What a request says of its sender. */
export interface Caller extends From {
  readonly authorization: string | null;
}

interface From {
  readonly forwarded_for: string | null;
  /** The connection's other end. */
  readonly peer: { readonly address: string };
}

/** The account behind a key, without what changes with every submission. */
export interface Principal extends Omit<Account, "credits"> {
  /** Absent where no key asks, but somebody who is signed in. */
  readonly key?: CallingKey;
}

export interface Keyring {
  /** Resolves to the key's account; refuses with 401. */
  authenticate(caller: Caller): Principal | Promise<Principal>;
  /** Whom a live key of the account stands for; undefined: it has no such key. Refuses addresses as `authenticate`. */
  admitKey(account_id: string, key_id: string, from: From): Promise<Principal | undefined>;
  /** Headers in memory. */
  size(): number;
}

/** The bound that is promised for revocations on other nodes. */
const FRESH_MS = 5_000;
const USED_MS = 3_600_000;
/** Keys that an address may ask after in vain a minute: each is a look-up in the store, which nobody pays for. */
const UNKNOWN_MAX = 300;
const UNKNOWN_MS = 60_000;
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
  /** Also those whose time is over: they are asked again whatever their address did. */
  const known = new Map<string, Entry>();
  /** Keys asked after, and those of them that turned out unknown, by address. */
  const asked = new Map<string, { count: number; readonly until: number }>();
  const looking_up = new Map<string, ReturnType<AccountsStore["findKey"]>>();
  /** Raised by every change: a look-up that began before one must not be remembered. */
  let changes = 0;
  store.onAccountChanged((account_id) => {
    changes++;
    // What was read before the change answers nobody who asks after it.
    looking_up.clear();
    for (const [header, { principal }] of known) {
      if (account_id === null || liveAccountOf(principal.id) === account_id) known.delete(header);
    }
  });

  /**
   * To the hour: a key's owner wants to know whether it is in use, and a write for each request would cost more than
   * the request.
   */
  function noteUse({ id, used_at }: ApiKey, now: number): void {
    if (used_at !== null && now - used_at < USED_MS) return;
    // Not waited for, and not missed where the store is away: a later request says the same.
    store.touchKey(id, now).catch(() => undefined);
  }

  function askedBy({ peer, forwarded_for }: Caller, now: number) {
    const name = household(clientAddress(peer.address, forwarded_for, trusted_proxies));
    const before = asked.get(name);
    if (before !== undefined && isFresh(before.until, UNKNOWN_MS, now)) return before;
    if (asked.size >= ENTRIES_MAX) asked.clear();
    const begun = { count: 0, until: now + UNKNOWN_MS };
    asked.set(name, begun);
    return begun;
  }

  /**
   * Refuses with 429 an address that asked after too many unknown keys. One that is being looked up counts as unknown,
   * once: a client's first requests come together, and share the look-up.
   */
  function findStranger(sha256: string, caller: Caller, now: number): ReturnType<AccountsStore["findKey"]> {
    const under_way = looking_up.get(sha256);
    if (under_way !== undefined) return under_way;
    const tries = askedBy(caller, now);
    if (tries.count >= UNKNOWN_MAX) throw refuse.tooManyRequests((tries.until - now) / 1000);
    tries.count++;
    const found = store.findKey(sha256);
    looking_up.set(sha256, found);
    const end = (is_known: boolean) => {
      if (is_known) tries.count--;
      if (looking_up.get(sha256) === found) looking_up.delete(sha256);
    };
    found.then(
      (key) => end(key !== undefined),
      () => end(false),
    );
    return found;
  }

  async function lookUp(caller: Caller, authorization: string, now: number, known_before: boolean): Promise<Principal> {
    const before = changes;
    const sha256 = hashApiKey(readKey(authorization));
    const found = await (known_before ? store.findKey(sha256) : findStranger(sha256, caller, now));
    if (found === undefined) {
      known.delete(authorization);
      throw refuse.unauthorized("api_key_invalid");
    }
    noteUse(found.key, now);
    const principal = await principalOf(store, found.key, found.account);
    if (changes === before) {
      if (known.size >= ENTRIES_MAX) known.clear();
      known.set(authorization, { principal, until: now + FRESH_MS });
    }
    return admit(principal, caller);
  }

  /** Refuses with 401 an address that the account's allowlist does not name. */
  function admit(principal: Principal, { peer, forwarded_for }: From): Principal {
    const { allowlist } = principal;
    if (allowlist.length === 0) return principal;
    const address = clientAddress(peer.address, forwarded_for, trusted_proxies);
    if (address === undefined || !matches(allowlist, address)) throw refuse.unauthorized("address_not_allowed");
    return principal;
  }

  return {
    authenticate(caller) {
      const { authorization } = caller;
      if (authorization === null) throw refuse.unauthorized("api_key_missing");
      const now = clock.now();
      const entry = known.get(authorization);
      if (entry === undefined || !isFresh(entry.until, FRESH_MS, now))
        return lookUp(caller, authorization, now, entry !== undefined);
      return admit(entry.principal, caller);
    },
    async admitKey(account_id, key_id, from) {
      const [account, keys] = await Promise.all([store.account(account_id), store.keys(account_id)]);
      const key = keys.find(({ id, revoked_at }) => id === key_id && revoked_at === null);
      return account && key && admit(await principalOf(store, key, account), from);
    },
    size: () => known.size,
  };
}

/**
 * The key of a header. Refuses with 401 what cannot be one, so that a wrong checksum never reaches the store, and
 * tokens with 403, good or bad: who may use one asks before for it.
 */
function readKey(authorization: string): string {
  const key = /^Bearer ([^\s,]+)$/iu.exec(authorization)?.[1];
  if (key === undefined) throw refuse.unauthorized("api_key_malformed");
  if (key.startsWith(UPLOAD_TOKEN_PREFIX)) throw refuse.tokenOnlyUploads();
  if (!checkApiKey(key)) throw refuse.unauthorized("api_key_invalid");
  return key;
}

/** Who a key stands for: its account, and of a test key the test account with the settings of the live one. */
async function principalOf(
  store: Pick<AccountsStore, "account">,
  { id: key_id, rights }: ApiKey,
  account: Account,
): Promise<Principal> {
  const { credits: _, ...live } = account;
  const key = { id: key_id, ...(rights ?? ALL_RIGHTS) };
  if (!key.test) return { ...live, key };
  const id = testAccountOf(live.id);
  const { free_day = 0, free_ms = 0 } = (await store.account(id)) ?? {};
  return { ...live, id, free_day, free_ms, key };
}
