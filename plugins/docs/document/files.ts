/** Uploads. */
import { Type } from "@sinclair/typebox";
import type { OpenAPIV3_1 } from "openapi-types";
import { named } from "../../../core/surface.ts";
import { type Described, jsonResponse, NOT_FOUND, READ_ERRORS, sharedResponse, UPLOAD_ERRORS } from "./details.ts";

const UploadedFile = named(
  "UploadedFile",
  Type.Object({
    id: Type.String({ pattern: "^file_[0-9a-z]{26}$", description: "File id" }),
    url: Type.String({ format: "uri", description: "Signed; works as the url of an AudioSource" }),
    expires_at: Type.String({ format: "date-time", description: "The URL stops working then" }),
    duration: Type.Number({ description: "Seconds" }),
  }),
);
const FileAnswer = named("FileAnswer", Type.Object({ file: { ...UploadedFile, description: "The stored file" } }));
const binary = { schema: { type: "string", format: "binary" } as OpenAPIV3_1.SchemaObject };
const EXAMPLE = {
  file: {
    value: {
      file: {
        id: "file_01ke9mzw5r3v8d2k7q4n6b1xyz",
        url: "https://tonwerk.example/audio/files/file_01ke9mzw5r3v8d2k7q4n6b1xyz.flac?expires=1767326645&signature=x",
        expires_at: "2026-01-02T04:04:05.000Z",
        duration: 12.5,
      },
    },
  },
};

export const FILES: readonly Described[] = [
  {
    method: "PUT",
    path: "/v1/files",
    detail: {
      operationId: "files_upload",
      tags: ["files"],
      summary: "Upload a WAV, MP3 or FLAC file of up to 50 MB, to be used as a source",
      description: "The raw file is the body. An upload lives for 24 hours after its last use.",
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
        "200": jsonResponse("The stored file", FileAnswer, EXAMPLE),
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
      operationId: "files_read",
      tags: ["files"],
      summary: "A fresh URL of an upload",
      description: "As it was answered when the file was uploaded, signed anew.",
      responses: { "200": jsonResponse("The stored file", FileAnswer, EXAMPLE), ...NOT_FOUND, ...READ_ERRORS },
    },
  },
];
