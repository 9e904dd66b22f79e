/** Uploads. */
import { Type } from "@sinclair/typebox";
import type { OpenAPIV3_1 } from "openapi-types";
import { named } from "../../../core/surface.ts";
import {
  asSchema,
  type Described,
  jsonResponse,
  NOT_FOUND,
  READ_ERRORS,
  REPLAYED,
  sharedResponse,
  UPLOAD_ERRORS,
  WRITE_ERRORS,
} from "./details.ts";
import { exampleKey } from "./examples.ts";

const UploadedFile = named(
  "UploadedFile",
  Type.Object({
    id: Type.String({ pattern: "^file_[0-9a-z]{26}$", description: "File id" }),
    name: Type.Unsafe({ type: ["string", "null"], description: "As it was given with the upload" }),
    url: Type.String({ format: "uri", description: "Signed; works as the url of an AudioSource" }),
    expires_at: Type.String({ format: "date-time", description: "The URL stops working then" }),
    duration: Type.Number({ description: "Seconds" }),
    bytes: Type.Integer({ description: "Its size" }),
    content_type: Type.String({ description: "By its content: `audio/wav`, `audio/mpeg` or `audio/flac`" }),
    created_at: Type.String({ format: "date-time", description: "When it was uploaded" }),
    kept_until: Type.String({ format: "date-time", description: "It is deleted then unless it is used: 24 hours" }),
    in_use: Type.Boolean({ description: "As a source, by an operation that has not ended" }),
  }),
);
const FileAnswer = named("FileAnswer", Type.Object({ file: { ...UploadedFile, description: "The stored file" } }));
const binary = { schema: { type: "string", format: "binary" } as OpenAPIV3_1.SchemaObject };
const UploadToken = named(
  "UploadToken",
  Type.Object({
    token: Type.String({ description: "For `Authorization: Bearer`, of `PUT /v1/files` alone" }),
    expires_at: Type.String({ format: "date-time", description: "It is refused from then on" }),
    uploads: Type.Integer({ description: "Files that it stands for" }),
    bytes: Type.Integer({ description: "Bytes that it stands for, of all these files together" }),
    origin: Type.Unsafe({ type: ["string", "null"], description: "The only origin whose pages may use it" }),
  }),
);
const TokenAnswer = named(
  "UploadTokenAnswer",
  Type.Object({ upload_token: { ...UploadToken, description: "Shown this once" } }),
);
const FilePage = named(
  "FilePage",
  Type.Object({
    files: Type.Array(UploadedFile, { description: "Newest first" }),
    next_cursor: Type.Unsafe({ type: ["string", "null"], description: "For the next page; null on the last" }),
    file: Type.Optional({ ...UploadedFile, description: "Where `id` was asked for" }),
  }),
);
const DeletedFile = named(
  "DeletedFile",
  Type.Object({
    file: Type.Object(
      {
        id: Type.String({ description: "File id" }),
        deleted: Type.Boolean({ description: "Always true" }),
        in_use: Type.Boolean({ description: "An operation still reads it; its bytes count until that has ended" }),
      },
      { description: "What is gone" },
    ),
  }),
);
const ID = "file_01ke9mzw5r3v8d2k7q4n6b1xyz";
const FILE = {
  id: ID,
  name: "take 1.flac",
  url: `https://tonwerk.example/audio/files/${ID}.flac?expires=1767326645&signature=x`,
  expires_at: "2026-01-02T04:04:05.000Z",
  duration: 12.5,
  bytes: 1_482_345,
  content_type: "audio/flac",
  created_at: "2026-01-02T03:04:05.000Z",
  kept_until: "2026-01-03T03:04:05.000Z",
  in_use: false,
};
const EXAMPLE = { file: { value: { file: FILE } } };
const ID_IN_PATH = {
  name: "id",
  in: "path",
  required: true,
  description: "File id",
  schema: asSchema(Type.String({ pattern: "^file_[0-9a-z]{26}$" })),
};
const KEY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A UUID: sent again with the same bytes, the answer is the upload that is there already",
  example: exampleKey("upload"),
  schema: asSchema(Type.String({ format: "uuid" })),
};

export const FILES: readonly Described[] = [
  {
    method: "PUT",
    path: "/v1/files",
    detail: {
      operationId: "files_upload",
      tags: ["files"],
      summary: "Upload a WAV, MP3 or FLAC file of up to 50 MB, to be used as a source",
      description:
        "The raw file is the body. An upload lives for 24 hours after its last use. An idempotency key belongs to it for as long; with other bytes it is a 422.",
      parameters: [KEY_HEADER],
      requestBody: {
        required: true,
        content: {
          "application/octet-stream": binary,
          "audio/flac": binary,
          "audio/wav": binary,
          "audio/mpeg": binary,
        },
      },
      responses: {
        "200": { ...jsonResponse("The stored file", FileAnswer, EXAMPLE), headers: REPLAYED },
        "413": sharedResponse("TooLarge"),
        ...UPLOAD_ERRORS,
        ...READ_ERRORS,
      },
    },
  },
  {
    method: "GET",
    path: "/v1/files",
    detail: {
      operationId: "files_list",
      tags: ["files"],
      summary: "The account's uploads, newest first",
      description: "To be listed is no use. With `id` that one alone, as `GET /v1/files/{id}` answers it.",
      responses: {
        "200": jsonResponse("A page", FilePage, { page: { value: { files: [FILE], next_cursor: null } } }),
        ...NOT_FOUND,
        ...READ_ERRORS,
      },
    },
  },
  {
    method: "GET",
    path: "/v1/files/{id}",
    detail: {
      operationId: "files_read",
      tags: ["files"],
      summary: "An upload, with a fresh URL",
      description: "As it was answered when the file was uploaded, signed anew, which counts as a use.",
      parameters: [ID_IN_PATH],
      responses: { "200": jsonResponse("The stored file", FileAnswer, EXAMPLE), ...NOT_FOUND, ...READ_ERRORS },
    },
  },
  {
    method: "DELETE",
    path: "/v1/files/{id}",
    detail: {
      operationId: "files_delete",
      tags: ["files"],
      summary: "Delete an upload",
      description:
        "What is gone already, and what never was, is answered alike. An operation under way that reads it goes on; its bytes count until that has ended.",
      parameters: [ID_IN_PATH],
      responses: {
        "200": jsonResponse("It is gone", DeletedFile, {
          deleted: { value: { file: { id: ID, deleted: true, in_use: false } } },
        }),
        ...NOT_FOUND,
        ...READ_ERRORS,
      },
    },
  },
  {
    method: "POST",
    path: "/v1/upload_tokens",
    detail: {
      operationId: "upload_tokens_create",
      tags: ["upload_tokens"],
      summary: "A token with which a page may upload, for 15 minutes at most",
      description:
        "Your server makes it, with its key; a page sends it as Bearer with `PUT /v1/files`, and nothing else takes it. Revoking the key ends it.",
      responses: {
        "200": jsonResponse("The token", TokenAnswer, {
          token: {
            value: {
              upload_token: {
                token: "tonwerk_upload_x.y",
                expires_at: "2026-01-02T03:19:05.000Z",
                uploads: 1,
                bytes: 50_000_000,
                origin: "https://app.example.com",
              },
            },
          },
        }),
        ...WRITE_ERRORS,
      },
    },
    examples: { page: { value: { uploads: 1, origin: "https://app.example.com" } } },
  },
];
