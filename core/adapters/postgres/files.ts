/** Uploads, and forgetting what is over. */
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { FilesStore, KeptFile, StoredFile } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn, valuesOf } from "./statements.ts";
import { arrayOf } from "./values.ts";

export function fileVerbs(pool: Pool) {
  const { all, one, did, call } = statementsOn(pool);
  const createFile = call<Awaited<ReturnType<FilesStore["createFile"]>>>("create_file");
  const page = all<KeptFile>(
    `${FILES} WHERE f.account_id = $1 AND f.id < $2 AND f.expires_at > $3 ORDER BY f.id DESC LIMIT $4`,
  );
  const tokenUse = one<{ readonly uploads: number; readonly bytes: number }>(
    "SELECT uploads, bytes FROM upload_tokens WHERE id = $1",
  );
  const kept = one<{ readonly bytes: number; readonly next_expiry: number | null }>(KEPT);
  const unnamed = all<{ readonly key: string }>(UNNAMED);
  const owned = all<{ readonly key: string }>(OWNED);
  return {
    createFile: (file, { bytes_max, call: bound, token } = {}) =>
      createFile(
        ...valuesOf<StoredFile>(file, FIELDS.file),
        ...[bytes_max ?? null, bound?.idempotency_key ?? null, bound?.fingerprint ?? null, bound?.expires_at ?? null],
        ...[token?.id ?? null, token?.uploads_max ?? null, token?.bytes_max ?? null, token?.forget_at ?? null],
      ),
    files: (account_id, { before = AFTER_ALL_IDS, limit, now }) => page(account_id, before, now, limit),
    async deleteFile(account_id, id) {
      const [row] = await pool.query(
        "SELECT objects_left, in_use FROM delete_file($1, $2)",
        [account_id, id],
        REPEATABLE,
      );
      return { objects: JSON.parse(row?.objects_left as string) as string[], in_use: row?.in_use === true };
    },
    tokenUse: async (id) => (await tokenUse(id)) ?? { uploads: 0, bytes: 0 },
    keptUploads: async (account_id) => (await kept(account_id))!,
    file: one<KeptFile>(`${FILES} WHERE f.id = $1`),
    touchFile: did(
      "UPDATE files SET expires_at = greatest(expires_at, $2) WHERE id = $1 AND expires_at > 0 RETURNING id",
      REPEATABLE,
    ),
    async expire(now, limit) {
      const [row] = await pool.query(EXPIRE, [now, limit]);
      return { objects: JSON.parse(row?.objects_left as string) as string[], more: row?.more === true };
    },
    unnamed: async (keys) => (await unnamed(arrayOf(keys))).map(({ key }) => key),
    owned: async (account_id, keys) => (await owned(account_id, arrayOf(keys))).map(({ key }) => key),
  } satisfies Partial<FilesStore>;
}

const FILES = `SELECT ${FIELDS.file.map((name) => `f.${name}`).join(", ")},
  EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = f.object) AS in_use FROM files f`;
const KEPT = `SELECT coalesce((SELECT k.bytes FROM kept_uploads k WHERE k.account_id = $1), 0) AS bytes,
  (SELECT min(f.expires_at) FROM files f WHERE f.account_id = $1) AS next_expiry`;
const UNNAMED = `SELECT k.key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, n)
  WHERE NOT EXISTS (SELECT 1 FROM objects o WHERE o.key = k.key)
    AND NOT EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = k.key) ORDER BY k.n`;
const OWNED = `SELECT k.key FROM unnest($2::text[]) WITH ORDINALITY AS k (key, n)
  WHERE EXISTS (SELECT 1 FROM objects b WHERE b.key = k.key
    AND (EXISTS (SELECT 1 FROM files f WHERE f.id = b.owner AND f.account_id = $1 AND f.expires_at > 0)
      OR EXISTS (SELECT 1 FROM operations o WHERE o.id = b.owner AND o.account_id = $1))) ORDER BY k.n`;
const EXPIRE = `WITH gone AS (DELETE FROM invitations WHERE expires_at <= $1)
  SELECT objects_left, more, expire_audit($1) FROM expire($1, $2)`;
