/**
 * A TypeBox schema -> a validator whose refusals are the 422 entries of the contract: one for every failing field, all at once.
 *
 * Differences from plain TypeBox, each decided in docs/decisions.md: lengths count Unicode code points; null equals absent; formats
 * `uuid` and `uri` are checked; unknown fields are refused with `extra_forbidden`.
 */
import { Kind, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import type { IssueType } from "../base/errors.ts";
import { canonicalUuid } from "../base/ids.ts";
import { checkUrl } from "../base/web_address.ts";
import type { Issue } from "../plugin.ts";

/** Most entries of one 422 body: a body of 64 KiB could otherwise ask for megabytes of answer. */
const ISSUES_MAX = 100;

export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };
export type Validator = (value: unknown) => Validated<Record<string, unknown>>;

/**
 * Compiles `schema`. The validator drops nulls (null equals absent) and fills in defaults in a copy; `loc` of its issues starts with `origin`.
 */
export function compileValidator(schema: TSchema, origin: "body" | "query" = "body"): Validator {
  const checker = TypeCompiler.Compile(checkable(schema));
  return (input) => {
    const value = withDefaults(schema, withoutNulls(input));
    if (checker.Check(value)) return { ok: true, value: value as Record<string, unknown> };
    const issues = new Map<string, Issue>();
    for (const error of checker.Errors(value)) {
      // The first error of a field is the fundamental one: `missing` comes before the type error of the same absence.
      if (!issues.has(error.path)) issues.set(error.path, toIssue(error, origin, value));
      if (issues.size >= ISSUES_MAX) break;
    }
    return { ok: false, issues: [...issues.values()] };
  };
}

/** Number of Unicode code points; a UTF-16 length would count an emoji twice. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      count--;
      index++;
    }
  }
  return count;
}

const TEXT = "Tonwerk:Text";

interface TextSchema extends TSchema {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

if (!TypeRegistry.Has(TEXT)) {
  TypeRegistry.Set(TEXT, (schema: unknown, value) => textProblem(schema as TextSchema, value) === undefined);
}

/** The schema with every string replaced by our own kind, and objects closed. */
function checkable(schema: TSchema): TSchema {
  if (schema[Kind] === "String") return { ...schema, [Kind]: TEXT };
  const copy: Record<PropertyKey, unknown> = { ...schema, [Kind]: schema[Kind] };
  if (schema.properties !== undefined) {
    const properties = schema.properties as Record<string, TSchema>;
    copy.properties = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, checkable(value)]));
    if (schema[Kind] === "Object") copy.additionalProperties ??= false;
  }
  for (const key of ["anyOf", "allOf", "oneOf"]) {
    if (Array.isArray(schema[key])) copy[key] = (schema[key] as TSchema[]).map(checkable);
  }
  const items: unknown = schema.items;
  if (Array.isArray(items)) copy.items = items.map(checkable);
  else if (typeof items === "object" && items !== null) copy.items = checkable(items as TSchema);
  return copy as unknown as TSchema;
}

function textProblem(schema: TextSchema, value: unknown): { type: IssueType; msg: string } | undefined {
  if (typeof value !== "string") return { type: "string_type", msg: "Must be a string" };
  const { minLength: min, maxLength: max } = schema;
  if (min !== undefined && value.length < 2 * min && codePoints(value) < min) {
    return { type: "string_too_short", msg: `Must have at least ${min} character${min === 1 ? "" : "s"}` };
  }
  if (max !== undefined && value.length > max && codePoints(value) > max) {
    return { type: "string_too_long", msg: `Must have at most ${max} characters` };
  }
  if (schema.format === "uuid" && canonicalUuid(value) === undefined) {
    return { type: "uuid", msg: "Must be a UUID such as 3f2b8c1e-9d4a-4c6b-8e57-0a1b2c3d4e5f" };
  }
  if (schema.format === "uri") {
    const problem = checkUrl(value);
    if (problem !== undefined) return problem;
  }
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value)) {
    return { type: "string_pattern", msg: `Must match ${schema.pattern}` };
  }
  return undefined;
}

/** As many as the schemas of the registered actions have. */
const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source, "u");
  patterns.set(source, pattern);
  return pattern;
}

function toIssue(error: ValueError, origin: string, root: unknown): Issue {
  const { type, msg } = explain(error);
  return { loc: [origin, ...locate(error.path, root)], msg, type };
}

function explain({ type, schema, value }: ValueError): { type: IssueType; msg: string } {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { type: "missing", msg: "Field required" };
    case ValueErrorType.ObjectAdditionalProperties:
      return { type: "extra_forbidden", msg: "Unknown field" };
    case ValueErrorType.Kind:
      return textProblem(schema as TextSchema, value) ?? { type: "value_error", msg: "Invalid value" };
    case ValueErrorType.Object:
      return { type: "object_type", msg: "Must be an object" };
    case ValueErrorType.Array:
      return { type: "array_type", msg: "Must be an array" };
    case ValueErrorType.Boolean:
      return { type: "boolean_type", msg: "Must be true or false" };
    case ValueErrorType.Integer:
      return { type: "integer_type", msg: "Must be a whole number" };
    case ValueErrorType.Number:
      return { type: "number_type", msg: "Must be a number" };
    case ValueErrorType.NumberMinimum:
    case ValueErrorType.IntegerMinimum:
      return { type: "greater_than_equal", msg: `Must be at least ${schema.minimum}` };
    case ValueErrorType.NumberMaximum:
    case ValueErrorType.IntegerMaximum:
      return { type: "less_than_equal", msg: `Must be at most ${schema.maximum}` };
    case ValueErrorType.NumberExclusiveMinimum:
    case ValueErrorType.IntegerExclusiveMinimum:
      return { type: "value_error", msg: `Must be greater than ${schema.exclusiveMinimum}` };
    case ValueErrorType.NumberExclusiveMaximum:
    case ValueErrorType.IntegerExclusiveMaximum:
      return { type: "value_error", msg: `Must be less than ${schema.exclusiveMaximum}` };
    case ValueErrorType.NumberMultipleOf:
    case ValueErrorType.IntegerMultipleOf:
      return { type: "multiple_of", msg: `Must be a multiple of ${schema.multipleOf}` };
    case ValueErrorType.Literal:
      return { type: "enum", msg: `Must be ${JSON.stringify(schema.const)}` };
    case ValueErrorType.Union: {
      const options = (schema.anyOf as TSchema[]).map((option) => option.const as unknown);
      if (options.every((option) => option !== undefined)) {
        return { type: "enum", msg: `Must be one of ${options.map((option) => JSON.stringify(option)).join(", ")}` };
      }
      return { type: "value_error", msg: "Matches none of the forms that this field may have" };
    }
    default:
      return { type: "value_error", msg: "Invalid value" };
  }
}

/** JSON pointer -> loc: numbers where the parent is an array. */
function locate(pointer: string, root: unknown): (string | number)[] {
  if (pointer === "") return [];
  let parent = root;
  return pointer
    .slice(1)
    .split("/")
    .map((part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const inArray = Array.isArray(parent);
      parent =
        typeof parent === "object" && parent !== null && Object.hasOwn(parent, key)
          ? (parent as Record<string, unknown>)[key]
          : undefined;
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
