/**
 * Deliveries. A claim raises `attempts`, the fencing token, and leases the row by moving `due_at` to the lease's end, so that one index
 * finds both what is due and what a lost worker left behind. `worker` is set while an attempt is under way.
 */
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { Delivery, Webhook, WebhookAttempt, WebhooksStore } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn, valuesOf } from "./statements.ts";

export function webhookVerbs(pool: Pool) {
  const { all, did, call } = statementsOn(pool);
  const redeliver = call<boolean>("redeliver");
  const record = did(RECORD);
  const announce = did(ANNOUNCE, REPEATABLE);
  const deliveries = all<DeliveryRow>(deliveriesOf(""));
  const deliveriesIn = all<DeliveryRow>(deliveriesOf("AND w.state = $4"));
  return {
    async claimWebhooks(worker, limit, lease_ms, { lane_max, host_max, account_max }) {
      const rows = await pool.query(CLAIM, [worker, limit, lease_ms, lane_max, host_max, account_max]);
      const claimed = [...rows] as unknown as Webhook[];
      return claimed.sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0));
    },
    recordWebhook: ({ webhook_id, attempt, started_at, duration_ms, status, detail }, state, next_attempt_at) =>
      record(webhook_id, attempt, state, next_attempt_at, started_at, duration_ms, status, detail),
    webhooks: all<Webhook>(`SELECT ${FIELDS.webhook} FROM webhooks WHERE operation_id = $1 ORDER BY id`),
    async deliveries(account_id, { state, before = AFTER_ALL_IDS, limit }) {
      const start = [account_id, before, limit] as const;
      const rows = state === undefined ? await deliveries(...start) : await deliveriesIn(...start, state);
      return rows.map(({ started_at, duration_ms, status, detail, ...row }) => ({
        ...row,
        last: started_at === null ? null : { started_at, duration_ms, status, detail },
      }));
    },
    webhookAttempts: all<WebhookAttempt>(
      `SELECT ${FIELDS.attempt} FROM webhook_attempts WHERE webhook_id = $1 ORDER BY attempt`,
    ),
    announceStart: (operation_id, attempt, { id, type, url, host, body }, now) =>
      announce(operation_id, attempt, id, type, url, host, body, now),
    redeliver: (operation_id, type, now, call) => redeliver(operation_id, type, now, ...valuesOf(call, FIELDS.call)),
  } satisfies Partial<WebhooksStore>;
}

const CLAIM = `SELECT ${FIELDS.webhook} FROM claim_webhooks($1, $2, $3, $4, $5, $6)`;

const RECORD = `WITH settled AS (
    UPDATE webhooks SET state = $3, next_attempt_at = $4, due_at = $4, worker = NULL
    WHERE id = $1 AND attempts = $2 AND worker IS NOT NULL RETURNING id
  )
  INSERT INTO webhook_attempts (webhook_id, attempt, started_at, duration_ms, status, detail)
    SELECT id, $2, $5, $6, $7, $8 FROM settled RETURNING webhook_id`;

/** The lock has the end wait, so that no start is written after it. */
const ANNOUNCE = `INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
  SELECT $3, j.operation_id, j.account_id, $4, $5, $6, $7, 'pending', $8, $8, $8 FROM jobs j
    WHERE j.operation_id = $1 AND j.attempt = $2 FOR KEY SHARE
  ON CONFLICT (operation_id, type) DO NOTHING RETURNING id`;

interface DeliveryRow extends Omit<Delivery, "last"> {
  readonly started_at: number | null;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly detail: string;
}

const DELIVERY_COLUMNS = FIELDS.webhook.filter((name) => name !== "body").map((name) => `w.${name}`);

const deliveriesOf = (
  filter: string,
): string => `SELECT ${DELIVERY_COLUMNS}, a.started_at, a.duration_ms, a.status, a.detail
  FROM (SELECT * FROM webhooks w WHERE w.account_id = $1 AND w.id < $2 ${filter} ORDER BY w.id DESC LIMIT $3) w
  LEFT JOIN LATERAL (SELECT * FROM webhook_attempts t WHERE t.webhook_id = w.id ORDER BY t.attempt DESC LIMIT 1) a ON true
  ORDER BY w.id DESC`;
