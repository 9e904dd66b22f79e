/** What the service sends to `callback_url` and to webhook endpoints, as OpenAPI 3.1 describes webhooks. */
import { Type } from "@sinclair/typebox";
import { type Registered, resourceOf, WEBHOOK_EVENTS } from "../../../core/surface.ts";
import { describeAnswers } from "./answers.ts";
import { asSchema, jsonContent } from "./details.ts";
import { makeExamples } from "./examples.ts";

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: asSchema(Type.String()),
});
const HEADERS = [
  header("webhook-id", "Of the event; retries reuse it, so that receivers can tell a repetition"),
  header("webhook-timestamp", "Seconds since 1970, to be refused where it is more than five minutes off"),
  header(
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 over `<id>.<timestamp>.<body>`; several during a rotation",
  ),
  header("webhook-type", "The name of this webhook"),
];

export function describeWebhooks(actions: readonly Registered[], base_url: string): Readonly<Record<string, object>> {
  const all = actions.flatMap((registered) => {
    const { action } = registered;
    const { answer } = describeAnswers(registered);
    const examples = makeExamples(registered, base_url);
    return WEBHOOK_EVENTS.map((event) => {
      const type = `${action.name}.${event}`;
      // Without a name: oapi-codegen leaves out what webhooks alone refer to.
      const envelope = Type.Object({
        type: Type.Literal(type, { description: "As webhook-type" }),
        data: { ...answer, description: "What GET answers" },
      });
      const { value } = examples.told[event];
      return [
        type,
        {
          post: {
            operationId: `${resourceOf(action)}_${event}`,
            tags: ["webhooks"],
            summary:
              event === "started"
                ? `Work on an operation of ${action.name} began`
                : `An operation of ${action.name} is ${event}`,
            description: `Sent to \`callback_url\`${event === "started" ? " where `webhook_events` names it, once, and not after the end" : ""}, and to each webhook endpoint that wants it. The account's \`webhooks.body\` says which of the two bodies.`,
            security: [],
            parameters: HEADERS,
            requestBody: {
              required: true,
              content: jsonContent(Type.Unsafe({ oneOf: [answer, envelope] }), {
                operation: { value },
                envelope: { value: { type, data: value } },
              }),
            },
            responses: TAKEN,
          },
        },
      ];
    });
  });
  return { ...Object.fromEntries(all), ping: PING };
}

const TAKEN = {
  "2XX": { description: "Taken; whatever else is answered, 4xx other than 429 apart, it is sent again" },
};

/** Test events of endpoints. */
const PING = {
  post: {
    operationId: "webhook_endpoints_pinged",
    tags: ["webhooks"],
    summary: "A test event",
    description: "Sent to a webhook endpoint that was asked for one, once.",
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: jsonContent(
        Type.Object({
          type: Type.Literal("ping", { description: "As webhook-type" }),
          data: Type.Object(
            {
              webhook_endpoint: Type.Object(
                { id: Type.String({ description: "Endpoint id" }) },
                { description: "Which endpoint it is for" },
              ),
            },
            { description: "What it is about" },
          ),
        }),
        { ping: { value: { type: "ping", data: { webhook_endpoint: { id: "hook_01m3k3x4w8c1d2e3f4g5h6j7k8" } } } } },
      ),
    },
    responses: { "2XX": { description: "Taken" } },
  },
};
