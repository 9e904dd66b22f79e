/** Webhook endpoints and their secrets. What attempts say of their health, webhooks.ts writes. */
import type { DatabaseSync } from "node:sqlite";
import type { Endpoint, EndpointAttempts, EndpointsStore, SigningSecret } from "../../ports/mod.ts";
import { type EndpointRow, FIELDS, toEndpoint } from "../shared/fields.ts";
import { prepare, prepareDue, prepareInsert, toColumn } from "./connection.ts";
import type { Sync } from "./sync.ts";

const ENDPOINTS = `SELECT ${FIELDS.endpoint} FROM webhook_endpoints`;

export function endpointReads(db: DatabaseSync) {
  const one = prepare<EndpointRow>(db, `${ENDPOINTS} WHERE id = ?`);
  const all = prepare<EndpointRow>(db, `${ENDPOINTS} WHERE account_id = ? ORDER BY id`);
  const failing = prepare<EndpointRow>(
    db,
    `${ENDPOINTS} WHERE failing_since IS NOT NULL ORDER BY failing_since LIMIT ?`,
  );
  return {
    endpoint(id) {
      const row = one.get(id);
      return row && toEndpoint(row);
    },
    failingEndpoints: (limit) => failing.all(limit).map(toEndpoint),
    endpoints: (account_id) => all.all(account_id).map(toEndpoint),
    endpointAttempts: prepare<EndpointAttempts>(
      db,
      `SELECT endpoint_id, sum(succeeded) AS succeeded, sum(failed) AS failed FROM webhook_endpoint_hours
       WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE account_id = ?1) AND hour >= ?2 GROUP BY endpoint_id`,
    ).all,
    endpointSecrets: prepare<SigningSecret>(
      db,
      `SELECT ${FIELDS.secret} FROM signing_secrets WHERE endpoint_id = ?1 AND (retired_at IS NULL OR retired_at > ?2)
       ORDER BY created_at DESC, id DESC`,
    ).all,
  } satisfies Partial<Sync<EndpointsStore>>;
}

const CHANGED = ["url", "host", "events", "description", "disabled_at", "disabled_why"] as const;

export function endpointVerbs(db: DatabaseSync) {
  const { endpoint: find, endpoints: list } = endpointReads(db);
  const insert = prepareInsert<Endpoint>(db, "webhook_endpoints", FIELDS.endpoint);
  const insertSecret = prepareInsert<SigningSecret & { endpoint_id: string }>(db, "signing_secrets", [
    ...FIELDS.secret,
    "endpoint_id",
  ]);
  const sets = CHANGED.map((name, index) => `${name} = ?${index + 2}`).join(", ");
  const update = prepare(db, `UPDATE webhook_endpoints SET ${sets} WHERE id = ?1`);
  const forgive = prepare(
    db,
    "UPDATE webhook_endpoints SET failing_since = NULL, failures = 0, notice_at = NULL WHERE id = ?",
  );
  const forgetRetired = prepare(db, "DELETE FROM signing_secrets WHERE endpoint_id = ? AND retired_at IS NOT NULL");
  const retire = prepare(db, "UPDATE signing_secrets SET retired_at = ?2 WHERE endpoint_id = ?1");
  const dueNotices = prepareDue<EndpointRow>(db, "webhook_endpoints", FIELDS.endpoint, "notice");
  const isTaken = (account_id: string, id: string, url: string): boolean =>
    list(account_id).some((other) => other.url === url && other.id !== id);

  return {
    createEndpoint(endpoint, secret, max) {
      const { id, account_id, url } = endpoint;
      if (isTaken(account_id, id, url)) return "taken";
      if (list(account_id).length >= max) return "full";
      insert({ ...endpoint, failures: 0 });
      insertSecret({ ...secret, endpoint_id: id });
      return "created";
    },

    updateEndpoint(account_id, id, changes) {
      const was = find(id);
      if (was?.account_id !== account_id) return "unknown";
      const next = { ...was, ...changes };
      if (isTaken(account_id, id, next.url)) return "taken";
      update.run(id, ...CHANGED.map((name) => toColumn(next[name])));
      if (was.disabled_at !== null && next.disabled_at === null) forgive.run(id);
      return "updated";
    },

    deleteEndpoint: prepare(db, "DELETE FROM webhook_endpoints WHERE account_id = ? AND id = ?").did,

    disableEndpoint: prepare(
      db,
      `UPDATE webhook_endpoints SET disabled_at = ?4, disabled_why = ?3, notice_at = ?4, notice_attempts = 0
       WHERE id = ?1 AND failing_since = ?2 AND disabled_at IS NULL`,
    ).did,

    rotateEndpointSecret(endpoint_id, secret, until) {
      if (find(endpoint_id)?.account_id !== secret.account_id) return "unknown";
      // Two secrets at most: what was replaced before the last one signs no more.
      forgetRetired.run(endpoint_id);
      retire.run(endpoint_id, until);
      insertSecret({ ...secret, endpoint_id });
      return "rotated";
    },

    claimEndpointNotices: (now, lease_ms, limit) =>
      dueNotices(now, lease_ms, limit).map(({ row, attempts }) => ({ endpoint: toEndpoint(row), attempts })),

    recordEndpointNotice: prepare(db, "UPDATE webhook_endpoints SET notice_at = ?2 WHERE id = ?1").write,
  } satisfies Partial<Sync<EndpointsStore>>;
}
