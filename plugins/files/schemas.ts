/** What the routes of uploads take: queries, and the body of a token. */
import { Type } from "@sinclair/typebox";

export const FILE_ID = /^file_[0-9a-z]{26}$/;
const file = (description: string) => Type.String({ pattern: FILE_ID.source, description });
export const filesQuery = Type.Object({
  id: Type.Optional(file("Only this one, which the answer has as `file` too; `GET /v1/files/{id}` says the same")),
  cursor: Type.Optional(file("`next_cursor` of the page before")),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: "Most entries of a page: 50 where it is not given" }),
  ),
});

export const uploadQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: "^[^\\u0000-\\u001f\\u007f]*$",
      description: "What lists call it; without control characters",
    }),
  ),
});

export const uploadTokenBody = Type.Object(
  {
    seconds: Type.Integer({ minimum: 1, maximum: 900, default: 900, description: "How long it may be used" }),
    uploads: Type.Integer({ minimum: 1, maximum: 100, default: 1, description: "Files that it stands for" }),
    bytes: Type.Integer({
      minimum: 1,
      maximum: 5_000_000_000,
      default: 50_000_000,
      description: "Bytes that it stands for, of all these files together",
    }),
    origin: Type.Optional(
      Type.String({
        pattern: "^https?://[^/?#@]+$",
        maxLength: 300,
        description: "The only origin whose pages may use it, such as https://app.example.com",
      }),
    ),
  },
  { additionalProperties: false },
);
