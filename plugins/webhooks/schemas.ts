/** What the routes of webhook endpoints take and answer. */
import { type TSchema, Type } from "@sinclair/typebox";
import { named } from "../../core/surface.ts";
import { description, enabled, events, url } from "../administration/webhook_schemas.ts";

export { EndpointChanges, NewEndpoint } from "../administration/webhook_schemas.ts";

const endpointId = (text: string) => Type.String({ pattern: "^hook_[0-9a-z]{26}$", description: text });
const time = (text: string) => Type.String({ format: "date-time", description: text });
const orNull = ({ description, ...schema }: TSchema) =>
  Type.Union([schema as TSchema, Type.Null()], description === undefined ? {} : { description });

const HOUR_SECONDS = 3_600;
export const Rotation = named(
  "SecretRotation",
  Type.Object(
    {
      overlap_seconds: Type.Integer({
        minimum: 0,
        maximum: 168 * HOUR_SECONDS,
        default: 24 * HOUR_SECONDS,
        description: "How long the secret before signs beside the new one",
      }),
    },
    { additionalProperties: false, description: "How a secret is replaced" },
  ),
);

export const Redelivery = named(
  "BulkRedelivery",
  Type.Object(
    {
      idempotency_key: Type.String({ format: "uuid", description: "Chosen by the client" }),
      since: Type.Optional(time("Only of events at this time or later")),
      until: Type.Optional(time("Only of events before this time")),
      endpoint: Type.Optional(endpointId("Only to this endpoint; also to callback URLs where it is absent")),
      action: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Only of this action" })),
      cursor: Type.Optional(
        Type.String({ pattern: "^evt_[0-9a-z]{26}$", description: "`next_cursor` of the call before" }),
      ),
    },
    { additionalProperties: false, description: "Which failed deliveries are sent again" },
  ),
);

export const RedeliveryAnswer = named(
  "BulkRedeliveryAnswer",
  Type.Object({
    redelivered: Type.Integer({ description: "How many are due again; at most 1,000" }),
    next_cursor: orNull(Type.String({ description: "For the next call; null: these were all" })),
  }),
);

const Failure = Type.Object(
  {
    at: time("When the attempt began"),
    status: orNull(Type.Integer({ description: "HTTP status; null: no answer" })),
    detail: Type.String({ description: "Why there was none, or what the answer began with" }),
  },
  { description: "The last attempt that failed" },
);
const Health = named(
  "WebhookEndpointHealth",
  Type.Object(
    {
      last_success_at: orNull(time("When the last attempt began that succeeded")),
      last_failure: orNull(Failure),
      failing_since: orNull(time("When the first attempt failed since then; null: none has")),
      failures_in_a_row: Type.Integer({ description: "Deliveries that were given up since then" }),
      attempts_24h: Type.Integer({ description: "Attempts of the last 24 hours, by whole hours" }),
      success_share_24h: orNull(Type.Number({ description: "Of these, 0 to 1; null: there were none" })),
    },
    { description: "What became of attempts to reach it" },
  ),
);
const Disabled = Type.Object(
  {
    at: time("Since when"),
    reason: Type.Unsafe<string>({
      type: "string",
      enum: ["request", "failures", "gone"],
      description:
        "`request`: somebody did; `failures`: nothing got through for three days and ten deliveries; `gone`: it answered 410",
    }),
  },
  { description: "Why it is told nothing" },
);

const Endpoint = named(
  "WebhookEndpoint",
  Type.Object(
    {
      id: endpointId("Endpoint id"),
      url,
      events,
      description,
      enabled,
      disabled: orNull(Disabled),
      created_at: time("When it was made"),
      health: Health,
    },
    { description: "A receiver of the account's events" },
  ),
);
export const EndpointAnswer = named("WebhookEndpointAnswer", Type.Object({ webhook_endpoint: Endpoint }));
export const EndpointList = named(
  "WebhookEndpointList",
  Type.Object({ webhook_endpoints: Type.Array(Endpoint, { description: "Oldest first" }) }),
);
const secret = Type.String({ pattern: "^whsec_", description: "Signs what is sent there; shown this once" });
export const CreatedAnswer = named("CreatedWebhookEndpoint", Type.Object({ webhook_endpoint: Endpoint, secret }));
export const SecretAnswer = named(
  "RotatedWebhookSecret",
  Type.Object({ secret, previous_until: time("When the one before signs no more") }),
);
export const PingAnswer = named(
  "PingAnswer",
  Type.Object({ webhook_id: Type.String({ description: "The `webhook-id` that it is sent under" }) }),
);
export const DeletedAnswer = named(
  "DeletedWebhookEndpoint",
  Type.Object({ id: endpointId("Endpoint id"), deleted: Type.Literal(true, { description: "That it is gone" }) }),
);
