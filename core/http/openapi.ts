/** The OpenAPI document, from the same declarations that serve requests. The plugin mounts it at /openapi.json with a page at /docs. */
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { OpenAPIV3_1 } from "openapi-types";
import type { Registered } from "../actions/registry.ts";
import { JSON_BYTES_MAX } from "./body.ts";
import { fileQuery, listQuery, operationBody, readQuery, submitQuery } from "./requests.ts";

type Media = OpenAPIV3_1.MediaTypeObject;
type Schema = OpenAPIV3_1.SchemaObject & OpenAPIV3_1.ReferenceObject;

export type Detail = OpenAPIV3_1.OperationObject & { hide?: boolean };

/** The API description's version, from the specification. */
export const API_VERSION = "0.1.0";

const KEY_EXAMPLE = "3f2b8c1e-9d4a-4c6b-8e57-0a1b2c3d4e5f";

/** TypeBox schemas are JSON Schema, which OpenAPI 3.1 takes as it is. */
const asSchema = (schema: TSchema): Schema => schema as unknown as Schema;
const json = (schema: TSchema): Record<string, Media> => ({ "application/json": { schema: asSchema(schema) } });
const answer = (description: string, schema: TSchema): OpenAPIV3_1.ResponseObject => ({
  description,
  content: json(schema),
});
const shared = (name: string): OpenAPIV3_1.ReferenceObject => ({ $ref: `#/components/responses/${name}` });

const Detail422 = Type.Object({
  detail: Type.Array(
    Type.Object({
      loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description: "Where, starting with body or query",
      }),
      msg: Type.String(),
      type: Type.String({ description: "Stable, machine-readable" }),
    }),
  ),
  code: Type.Optional(Type.String()),
});
const DetailText = Type.Object({ detail: Type.String() });
const Detail402 = Type.Object({
  detail: Type.String(),
  code: Type.Literal("insufficient_credits"),
  required: Type.Integer(),
  available: Type.Integer(),
});

const DryRun = Type.Object({ cost: Type.Integer(), balance: Type.Integer(), sufficient: Type.Boolean() });

const retryAfter = { "Retry-After": { description: "Seconds", schema: { type: "integer" as const } } };
const RESPONSES: Record<string, OpenAPIV3_1.ResponseObject> = {
  Unauthorized: answer(
    "Missing, invalid or revoked API key, or an address that the account does not allow",
    DetailText,
  ),
  InsufficientCredits: answer("Insufficient credits", Detail402),
  Forbidden: answer("The download URL has expired or was changed", DetailText),
  NotFound: answer("Unknown, foreign or expired", DetailText),
  MethodNotAllowed: answer("Known path, other method; see Allow", DetailText),
  TooLarge: answer(`The body exceeds its limit (${JSON_BYTES_MAX} bytes for JSON)`, DetailText),
  NotJson: answer("The body is not application/json in UTF-8", DetailText),
  Invalid: answer("One entry for every failing field; nothing was created", Detail422),
  TooManyRequests: {
    ...answer("A limit of the account is reached: requests, free work, uploads", DetailText),
    headers: retryAfter,
  },
  Unavailable: { ...answer("Draining, or the store is away; safe to try again", DetailText), headers: retryAfter },
};

const READ_ERRORS = {
  "401": shared("Unauthorized"),
  "422": shared("Invalid"),
  "429": shared("TooManyRequests"),
  "503": shared("Unavailable"),
};
const NO_ROOM = {
  "408": answer("The body came too slowly", DetailText),
  "507": { ...answer("No room for uploads on this server now", DetailText), headers: retryAfter },
};
const WRITE_ERRORS = { ...READ_ERRORS, "413": shared("TooLarge"), "415": shared("NotJson") };
const NOT_FOUND = { "404": shared("NotFound") };

/** The parameters of a query, from the schema that checks it. One with a default may be left out. */
function parameters({ schema }: { readonly schema: TObject }): OpenAPIV3_1.ParameterObject[] {
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: "query",
    required: (schema.required ?? []).includes(name) && property.default === undefined,
    schema: asSchema(property),
  }));
}

/** `create.new_song` -> `createNewSong`. */
const camel = (name: string): string => name.replace(/[._]([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());

/** `PUT` and `GET` of one action. */
export function actionDetails({ action, schema }: Registered): { put: Detail; get: Detail } {
  const group = action.name.slice(0, action.name.indexOf("."));
  const id = camel(action.name);
  const examples = Object.fromEntries(
    action.examples.map((example, index) => [
      `example ${index + 1}`,
      { value: { idempotency_key: KEY_EXAMPLE, ...example } },
    ]),
  );
  return {
    put: {
      operationId: `${id}Submit`,
      tags: [group],
      summary: action.summary,
      description: "Returns at once with `status: processing`; poll the GET of the same path or take the webhook.",
      parameters: parameters(submitQuery),
      requestBody: { required: true, content: { "application/json": { schema: asSchema(schema.request), examples } } },
      responses: {
        "200": {
          ...answer(
            "The first snapshot of the operation; in a dry run what it would cost",
            Type.Union([schema.response, DryRun]),
          ),
          headers: { "Idempotent-Replayed": { description: "true on a replay", schema: { type: "string" } } },
          links: {
            read: {
              operationId: `${id}Read`,
              parameters: { id: `$response.body#/${action.wrapper}/id` },
              description: "The operation's current state",
            },
          },
        },
        "402": shared("InsufficientCredits"),
        ...WRITE_ERRORS,
      },
    },
    get: {
      operationId: `${id}Read`,
      tags: [group],
      summary: `State of ${action.name}`,
      parameters: parameters(readQuery),
      responses: { "200": answer("The operation", schema.response), ...NOT_FOUND, ...READ_ERRORS },
    },
  };
}

const FileAnswer = Type.Object({
  file: Type.Object({
    id: Type.String(),
    url: Type.String({ format: "uri", description: "Signed; works as the url of an AudioSource" }),
    expires_at: Type.String({ format: "date-time" }),
    duration: Type.Number({ description: "Seconds" }),
  }),
});
const AnyOperation = Type.Object(
  {},
  { additionalProperties: true, description: "The operation under its action's wrapper" },
);
const binary = { schema: { type: "string", format: "binary" } as OpenAPIV3_1.SchemaObject };

/** The routes that belong to no action. */
export const DETAILS = {
  health: {
    operationId: "health",
    tags: ["service"],
    summary: "Whether work can be accepted",
    description: "Found out at most once a second, for all callers together.",
    security: [],
    responses: { "200": answer("Yes", Type.Object({ status: Type.Literal("ok") })), "503": shared("Unavailable") },
  },
  uploadFile: {
    operationId: "uploadFile",
    tags: ["files"],
    summary: "Upload a WAV, MP3 or FLAC file of up to 50 MB, to be used as a source",
    description: "The raw file is the body. An upload lives for 24 hours after its last use.",
    requestBody: { required: true, content: { "audio/flac": binary, "audio/wav": binary, "audio/mpeg": binary } },
    responses: { "200": answer("The stored file", FileAnswer), "413": shared("TooLarge"), ...NO_ROOM, ...READ_ERRORS },
  },
  readFile: {
    operationId: "readFile",
    tags: ["files"],
    summary: "A fresh URL of an upload",
    parameters: parameters(fileQuery),
    responses: { "200": answer("The stored file", FileAnswer), ...NOT_FOUND, ...READ_ERRORS },
  },
  account: {
    operationId: "readAccount",
    tags: ["account"],
    summary: "Credits, limits and webhook options",
    responses: {
      "200": answer(
        "The account of the key",
        Type.Object({
          account: Type.Object({
            id: Type.String(),
            credits: Type.Integer(),
            limits: Type.Object({
              put_per_minute: Type.Integer(),
              get_per_minute: Type.Integer(),
              long_polls: Type.Integer(),
              uploads_open: Type.Integer(),
              upload_bytes: Type.Object({ limit: Type.Integer(), used: Type.Integer() }),
              free_seconds: Type.Object({
                limit: Type.Integer(),
                used: Type.Number(),
                resets_at: Type.String({ format: "date-time" }),
              }),
            }),
            webhooks: Type.Object({
              body: Type.Union([Type.Literal("operation"), Type.Literal("envelope")]),
              long_retries: Type.Boolean(),
            }),
          }),
        }),
      ),
      ...READ_ERRORS,
    },
  },
  operations: {
    operationId: "listOperations",
    tags: ["operations"],
    summary: "The account's operations, newest first",
    parameters: parameters(listQuery),
    responses: {
      "200": answer(
        "A page",
        Type.Object({
          operations: Type.Array(
            Type.Object({ action: Type.String(), id: Type.String() }, { additionalProperties: true }),
          ),
          next_cursor: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
      ...READ_ERRORS,
    },
  },
  cancel: {
    operationId: "cancelOperation",
    tags: ["operations"],
    summary: "Cancel an operation; credits come back while no work has begun",
    description: "What has ended already is answered unchanged.",
    requestBody: { required: true, content: json(operationBody.schema) },
    responses: { "200": answer("The operation", AnyOperation), ...NOT_FOUND, ...WRITE_ERRORS },
  },
  redeliver: {
    operationId: "redeliverOperation",
    tags: ["operations"],
    summary: "Send the webhook of an operation that has ended again",
    description:
      "Same webhook-id and body, a fresh timestamp, and a new schedule of retries. 422 where the operation has no webhook; 429 after ten times, then once every six minutes.",
    requestBody: { required: true, content: json(operationBody.schema) },
    responses: { "200": answer("The operation", AnyOperation), ...NOT_FOUND, ...WRITE_ERRORS },
  },
  capabilities: {
    operationId: "capabilities",
    tags: ["service"],
    summary: "Actions, their costs and engines",
    responses: {
      "200": answer(
        "What this installation can do",
        Type.Object(
          {
            version: Type.String(),
            actions: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
          },
          { additionalProperties: true },
        ),
      ),
      ...READ_ERRORS,
    },
  },
} satisfies Record<string, Detail>;

/** Everything of the document but its paths. */
export function documentation(base_url: string): Partial<OpenAPIV3_1.Document> {
  return {
    info: {
      title: "Tonwerk",
      version: API_VERSION,
      description:
        "Asynchronous audio generation and adaptation. Submit with PUT, read with GET, results are FLAC at signed URLs.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base_url }],
    security: [{ api_key: [] }],
    components: {
      securitySchemes: { api_key: { type: "http", scheme: "bearer", description: "API key, tonwerk_…" } },
      responses: RESPONSES,
    },
  };
}
