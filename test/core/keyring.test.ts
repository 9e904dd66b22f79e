import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyring, type Keyring } from "../../core/accounts/keyring.ts";
import { Refusal } from "../../core/base/errors.ts";
import { hashApiKey, newApiKey } from "../../core/base/keys.ts";
import type { Account, ApiKey, Store } from "../../core/ports/mod.ts";
import { type FakeClock, fakeClock } from "../clock.ts";

interface Fake {
  readonly keyring: Keyring;
  readonly clock: FakeClock;
  /** Look-ups that reached the store. */
  readonly asked: string[];
  /** What the store was told of a key's use. */
  readonly uses: (readonly [string, number])[];
  /** Key hashes that the store knows, with their accounts. */
  readonly accounts: Map<string, Account>;
  /** Holds look-ups back until it is called. */
  hold(): () => void;
  tell(account_id: string | null): void;
  ask(key: string, address?: string): Promise<string>;
}

function fake(): Fake {
  const clock = fakeClock();
  const asked: string[] = [];
  const uses: (readonly [string, number])[] = [];
  const accounts = new Map<string, Account>();
  let tell: (account_id: string | null) => void = () => undefined;
  let gate: Promise<void> | undefined;
  const store = {
    async findKey(sha256: string) {
      asked.push(sha256);
      const account = accounts.get(sha256);
      await gate;
      return account && { key: { id: `key of ${account.id}`, used_at: uses.at(-1)?.[1] ?? null } as ApiKey, account };
    },
    async touchKey(id: string, at: number) {
      uses.push([id, at]);
    },
    onAccountChanged(listener: (account_id: string | null) => void) {
      tell = listener;
      return () => undefined;
    },
  };
  const keyring = createKeyring(store as unknown as Store, clock, []);
  return {
    keyring,
    clock,
    asked,
    uses,
    accounts,
    tell: (account_id) => tell(account_id),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
    async ask(key, address = "192.0.2.1") {
      try {
        const authorization = `Bearer ${key}`;
        return (await keyring.authenticate({ authorization, forwarded_for: null, peer: { address } })).id;
      } catch (error) {
        assert.ok(error instanceof Refusal);
        return String(error.status);
      }
    },
  };
}

function addAccount({ accounts }: Fake, id: string, allowlist: readonly string[] = []): string {
  const key = newApiKey();
  const account: Account = {
    id,
    name: "Ada",
    credits: 1,
    created_at: 0,
    put_per_minute: null,
    get_per_minute: null,
    long_polls: null,
    allowlist,
    webhook_body: "operation",
    webhook_long_retries: false,
    jobs_max: 0,
    revoke_leaked: false,
    free_seconds: null,
    uploads_open: null,
    upload_bytes: null,
    free_day: 0,
    free_ms: 0,
  };
  accounts.set(hashApiKey(key), account);
  return key;
}

test("authenticate() asks the store once in 5 s for one key", async () => {
  const f = fake();
  const key = addAccount(f, "acc_a");
  for (let i = 0; i < 10; i++) assert.equal(await f.ask(key), "acc_a");
  assert.equal(f.asked.length, 1);
  f.clock.advance(4_999);
  assert.equal(await f.ask(key), "acc_a");
  assert.equal(f.asked.length, 1);
  f.clock.advance(1);
  f.accounts.clear();
  assert.equal(await f.ask(key), "401");
  assert.equal(f.asked.length, 2);
});

test("authenticate() notes a key's use once an hour", async () => {
  const f = fake();
  const key = addAccount(f, "acc_a");
  const start = f.clock.now();
  for (let seconds = 0; seconds < 7_300; seconds += 10) {
    await f.ask(key);
    f.clock.advance(10_000);
  }
  assert.deepEqual(
    f.uses,
    [0, 3_600_000, 7_200_000].map((ms) => ["key of acc_a", start + ms]),
  );
});

test("authenticate() asks again at once when the account was changed here", async () => {
  const f = fake();
  const [key, other] = [addAccount(f, "acc_a"), addAccount(f, "acc_b")];
  await f.ask(key);
  await f.ask(other);
  f.accounts.clear();
  f.tell("acc_a");
  assert.equal(await f.ask(key), "401");
  assert.equal(await f.ask(other), "acc_b");
  f.tell(null);
  assert.equal(await f.ask(other), "401");
});

test("authenticate() does not remember a look-up that a change overtook", async () => {
  const f = fake();
  const key = addAccount(f, "acc_a");
  const release = f.hold();
  const first = f.ask(key);
  f.accounts.clear();
  f.tell("acc_a");
  release();
  // It was live when it was asked for.
  assert.equal(await first, "acc_a");
  assert.equal(await f.ask(key), "401");
});

test("authenticate() remembers no key that is unknown, and looks at the address each time", async () => {
  const f = fake();
  const unknown = newApiKey();
  assert.equal(await f.ask(unknown), "401");
  assert.equal(f.keyring.size(), 0);
  const key = addAccount(f, "acc_a", ["192.0.2.0/24"]);
  assert.equal(await f.ask(key, "198.51.100.1"), "401");
  assert.equal(await f.ask(key), "acc_a");
  assert.equal(await f.ask(key, "198.51.100.1"), "401");
  assert.equal(f.asked.length, 2);
});

test("authenticate() keeps a key no longer when the clock steps back, and a bounded number of keys", async () => {
  const f = fake();
  const key = addAccount(f, "acc_a");
  await f.ask(key);
  f.clock.advance(-60_000);
  await f.ask(key);
  assert.equal(f.asked.length, 2);
  const [[sha256 = "", account] = []] = f.accounts;
  assert.ok(account !== undefined && sha256 !== "");
  for (let i = 0; i < 10_050; i++) {
    const more = newApiKey();
    f.accounts.set(hashApiKey(more), account);
    await f.ask(more);
  }
  assert.ok(f.keyring.size() <= 10_000);
});

test("authenticate() asks the store for 300 unknown keys of an address a minute, and for known ones all the same", async () => {
  const f = fake();
  const [old, fresh] = [addAccount(f, "acc_a"), addAccount(f, "acc_b")];
  assert.equal(await f.ask(old, "198.51.100.7"), "acc_a");
  // At once, as an attacker would.
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => f.ask(newApiKey(), "198.51.100.7")));
  assert.deepEqual([answers[0], answers[299], answers[300], answers[999]], ["401", "401", "429", "429"]);
  assert.equal(f.asked.length, 301);
  // What costs no look-up is answered as ever, and who came from there before goes on, also when it is asked anew.
  assert.equal(await f.ask("tonwerk_wrong", "198.51.100.7"), "401");
  f.clock.advance(6_000);
  assert.equal(await f.ask(old, "198.51.100.7"), "acc_a");
  assert.equal(await f.ask(fresh, "198.51.100.7"), "429");
  assert.equal(await f.ask(fresh, "198.51.100.8"), "acc_b");
  f.clock.advance(54_000);
  assert.equal(await f.ask(newApiKey(), "198.51.100.7"), "401");
  // Keys that there are count nothing.
  const [[, account] = []] = f.accounts;
  for (let i = 0; i < 400; i++) {
    const key = newApiKey();
    f.accounts.set(hashApiKey(key), account!);
    assert.notEqual(await f.ask(key, "203.0.113.1"), "429");
  }
});

test("authenticate() asks once for a key that many first requests bring together, and anew after a change", async () => {
  const f = fake();
  const key = addAccount(f, "acc_a");
  const go_on = f.hold();
  const together = Array.from({ length: 400 }, () => f.ask(key));
  f.accounts.clear();
  f.tell("acc_a");
  const later = f.ask(key);
  go_on();
  assert.deepEqual(new Set(await Promise.all(together)), new Set(["acc_a"]));
  assert.equal(await later, "401");
  assert.equal(f.asked.length, 2);
});
