/** What routes put into the OpenAPI document: the responses that many share, and the parameters of a query. */
import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { OpenAPIV3_1 } from "openapi-types";
import { named } from "../../actions/names.ts";
import { REFUSALS } from "../../base/error_codes.ts";
import { JSON_BYTES_MAX } from "../body.ts";

type Media = OpenAPIV3_1.MediaTypeObject;
type Response = OpenAPIV3_1.ResponseObject;

export const DOCUMENT_PATH = "/openapi.json";

/** One operation of the document. */
export type Detail = OpenAPIV3_1.OperationObject<{ readonly "x-tonwerk"?: object }>;
export interface Described {
  readonly method: string;
  readonly path: string;
  readonly detail?: Detail;
}

/** TypeBox schemas are JSON Schema, which OpenAPI 3.1 takes as it is. */
export function asSchema(schema: TSchema): OpenAPIV3_1.SchemaObject & OpenAPIV3_1.ReferenceObject {
  return schema as unknown as OpenAPIV3_1.SchemaObject & OpenAPIV3_1.ReferenceObject;
}

export function jsonContent(schema: TSchema): Record<string, Media> {
  return { "application/json": { schema: asSchema(schema) } };
}

export function jsonResponse(description: string, schema: TSchema): Response {
  return { description, content: jsonContent(schema) };
}

/** The parameters of a query, from the schema that checks it. One with a default may be left out. */
export function queryParameters({ schema }: { readonly schema: TObject }): OpenAPIV3_1.ParameterObject[] {
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: "query",
    required: (schema.required ?? []).includes(name) && property.default === undefined,
    schema: asSchema(property),
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
const Detail422 = refusal(422, Type.Array(FieldIssue, { description: "One entry for every failing field" }));
export const detailText = (status: keyof typeof REFUSED): TObject =>
  refusal(status, Type.String({ description: "What is wrong, for people" }));
const Detail402 = refusal(402, Type.String({ description: "What is wrong, for people" }), {
  required: Type.Integer({ description: "Credits that the request costs" }),
  available: Type.Integer({ description: "Credits of the account" }),
});

const retryAfter = { "Retry-After": { description: "Seconds", schema: { type: "integer" as const } } };

/** Responses that routes refer to by name. */
export const SHARED_RESPONSES = {
  Unauthorized: jsonResponse(
    "Missing, invalid or revoked API key, or an address that the account does not allow",
    detailText(401),
  ),
  InsufficientCredits: jsonResponse("Insufficient credits", Detail402),
  Forbidden: jsonResponse("The download URL has expired or was changed", detailText(403)),
  NotFound: jsonResponse("Unknown, foreign or expired", detailText(404)),
  MethodNotAllowed: jsonResponse("Known path, other method; see Allow", detailText(405)),
  TooLarge: jsonResponse(`The body exceeds its limit (${JSON_BYTES_MAX} bytes for JSON)`, detailText(413)),
  NotJson: jsonResponse("The body is not application/json in UTF-8", detailText(415)),
  Invalid: jsonResponse("One entry for every failing field; nothing was created", Detail422),
  TooManyRequests: {
    ...jsonResponse("A limit of the account is reached: requests, free work, uploads", detailText(429)),
    headers: retryAfter,
  },
  Unavailable: {
    ...jsonResponse("Draining, or the store is away; safe to try again", detailText(503)),
    headers: retryAfter,
  },
} satisfies Record<string, Response>;

export function sharedResponse(name: keyof typeof SHARED_RESPONSES): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}

export const READ_ERRORS = {
  "401": sharedResponse("Unauthorized"),
  "422": sharedResponse("Invalid"),
  "429": sharedResponse("TooManyRequests"),
  "503": sharedResponse("Unavailable"),
};
export const WRITE_ERRORS = { ...READ_ERRORS, "413": sharedResponse("TooLarge"), "415": sharedResponse("NotJson") };
export const UPLOAD_ERRORS = {
  "408": jsonResponse("The body came too slowly", detailText(408)),
  "507": { ...jsonResponse("No room for uploads on this server now", detailText(507)), headers: retryAfter },
};
export const NOT_FOUND = { "404": sharedResponse("NotFound") };
