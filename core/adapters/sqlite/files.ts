import type { DatabaseSync } from "node:sqlite";
import type { FilesStore, StoredFile } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { auditExpiry } from "./audit.ts";
import { prepare, prepareInsert } from "./connection.ts";
import type { Sync } from "./sync.ts";

export function fileReads(db: DatabaseSync) {
  const kept = prepare<{ bytes: number }>(db, "SELECT bytes FROM kept_uploads WHERE account_id = ?");
  const nextExpiry = prepare<{ at: number | null }>(db, "SELECT min(expires_at) AS at FROM files WHERE account_id = ?");
  const isUnnamed = prepareUnnamed(db);
  const isOwned = prepareOwned(db);
  return {
    file: prepare<StoredFile>(db, `SELECT ${FIELDS.file} FROM files WHERE id = ?`).get,
    keptUploads: (account_id) => ({
      bytes: kept.get(account_id)?.bytes ?? 0,
      next_expiry: nextExpiry.get(account_id)?.at ?? null,
    }),
    unnamed: (keys) => keys.filter(isUnnamed),
    owned: (account_id, keys) => keys.filter((key) => isOwned(account_id, key)),
  } satisfies Partial<Sync<FilesStore>>;
}

/** Uploads, and forgetting what is over. */
export function fileVerbs(db: DatabaseSync) {
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
  const deleteLinks = prepare(db, "DELETE FROM sign_in_links WHERE expires_at <= ?");
  const expireAudit = auditExpiry(db);
  const deleteInvitations = prepare(db, "DELETE FROM invitations WHERE expires_at <= ?");
  const keysOf = prepare<{ key: string }>(db, "SELECT key FROM objects WHERE owner = ?");
  const deleteObjects = prepare(db, "DELETE FROM objects WHERE owner = ?");
  const isUnnamed = prepareUnnamed(db);

  return {
    createFile(file, bytes_max) {
      if (bytes_max !== undefined && (kept.get(file.account_id)?.bytes ?? 0) + file.bytes > bytes_max) return false;
      insertFile(file);
      insertObject.run(file.object, file.id);
      return true;
    },

    touchFile: prepareTouch(db).did,

    expire(at, limit) {
      deleteSessions.run(at);
      deleteCalls.run(at);
      deleteLinks.run(at);
      deleteInvitations.run(at);
      expireAudit(at);
      const files = dueFiles.all(at, limit + 1);
      const operations = dueOperations.all(at, limit + 1 - files.length);
      const due = [...files, ...operations];
      const keys = new Set<string>();
      for (const [index, { id }] of due.slice(0, limit).entries()) {
        for (const { key } of keysOf.all(id)) keys.add(key);
        deleteObjects.run(id);
        (index < files.length ? deleteFile : deleteOperation).run(id);
      }
      return { objects: [...keys].filter(isUnnamed), more: due.length > limit };
    },
  } satisfies Partial<Sync<FilesStore>>;
}

/** By id and time: whoever uses a file keeps it for longer. */
export const prepareTouch = (db: DatabaseSync) =>
  prepare(db, "UPDATE files SET expires_at = max(expires_at, ?2) WHERE id = ?1");

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
       AND (EXISTS (SELECT 1 FROM files f WHERE f.id = b.owner AND f.account_id = ?1)
         OR EXISTS (SELECT 1 FROM operations o WHERE o.id = b.owner AND o.account_id = ?1))) AS owned`,
  );
  return (account_id, key) => owned.get(account_id, key)?.owned === 1;
}
