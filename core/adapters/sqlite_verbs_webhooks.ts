import type { DatabaseSync } from "node:sqlite";
import type { Webhook, WebhookAttempt, WebhookState } from "../ports.ts";
import { prepare } from "./sqlite_connection.ts";
import { WEBHOOK_COLUMNS } from "./sqlite_rows.ts";

/**
 * Deliveries. A claim raises `attempts`, the fencing token, and leases the row by moving `due_at` to the lease's end, so that one index
 * finds both what is due and what a lost worker left behind. `worker` is set while an attempt is under way.
 */
export function webhookVerbs(db: DatabaseSync) {
  const due = prepare<{ id: string }>(
    db,
    "SELECT id FROM webhooks WHERE state = 'pending' AND due_at <= ? ORDER BY due_at LIMIT ?",
  );
  const lease = prepare<Webhook>(
    db,
    `UPDATE webhooks SET attempts = attempts + 1, worker = ?2, due_at = ?3, first_attempt_at = coalesce(first_attempt_at, ?4)
     WHERE id = ?1 RETURNING ${WEBHOOK_COLUMNS}`,
  );
  const settle = prepare(
    db,
    `UPDATE webhooks SET state = ?3, next_attempt_at = ?4, due_at = ?4, worker = NULL
     WHERE id = ?1 AND attempts = ?2 AND worker IS NOT NULL`,
  );
  const insertAttempt = prepare(
    db,
    `INSERT INTO webhook_attempts (webhook_id, attempt, started_at, duration_ms, status, detail)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  // `attempts` goes on: it tells this schedule's attempts from an earlier one's that is still under way.
  const restart = prepare(
    db,
    `UPDATE webhooks SET state = 'pending', next_attempt_at = ?2, due_at = ?2, first_attempt_at = NULL, worker = NULL
     WHERE operation_id = ?1`,
  );

  return {
    claimWebhooks(now: number, worker: string, limit: number, lease_ms: number): readonly Webhook[] {
      return due.all(now, limit).flatMap(({ id }) => lease.get(id, worker, now + lease_ms, now) ?? []);
    },

    recordWebhook(_now: number, attempt: WebhookAttempt, state: WebhookState, next_attempt_at: number | null): boolean {
      if (settle.run(attempt.webhook_id, attempt.attempt, state, next_attempt_at) === 0) return false;
      insertAttempt.run(
        attempt.webhook_id,
        attempt.attempt,
        attempt.started_at,
        attempt.duration_ms,
        attempt.status,
        attempt.detail,
      );
      return true;
    },

    redeliver(_now: number, operation_id: string, at: number): boolean {
      return restart.run(operation_id, at) > 0;
    },
  };
}
