/**
 * A TypeBox schema -> a validator whose refusals are the 422 entries of the contract: one for every failing field, all
 * at once.
 *
 * Differences from plain TypeBox, each decided in docs/decisions.md: lengths count Unicode code points; null equals
 * absent; formats `uuid` and `uri` are checked; unknown fields are refused with `extra_forbidden`.
 */
import { Kind, type StringOptions, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { Errors, type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { Issue } from "../../contract/mod.ts";
import type { IssueType } from "../base/errors.ts";
import { canonicalUuid } from "../base/ids.ts";
import { checkUrl } from "../base/web_address.ts";

/** Most entries of one 422 body: a body of 64 KiB could otherwise ask for megabytes of answer. */
const ISSUES_MAX = 100;

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };
export type Validator = (value: unknown) => Validated<Record<string, unknown>>;

/**
 * Compiles `schema`. The validator drops nulls (null equals absent) and fills in defaults in a copy; `loc` of its
 * issues starts with `origin`.
 */
export function compileValidator(schema: TSchema, origin: "body" | "query" = "body"): Validator {
  const checker = TypeCompiler.Compile(checkable(schema));
  return (input) => {
    const value = withDefaults(schema, withoutNulls(input));
    if (checker.Check(value)) return { ok: true, value: value as Record<string, unknown> };
    const issues = new Map<string, Issue>();
    for (const error of checker.Errors(value)) {
      // The first error of a field is the fundamental one: `missing` comes before the type error of the same absence.
      if (!issues.has(error.path))
        issues.set(error.path, { loc: [origin, ...locate(error.path, value)], ...explain(error) });
      if (issues.size >= ISSUES_MAX) break;
    }
    return { ok: false, issues: [...issues.values()] };
  };
}

/** What a field would be refused for where it is left out; undefined: nothing. Compiles nothing, for it is asked once. */
export function findDefaultProblem(schema: TSchema): string | undefined {
  const error = schema.default === undefined ? undefined : Errors(checkable(schema), schema.default).First();
  return error === undefined ? undefined : explain(error).msg;
}

const TEXT = "Tonwerk:Text";

type TextSchema = StringOptions & { readonly compiled?: RegExp };

if (!TypeRegistry.Has(TEXT)) {
  TypeRegistry.Set(TEXT, (schema: unknown, value) => textProblem(schema as TextSchema, value) === undefined);
}

/** The schema with every string replaced by our own kind, and objects closed. */
function checkable(schema: TSchema): TSchema {
  if (schema[Kind] === "String") {
    const { pattern } = schema as StringOptions;
    return { ...schema, [Kind]: TEXT, ...(pattern === undefined ? {} : { compiled: new RegExp(pattern, "u") }) };
  }
  const copy: Record<PropertyKey, unknown> = { ...schema, [Kind]: schema[Kind] };
  if (schema.properties !== undefined) {
    const properties = schema.properties as Record<string, TSchema>;
    copy.properties = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, checkable(value)]));
    if (schema[Kind] === "Object") copy.additionalProperties ??= false;
  }
  for (const key of ["anyOf", "allOf", "oneOf"]) {
    if (Array.isArray(schema[key])) copy[key] = (schema[key] as TSchema[]).map(checkable);
  }
  // The values of a map.
  if (typeof schema.additionalProperties === "object")
    copy.additionalProperties = checkable(schema.additionalProperties as TSchema);
  const items: unknown = schema.items;
  if (Array.isArray(items)) copy.items = items.map(checkable);
  else if (typeof items === "object" && items !== null) copy.items = checkable(items as TSchema);
  return copy as unknown as TSchema;
}

function textProblem(schema: TextSchema, value: unknown): { type: IssueType; msg: string } | undefined {
  if (typeof value !== "string") return { type: "string_type", msg: "Must be a string" };
  const { minLength: min, maxLength: max } = schema;
  // The length in UTF-16 is at least that in code points, and at most twice as much: most texts need no count.
  if (min !== undefined && value.length < 2 * min && [...value].length < min) {
    return { type: "string_too_short", msg: `Must have at least ${min} character${min === 1 ? "" : "s"}` };
  }
  if (max !== undefined && value.length > max && [...value].length > max) {
    return { type: "string_too_long", msg: `Must have at most ${max} characters` };
  }
  if (schema.format === "uuid" && canonicalUuid(value) === undefined) {
    return { type: "uuid", msg: "Must be a UUID such as 3f2b8c1e-9d4a-4c6b-8e57-0a1b2c3d4e5f" };
  }
  if (schema.format === "uri") {
    const problem = checkUrl(value);
    if (problem !== undefined) return problem;
  }
  if (schema.compiled?.test(value) === false) {
    return { type: "string_pattern", msg: `Must match ${schema.pattern}` };
  }
  return undefined;
}

/** By the rule that is broken; those of numbers and of whole numbers are the same. */
const EXPLANATIONS: Readonly<Record<string, readonly [type: IssueType, explain: (schema: TSchema) => string]>> = {
  ObjectRequiredProperty: ["missing", () => "Field required"],
  ObjectAdditionalProperties: ["extra_forbidden", () => "Unknown field"],
  Object: ["object_type", () => "Must be an object"],
  Array: ["array_type", () => "Must be an array"],
  ObjectMaxProperties: ["value_error", ({ maxProperties }) => `Must have at most ${maxProperties} entries`],
  ArrayMinItems: [
    "value_error",
    ({ minItems }) => `Must have at least ${minItems} entr${minItems === 1 ? "y" : "ies"}`,
  ],
  ArrayMaxItems: ["value_error", ({ maxItems }) => `Must have at most ${maxItems} entries`],
  ArrayUniqueItems: ["value_error", () => "Must have each entry once"],
  Boolean: ["boolean_type", () => "Must be true or false"],
  Integer: ["integer_type", () => "Must be a whole number"],
  Number: ["number_type", () => "Must be a number"],
  Minimum: ["greater_than_equal", ({ minimum }) => `Must be at least ${minimum}`],
  Maximum: ["less_than_equal", ({ maximum }) => `Must be at most ${maximum}`],
  ExclusiveMinimum: ["value_error", ({ exclusiveMinimum }) => `Must be greater than ${exclusiveMinimum}`],
  ExclusiveMaximum: ["value_error", ({ exclusiveMaximum }) => `Must be less than ${exclusiveMaximum}`],
  MultipleOf: ["multiple_of", ({ multipleOf }) => `Must be a multiple of ${multipleOf}`],
  Literal: ["enum", (schema) => `Must be ${JSON.stringify(schema.const)}`],
};

/** The rule that each type of error is about. */
const RULES = Array.from({ length: Object.keys(ValueErrorType).length / 2 }, (_, type) =>
  ValueErrorType[type]!.replace(/^(Integer|Number)(?=\w)/u, ""),
);

function explain({ type, schema, value }: ValueError): { type: IssueType; msg: string } {
  if (type === ValueErrorType.Kind) return textProblem(schema, value) ?? { type: "value_error", msg: "Invalid value" };
  if (type === ValueErrorType.Union) {
    const options = (schema.anyOf as TSchema[]).map((option) => option.const as unknown);
    return options.includes(undefined)
      ? { type: "value_error", msg: "Matches none of the forms that this field may have" }
      : { type: "enum", msg: `Must be one of ${options.map((option) => JSON.stringify(option)).join(", ")}` };
  }
  const known = EXPLANATIONS[RULES[type]!];
  return known === undefined
    ? { type: "value_error", msg: "Invalid value" }
    : { type: known[0], msg: known[1](schema) };
}

/** JSON pointer -> loc: numbers where the parent is an array. */
function locate(pointer: string, root: unknown): (string | number)[] {
  let parent = root;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const inArray = Array.isArray(parent);
      parent = Object.getOwnPropertyDescriptor(Object(parent), key)?.value;
      return inArray ? Number(key) : key;
    });
}

/** Null equals absent: fields that are null are left out, at every depth. Entries of arrays stay. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    const entry = (value as Record<string, unknown>)[key];
    if (entry !== null) copy[key] = typeof entry === "object" ? withoutNulls(entry) : entry;
  }
  return copy;
}

/** Fills in the defaults of absent properties of objects. `value` is ours already and is changed in place. */
function withDefaults(schema: TSchema, value: unknown): unknown {
  if (value === undefined && schema.default !== undefined) return structuredClone(schema.default);
  if (schema[Kind] !== "Object" || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  for (const [key, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const filled = withDefaults(property, fields[key]);
    if (filled !== undefined) fields[key] = filled;
  }
  return fields;
}
