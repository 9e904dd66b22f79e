/**
 * Writes the OpenAPI description of the sidecars' protocol from the schemas that Tonwerk checks servers by: `bun
 * scripts/sidecar_openapi.ts`.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Type } from "@sinclair/typebox";
import { StemName } from "../runners/models/fields.ts";
import { FRAMES_TYPE } from "../runners/models/sidecars/frames.ts";
import { AudioLine } from "../runners/models/sidecars/job_reader.ts";
import { Health, PROTOCOL } from "../runners/models/sidecars/own.ts";

const job = Type.String({
  pattern: "^[A-Za-z0-9._-]{1,100}$",
  description: "A name that the client makes up; `DELETE /v1/jobs/{job}` cancels by it, as closing the connection does",
});

const schemas = {
  Health,
  Generate: Type.Object({
    job,
    prompt: Type.String({ description: "Of a remix it may be empty" }),
    lyrics: Type.Optional(
      Type.String({
        description:
          "What is to be sung, with its markers: a piece of the task `song`, or `remix_song`. Absent: of `generate`, or `remix`; nobody sings",
      }),
    ),
    seconds: Type.Number({ exclusiveMinimum: 0, description: "At most the task's `seconds_max`" }),
    seed: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
  }),
  SeparateLine: Type.Object({ job, stems: Type.Array(StemName, { minItems: 1, uniqueItems: true }) }),
  AudioLine,
  ProgressLine: Type.Object({
    type: Type.Literal("progress"),
    fraction: Type.Number({ minimum: 0, maximum: 1, description: "Never falls" }),
    stage: Type.Optional(Type.String({ description: "A word or two" })),
  }),
  DoneLine: Type.Object({ type: Type.Literal("done") }),
  ErrorLine: Type.Object({
    type: Type.Literal("error"),
    code: Type.Union([Type.Literal("out_of_memory"), Type.Literal("cancelled"), Type.Literal("failed")]),
    message: Type.String(),
  }),
  Refusal: Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }),
};

const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: keyof typeof schemas) => ({ "application/json": { schema: ref(name) } });
const refusal = (description: string, headers?: object) => ({
  description,
  ...(headers === undefined ? {} : { headers }),
  content: json("Refusal"),
});
const refused = {
  400: refusal("The body is none, or asks for what there is not"),
  401: refusal("The token is missing or wrong"),
  503: refusal("It works for somebody else, or has not loaded", {
    "Retry-After": { schema: { type: "integer" }, description: "s" },
  }),
};
const FRAMES =
  "Lines of JSON in UTF-8, each ended by a line feed. Behind a line that has `bytes` come exactly so many bytes, and then the next line. Empty lines mean nothing.";
const made = {
  description: `${FRAMES} ProgressLine, AudioLine with its samples (channel after channel, single precision, little-endian), and at the end DoneLine or ErrorLine.`,
  content: {
    [FRAMES_TYPE]: {
      schema: { type: "string", format: "binary" },
      "x-lines": ["ProgressLine", "AudioLine", "DoneLine", "ErrorLine"].map((name) =>
        ref(name as keyof typeof schemas),
      ),
    },
  },
};
const accepted = { description: "It has begun; `status` of the health says when it is done" };

export const sidecarDocument = {
  openapi: "3.1.0",
  info: {
    title: "Sidecar of Tonwerk",
    version: String(PROTOCOL),
    summary: "A model in a server of its own",
    description: "docs/sidecars.md says it in words.",
    license: { name: "MIT" },
  },
  security: [{}, { token: [] }],
  paths: {
    "/v1/health": {
      get: {
        summary: "What it is and how it is",
        operationId: "health",
        responses: { 200: { description: "At once, whatever it does", content: json("Health") }, 401: refused[401] },
      },
    },
    "/v1/load": {
      post: { summary: "Read the weights", operationId: "load", responses: { 202: accepted, 401: refused[401] } },
    },
    "/v1/unload": {
      post: {
        summary: "Give weights and memory back",
        operationId: "unload",
        responses: { 202: accepted, 401: refused[401] },
      },
    },
    "/v1/generate": {
      post: {
        summary: "Make a piece",
        operationId: "generate",
        requestBody: {
          required: true,
          description: `JSON; where another piece is made anew (\`remix\`, \`remix_song\`) that line, then AudioLine with the piece, at the task's \`sample_rate\` and no longer than its \`seconds_max\`. ${FRAMES}`,
          content: {
            ...json("Generate"),
            [FRAMES_TYPE]: {
              schema: { type: "string", format: "binary" },
              "x-lines": [ref("Generate"), ref("AudioLine")],
            },
          },
        },
        responses: { 200: made, ...refused },
      },
    },
    "/v1/separate": {
      post: {
        summary: "Take a mix apart",
        operationId: "separate",
        requestBody: {
          required: true,
          description: `${FRAMES} SeparateLine, then AudioLine with its samples, at the task's \`sample_rate\`.`,
          content: {
            [FRAMES_TYPE]: {
              schema: { type: "string", format: "binary" },
              "x-lines": [ref("SeparateLine"), ref("AudioLine")],
            },
          },
        },
        responses: { 200: made, ...refused },
      },
    },
    "/v1/jobs/{job}": {
      delete: {
        summary: "Cancel a job",
        operationId: "cancel",
        parameters: [{ name: "job", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          204: { description: "Its answer ends with an ErrorLine of the code `cancelled`" },
          401: refused[401],
          404: refusal("There is no such job"),
        },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
    schemas,
  },
};

export const DOCUMENT = fileURLToPath(new URL("../docs/sidecar.openapi.json", import.meta.url));

if (import.meta.main) writeFileSync(DOCUMENT, `${JSON.stringify(sidecarDocument, null, 2)}\n`);
