/** The audit log: entries in one chain, written in the same statement as the verb that they tell of. */
import { type AuditEntry, type AuditStore, auditText, type NewAuditEntry, UNDONE } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Parameter } from "./link.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE } from "./statements.ts";

const AFTER_ALL = Number.MAX_SAFE_INTEGER;
const EXACT = ["account_id", "action", "actor"] as const;

export function auditVerbs(pool: Pool) {
  return {
    async audit(entry) {
      const parameters = values(entry);
      await pool.query(`SELECT write_audit(${marks(0, parameters.length)})`, parameters);
    },

    async auditEntries({ about = "", since = 0, until = AFTER_ALL, before = AFTER_ALL, limit, ...exact }) {
      const parameters: Parameter[] = [before, since, until, about, limit];
      const equal = EXACT.filter((name) => exact[name] !== undefined).map(
        (name) => `AND ${name} = $${parameters.push(exact[name]!)}`,
      );
      const text = `SELECT ${FIELDS.entry} FROM audit
        WHERE position < $1 AND at >= $2 AND at < $3 AND ($4 = '' OR starts_with(action, $4 || '.')) ${equal.join(" ")}
        ORDER BY position DESC LIMIT $5`;
      return (await pool.query(text, parameters, REPEATABLE)) as unknown as readonly AuditEntry[];
    },
  } satisfies Partial<AuditStore>;
}

/**
 * Marks where a statement of several parts comes to its last one, so that this can become a part too. A statement of
 * one part stands as it is; both answer with rows where they did something, or with a column `answer`.
 */
export const LAST = "/* last */";

/** The same connections for one call of a verb, whose statement also writes the entry where it did something. */
export function withEntry(pool: Pool, entry: NewAuditEntry): Pool {
  return {
    ...pool,
    query(text, parameters) {
      const own = values(entry);
      const [parts, last] = text.includes(LAST) ? text.split(LAST) : ["WITH", text];
      const done = /\banswer\b/u.test(text) ? `done.answer NOT IN (${UNDONE_ANSWERS})` : "true";
      const joined = parts === "WITH" ? "WITH" : `${parts},`;
      return pool.query(
        `${joined} done AS MATERIALIZED (${last})
         SELECT done.*, CASE WHEN ${done} THEN write_audit(${marks(parameters.length, own.length)}) END AS audited FROM done`,
        [...parameters, ...own],
      );
    },
  };
}

const UNDONE_ANSWERS = [...UNDONE]
  .filter((answer) => typeof answer === "string")
  .map((answer) => `'${answer}'`)
  .join(", ");

const TYPES = ["text", "bigint", "text", "text", "text", "text", "text", "text", "text", "bigint", "text"];
const marks = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `$${from + n + 1}::${TYPES[n]}`).join(", ");

function values(entry: NewAuditEntry): Parameter[] {
  const { id, at, account_id, actor, actor_email, address, action, target, details, keep_until } = entry;
  const text = auditText(entry);
  return [id, at, account_id, actor, actor_email, address, action, target, details, keep_until, text];
}
