/** The audio of outputs. */
import { type Described, NOT_FOUND, sharedResponse } from "./details.ts";

/** Not called with these parts: the URL of an output is used as it is. */
export const DOWNLOAD: Described = {
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
      { ...part("header", "Range", "One range: `bytes=0-1023`"), required: false },
    ],
    responses: {
      "200": { description: "The file", content: { "audio/flac": { schema: { type: "string", format: "binary" } } } },
      "206": { description: "The range", content: { "audio/flac": { schema: { type: "string", format: "binary" } } } },
      "302": { description: "The file is at `Location`, an address of the bucket's own" },
      "403": sharedResponse("Forbidden"),
      "416": sharedResponse("RangeNotSatisfiable"),
      ...NOT_FOUND,
    },
  },
};
function part(place: string, name: string, description: string) {
  return { name, in: place, required: true, description, schema: { type: "string" as const } };
}
