/** The options of an action's command, derived from the schema of its request. */
import { type Action, type Document, type Schema, settle } from "./document.ts";

export interface Field {
  /** `target-lufs` for `--target-lufs`. */
  readonly option: string;
  /** Where its value stands in the body. */
  readonly path: readonly string[];
  /**
   * `block`: an object that is sent as {} unless fields of it are named. `pairs`: `name=value`. `json`: everything
   * else.
   */
  readonly kind: "text" | "number" | "boolean" | "source" | "block" | "pairs" | "json";
  readonly many: boolean;
  readonly required: boolean;
  /** Words that it may be; empty: any. */
  readonly words: readonly string[];
  /** A time, which may be said as `2h` or `7d` ago. */
  readonly is_time: boolean;
  /** Text of many lines, which people keep in files. */
  readonly is_long: boolean;
  readonly description: string;
}

/** Options that every action has; a field of one of these names is `--set-<name>`. */
export const SHARED_OPTIONS = {
  output: "a file, a folder, or - for standard output",
  format: "flac, wav, mp3 or opus; else what the file's name says, or flac",
  zip: "stems as one archive, as --format zip",
  "dry-run": "only say what it would cost and what the words are taken for; nothing is uploaded",
  "idempotency-key": "a UUID; the same request under the same key is made and charged once",
  jobs: "how many at once where there are several (4)",
  profile: "the profile to use",
  json: "one JSON object a line, as where output is no terminal",
  quiet: "no progress",
  help: "this page",
} as const;
export const SHARED_FLAGS: ReadonlySet<string> = new Set(["zip", "dry-run", "json", "quiet", "help"]);

/** From here on a text is one of many lines. */
const LONG = 2_000;

export function fieldsOf(document: Document, { request }: Action): readonly Field[] {
  return fieldsIn(document, request);
}

/** Of a submission's headers: `--test-outcome`. */
export const headerFields = (document: Document, { headers }: Action): readonly Field[] =>
  fieldsIn(document, { properties: headers });

/** Of any object that a request has. */
export function fieldsIn(document: Document, object: Schema): readonly Field[] {
  const { idempotency_key: _, ...properties } = object.properties ?? {};
  return listFields(document, { ...object, properties }, [], new Set(Object.keys(properties)));
}

function listFields(
  document: Document,
  object: Schema,
  parents: readonly string[],
  taken: ReadonlySet<string>,
): readonly Field[] {
  return Object.entries(object.properties ?? {}).flatMap(([name, given]) => {
    const schema = settle(document, given);
    const path = [...parents, name];
    const items = schema.type === "array" && schema.items !== undefined ? settle(document, schema.items) : undefined;
    const one = items ?? schema;
    const kind = kindOf(one);
    // A field of a block goes by its own name where nothing else has it.
    const full = parents.length > 0 && taken.has(name) ? path.join("_") : name;
    // `--timeout 60`, whose help says the unit.
    const dashed = full
      .replace(/_seconds$/u, "")
      .replaceAll("_", "-")
      .toLowerCase();
    const field: Field = {
      option: Object.hasOwn(SHARED_OPTIONS, dashed) ? `set-${dashed}` : dashed,
      path,
      kind,
      many: items !== undefined,
      required: parents.length === 0 && (object.required ?? []).includes(name),
      words: (one.enum ?? []).filter((word) => word !== null).map(String),
      is_time: one.format === "date-time",
      is_long: kind === "text" && (one.maxLength ?? 0) > LONG && one.format === undefined,
      description: schema.description ?? "",
    };
    return kind === "block" && items === undefined ? [field, ...listFields(document, one, path, taken)] : [field];
  });
}

function kindOf(schema: Schema): Field["kind"] {
  switch (schema.type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "object":
      if (schema.properties?.url?.format === "uri") return "source";
      if (schema.properties !== undefined) return "block";
      return schema.additionalProperties === false ? "json" : "pairs";
    default:
      return "json";
  }
}

/**
 * What words without an option are: the sources that no option names, in the request's order; of an action without
 * required sources the prompt, or else its first required text.
 */
export function wordFields(fields: readonly Field[], named: ReadonlySet<string>): readonly Field[] {
  const sources = fields.filter(({ kind, required, many }) => kind === "source" && required && !many);
  if (sources.length > 0) return sources.filter(({ option }) => !named.has(option));
  const list = fields.find(({ kind, many, option }) => kind === "source" && many && named.has(option));
  if (list !== undefined) return [list];
  const texts = fields.filter(({ kind, words }) => kind === "text" && words.length === 0);
  const text = texts.find(({ option }) => option === "prompt") ?? texts.find(({ required }) => required);
  // Of an action without either, the source that may be left out because there is another way to send audio.
  const one = text ?? fields.find(({ kind, many }) => kind === "source" && !many);
  return one === undefined || named.has(one.option) ? [] : [one];
}
