/** What each key of a declaration may hold: one schema, whose descriptions say what was expected. */
import { type TSchema, Type } from "@sinclair/typebox";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { AnyAction } from "../../../contract/mod.ts";
import { describeValue } from "../../actions/faults.ts";
import { SHORT_SECONDS_MAX } from "../../actions/long_sources.ts";
import { RESERVED_FIELDS } from "../../actions/schema.ts";
import { FAILURES } from "../../base/error_codes.ts";
import { findNearest } from "../../base/nearest.ts";

/**
 * Bytes and seconds that no declaration may exceed: what a worker's memory is sized for. See long_sources.ts for what
 * may.
 */
const BYTES_MAX = 50_000_000;
/** Entries of a repeated source: what the disk of a job and the 64 KiB of a body have room for. */
const REPEATED_MAX = 100;
/** Outputs that come together: players and archives show them all. */
const NAMES_MAX = 16;
/** A word in snake_case that is none of `taken`. */
const word = (description: string, taken: Iterable<string> = []): TSchema =>
  Type.String({ pattern: `^(?!(${[...taken].join("|")})$)[a-z][a-z0-9_]*$`, description });
const oneOf = (...words: readonly string[]): TSchema =>
  Type.Union(
    words.map((one) => Type.Literal(one)),
    { description: `one of ${words.join(", ")}` },
  );
const list = (of: TSchema, description: string, options = {}): TSchema => Type.Array(of, { description, ...options });
const record = (keys: TSchema, of: TSchema, description: string): TSchema =>
  Type.Record(keys, of, { additionalProperties: false, description });
const closed = (properties: Readonly<Record<string, TSchema>>, description: string): TSchema =>
  Type.Object(properties, { additionalProperties: false, description });

const whole = (minimum: number, maximum: number): TSchema =>
  Type.Integer({ minimum, maximum, description: `a whole number of ${minimum} to ${maximum}` });
const trueOrAbsent = Type.Optional(Type.Literal(true, { description: "true or absent" }));
const variable = (description: string): TSchema =>
  Type.String({ pattern: "^(?!TONWERK_)[A-Z][A-Z0-9_]*$", description });
/** A `Type.Object`, and what its properties are. */
const object = (properties?: TSchema): TSchema =>
  Type.Object(
    {
      type: Type.Literal("object", { description: "that of a Type.Object" }),
      ...(properties === undefined ? {} : { properties }),
    },
    { description: "a Type.Object" },
  );

const text = Type.String({ minLength: 1, description: "a text" });
const fieldName = word("a name in snake_case", RESERVED_FIELDS);
const fieldNames = `fields in snake_case, none of them core's own (${[...RESERVED_FIELDS].join(", ")})`;
const callable = Type.Function([], Type.Unknown(), { description: "a function" });
const seconds = Type.Number({
  exclusiveMinimum: 0,
  maximum: SHORT_SECONDS_MAX,
  description: `above 0, to ${SHORT_SECONDS_MAX}`,
});

/** Types of settings that a text in the environment can be. */
export const SETTING_KINDS = ["String", "Number", "Integer", "Boolean", "Union"];
const setting = Type.Object(
  {
    env: variable("the name of a variable such as ACME_TOKEN, none of Tonwerk's own"),
    secret: Type.Optional(Type.Boolean({ description: "true or false" })),
    description: Type.String({ minLength: 1, description: "a text that tells the operator what it is for" }),
  },
  { description: "a type with env and description" },
);

const host = Type.String({
  pattern: "^[a-z0-9.-]+(:\\d+)?$",
  description: "a host such as api.example.com or api.example.com:8443",
});
/** Commas part paths where the runtime is told of them. */
const path = Type.String({ pattern: "^/[^,]*$", description: "an absolute path without a comma" });

/** What clients already have beside the resources of actions. */
const CLIENT_NAMES = ["account", "capabilities", "files", "health", "operations", "webhooks"];

const day = Type.String({
  pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
  description: "a day as 2026-11-23",
});

/**
 * What each key holds. A `description` is what a refusal says was expected. Keys of the contract that are missing here
 * do not compile.
 */
const KEYS = {
  name: Type.String({
    pattern: "^(?!operations\\.)[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$",
    description: '"group.action" in snake_case, of another group than operations',
  }),
  wrapper: word("snake_case"),
  resource: Type.Optional(word("a name in snake_case that clients have not taken", CLIENT_NAMES)),
  command: Type.Optional(Type.String({ pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$", description: "words with dashes" })),
  deprecated: Type.Optional(
    closed({ since: day, sunset: Type.Optional(day) }, "an object of days: since and, where it is decided, sunset"),
  ),
  summary: Type.String({
    pattern: "^\\S.{9,198}\\S$",
    description: "one sentence of 11 to 200 characters on one line",
  }),
  request: object(record(fieldName, Type.Object({}), fieldNames)),
  sources: record(
    fieldName,
    closed(
      {
        seconds_min: seconds,
        seconds_max: seconds,
        bytes_max: whole(1, BYTES_MAX),
        optional: trueOrAbsent,
        repeated: Type.Optional(whole(1, REPEATED_MAX)),
        long: trueOrAbsent,
        whole_seconds: Type.Optional(seconds),
      },
      "an object of limits",
    ),
    `sources: ${fieldNames}`,
  ),
  config: Type.Optional(object(record(word("a name"), setting, "settings in snake_case"))),
  exactly_one_of: Type.Optional(list(text, "a list of optional fields")),
  echo: list(text, "a list of fields"),
  echo_sent: Type.Optional(list(text, "a list of fields")),
  outputs_of: Type.Optional(text),
  output: Type.Union(
    [
      oneOf("single", "variations", "stems", "report"),
      Type.Record(word("a name", ["report"]), text, {
        additionalProperties: false,
        minProperties: 1,
        maxProperties: NAMES_MAX,
      }),
    ],
    {
      description: `one of single, variations, stems, report, or 1 to ${NAMES_MAX} names in snake_case with what each output is`,
    },
  ),
  report: Type.Optional(object()),
  understand: Type.Optional(closed({ schema: object(), read: callable }, "an object of schema and read")),
  side_by_side: trueOrAbsent,
  fetch: Type.Optional(
    closed(
      {
        hosts: Type.Optional(list(host, "a list of at least one host", { minItems: 1 })),
        hosts_of: Type.Optional(list(text, "a list of at least one setting", { minItems: 1 })),
        bytes_max: Type.Optional(whole(1, 100_000_000)),
        seconds_max: Type.Optional(whole(1, 600)),
      },
      "an object of hosts, hosts_of, bytes_max and seconds_max",
    ),
  ),
  isolation: Type.Optional(Type.Literal("process", { description: "process or absent" })),
  permissions: Type.Optional(
    closed(
      {
        hosts: Type.Optional(list(host, "a list of hosts")),
        read: Type.Optional(list(path, "a list of paths")),
        write: Type.Optional(list(path, "a list of paths")),
        env: Type.Optional(list(variable("a variable such as ACME_MODEL"), "a list of variables")),
        memory_mb: Type.Optional(whole(64, 65_536)),
        seconds: Type.Optional(whole(1, 86_400)),
      },
      "an object of hosts, read, write, env, memory_mb and seconds",
    ),
  ),
  work: oneOf("dsp", "generation"),
  seeded: Type.Boolean({ description: "true or false" }),
  level: oneOf("source", "peak", "loudness"),
  task: Type.Optional(Type.Union([text, list(text, "a list of texts")], { description: "a text, or a list of them" })),
  engine: text,
  policy: Type.Optional(
    closed({ fields: list(text, "a list of fields"), code: oneOf("content_policy", "tos_violation") }, "an object"),
  ),
  distinct_sources: Type.Optional(list(text, "a list of two sources", { minItems: 2, maxItems: 2, uniqueItems: true })),
  loudness: oneOf("never", "optional", "always"),
  failures: list(
    word("a code in snake_case that is not shared by all actions", Object.keys(FAILURES)),
    "a list of codes, each once",
    { uniqueItems: true },
  ),
  examples: list(Type.Object({}, { description: "an object" }), "a list of at least one request", { minItems: 1 }),
  priced_by: Type.Optional(Type.Literal("sources", { description: "sources or absent" })),
  cost: callable,
  work_seconds: Type.Optional(callable),
  check: Type.Optional(callable),
  setup: Type.Optional(callable),
  dispose: Type.Optional(callable),
  process: callable,
} satisfies Readonly<Record<Extract<keyof AnyAction, string>, TSchema>>;
const DECLARATION = closed(KEYS, `only ${Object.keys(KEYS).join(", ")}`);

/** Keys that are unknown, missing, or hold something else than they should. */
export function inspectKeys(action: AnyAction): Iterable<string> {
  const problems = new Map<string, string>();
  for (const error of Errors(DECLARATION, action)) {
    // The first error of a key is the fundamental one.
    if (!problems.has(error.path)) problems.set(error.path, describeFault(error));
  }
  return problems.values();
}

function describeFault({ type, path, schema, value }: ValueError): string {
  const key = path.slice(1).replaceAll("/", ".");
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys((schema.properties ?? {}) as object);
    const meant = known.length === 0 ? "" : `; did you mean "${findNearest(key.split(".").at(-1)!, known)}"?`;
    return `"${key}" is unknown, expected ${schema.description}${meant}`;
  }
  return `"${key}" must be ${schema.description}: it is ${value === undefined ? "missing" : describeValue(value)}`;
}
