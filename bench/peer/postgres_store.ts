/** The peer's Postgres: a pool of `pg`, prepared statements, one transaction for each submission, and the job in BullMQ after its commit. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Queue } from "bullmq";
import pg from "pg";
import type { Answer, NewOperation, PeerStore, StoredOperation } from "./store.ts";

const SCHEMA = readFileSync(fileURLToPath(new URL("./postgres.sql", import.meta.url)), "utf8");
const CREDITS = 1_000_000_000;
/** As many as the kernel's store may have, and twice that. */
const CONNECTIONS = 16;

/** Makes the schema, and one account for each key hash. */
export async function openPostgresPeerStore(
  database_url: string,
  redis_url: string,
  key_hashes: readonly string[],
): Promise<PeerStore> {
  const pool = new pg.Pool({ connectionString: database_url, max: CONNECTIONS });
  const { hostname, port } = new URL(redis_url);
  const queue = new Queue("peer", { connection: { host: hostname, port: Number(port) } });
  await pool.query(SCHEMA);
  for (const [index, sha256] of key_hashes.entries()) {
    await pool.query("INSERT INTO accounts (id, credits) VALUES ($1, $2)", [`acc_${index}`, CREDITS]);
    await pool.query("INSERT INTO api_keys (sha256, account_id) VALUES ($1, $2)", [sha256, `acc_${index}`]);
  }

  async function findReplay(client: pg.Pool | pg.PoolClient, o: NewOperation): Promise<Answer | undefined> {
    const { rows } = await client.query({
      name: "replay",
      text: "SELECT fingerprint, response FROM operations WHERE account_id = $1 AND idempotency_key = $2",
      values: [o.account_id, o.idempotency_key],
    });
    const [row] = rows;
    if (row === undefined) return undefined;
    return row.fingerprint === o.fingerprint ? { kind: "replayed", response: row.response } : { kind: "key_reused" };
  }

  async function write(client: pg.PoolClient, o: NewOperation): Promise<Answer> {
    const { rowCount } = await client.query({
      name: "debit",
      text: "UPDATE accounts SET credits = credits - $2 WHERE id = $1 AND credits >= $2",
      values: [o.account_id, o.cost],
    });
    // The account's row is locked from here on: what another request did with this key is seen now.
    const first = await findReplay(client, o);
    if (first !== undefined) return first;
    if (rowCount === 0) return { kind: "insufficient_credits" };
    await client.query({
      name: "operation",
      text: `INSERT INTO operations (id, account_id, status, idempotency_key, fingerprint, cost, request, response, created_at)
        VALUES ($1, $2, 'processing', $3, $4, $5, $6, $7, $8)`,
      values: [
        ...[o.id, o.account_id, o.idempotency_key, o.fingerprint],
        ...[o.cost, o.request, o.response, o.created_at],
      ],
    });
    await client.query({
      name: "line",
      text: "INSERT INTO ledger (account_id, operation_id, credits, created_at) VALUES ($1, $2, $3, $4)",
      values: [o.account_id, o.id, -o.cost, o.created_at],
    });
    return { kind: "accepted" };
  }

  return {
    async accountOf(sha256) {
      const { rows } = await pool.query({
        name: "key",
        text: "SELECT a.id AS account_id FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.sha256 = $1",
        values: [sha256],
      });
      return rows[0]?.account_id;
    },
    async submit(o) {
      const client = await pool.connect();
      let answer: Answer;
      try {
        await client.query("BEGIN");
        answer = await write(client, o);
        await client.query(answer.kind === "accepted" ? "COMMIT" : "ROLLBACK");
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      } finally {
        client.release();
      }
      if (answer.kind === "accepted") await queue.add("job", { id: o.id }, { jobId: o.id, removeOnComplete: true });
      return answer;
    },
    async operation(account_id, id) {
      const { rows } = await pool.query({
        name: "read",
        text: `SELECT id, status, idempotency_key, cost::integer AS cost, request, created_at::float8 AS created_at
          FROM operations WHERE id = $1 AND account_id = $2`,
        values: [id, account_id],
      });
      const [row] = rows as Omit<StoredOperation, "job" | "queue_position">[];
      return row && { ...row, job: null, queue_position: null };
    },
    async close() {
      await queue.close();
      await pool.end();
    },
  };
}
