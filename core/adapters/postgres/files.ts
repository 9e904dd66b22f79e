/** Uploads, and forgetting what is over. */
import type { FilesStore, StoredFile } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn, valuesOf } from "./statements.ts";
import { arrayOf } from "./values.ts";

export function fileVerbs(pool: Pool) {
  const { all, one, did, call } = statementsOn(pool);
  const createFile = call<boolean>("create_file");
  const kept = one<{ readonly bytes: number; readonly next_expiry: number | null }>(KEPT);
  const unnamed = all<{ readonly key: string }>(UNNAMED);
  const owned = all<{ readonly key: string }>(OWNED);
  return {
    createFile: (file, bytes_max) => createFile(...valuesOf<StoredFile>(file, FIELDS.file), bytes_max ?? null),
    keptUploads: async (account_id) => (await kept(account_id))!,
    file: one<StoredFile>(`SELECT ${FIELDS.file} FROM files WHERE id = $1`),
    touchFile: did("UPDATE files SET expires_at = greatest(expires_at, $2) WHERE id = $1 RETURNING id", REPEATABLE),
    async expire(now, limit) {
      const [row] = await pool.query(EXPIRE, [now, limit]);
      return { objects: JSON.parse(row?.objects_left as string) as string[], more: row?.more === true };
    },
    unnamed: async (keys) => (await unnamed(arrayOf(keys))).map(({ key }) => key),
    owned: async (account_id, keys) => (await owned(account_id, arrayOf(keys))).map(({ key }) => key),
  } satisfies Partial<FilesStore>;
}

const KEPT = `SELECT coalesce((SELECT k.bytes FROM kept_uploads k WHERE k.account_id = $1), 0) AS bytes,
  (SELECT min(f.expires_at) FROM files f WHERE f.account_id = $1) AS next_expiry`;
const UNNAMED = `SELECT k.key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, n)
  WHERE NOT EXISTS (SELECT 1 FROM objects o WHERE o.key = k.key)
    AND NOT EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = k.key) ORDER BY k.n`;
const OWNED = `SELECT k.key FROM unnest($2::text[]) WITH ORDINALITY AS k (key, n)
  WHERE EXISTS (SELECT 1 FROM objects b WHERE b.key = k.key
    AND (EXISTS (SELECT 1 FROM files f WHERE f.id = b.owner AND f.account_id = $1)
      OR EXISTS (SELECT 1 FROM operations o WHERE o.id = b.owner AND o.account_id = $1))) ORDER BY k.n`;
const EXPIRE = `WITH gone AS (DELETE FROM invitations WHERE expires_at <= $1)
  SELECT objects_left, more, expire_audit($1) FROM expire($1, $2)`;
