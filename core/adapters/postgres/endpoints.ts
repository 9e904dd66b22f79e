/** Webhook endpoints and their secrets. What attempts say of their health, webhooks.ts writes. */
import type { EndpointAttempts, EndpointsStore, SigningSecret } from "../../ports/mod.ts";
import { type EndpointRow, FIELDS, toEndpoint } from "../shared/fields.ts";
import type { Pool } from "./pool.ts";
import { REPEATABLE, statementsOn } from "./statements.ts";

const ENDPOINTS = `SELECT ${FIELDS.endpoint} FROM webhook_endpoints`;

export function endpointVerbs(pool: Pool) {
  const { all, one, did, due, write, call } = statementsOn(pool);
  const dueNotices = due<EndpointRow>("webhook_endpoints", FIELDS.endpoint, "notice");
  const find = one<EndpointRow>(`${ENDPOINTS} WHERE id = $1`);
  const list = all<EndpointRow>(`${ENDPOINTS} WHERE account_id = $1 ORDER BY id`);
  const failing = all<EndpointRow>(`${ENDPOINTS} WHERE failing_since IS NOT NULL ORDER BY failing_since LIMIT $1`);
  const create = call<"created" | "full" | "taken">("create_endpoint");
  const update = call<"updated" | "unknown" | "taken">("update_endpoint");
  const rotate = call<"rotated" | "unknown">("rotate_endpoint_secret");
  return {
    createEndpoint: (endpoint, { id: secret, label, sealed }, max) => {
      const { id, account_id, url, host, events, description, created_at, disabled_at, disabled_why } = endpoint;
      const wanted = JSON.stringify(events);
      return create(
        ...[id, account_id, url, host, wanted, description, created_at, disabled_at, disabled_why],
        ...[secret, label, sealed, max],
      );
    },
    async endpoint(id) {
      const row = await find(id);
      return row && toEndpoint(row);
    },
    failingEndpoints: async (limit) => (await failing(limit)).map(toEndpoint),
    endpoints: async (account_id) => (await list(account_id)).map(toEndpoint),
    endpointAttempts: all<EndpointAttempts>(
      `SELECT h.endpoint_id, sum(h.succeeded)::BIGINT AS succeeded, sum(h.failed)::BIGINT AS failed
       FROM webhook_endpoint_hours h JOIN webhook_endpoints e ON e.id = h.endpoint_id
       WHERE e.account_id = $1 AND h.hour >= $2 GROUP BY h.endpoint_id`,
    ),
    updateEndpoint: (account_id, id, { events, ...changes }) =>
      update(
        account_id,
        id,
        JSON.stringify(events === undefined ? changes : { ...changes, events: JSON.stringify(events) }),
      ),
    deleteEndpoint: did("DELETE FROM webhook_endpoints WHERE account_id = $1 AND id = $2 RETURNING id"),
    disableEndpoint: did(
      `UPDATE webhook_endpoints SET disabled_at = $4, disabled_why = $3, notice_at = $4, notice_attempts = 0
       WHERE id = $1 AND failing_since = $2 AND disabled_at IS NULL RETURNING id`,
    ),
    rotateEndpointSecret: (endpoint_id, { id, account_id, label, sealed, created_at }, until) =>
      rotate(endpoint_id, id, account_id, label, sealed, created_at, until),
    endpointSecrets: all<SigningSecret>(
      `SELECT ${FIELDS.secret} FROM signing_secrets WHERE endpoint_id = $1 AND (retired_at IS NULL OR retired_at > $2)
       ORDER BY created_at DESC, id DESC`,
    ),
    claimEndpointNotices: async (now, lease_ms, limit) =>
      (await dueNotices(now, lease_ms, limit)).map(({ row, attempts }) => ({ endpoint: toEndpoint(row), attempts })),
    recordEndpointNotice: write("UPDATE webhook_endpoints SET notice_at = $2 WHERE id = $1", REPEATABLE),
  } satisfies Partial<EndpointsStore>;
}
