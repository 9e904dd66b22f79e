/** What an operation of an action looks like, for trying receivers: values by its schema. */
import { type Action, type Document, type Schema, settle } from "./document.ts";

/** The body of a delivery: an operation that has ended as `status`. */
export function sampleBody(document: Document, action: Action, status: "ready" | "failed"): object {
  const { operation, wrapper } = action;
  const sampled = Object.entries(operation.properties!).map(([name, schema]) => [name, sample(document, schema, name)]);
  const fields = Object.fromEntries(sampled) as Record<string, unknown>;
  const ended =
    status === "ready"
      ? { error: null, progress: 1 }
      : {
          error: { code: "internal_error", message: "A sample, sent by tonwerk trigger" },
          ...("output" in fields ? { output: null } : { outputs: null }),
        };
  return { [wrapper]: { ...fields, status, stage: null, queue_position: null, ...ended } };
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
