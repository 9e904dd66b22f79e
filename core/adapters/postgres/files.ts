/** Uploads, and forgetting what is over. */
import type { StoredFile } from "../../ports/mod.ts";
import type { Pool } from "./pool.ts";
import { arrayOf, plain } from "./values.ts";

export function fileVerbs(pool: Pool) {
  return {
    async createFile(file: StoredFile, bytes_max?: number): Promise<boolean> {
      const [row] = await pool.query(CREATE, [
        file.id,
        file.account_id,
        file.object,
        plain(file.content_type),
        file.bytes,
        file.seconds,
        file.created_at,
        file.expires_at,
        bytes_max ?? null,
      ]);
      return row?.created === true;
    },

    async keptUploads(account_id: string): Promise<{ readonly bytes: number; readonly next_expiry: number | null }> {
      const [row] = await pool.query(KEPT, [account_id], { repeatable: true });
      return row as unknown as { readonly bytes: number; readonly next_expiry: number | null };
    },

    async file(id: string): Promise<StoredFile | undefined> {
      const [row] = await pool.query(FILE, [id], { repeatable: true });
      return row as unknown as StoredFile | undefined;
    },

    async touchFile(id: string, until: number): Promise<boolean> {
      const rows = await pool.query(TOUCH, [id, until], { repeatable: true });
      return rows.length > 0;
    },

    async expire(now: number, limit: number): Promise<{ readonly objects: readonly string[]; readonly more: boolean }> {
      const [row] = await pool.query(EXPIRE, [now, limit]);
      return { objects: JSON.parse(row?.objects_left as string) as string[], more: row?.more === true };
    },

    async unnamed(keys: readonly string[]): Promise<readonly string[]> {
      if (keys.length === 0) return [];
      const rows = await pool.query(UNNAMED, [arrayOf(keys)], { repeatable: true });
      return rows.map(({ key }) => key as string);
    },

    async owned(account_id: string, keys: readonly string[]): Promise<readonly string[]> {
      if (keys.length === 0) return [];
      const rows = await pool.query(OWNED, [account_id, arrayOf(keys)], { repeatable: true });
      return rows.map(({ key }) => key as string);
    },
  };
}

const CREATE = "SELECT create_file($1, $2, $3, $4, $5, $6, $7, $8, $9) AS created";
const KEPT = `SELECT coalesce((SELECT k.bytes FROM kept_uploads k WHERE k.account_id = $1), 0) AS bytes,
  (SELECT min(f.expires_at) FROM files f WHERE f.account_id = $1) AS next_expiry`;
const FILE =
  "SELECT id, account_id, object, content_type, bytes, seconds, created_at, expires_at FROM files WHERE id = $1";
const TOUCH = "UPDATE files SET expires_at = greatest(expires_at, $2) WHERE id = $1 RETURNING id";
export const UNNAMED = `SELECT k.key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, n)
  WHERE NOT EXISTS (SELECT 1 FROM objects o WHERE o.key = k.key)
    AND NOT EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = k.key) ORDER BY k.n`;
export const OWNED = `SELECT k.key FROM unnest($2::text[]) WITH ORDINALITY AS k (key, n)
  WHERE EXISTS (SELECT 1 FROM objects b WHERE b.key = k.key
    AND (EXISTS (SELECT 1 FROM files f WHERE f.id = b.owner AND f.account_id = $1)
      OR EXISTS (SELECT 1 FROM operations o WHERE o.id = b.owner AND o.account_id = $1))) ORDER BY k.n`;

const EXPIRE = `WITH gone AS (DELETE FROM invitations WHERE expires_at <= $1)
  SELECT objects_left, more, expire_audit($1) FROM expire($1, $2)`;
