/** Idempotency keys of calls that submit nothing; those of submissions are in `operations`. */
import type { KeysStore, KeyUse } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn, valuesOf } from "./statements.ts";

export function keyVerbs(pool: Pool) {
  return {
    keyUse: statementsOn(pool).one<KeyUse>(KEY_USE),
    async useKey(call) {
      const [use] = await pool.query(USE_KEY, valuesOf(call, FIELDS.call), REPEATABLE);
      return use as unknown as KeyUse;
    },
  } satisfies Partial<KeysStore>;
}

const KEY_USE = `SELECT fingerprint, response FROM operations WHERE account_id = $1 AND idempotency_key = $2
  UNION ALL SELECT fingerprint, response FROM keyed_calls WHERE account_id = $1 AND idempotency_key = $2`;
const USE_KEY = "SELECT fingerprint, response FROM use_key($1, $2, $3, $4, $5)";
