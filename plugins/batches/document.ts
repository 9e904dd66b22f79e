/** What a batch may be, and what the OpenAPI document says of it. */
import { Type } from "@sinclair/typebox";
import type { AccountRoute, Registered } from "../../core/surface.ts";

const SUBMISSIONS_MAX = 100;
/** Of the whole body: ten kilobytes for each; the longest lyrics take three to twelve. */
export const BYTES_MAX = 1_000_000;

export const SUBMISSION = Type.Object(
  {
    action: Type.String({ minLength: 1, maxLength: 200, description: "As `create.new_song`" }),
    request: Type.Object(
      {},
      { additionalProperties: true, description: "The body of its PUT, with an `idempotency_key` of its own" },
    ),
  },
  { additionalProperties: false, description: "One submission" },
);

/** Entries are looked at one by one, so that a bad one stops no other. */
export const BATCH = Type.Object(
  { submissions: Type.Array(Type.Unknown(), { minItems: 1, maxItems: SUBMISSIONS_MAX }) },
  { additionalProperties: false },
);

const ANSWER = Type.Object(
  {
    submissions: Type.Array(
      Type.Object({
        status: Type.Integer({ description: "Of the answer that its PUT would have had" }),
        replayed: Type.Boolean({
          description: "The submission was accepted before: it is neither made nor charged again",
        }),
        retry_after: Type.Optional(Type.Integer({ description: "Of 429 and 503: seconds to wait" })),
        body: Type.Unsafe<object>({
          type: "object",
          description: "Of that answer: the operation under its wrapper, or a refusal",
        }),
      }),
      { description: "In the order in which they were sent" },
    ),
  },
  { description: "What each was answered" },
);

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
const KEY = "8f14e45f-ceea-467f-a0e6-1d2c3b4a5f60";

/** A submission of one action: its request is that of its PUT. */
const submissionOf = ({ action, schema }: Registered) =>
  Type.Object(
    {
      action: Type.Literal(action.name, { description: "Of this submission" }),
      request: { ...schema.request, description: `The body of \`PUT /v1/${action.name}\`` },
    },
    { additionalProperties: false, description: action.summary },
  );

export const describeBatches = (actions: Iterable<Registered>): NonNullable<AccountRoute["detail"]> => ({
  operationId: "batches_create",
  tags: ["batches"],
  summary: "Up to 100 submissions of any actions in one call",
  description:
    "Each is answered as its own PUT would be, with status and body: one that is refused stops no other. Each counts against the rate limit and is charged by itself, and has an idempotency key of its own, so that a batch may be sent again. The call counts as one request more. `GET /v1/operations?ids=` reads and waits for many.",
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: Type.Object(
          {
            submissions: Type.Array(Type.Union([...actions].map(submissionOf)), {
              minItems: 1,
              maxItems: SUBMISSIONS_MAX,
              description: "At most 1,000,000 bytes in all",
            }),
          },
          { additionalProperties: false },
        ),
        examples: {
          two: {
            value: {
              submissions: [
                {
                  action: "create.new_fx",
                  request: { idempotency_key: KEY, prompt: "door knock" },
                },
                {
                  action: "create.new_sample",
                  request: { idempotency_key: KEY.replace("8", "9"), prompt: "kick drum", duration: 0.5 },
                },
              ],
            },
          },
        },
      },
    },
  },
  responses: {
    "200": {
      description: "What each was answered",
      content: {
        "application/json": {
          schema: ANSWER,
          examples: {
            refused: {
              value: {
                submissions: [
                  {
                    status: 402,
                    replayed: false,
                    body: { detail: "Insufficient credits", code: "insufficient_credits" },
                  },
                ],
              },
            },
          },
        },
      },
    },
    "400": shared("MalformedRequest"),
    "401": shared("Unauthorized"),
    "413": shared("TooLarge"),
    "415": shared("NotJson"),
    "422": shared("Invalid"),
    "429": shared("TooManyRequests"),
    "503": shared("Unavailable"),
  },
});
