/** The audio of outputs. */
import { type Described, type Detail, NOT_FOUND, sharedResponse } from "./details.ts";

/** As core routes it: what is behind is a key of the bucket. */
export const DOWNLOAD_PATH = "/audio/*";

const FLAC = { "audio/flac": { schema: { type: "string" as const, format: "binary" } } };

/**
 * Not called with these parts: the URL of an output is used as it is. `more`: what a surface says that delivers other
 * forms.
 */
export function describeDownload(more: Detail = {}): Described {
  return {
    method: "GET",
    path: "/audio/op/{operation}/{attempt}/{file}",
    detail: {
      operationId: "outputs_download",
      tags: ["outputs"],
      summary: "The audio of an output",
      description: "What the signed `url` of an output names. Whole, or by one byte range; needs no key.",
      security: [],
      parameters: [
        ...["operation", "attempt", "file"].map((name) => part("path", name, `Of the output's \`url\``)),
        part("query", "expires", "Seconds since 1970; the URL stops working then"),
        part("query", "signature", "Of path and query"),
        ...(more.parameters ?? []),
        { ...part("header", "Range", "One range: `bytes=0-1023`"), required: false },
        { ...part("header", "If-None-Match", "The `ETag` of what the client has"), required: false },
      ],
      responses: {
        "200": { description: "The file", content: FLAC },
        "206": { description: "The range", content: FLAC },
        "302": { description: "The file is at `Location`, an address of the bucket's own" },
        "304": { description: "The client has it" },
        "403": sharedResponse("Forbidden"),
        "416": sharedResponse("RangeNotSatisfiable"),
        ...NOT_FOUND,
        ...more.responses,
      },
    },
  };
}
function part(place: string, name: string, description: string) {
  return { name, in: place, required: true, description, schema: { type: "string" as const } };
}
