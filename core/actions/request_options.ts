/**
 * What a client may say of any operation beside what is to be made: notes of its own, a time limit, which events it is
 * told. No engine sees it.
 */
import { type TSchema, Type } from "@sinclair/typebox";
import type { Issue } from "../../contract/mod.ts";
import { issue } from "../base/errors.ts";
import { named } from "./names.ts";

/** Each absent where it was not sent. */
export interface RequestOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly timeout_seconds?: number;
  /** In the order of `WEBHOOK_EVENTS`. */
  readonly webhook_events?: readonly WebhookEvent[];
}

export const WEBHOOK_EVENTS = ["started", "ready", "failed"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Letters, digits and `_ . : -`, first a letter or digit: what stands in a query as it is. */
const METADATA_KEY = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
const METADATA_VALUE = Type.String({ maxLength: 512 });
/** What `metadata` may be where it is asked for, in so many pairs. */
export const metadataSchema = (maxProperties: number, description: string): TSchema =>
  Type.Object(
    {},
    {
      additionalProperties: METADATA_VALUE,
      propertyNames: { pattern: METADATA_KEY.source },
      maxProperties,
      description,
    },
  );

const Event = named(
  "EventName",
  Type.Union(
    WEBHOOK_EVENTS.map((event) => Type.Literal(event)),
    { description: "The last part of a webhook's type" },
  ),
);

export const OPTION_FIELDS = {
  metadata: Type.Optional(
    metadataSchema(
      20,
      "Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters",
    ),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: "Fails with timed_out, refunded, where it has not ended so many seconds after its submission",
    }),
  ),
  webhook_events: Type.Optional(
    Type.Array(Event, {
      minItems: 1,
      uniqueItems: true,
      description: "Which events callback_url is told; ready and failed where it is absent",
    }),
  ),
};

export const NO_OPTIONS: RequestOptions = Object.freeze({});

/**
 * Takes the options out of a body whose fields are valid, and adds what is wrong with them. The same object each time
 * where there are none.
 */
export function takeOptions(body: Record<string, unknown>, issues: Issue[]): RequestOptions {
  const { metadata, timeout_seconds, webhook_events } = body as RequestOptions;
  if (metadata === undefined && timeout_seconds === undefined && webhook_events === undefined) return NO_OPTIONS;
  for (const name of Object.keys(OPTION_FIELDS)) delete body[name];
  const keys = Object.keys(metadata ?? {});
  // Metadata without pairs, and nothing else, is the same request as none.
  if (keys.length === 0 && timeout_seconds === undefined && webhook_events === undefined) return NO_OPTIONS;
  issues.push(...checkKeys(keys, ["body", "metadata"]));
  if (webhook_events !== undefined && body.callback_url === undefined)
    issues.push(issue(["body", "webhook_events"], "value_error", "Must be sent with 'callback_url'"));
  return {
    ...(keys.length > 0 && { metadata: { ...metadata } }),
    ...(timeout_seconds !== undefined && { timeout_seconds }),
    ...(webhook_events !== undefined && {
      webhook_events: WEBHOOK_EVENTS.filter((event) => webhook_events.includes(event)),
    }),
  };
}

/** What is wrong with keys of metadata. */
export function checkKeys(keys: readonly string[], loc: readonly string[]): readonly Issue[] {
  return keys
    .filter((key) => !METADATA_KEY.test(key))
    .map((key) => issue([...loc, key], "string_pattern", "Must have 1 to 64 letters, digits and _ . : -"));
}

/** Whether the operation should have ended by `now`. */
export function isOverdue(created_at: number, { timeout_seconds }: RequestOptions, now: number): boolean {
  return timeout_seconds !== undefined && now >= created_at + timeout_seconds * 1000;
}
