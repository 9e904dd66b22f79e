/** Idempotency keys of calls that submit nothing; those of submissions are in `operations`. */
import type { DatabaseSync } from "node:sqlite";
import type { KeysStore, KeyUse } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare, prepareInsert } from "./connection.ts";
import type { KeyIndex } from "./key_index.ts";
import type { Sync } from "./sync.ts";

export function keyVerbs(db: DatabaseSync, keys: KeyIndex) {
  const keyUse = prepareKeyUse(db, keys);
  const insert = prepareCall(db);
  const answer = prepare(db, "UPDATE keyed_calls SET response = ? WHERE account_id = ? AND idempotency_key = ?");
  return {
    // Not a read beside this thread: it alone knows the newest keys.
    keyUse,
    /** Of the thread alone, which settles it. */
    listKeys(all: boolean): void {
      keys.list(all);
    },
    useKey(call) {
      const { account_id, idempotency_key, fingerprint, response } = call;
      const used = keyUse(account_id, idempotency_key);
      if (used === undefined) insert(call);
      else if (used.response !== null || used.fingerprint !== fingerprint) return used;
      else answer.run(response, account_id, idempotency_key);
      return { fingerprint, response };
    },
  } satisfies Partial<Sync<KeysStore>> & { listKeys(all: boolean): void };
}

export const prepareCall = (db: DatabaseSync) => prepareInsert(db, "keyed_calls", FIELDS.call);

/** Whether a key is one of a call. */
export function prepareIsCalled(db: DatabaseSync): (account_id: string, idempotency_key: string) => boolean {
  const called = prepare(db, "SELECT 1 FROM keyed_calls WHERE account_id = ? AND idempotency_key = ?");
  return (account_id, idempotency_key) => called.look(account_id, idempotency_key) !== undefined;
}

export function prepareKeyUse(
  db: DatabaseSync,
  keys: KeyIndex,
): (account_id: string, idempotency_key: string) => KeyUse | undefined {
  const call = prepare<KeyUse>(
    db,
    "SELECT fingerprint, response FROM keyed_calls WHERE account_id = ? AND idempotency_key = ?",
  );
  return (account_id, key) => keys.find(account_id, key) ?? call.get(account_id, key);
}
