/** What a webhook endpoint may be, for the API and for the dashboard. */
import { Type } from "@sinclair/typebox";
import { named, WEBHOOK_EVENTS } from "../../core/surface.ts";

const EVENT_MAX = 100;
const ACTION = "[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*";
export const events = Type.Array(
  Type.String({ pattern: `^(\\*|(\\*|${ACTION})\\.(\\*|${WEBHOOK_EVENTS.join("|")}))$`, minLength: 1, maxLength: 200 }),
  {
    minItems: 1,
    maxItems: EVENT_MAX,
    uniqueItems: true,
    description:
      "What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready` or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed`",
  },
);
export const url = Type.String({
  format: "uri",
  minLength: 1,
  maxLength: 2048,
  description: "HTTPS URL that receives events by POST; no other endpoint of the account has it",
});
export const description = Type.String({ maxLength: 200, description: "For people" });
export const enabled = Type.Boolean({ description: "Whether it is told anything" });

export const NewEndpoint = named(
  "NewWebhookEndpoint",
  Type.Object(
    {
      url,
      events: { ...events, default: ["*.ready", "*.failed"] },
      description: { ...description, default: "" },
      enabled: { ...enabled, default: true },
    },
    { additionalProperties: false, description: "A webhook endpoint to be" },
  ),
);

export const EndpointChanges = named(
  "WebhookEndpointChanges",
  Type.Object(
    {
      url: Type.Optional(url),
      events: Type.Optional(events),
      description: Type.Optional(description),
      enabled: Type.Optional({ ...enabled, description: "`true` also forgives what made the service disable it" }),
    },
    { additionalProperties: false, description: "What is to be other than it is" },
  ),
);
