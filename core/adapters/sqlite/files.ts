import type { DatabaseSync } from "node:sqlite";
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { FilesStore, KeptFile, KeyedCall, StoredFile } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { auditExpiry } from "./audit.ts";
import { prepare, prepareInsert } from "./connection.ts";
import type { KeyIndex } from "./key_index.ts";
import { prepareKeyUse } from "./keys.ts";
import type { Sync } from "./sync.ts";

export function fileReads(db: DatabaseSync) {
  const kept = prepare<{ bytes: number }>(db, "SELECT bytes FROM kept_uploads WHERE account_id = ?");
  const nextExpiry = prepare<{ at: number | null }>(db, "SELECT min(expires_at) AS at FROM files WHERE account_id = ?");
  const isUnnamed = prepareUnnamed(db);
  const isOwned = prepareOwned(db);
  const find = prepare<FileRow>(db, `${FILES} WHERE id = ?`);
  const page = prepare<FileRow>(
    db,
    `${FILES} WHERE account_id = ?1 AND id < ?2 AND expires_at > ?3 ORDER BY id DESC LIMIT ?4`,
  );
  const tokenUse = prepare<{ uploads: number; bytes: number }>(
    db,
    "SELECT uploads, bytes FROM upload_tokens WHERE id = ?",
  );
  return {
    file(id) {
      const row = find.get(id);
      return row && toKept(row);
    },
    files: (account_id, { before = AFTER_ALL_IDS, limit, now }) => page.all(account_id, before, now, limit).map(toKept),
    tokenUse: (id) => tokenUse.get(id) ?? { uploads: 0, bytes: 0 },
    keptUploads: (account_id) => ({
      bytes: kept.get(account_id)?.bytes ?? 0,
      next_expiry: nextExpiry.get(account_id)?.at ?? null,
    }),
    unnamed: (keys) => keys.filter(isUnnamed),
    owned: (account_id, keys) => keys.filter((key) => isOwned(account_id, key)),
  } satisfies Partial<Sync<FilesStore>>;
}

/** SQL: an operation in progress reads the object of this name. */
const isRead = (object: string): string => `EXISTS (SELECT 1 FROM operation_sources s
  JOIN jobs j ON j.operation_id = s.operation_id WHERE s.object = ${object})`;

type FileRow = StoredFile & { readonly in_use: 0 | 1 };
const FILES = `SELECT ${FIELDS.file}, ${isRead("files.object")} AS in_use FROM files`;
const toKept = (row: FileRow): KeptFile => ({ ...row, in_use: row.in_use === 1 });

/** Uploads, and forgetting what is over. */
export function fileVerbs(db: DatabaseSync, keys: KeyIndex) {
  const insertFile = prepareInsert<StoredFile>(db, "files", FIELDS.file);
  const kept = prepare<{ bytes: number }>(db, "SELECT bytes FROM kept_uploads WHERE account_id = ?");
  const insertObject = prepare(db, "INSERT INTO objects (key, owner) VALUES (?, ?)");
  const dueFiles = prepare<{ id: string }>(
    db,
    `SELECT f.id FROM files f WHERE f.expires_at <= ? AND NOT ${inUse("f.id")} ORDER BY f.expires_at LIMIT ?`,
  );
  const dueOperations = prepare<{ id: string }>(
    db,
    `SELECT o.id FROM operations o WHERE o.expires_at IS NOT NULL AND o.expires_at <= ? AND NOT ${inUse("o.id")}
     ORDER BY o.expires_at LIMIT ?`,
  );
  const deleteFile = prepare(db, "DELETE FROM files WHERE id = ?");
  // Sources, webhooks and their attempts follow by their references; the ledger has none.
  const deleteOperation = prepare(db, "DELETE FROM operations WHERE id = ?");
  const deleteSessions = prepare(db, "DELETE FROM sessions WHERE expires_at <= ?");
  const deleteCalls = prepare(db, "DELETE FROM keyed_calls WHERE expires_at <= ?");
  const deleteTokens = prepare(db, "DELETE FROM upload_tokens WHERE expires_at <= ?");
  const own = prepare<{ id: string; in_use: 0 | 1 }>(
    db,
    `SELECT f.id, ${inUse("f.id")} AS in_use FROM files f WHERE f.account_id = ? AND f.id = ?`,
  );
  const markDeleted = prepare(db, "UPDATE files SET expires_at = 0 WHERE id = ?");
  const isKept = prepare(db, "SELECT 1 FROM files WHERE id = ? AND expires_at > ?");
  const keyUse = prepareKeyUse(db, keys);
  const bind = prepareInsert<KeyedCall>(
    db,
    "keyed_calls",
    FIELDS.call,
    `ON CONFLICT (account_id, idempotency_key)
     DO UPDATE SET response = excluded.response, expires_at = excluded.expires_at`,
  );
  const spend = prepare(
    db,
    `INSERT INTO upload_tokens AS t (id, uploads, bytes, expires_at) SELECT ?1, 1, ?2, ?3 WHERE ?2 <= ?5
     ON CONFLICT (id) DO UPDATE SET uploads = t.uploads + 1, bytes = t.bytes + ?2
       WHERE t.uploads < ?4 AND t.bytes + ?2 <= ?5`,
  );
  /** Whether a key is free, or has a file that is gone. */
  const isFree = ({ account_id, idempotency_key, fingerprint }: KeyedCall, now: number): boolean => {
    const used = keyUse(account_id, idempotency_key);
    if (used === undefined) return true;
    return used.fingerprint === fingerprint && isKept.get(used.response, now) === undefined;
  };
  /** Forgets a file or an operation; its objects, which something else may name. */
  const forget = (id: string, row: typeof deleteFile): string[] => {
    const keys = keysOf.all(id).map(({ key }) => key);
    deleteObjects.run(id);
    row.run(id);
    return keys;
  };
  const deleteWebhooks = prepare(db, "DELETE FROM webhooks WHERE expires_at <= ?");
  const deleteLinks = prepare(db, "DELETE FROM sign_in_links WHERE expires_at <= ?");
  const expireAudit = auditExpiry(db);
  const deleteInvitations = prepare(db, "DELETE FROM invitations WHERE expires_at <= ?");
  const keysOf = prepare<{ key: string }>(db, "SELECT key FROM objects WHERE owner = ?");
  const deleteObjects = prepare(db, "DELETE FROM objects WHERE owner = ?");
  const isUnnamed = prepareUnnamed(db);

  return {
    createFile(file, { call, bytes_max, token } = {}) {
      if (call !== undefined && !isFree(call, file.created_at)) return "call";
      if (bytes_max !== undefined && (kept.get(file.account_id)?.bytes ?? 0) + file.bytes > bytes_max)
        return "bytes_max";
      if (token !== undefined) {
        const { id, forget_at, uploads_max, bytes_max: most } = token;
        if (!spend.did(id, file.bytes, forget_at, uploads_max, most)) return "token";
      }
      insertFile(file);
      insertObject.run(file.object, file.id);
      if (call !== undefined) bind(call);
      return "created";
    },

    deleteFile(account_id, id) {
      const found = own.get(account_id, id);
      if (found === undefined) return { objects: [], in_use: false };
      if (found.in_use === 1) {
        markDeleted.run(id);
        return { objects: [], in_use: true };
      }
      return { objects: forget(id, deleteFile).filter(isUnnamed), in_use: false };
    },

    touchFile: prepareTouch(db).did,

    expire(at, limit) {
      deleteSessions.run(at);
      deleteCalls.run(at);
      deleteTokens.run(at);
      deleteWebhooks.run(at);
      deleteLinks.run(at);
      deleteInvitations.run(at);
      expireAudit(at);
      const files = dueFiles.all(at, limit + 1);
      const operations = dueOperations.all(at, limit + 1 - files.length);
      const due = [...files, ...operations];
      const keys = new Set<string>();
      for (const [index, { id }] of due.slice(0, limit).entries()) {
        for (const key of forget(id, index < files.length ? deleteFile : deleteOperation)) keys.add(key);
      }
      return { objects: [...keys].filter(isUnnamed), more: due.length > limit };
    },
  } satisfies Partial<Sync<FilesStore>>;
}

/** By id and time: whoever uses a file keeps it for longer. */
export const prepareTouch = (db: DatabaseSync) =>
  prepare(db, "UPDATE files SET expires_at = max(expires_at, ?2) WHERE id = ?1 AND expires_at > 0");

/** SQL: a `processing` operation has an object of this owner as a source. */
function inUse(owner: string): string {
  return `EXISTS (SELECT 1 FROM objects b
    JOIN operation_sources s ON s.object = b.key JOIN jobs j ON j.operation_id = s.operation_id
    WHERE b.owner = ${owner})`;
}

/** Whether no operation, by output or by the source of one that is `processing`, and no file names a bucket key. */
function prepareUnnamed(db: DatabaseSync): (key: string) => boolean {
  const named = prepare<{ named: 0 | 1 }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM objects WHERE key = ?1)
       OR EXISTS (SELECT 1 FROM operation_sources s JOIN jobs j ON j.operation_id = s.operation_id WHERE s.object = ?1)
       AS named`,
  );
  return (key) => named.get(key)?.named === 0;
}

/** Whether a bucket key is an upload of the account, or an output of one of its operations. */
function prepareOwned(db: DatabaseSync): (account_id: string, key: string) => boolean {
  const owned = prepare<{ owned: 0 | 1 }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM objects b WHERE b.key = ?2
       AND (EXISTS (SELECT 1 FROM files f WHERE f.id = b.owner AND f.account_id = ?1 AND f.expires_at > 0)
         OR EXISTS (SELECT 1 FROM operations o WHERE o.id = b.owner AND o.account_id = ?1))) AS owned`,
  );
  return (account_id, key) => owned.get(account_id, key)?.owned === 1;
}
