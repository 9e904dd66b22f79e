import type { DatabaseSync } from "node:sqlite";
import type { StoredFile } from "../../ports/mod.ts";
import { auditExpiry } from "./audit.ts";
import { prepare } from "./connection.ts";

/** Uploads, and forgetting what is over. */
export function fileVerbs(db: DatabaseSync) {
  const insertFile = prepare(
    db,
    `INSERT INTO files (id, account_id, object, content_type, bytes, seconds, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const kept = prepare<{ bytes: number }>(db, "SELECT bytes FROM kept_uploads WHERE account_id = ?");
  const insertObject = prepare(db, "INSERT INTO objects (key, owner) VALUES (?, ?)");
  const touch = prepare(db, "UPDATE files SET expires_at = max(expires_at, ?2) WHERE id = ?1");
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
  const deleteLinks = prepare(db, "DELETE FROM sign_in_links WHERE expires_at <= ?");
  const expireAudit = auditExpiry(db);
  const deleteInvitations = prepare(db, "DELETE FROM invitations WHERE expires_at <= ?");
  const keysOf = prepare<{ key: string }>(db, "SELECT key FROM objects WHERE owner = ?");
  const deleteObjects = prepare(db, "DELETE FROM objects WHERE owner = ?");
  const isUnnamed = prepareUnnamed(db);

  return {
    createFile(_now: number, file: StoredFile, bytes_max?: number): boolean {
      if (bytes_max !== undefined && (kept.get(file.account_id)?.bytes ?? 0) + file.bytes > bytes_max) return false;
      insertFile.run(
        file.id,
        file.account_id,
        file.object,
        file.content_type,
        file.bytes,
        file.seconds,
        file.created_at,
        file.expires_at,
      );
      insertObject.run(file.object, file.id);
      return true;
    },

    touchFile(_now: number, id: string, until: number): boolean {
      return touch.run(id, until) > 0;
    },

    expire(_now: number, at: number, limit: number): { objects: readonly string[]; more: boolean } {
      deleteSessions.run(at);
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
  };
}

/** SQL: a `processing` operation has an object of this owner as a source. */
function inUse(owner: string): string {
  return `EXISTS (SELECT 1 FROM objects b
    JOIN operation_sources s ON s.object = b.key JOIN jobs j ON j.operation_id = s.operation_id
    WHERE b.owner = ${owner})`;
}

/** Whether no operation, by output or by the source of one that is `processing`, and no file names a bucket key. */
export function prepareUnnamed(db: DatabaseSync): (key: string) => boolean {
  const named = prepare<{ named: 0 | 1 }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM objects WHERE key = ?1)
       OR EXISTS (SELECT 1 FROM operation_sources s JOIN jobs j ON j.operation_id = s.operation_id WHERE s.object = ?1)
       AS named`,
  );
  return (key) => named.get(key)?.named === 0;
}

/** Whether a bucket key is an upload of the account, or an output of one of its operations. */
export function prepareOwned(db: DatabaseSync): (account_id: string, key: string) => boolean {
  const owned = prepare<{ owned: 0 | 1 }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM objects b WHERE b.key = ?2
       AND (EXISTS (SELECT 1 FROM files f WHERE f.id = b.owner AND f.account_id = ?1)
         OR EXISTS (SELECT 1 FROM operations o WHERE o.id = b.owner AND o.account_id = ?1))) AS owned`,
  );
  return (account_id, key) => owned.get(account_id, key)?.owned === 1;
}
