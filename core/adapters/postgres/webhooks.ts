/**
 * Deliveries. A claim raises `attempts`, the fencing token, and leases the row by moving `due_at` to the lease's end, so that one index
 * finds both what is due and what a lost worker left behind. `worker` is set while an attempt is under way.
 */
import type { Delivery, DeliveryFilter, Webhook, WebhookAttempt, WebhookCaps, WebhookState } from "../../ports/mod.ts";
import type { Pool } from "./pool.ts";
import { plain } from "./values.ts";

export function webhookVerbs(pool: Pool) {
  return {
    async claimWebhooks(
      worker: string,
      limit: number,
      lease_ms: number,
      caps: WebhookCaps,
    ): Promise<readonly Webhook[]> {
      const { lane_max, host_max, account_max } = caps;
      const rows = await pool.query(CLAIM, [worker, limit, lease_ms, lane_max, host_max, account_max]);
      const claimed = [...rows] as unknown as Webhook[];
      return claimed.sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0));
    },

    async recordWebhook(
      attempt: WebhookAttempt,
      state: WebhookState,
      next_attempt_at: number | null,
    ): Promise<boolean> {
      const rows = await pool.query(RECORD, [
        attempt.webhook_id,
        attempt.attempt,
        state,
        next_attempt_at,
        attempt.started_at,
        attempt.duration_ms,
        attempt.status,
        plain(attempt.detail),
      ]);
      return rows.length > 0;
    },

    async webhooks(operation_id: string): Promise<readonly Webhook[]> {
      const text = `SELECT ${COLUMNS} FROM webhooks WHERE operation_id = $1`;
      return (await pool.query(text, [operation_id], { repeatable: true })) as unknown as readonly Webhook[];
    },

    async deliveries(account_id: string, { state, before, limit }: DeliveryFilter): Promise<readonly Delivery[]> {
      const parameters = [account_id, before ?? AFTER_ALL_IDS, limit, ...(state === undefined ? [] : [state])];
      const rows = await pool.query(deliveriesOf(state === undefined ? "" : "AND w.state = $4"), parameters, {
        repeatable: true,
      });
      return (rows as unknown as readonly DeliveryRow[]).map(({ started_at, duration_ms, status, detail, ...row }) => ({
        ...row,
        last: started_at === null ? null : { started_at, duration_ms, status, detail },
      }));
    },

    async webhookAttempts(webhook_id: string): Promise<readonly WebhookAttempt[]> {
      const rows = await pool.query(ATTEMPTS, [webhook_id], { repeatable: true });
      return rows as unknown as readonly WebhookAttempt[];
    },

    async redeliver(operation_id: string, now: number): Promise<boolean> {
      return (await pool.query(REDELIVER, [operation_id, now])).length > 0;
    },
  };
}

/** The columns of `Webhook`; rows need no change. */
const COLUMNS =
  "id, operation_id, account_id, type, url, host, body, state, created_at, first_attempt_at, next_attempt_at, attempts";

const CLAIM = `SELECT ${COLUMNS} FROM claim_webhooks($1, $2, $3, $4, $5, $6)`;

const RECORD = `WITH settled AS (
    UPDATE webhooks SET state = $3, next_attempt_at = $4, due_at = $4, worker = NULL
    WHERE id = $1 AND attempts = $2 AND worker IS NOT NULL RETURNING id
  )
  INSERT INTO webhook_attempts (webhook_id, attempt, started_at, duration_ms, status, detail)
    SELECT id, $2, $5, $6, $7, $8 FROM settled RETURNING webhook_id`;

const ATTEMPTS = `SELECT webhook_id, attempt, started_at, duration_ms, status, detail FROM webhook_attempts
  WHERE webhook_id = $1 ORDER BY attempt`;

// `attempts` goes on: it tells this schedule's attempts from an earlier one's that is still under way.
const REDELIVER = `UPDATE webhooks SET state = 'pending', next_attempt_at = $2, due_at = $2, first_attempt_at = NULL, worker = NULL
  WHERE operation_id = $1 RETURNING id`;

interface DeliveryRow extends Omit<Delivery, "last"> {
  readonly started_at: number | null;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly detail: string;
}

const DELIVERY_COLUMNS = COLUMNS.split(", ")
  .filter((name) => name !== "body")
  .map((name) => `w.${name}`)
  .join(", ");

const deliveriesOf = (
  filter: string,
): string => `SELECT ${DELIVERY_COLUMNS}, a.started_at, a.duration_ms, a.status, a.detail
  FROM (SELECT * FROM webhooks w WHERE w.account_id = $1 AND w.id < $2 ${filter} ORDER BY w.id DESC LIMIT $3) w
  LEFT JOIN LATERAL (SELECT * FROM webhook_attempts t WHERE t.webhook_id = w.id ORDER BY t.attempt DESC LIMIT 1) a ON true
  ORDER BY w.id DESC`;

// The last code point: sorts after every id.
const AFTER_ALL_IDS = "\u{10FFFF}";
