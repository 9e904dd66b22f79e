/** The routes of webhook endpoints, and what the OpenAPI document says of them. */
import type { TSchema } from "@sinclair/typebox";
import type { AccountRoute } from "../../core/surface.ts";
import {
  CreatedAnswer,
  DeletedAnswer,
  EndpointAnswer,
  EndpointChanges,
  EndpointList,
  NewEndpoint,
  PingAnswer,
  Redelivery,
  RedeliveryAnswer,
  Rotation,
  SecretAnswer,
} from "./schemas.ts";

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
const json = (schema: TSchema, value: object) => ({ "application/json": { schema, examples: { example: { value } } } });
const takes = (schema: TSchema, value: object, required = true) => ({ required, content: json(schema, value) });
const answers = (description: string, schema: TSchema, value: object) => ({
  "200": { description, content: json(schema, value) },
});

const READ_ERRORS = {
  "400": shared("MalformedRequest"),
  "401": shared("Unauthorized"),
  "422": shared("Invalid"),
  "429": shared("TooManyRequests"),
  "503": shared("Unavailable"),
};
const WRITE_ERRORS = { ...READ_ERRORS, "403": shared("Forbidden") };
const BODY_ERRORS = { ...WRITE_ERRORS, "413": shared("TooLarge"), "415": shared("NotJson") };
const NOT_FOUND = { "404": shared("NotFound") };
const CONFLICT = { "409": shared("Conflict") };
const tags = ["webhook_endpoints"];
const parameters = [
  {
    name: "id",
    in: "path",
    required: true,
    description: "Endpoint id",
    schema: { type: "string", pattern: "^hook_[0-9a-z]{26}$" },
  },
];

const ID = "hook_01m3k3x4w8c1d2e3f4g5h6j7k8";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const WANTED = { url: "https://example.com/tonwerk", events: ["*.ready", "*.failed"], description: "Our shop" };
const ENDPOINT = {
  ...{ id: ID, ...WANTED, enabled: true, disabled: null, created_at: "2026-01-02T03:04:05.000Z" },
  health: {
    last_success_at: "2026-01-02T04:00:00.000Z",
    last_failure: { at: "2026-01-02T03:30:00.000Z", status: 503, detail: "Service Unavailable" },
    failing_since: null,
    failures_in_a_row: 0,
    attempts_24h: 40,
    success_share_24h: 0.975,
  },
};
const ONE = { webhook_endpoint: ENDPOINT };

interface Told extends Pick<AccountRoute, "method" | "path"> {
  readonly detail: NonNullable<AccountRoute["detail"]>;
}

const ROOT = "/v1/webhook_endpoints";

export const DETAILS = {
  list: {
    method: "GET",
    path: ROOT,
    detail: {
      ...{ operationId: "webhook_endpoints_list", tags, summary: "The account's webhook endpoints, with their health" },
      description: "All of them, oldest first.",
      responses: { ...answers("The endpoints", EndpointList, { webhook_endpoints: [ENDPOINT] }), ...READ_ERRORS },
    },
  },
  create: {
    method: "POST",
    path: ROOT,
    detail: {
      ...{ operationId: "webhook_endpoints_create", tags, summary: "Make a webhook endpoint" },
      description:
        "It is told of operations that end from now on, beside their `callback_url`, each event a delivery of its own, signed with the secret of the endpoint alone. 409 where the account has as many as it may, or one with this URL. Not for keys that are restricted to actions.",
      requestBody: takes(NewEndpoint, WANTED),
      responses: {
        ...answers("The endpoint and its secret", CreatedAnswer, { ...ONE, secret: SECRET }),
        ...{ ...BODY_ERRORS, ...CONFLICT },
      },
    },
  },
  read: {
    method: "GET",
    path: `${ROOT}/:id`,
    detail: {
      ...{ operationId: "webhook_endpoints_read", tags, summary: "A webhook endpoint, with its health" },
      description: "What it wants, and what became of attempts to reach it.",
      parameters,
      responses: { ...answers("The endpoint", EndpointAnswer, ONE), ...NOT_FOUND, ...READ_ERRORS },
    },
  },
  update: {
    method: "PATCH",
    path: `${ROOT}/:id`,
    detail: {
      ...{ operationId: "webhook_endpoints_update", tags, summary: "Change a webhook endpoint, or enable it again" },
      description: "What is absent stays as it is. Deliveries under way go to the URL as it is then.",
      parameters,
      requestBody: takes(EndpointChanges, { enabled: true }),
      responses: {
        ...answers("The endpoint as it is now", EndpointAnswer, ONE),
        ...{ ...NOT_FOUND, ...BODY_ERRORS, ...CONFLICT },
      },
    },
  },
  remove: {
    method: "DELETE",
    path: `${ROOT}/:id`,
    detail: {
      ...{ operationId: "webhook_endpoints_delete", tags, summary: "Delete a webhook endpoint" },
      description: "Deliveries under way to it are given up.",
      parameters,
      responses: {
        ...answers("It is gone", DeletedAnswer, { id: ID, deleted: true }),
        ...{ ...NOT_FOUND, ...WRITE_ERRORS },
      },
    },
  },
  rotate: {
    method: "POST",
    path: `${ROOT}/:id/secret`,
    detail: {
      ...{ operationId: "webhook_endpoints_rotate_secret", tags, summary: "Replace the secret of a webhook endpoint" },
      description: "The one before signs beside the new one for a day, or as long as `overlap_seconds` says.",
      parameters,
      requestBody: takes(Rotation, { overlap_seconds: 3_600 }, false),
      responses: {
        ...answers("The new secret", SecretAnswer, { secret: SECRET, previous_until: "2026-01-03T03:04:05.000Z" }),
        ...{ ...NOT_FOUND, ...WRITE_ERRORS, "413": shared("TooLarge") },
      },
    },
  },
  ping: {
    method: "POST",
    path: `${ROOT}/:id/ping`,
    detail: {
      ...{ operationId: "webhook_endpoints_ping", tags, summary: "Send a test event to a webhook endpoint" },
      description:
        "Of the type `ping`, signed as all others, attempted once, also where the endpoint is disabled. What came of it, its health says. 429 after ten times, then once every six minutes.",
      parameters,
      responses: {
        ...answers("It is on its way", PingAnswer, { webhook_id: "evt_01m3k3x4w8c1d2e3f4g5h6j7k8" }),
        ...{ ...NOT_FOUND, ...WRITE_ERRORS },
      },
    },
  },
  redeliver: {
    method: "PUT",
    path: "/v1/operations.redeliver_failed",
    detail: {
      ...{ operationId: "operations_redeliver_failed", tags: ["operations"] },
      summary: "Send failed webhooks again, up to 1,000 at a call",
      description:
        "Those of a time span, an endpoint or an action, or all that the account still has, newest first; what goes to a disabled endpoint stays as it is. Call again with `next_cursor`, under a key of its own, until it is null. 429 after twenty calls, then once every three minutes.",
      requestBody: takes(Redelivery, {
        idempotency_key: "0198c8a2-6f3e-7b1c-9a55-3d2f1c7e8b90",
        since: "2026-01-02T00:00:00Z",
        endpoint: ID,
      }),
      responses: {
        ...answers("How many", RedeliveryAnswer, { redelivered: 12, next_cursor: null }),
        ...BODY_ERRORS,
      },
    },
  },
} as const satisfies Readonly<Record<string, Told>>;
