/** What the OpenAPI document says of the streams. */
import type { AccountRoute } from "../../core/surface.ts";

type Detail = NonNullable<AccountRoute["detail"]>;

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
const REFUSED = {
  "401": shared("Unauthorized"),
  "422": shared("Invalid"),
  "429": shared("TooManyRequests"),
  "503": shared("Unavailable"),
};
/** When it ended, and which operation; empty as absent. */
export const EVENT_ID = /^(?:(\d{1,15})(?:-(op_[0-9a-z]{26}))?)?$/u;
const LAST = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "Id of the last event that was read: what ended since is told first",
  schema: { type: "string" as const, pattern: EVENT_ID.source },
};
const STREAM = {
  description: "Events `progress`, `ready` and `failed`, and a comment every 15 seconds",
  content: {
    "text/event-stream": {
      schema: { type: "string" as const },
      examples: {
        progress: {
          value:
            'event: progress\ndata: {"action":"create.new_song","id":"op_01m3k3x4w8c1d2e3f4g5h6j7k8","status":"processing","progress":0.4,"stage":"mixing","queue_position":null}\n\n',
        },
      },
    },
  },
};

export const describeOne: Detail = {
  operationId: "operations_events",
  tags: ["operations"],
  summary: "Progress and end of one operation, as server-sent events",
  description:
    "Begins with its state. `progress` has `action`, `id`, `status`, `progress`, `stage` and `queue_position`; `ready` or `failed` has the operation as lists show it, and ends the stream. Counts as one long-poll while it is open.",
  parameters: [
    {
      name: "id",
      in: "path",
      required: true,
      description: "Operation id",
      schema: { type: "string", pattern: "^op_[0-9a-z]{26}$" },
    },
    LAST,
  ],
  responses: {
    "200": STREAM,
    "204": { description: "`Last-Event-ID` is that of its end: there is nothing more to tell" },
    "404": shared("NotFound"),
    ...REFUSED,
  },
};

export const describeAll: Detail = {
  operationId: "events_follow",
  tags: ["operations"],
  summary: "Progress and ends of all operations of the account, as server-sent events",
  description:
    "As the events of one operation. Ends are told at least once, those since `Last-Event-ID` first, in the order of their ends; only they have an `id`. Counts as one long-poll while it is open.",
  parameters: [LAST],
  responses: { "200": STREAM, ...REFUSED },
};
