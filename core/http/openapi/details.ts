/** What routes put into the OpenAPI document: the responses that many share, and the parameters of a query. */
import { type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { OpenAPIV3_1 } from "openapi-types";
import { REFUSALS } from "../../base/error_codes.ts";
import { JSON_BYTES_MAX } from "../body.ts";

type Media = OpenAPIV3_1.MediaTypeObject;
type Response = OpenAPIV3_1.ResponseObject;

export const DOCUMENT_PATH = "/openapi.json";

/** One operation of the document. */
export type Detail = OpenAPIV3_1.OperationObject;

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

/** Of the statuses that share a schema. */
const codesOf = (...statuses: readonly number[]): string[] =>
  Object.entries(REFUSALS).flatMap(([code, { status }]) => (statuses.includes(status) ? [code] : []));

function refusal(detail: TSchema, codes: readonly string[], more: TProperties = {}): TObject {
  return Type.Object({
    detail,
    code: Type.Unsafe<string>({ type: "string", enum: codes, description: "Stable, machine-readable" }),
    doc_url: Type.String({ format: "uri", description: "A page that tells cause and cure of the code" }),
    ...more,
  });
}

const Detail422 = refusal(
  Type.Array(
    Type.Object({
      loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description: "Where, starting with body or query",
      }),
      msg: Type.String(),
      type: Type.String({ description: "Stable, machine-readable" }),
    }),
  ),
  codesOf(422),
);
export const detailText = (...statuses: readonly number[]): TObject => refusal(Type.String(), codesOf(...statuses));
const Detail402 = refusal(Type.String(), codesOf(402), { required: Type.Integer(), available: Type.Integer() });

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
