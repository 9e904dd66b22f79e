/** What an operation of an action looks like, for trying receivers: values by its schema. */
import { type Action, type Document, type Schema, settle } from "./document.ts";

export const EVENTS = ["started", "ready", "failed"] as const;
export type EndOrStart = (typeof EVENTS)[number];

/** The body of a delivery: an operation that has begun or ended. */
export function sampleBody(document: Document, action: Action, event: EndOrStart): object {
  const { operation, wrapper } = action;
  const sampled = Object.entries(operation.properties!).map(([name, schema]) => [name, sample(document, schema, name)]);
  const fields = Object.fromEntries(sampled) as Record<string, unknown>;
  const results = Object.keys(fields).filter((name) => ["output", "outputs", "report", "archive"].includes(name));
  const made = event === "ready" ? {} : Object.fromEntries(results.map((name) => [name, null]));
  const error = event === "failed" ? { code: "internal_error", message: "A sample, sent by tonwerk trigger" } : null;
  const now =
    event === "started"
      ? { status: "processing", progress: 0, stage: "starting", completed_at: null }
      : { status: event, progress: event === "ready" ? 1 : 0, stage: null };
  return { [wrapper]: { ...fields, ...made, ...now, error, queue_position: null } };
}

const BYTE = "0";
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

function sample(document: Document, given: Schema, name: string): unknown {
  const schema = settle(document, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, sample(document, inner, field)]),
      );
    case "array":
      return schema.items === undefined ? [] : [sample(document, schema.items, name)];
    case "number":
    case "integer":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    case "string":
      return sampleText(schema, name);
    default:
      return null;
  }
}

function sampleText({ format, pattern }: Schema, name: string): string {
  if (format === "date-time") return new Date().toISOString();
  if (format === "uuid") return crypto.randomUUID();
  if (format === "uri") return "https://example.com/sample.flac";
  if (pattern?.includes("op_") === true) {
    const random = crypto.getRandomValues(new Uint8Array(26));
    return `op_${Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
  }
  return pattern?.includes("{64}") === true ? BYTE.repeat(64) : name;
}
