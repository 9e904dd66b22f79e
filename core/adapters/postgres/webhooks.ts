/**
 * Deliveries. A claim raises `attempts`, the fencing token, and leases the row by moving `due_at` to the lease's end,
 * so that one index finds both what is due and what a lost worker left behind. `worker` is set while an attempt is
 * under way.
 */
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { Delivery, Webhook, WebhookAttempt, WebhooksBehind, WebhooksStore } from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn, valuesOf } from "./statements.ts";
import { arrayOf } from "./values.ts";

export function webhookVerbs(pool: Pool) {
  const { all, one, did, write, call } = statementsOn(pool);
  const redeliver = call<boolean>("redeliver");
  const record = did(RECORD);
  const recordWithSign = did(RECORD_WITH_SIGN);
  const announceStart = did(ANNOUNCE_START, REPEATABLE);
  const announce = write(ANNOUNCE, REPEATABLE);
  const resend = all<{ id: string }>(RESEND);
  const behind = one<WebhooksBehind>(BEHIND);
  const delivery = one<DeliveryRow>(
    deliveryIn("SELECT * FROM webhooks WHERE operation_id = $1 AND type = $2 AND coalesce(endpoint_id, '') = ''"),
  );
  const deliveries = all<DeliveryRow>(deliveriesOf(""));
  const deliveriesIn = all<DeliveryRow>(deliveriesOf("AND w.state = $4"));
  return {
    async claimWebhooks(worker, limit, lease_ms, { lane_max, host_max, account_max }) {
      const rows = await pool.query(CLAIM, [worker, limit, lease_ms, lane_max, host_max, account_max]);
      const claimed = [...rows] as unknown as Webhook[];
      return claimed.sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0));
    },
    recordWebhook(attempted, state, next_attempt_at, tells) {
      const { webhook_id, attempt, started_at, duration_ms, status, detail, exchange } = attempted;
      const known = [
        webhook_id,
        attempt,
        state,
        next_attempt_at,
        started_at,
        duration_ms,
        status,
        detail,
        exchange,
      ] as const;
      return tells === undefined ? record(...known) : recordWithSign(...known, tells);
    },
    webhook: one<Webhook>(`SELECT ${FIELDS.webhook} FROM webhooks WHERE id = $1`),
    webhooks: all<Webhook>(`SELECT ${FIELDS.webhook} FROM webhooks WHERE operation_id = $1 ORDER BY id`),
    async deliveries(account_id, { state, before = AFTER_ALL_IDS, limit }) {
      const start = [account_id, before, limit] as const;
      return (state === undefined ? await deliveries(...start) : await deliveriesIn(...start, state)).map(toDelivery);
    },
    async delivery(operation_id, type) {
      const row = await delivery(operation_id, type);
      return row && toDelivery(row);
    },
    webhookAttempts: all<WebhookAttempt>(
      `SELECT ${FIELDS.attempt} FROM webhook_attempts WHERE webhook_id = $1 ORDER BY attempt`,
    ),
    announceStart: (operation_id, attempt, { id, endpoint_id, type, url, host, body }, now) =>
      announceStart(operation_id, attempt, id, endpoint_id, type, url, host, body, now),
    announce: (account_id, { id, endpoint_id, type, url, host, body }, now, expires_at) =>
      announce(id, account_id, endpoint_id, type, url, host, body, now, expires_at),
    redeliver: (operation_id, type, now, call) => redeliver(operation_id, type, now, ...valuesOf(call, FIELDS.call)),
    resend: async (account_id, ids, states, now) =>
      (await resend(account_id, arrayOf(ids), now, arrayOf(states))).length,
    webhooksBehind: async () => (await behind())!,
  } satisfies Partial<WebhooksStore>;
}

const CLAIM = `SELECT ${FIELDS.webhook} FROM claim_webhooks($1, $2, $3, $4, $5, $6)`;

const SETTLED = `settled AS (
    UPDATE webhooks SET state = $3, next_attempt_at = $4, due_at = $4, worker = NULL
    WHERE id = $1 AND attempts = $2 AND worker IS NOT NULL RETURNING id, endpoint_id
  )`;
const ATTEMPTED = `INSERT INTO webhook_attempts (webhook_id, attempt, started_at, duration_ms, status, detail, exchange)
    SELECT id, $2, $5, $6, $7, $8, $9 FROM settled RETURNING webhook_id`;

const RECORD = `WITH ${SETTLED} ${ATTEMPTED}`;

/** With what the attempt says of its endpoint's health. */
const RECORD_WITH_SIGN = `WITH ${SETTLED}, attempted AS (${ATTEMPTED}), sign AS (
    SELECT endpoint_id, $5::BIGINT AS at, $5::BIGINT - $5::BIGINT % 3600000 AS hour, $10::TEXT = 'succeeded' AS good FROM settled
  ), noted AS (
    UPDATE webhook_endpoints e SET
      last_success_at = CASE WHEN good THEN at ELSE last_success_at END,
      last_failure_at = CASE WHEN good THEN last_failure_at ELSE at END,
      last_failure_status = CASE WHEN good THEN last_failure_status ELSE $7 END,
      last_failure_detail = CASE WHEN good THEN last_failure_detail ELSE left($8, 1000) END,
      failing_since = CASE WHEN good THEN NULL ELSE coalesce(failing_since, at) END,
      failures = CASE WHEN good THEN 0 WHEN $10::TEXT = 'given_up' THEN failures + 1 ELSE failures END
    FROM sign WHERE e.id = endpoint_id RETURNING e.id, hour, good
  ), counted AS (
    INSERT INTO webhook_endpoint_hours AS h (endpoint_id, hour, succeeded, failed)
      SELECT id, hour, good::INTEGER, (NOT good)::INTEGER FROM noted
      ON CONFLICT (endpoint_id, hour) DO UPDATE SET succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed
  ), forgotten AS (
    DELETE FROM webhook_endpoint_hours h USING noted n WHERE h.endpoint_id = n.id AND h.hour < n.hour - 86400000
  ) SELECT webhook_id FROM attempted`;

/** The lock has the end wait, so that no start is written after it. */
const ANNOUNCE_START = `INSERT INTO webhooks
    (id, operation_id, account_id, endpoint_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
  SELECT $3, j.operation_id, j.account_id, $4, $5, $6, $7, $8, 'pending', $9, $9, $9 FROM jobs j
    WHERE j.operation_id = $1 AND j.attempt = $2 FOR KEY SHARE
  ON CONFLICT DO NOTHING RETURNING id`;

const ANNOUNCE = `INSERT INTO webhooks
    (id, account_id, endpoint_id, type, url, host, body, state, created_at, next_attempt_at, due_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $8, $8, $9) ON CONFLICT DO NOTHING`;

const RESEND = `UPDATE webhooks SET state = 'pending', next_attempt_at = $3, due_at = $3, first_attempt_at = NULL, worker = NULL
  WHERE id = ANY ($2::TEXT[]) AND account_id = $1 AND state = ANY ($4::TEXT[]) RETURNING id`;

// By the index of what is due; a lease has moved `due_at` on.
const BEHIND =
  "SELECT count(*) AS due, min(due_at) AS oldest_due_at FROM webhooks WHERE state = 'pending' AND due_at + 0 <= now_ms()";

const toDelivery = ({ started_at, duration_ms, status, detail, ...row }: DeliveryRow): Delivery => ({
  ...row,
  last: started_at === null ? null : { started_at, duration_ms, status, detail },
});

interface DeliveryRow extends Omit<Delivery, "last"> {
  readonly started_at: number | null;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly detail: string;
}

const DELIVERY_COLUMNS = FIELDS.webhook.filter((name) => name !== "body").map((name) => `w.${name}`);

const deliveriesOf = (filter: string): string =>
  deliveryIn(`SELECT * FROM webhooks w WHERE w.account_id = $1 AND w.id < $2 ${filter} ORDER BY w.id DESC LIMIT $3`);

const deliveryIn = (
  rows: string,
): string => `SELECT ${DELIVERY_COLUMNS}, a.started_at, a.duration_ms, a.status, a.detail
  FROM (${rows}) w
  LEFT JOIN LATERAL (SELECT * FROM webhook_attempts t WHERE t.webhook_id = w.id ORDER BY t.attempt DESC LIMIT 1) a ON true
  ORDER BY w.id DESC`;
