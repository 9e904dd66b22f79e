/** What the topics of the document are written with: the responses that many share, and the parameters of a query. */
import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { OpenAPIV3_1 } from "openapi-types";
import { JSON_BYTES_MAX, named, REFUSALS } from "../../../core/surface.ts";
import type { Examples } from "./examples.ts";

type Media = OpenAPIV3_1.MediaTypeObject;
type Response = OpenAPIV3_1.ResponseObject;

/** One operation of the document. */
export type Detail = OpenAPIV3_1.OperationObject<{ readonly "x-tonwerk"?: object }>;

/** What is said of a route. What it takes it says itself: its query, and its body. */
export interface Described {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** As the document writes it: `/v1/operations/{id}`. */
  readonly path: string;
  readonly detail: Detail;
  /** Of the body. */
  readonly examples?: Examples;
}

/** TypeBox schemas are JSON Schema, which OpenAPI 3.1 takes as it is. */
export function asSchema(schema: TSchema): OpenAPIV3_1.SchemaObject & OpenAPIV3_1.ReferenceObject {
  return schema as unknown as OpenAPIV3_1.SchemaObject & OpenAPIV3_1.ReferenceObject;
}

export function jsonContent(schema: TSchema, examples?: Examples): Record<string, Media> {
  return { "application/json": { schema: asSchema(schema), ...(examples && { examples }) } };
}

export function jsonResponse(description: string, schema: TSchema, examples?: Examples): Response {
  return { description, content: jsonContent(schema, examples) };
}

/** The parameters of a query, from the schema that checks it. One with a default may be left out. */
export function queryParameters(schema: TObject): OpenAPIV3_1.ParameterObject[] {
  return Object.entries(schema.properties).map(([name, { description = name, ...property }]) => ({
    name,
    in: "query",
    description,
    required: (schema.required ?? []).includes(name) && property.default === undefined,
    schema: asSchema(property as TSchema),
    // With commas.
    ...(property.type === "array" && { style: "form" as const, explode: false }),
    // `metadata[key]=value`
    ...(property.type === "object" && { style: "deepObject" as const, explode: true }),
  }));
}

/** Statuses of refusals, and what their bodies are called. */
const REFUSED = {
  400: "MalformedRequest",
  401: "Unauthorized",
  402: "InsufficientCredits",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  408: "TooSlow",
  409: "Conflict",
  413: "TooLarge",
  415: "NotJson",
  416: "RangeNotSatisfiable",
  422: "Invalid",
  429: "TooManyRequests",
  503: "Unavailable",
  507: "NoRoom",
} as const;

function refusal(status: keyof typeof REFUSED, detail: TSchema, more: TProperties = {}): TObject {
  const codes = Object.entries(REFUSALS).flatMap(([code, known]) => (known.status === status ? [code] : []));
  return named(
    `${REFUSED[status]}Refusal`,
    Type.Object({
      detail,
      code: Type.Unsafe<string>({ type: "string", enum: codes, description: "Stable, machine-readable" }),
      doc_url: Type.String({ format: "uri", description: "A page that tells cause and cure of the code" }),
      ...more,
    }),
  );
}

const FieldIssue = named(
  "FieldIssue",
  Type.Object({
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: "Where, starting with body or query" }),
    msg: Type.String({ description: "For people" }),
    type: Type.String({ description: "Stable, machine-readable" }),
  }),
);
const Entries = Type.Array(FieldIssue, { description: "One entry for every failing field" });
const Text = Type.String({ description: "What is wrong, for people" });
const Credits = {
  required: Type.Integer({ description: "Credits that the request costs" }),
  available: Type.Integer({ description: "Credits of the account, or what is left of the key's budget" }),
  period: Type.Optional(
    Type.Unsafe<string>({ type: "string", enum: ["day", "month"], description: "Of the key's budget" }),
  ),
  resets_at: Type.Optional(Type.String({ format: "date-time", description: "When the budget's next period begins" })),
};
const Scope = {
  scope: Type.Optional(Type.String({ description: "What the key lacks: `write`, or the name of an action" })),
};
/** What refusals of a status say beside the detail. */
const MORE: Readonly<Partial<Record<keyof typeof REFUSED, TProperties>>> = { 402: Credits, 403: Scope };

/** Headers that routes refer to by name. */
export const SHARED_HEADERS = {
  RequestId: header("As the request named it, or one of the service's; the log has it"),
  RateLimit: header('What is left: `"put";r=<requests>;t=<seconds>`'),
  RateLimitPolicy: header('What may be sent: `"put";q=<requests>;w=<seconds>`'),
  RetryAfter: { description: "Seconds", schema: { type: "integer" as const } },
  IdempotentReplayed: header("`true` where the key was known: the answer is the first one"),
};
function header(description: string): OpenAPIV3_1.HeaderObject {
  return { description, schema: { type: "string" } };
}
const headerRef = (name: keyof typeof SHARED_HEADERS) => ({ $ref: `#/components/headers/${name}` });
export const REQUEST_ID = { "x-request-id": headerRef("RequestId") };
export const RATE = { RateLimit: headerRef("RateLimit"), "RateLimit-Policy": headerRef("RateLimitPolicy") };
export const REPLAYED = { "Idempotent-Replayed": headerRef("IdempotentReplayed") };
const RETRY = { "Retry-After": headerRef("RetryAfter") };

function refused(status: keyof typeof REFUSED, description: string, headers: Response["headers"] = {}): Response {
  const schema = status === 422 ? refusal(status, Entries) : refusal(status, Text, MORE[status]);
  return { ...jsonResponse(description, schema, refusalExamples(status)), headers: { ...REQUEST_ID, ...headers } };
}

function refusalExamples(status: keyof typeof REFUSED): Examples {
  const known = Object.entries(REFUSALS).filter(([, refusal]) => refusal.status === status);
  return Object.fromEntries(
    known.map(([code, { cause }]) => {
      const entry = { loc: ["body", "source"], msg: cause, type: code === "invalid_request" ? "missing" : code };
      const detail = status === 422 ? [entry] : cause;
      const more = MORE_EXAMPLES[code] ?? {};
      return [code, { value: { detail, code, ...more, doc_url: `https://tonwerk.example/docs/errors#${code}` } }];
    }),
  );
}

const MORE_EXAMPLES: Readonly<Record<string, object>> = {
  insufficient_credits: { required: 3, available: 1 },
  key_budget_exceeded: { required: 3, available: 1, period: "day", resets_at: "2026-01-03T00:00:00.000Z" },
  key_scope_missing: { scope: "create.new_song" },
};

/** Responses that routes refer to by name. */
export const SHARED_RESPONSES = {
  MalformedRequest: refused(400, "Host and target make no URL, or the body breaks off"),
  Unauthorized: refused(401, "Missing, invalid or revoked API key, or an address that the account does not allow"),
  InsufficientCredits: refused(402, "Insufficient credits, of the account or of the key's budget", RATE),
  Forbidden: refused(
    403,
    "The key lacks a scope, the download URL has expired or was changed, or an upload token allows no such thing",
  ),
  NotFound: refused(404, "Unknown, foreign or expired"),
  TooSlow: refused(408, "The body came too slowly"),
  Conflict: refused(409, "Something else stands in the way, as detail says"),
  TooLarge: refused(413, `The body exceeds its limit (${JSON_BYTES_MAX} bytes for JSON)`),
  NotJson: refused(415, "The body is not application/json in UTF-8"),
  RangeNotSatisfiable: refused(416, "The range begins behind the end of the file"),
  Invalid: refused(422, "One entry for every failing field; nothing was created", RATE),
  TooManyRequests: refused(429, "A limit of the account is reached: requests, free work, uploads", {
    ...RATE,
    ...RETRY,
  }),
  Unavailable: refused(503, "Draining, or the store is away; safe to try again", RETRY),
  NoRoom: refused(507, "No room for uploads on this server now", RETRY),
} satisfies Record<string, Response>;

export function sharedResponse(name: keyof typeof SHARED_RESPONSES): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

export const READ_ERRORS = {
  "400": sharedResponse("MalformedRequest"),
  "401": sharedResponse("Unauthorized"),
  "403": sharedResponse("Forbidden"),
  "422": sharedResponse("Invalid"),
  "429": sharedResponse("TooManyRequests"),
  "503": sharedResponse("Unavailable"),
};
export const WRITE_ERRORS = { ...READ_ERRORS, "413": sharedResponse("TooLarge"), "415": sharedResponse("NotJson") };
export const UPLOAD_ERRORS = { "408": sharedResponse("TooSlow"), "507": sharedResponse("NoRoom") };
export const NOT_FOUND = { "404": sharedResponse("NotFound") };
