import type { DatabaseSync } from "node:sqlite";
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import {
  DAY_MS,
  type Delivery,
  type EndpointSign,
  type NewWebhook,
  type Webhook,
  type WebhookAttempt,
  type WebhooksBehind,
  type WebhooksStore,
} from "../../ports/mod.ts";
import { FIELDS } from "../shared/fields.ts";
import { prepare, prepareInsert } from "./connection.ts";
import type { KeyIndex } from "./key_index.ts";
import { prepareCall, prepareKeyUse } from "./keys.ts";
import type { Now, Sync } from "./sync.ts";

export function webhookReads(db: DatabaseSync, { now }: Now) {
  const columns = FIELDS.webhook.filter((name) => name !== "body");
  const deliveries = (where: string) =>
    prepare<Omit<Delivery, "last">>(
      db,
      `SELECT ${columns} FROM webhooks WHERE account_id = ?1 AND id < ?2 ${where} ORDER BY id DESC LIMIT ?3`,
    );
  const delivery = prepare<Omit<Delivery, "last">>(
    db,
    `SELECT ${columns} FROM webhooks WHERE operation_id = ? AND type = ? AND coalesce(endpoint_id, '') = ''`,
  );
  const allDeliveries = deliveries("");
  const deliveriesOf = deliveries("AND state = ?4");
  const ofOperation = prepare<Webhook>(db, `SELECT ${FIELDS.webhook} FROM webhooks WHERE operation_id = ?`);
  const last = prepare<NonNullable<Delivery["last"]>>(
    db,
    `SELECT started_at, duration_ms, status, detail FROM webhook_attempts WHERE webhook_id = ?
     ORDER BY attempt DESC LIMIT 1`,
  );
  // Lanes first: most are not behind.
  const behind = prepare<WebhooksBehind>(
    db,
    `SELECT count(*) AS due, min(w.due_at) AS oldest_due_at FROM webhook_lanes l CROSS JOIN webhooks w
       ON w.account_id = l.account_id AND w.host = l.host AND w.state = 'pending' AND w.due_at <= ?1 WHERE l.due_at <= ?1`,
  );
  return {
    // A few: sorted here, they need no index of their own.
    webhooks: (operation_id) => ofOperation.all(operation_id).sort((a, b) => (a.id < b.id ? -1 : 1)),
    webhookAttempts: prepare<WebhookAttempt>(
      db,
      `SELECT ${FIELDS.attempt} FROM webhook_attempts WHERE webhook_id = ? ORDER BY attempt`,
    ).all,
    webhook: prepare<Webhook>(db, `SELECT ${FIELDS.webhook} FROM webhooks WHERE id = ?`).get,
    webhooksBehind: () => behind.get(now()) ?? { due: 0, oldest_due_at: null },
    delivery(operation_id, type) {
      const row = delivery.get(operation_id, type);
      return row && { ...row, last: last.get(row.id) ?? null };
    },
    deliveries(account_id, { state, before = AFTER_ALL_IDS, limit }) {
      const start = [account_id, before, limit] as const;
      const rows = state === undefined ? allDeliveries.all(...start) : deliveriesOf.all(...start, state);
      return rows.map((row) => ({ ...row, last: last.get(row.id) ?? null }));
    },
  } satisfies Partial<Sync<WebhooksStore>>;
}

/**
 * Deliveries. A claim raises `attempts`, the fencing token, and leases the row by moving `due_at` to the lease's end,
 * so that one index finds both what is due and what a lost worker left behind. `worker` is set while an attempt is
 * under way. Rows are found through their lane (account and host): those of a host or account that is at its cap cost a
 * claim nothing.
 */
export function webhookVerbs(db: DatabaseSync, { now: nowOf }: Now, keys: KeyIndex) {
  // Leases that ran out are due like any other row, so they count no more.
  const leased = prepare<Lane>(db, "SELECT account_id, host FROM webhooks WHERE worker IS NOT NULL AND due_at > ?");
  const lanes = prepare<Lane>(
    db,
    `SELECT account_id, host FROM webhook_lanes WHERE due_at <= ?1
       AND host NOT IN (SELECT value FROM json_each(?2)) AND account_id NOT IN (SELECT value FROM json_each(?3))
       AND account_id || ' ' || host NOT IN (SELECT value FROM json_each(?4))
     ORDER BY due_at LIMIT ?5`,
  );
  const due = prepare<{ id: string }>(
    db,
    `SELECT id FROM webhooks WHERE account_id = ? AND host = ? AND state = 'pending' AND due_at <= ?
     ORDER BY due_at LIMIT ?`,
  );
  const lease = prepare<Webhook>(
    db,
    `UPDATE webhooks SET attempts = attempts + 1, worker = ?2, due_at = ?3, first_attempt_at = coalesce(first_attempt_at, ?4)
     WHERE id = ?1 RETURNING ${FIELDS.webhook}`,
  );
  const settle = prepare<Pick<Webhook, "endpoint_id">>(
    db,
    `UPDATE webhooks SET state = ?3, next_attempt_at = ?4, due_at = ?4, worker = NULL
     WHERE id = ?1 AND attempts = ?2 AND worker IS NOT NULL RETURNING endpoint_id`,
  );
  const note = prepareNote(db);
  const insertAttempt = prepareInsert<WebhookAttempt>(db, "webhook_attempts", FIELDS.attempt);
  const restart = prepare(db, `UPDATE webhooks SET ${RESTARTED} WHERE operation_id = ?1 AND type = ?2`);
  const restartOne = prepare(
    db,
    `UPDATE webhooks SET ${RESTARTED}
     WHERE id = ?1 AND account_id = ?2 AND state IN (SELECT value FROM json_each(?4))`,
  );
  const startOf = prepare<{ account_id: string }>(
    db,
    "SELECT account_id FROM jobs WHERE operation_id = ? AND attempt = ?",
  );
  const insert = prepareNewWebhook(db);
  const keyUse = prepareKeyUse(db, keys);
  const insertCall = prepareCall(db);
  const endLeases = prepare(
    db,
    "UPDATE webhooks SET due_at = ?1, worker = NULL WHERE worker IS NOT NULL AND due_at > ?1",
  );

  return {
    claimWebhooks(worker, limit, lease_ms, caps) {
      const now = nowOf();
      const hosts = createTally(caps.host_max);
      const accounts = createTally(caps.account_max);
      const both = createTally(caps.lane_max);
      const count = ({ account_id, host }: Lane): void => {
        hosts.add(host);
        accounts.add(account_id);
        both.add(`${account_id} ${host}`);
      };
      for (const lane of leased.all(now)) count(lane);
      const claimed: Webhook[] = [];
      while (claimed.length < limit) {
        const before = claimed.length;
        const open = lanes.all(now, hosts.full(), accounts.full(), both.full(), limit);
        for (const lane of open) {
          const { account_id, host } = lane;
          const room = Math.min(
            limit - claimed.length,
            both.room(`${account_id} ${host}`),
            hosts.room(host),
            accounts.room(account_id),
          );
          if (room <= 0) continue;
          for (const { id } of due.all(account_id, host, now, room)) {
            const row = lease.get(id, worker, now + lease_ms, now);
            if (row === undefined) continue;
            claimed.push(row);
            count(lane);
          }
        }
        // Fewer lanes than asked for: there are no others. Otherwise the caps that were reached meanwhile hid some.
        if (open.length < limit || claimed.length === before) break;
      }
      return claimed;
    },

    recordWebhook(attempt, state, next_attempt_at, tells) {
      const settled = settle.look(attempt.webhook_id, attempt.attempt, state, next_attempt_at);
      if (settled === undefined) return false;
      insertAttempt(attempt);
      if (tells !== undefined && settled.endpoint_id !== null) note(settled.endpoint_id, attempt, tells);
      return true;
    },

    announceStart(operation_id, attempt, webhook, now) {
      const job = startOf.look(operation_id, attempt);
      return job !== undefined && insert(webhook, operation_id, job.account_id, now);
    },

    announce: (account_id, webhook, now, expires_at) => void insert(webhook, null, account_id, now, expires_at),

    redeliver(operation_id, type, now, call) {
      if (keyUse(call.account_id, call.idempotency_key) !== undefined) return false;
      if (!restart.did(operation_id, type, now)) return false;
      insertCall(call);
      return true;
    },

    resend: (account_id, ids, states, now) =>
      ids.reduce((count, id) => count + restartOne.run(id, account_id, now, JSON.stringify(states)), 0),

    /** For the start: whoever was at an attempt is gone, for this process holds the folder's lock. */
    endWebhookLeases: () => endLeases.write(nowOf()),
  } satisfies Partial<Sync<WebhooksStore>> & { endWebhookLeases(): void };
}

/** Inserts a webhook that is due at once; false: this receiver has one of this type and operation. */
export function prepareNewWebhook(db: DatabaseSync) {
  const insert = prepare(
    db,
    `INSERT INTO webhooks (id, operation_id, account_id, endpoint_id, type, url, host, body, state, created_at, next_attempt_at, due_at,
       expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'pending', ?9, ?9, ?9, ?10) ON CONFLICT DO NOTHING`,
  );
  return (
    { id, endpoint_id, type, url, host, body }: NewWebhook,
    operation_id: string | null,
    account_id: string,
    now: number,
    expires_at: number | null = null,
  ): boolean => insert.did(id, operation_id, account_id, endpoint_id, type, url, host, body, now, expires_at);
}

/** Writes what an attempt says of its endpoint's health. */
function prepareNote(db: DatabaseSync) {
  const succeed = prepare(
    db,
    "UPDATE webhook_endpoints SET last_success_at = ?2, failing_since = NULL, failures = 0 WHERE id = ?1",
  );
  const fail = prepare(
    db,
    `UPDATE webhook_endpoints SET last_failure_at = ?2, last_failure_status = ?3, last_failure_detail = ?4,
       failing_since = coalesce(failing_since, ?2), failures = failures + ?5 WHERE id = ?1`,
  );
  const count = prepare(
    db,
    `INSERT INTO webhook_endpoint_hours (endpoint_id, hour, succeeded, failed) VALUES (?1, ?2, ?3, 1 - ?3)
       ON CONFLICT (endpoint_id, hour) DO UPDATE SET succeeded = succeeded + ?3, failed = failed + 1 - ?3`,
  );
  const forget = prepare(db, "DELETE FROM webhook_endpoint_hours WHERE endpoint_id = ?1 AND hour < ?2");
  return (endpoint_id: string, { started_at, status, detail }: WebhookAttempt, tells: EndpointSign): void => {
    const hour = started_at - (started_at % HOUR_MS);
    const succeeded = tells === "succeeded";
    const known = succeeded
      ? succeed.did(endpoint_id, started_at)
      : fail.did(endpoint_id, started_at, status, detail.slice(0, DETAIL_MAX), tells === "given_up" ? 1 : 0);
    if (!known) return;
    count.run(endpoint_id, hour, succeeded ? 1 : 0);
    forget.run(endpoint_id, hour - DAY_MS);
  };
}

/** SQL. `attempts` goes on: it tells this schedule's attempts from an earlier one's that is still under way. */
const RESTARTED = "state = 'pending', next_attempt_at = ?3, due_at = ?3, first_attempt_at = NULL, worker = NULL";

const HOUR_MS = 3_600_000;
/** Lists of endpoints have this with each. */
const DETAIL_MAX = 1_000;

interface Lane {
  readonly account_id: string;
  readonly host: string;
}

/** Counts attempts under way by name, up to `max` each. */
function createTally(max: number) {
  const counts = new Map<string, number>();
  return {
    add(name: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    room: (name: string): number => max - (counts.get(name) ?? 0),
    /** JSON of the names that have no room. */
    full: (): string => JSON.stringify([...counts].filter(([, count]) => count >= max).map(([name]) => name)),
  };
}
