/**
 * The form of an action, derived from its request schema: which fields there are and what may stand in them. What no
 * widget fits (free lists, unions of objects) is a field for JSON, so that every action that can be declared has a
 * form.
 */
import type { TSchema } from "@sinclair/typebox";
import type { AnyAction, Registered, SourceLimits } from "../../../core/surface.ts";
import { humanName } from "../format.ts";
import words from "./words.json" with { type: "json" };

interface Common {
  /** Keys from the request's root. */
  readonly path: readonly string[];
  /** `path` as the name of form fields: `f.loudness.preset`. */
  readonly name: string;
  readonly label: string;
  readonly help: string | null;
  readonly required: boolean;
}

export type Field = Common &
  (
    | {
        readonly kind: "text";
        readonly characters_max: number | null;
        readonly lines: "one" | "some" | "many";
        readonly url: boolean;
      }
    | {
        readonly kind: "number";
        readonly whole: boolean;
        readonly minimum: number | null;
        readonly maximum: number | null;
        readonly preset: number | null;
      }
    /** On or off; never absent. */
    | { readonly kind: "switch"; readonly preset: boolean }
    /** `options` are JSON values; absent where it is not required and nothing is chosen. */
    | {
        readonly kind: "choice";
        readonly options: readonly (string | number | boolean)[];
        readonly preset: string | null;
      }
    /** Some of these, or none; absent where nothing is chosen. */
    | { readonly kind: "set"; readonly options: readonly (string | number | boolean)[] }
    | { readonly kind: "audio"; readonly limits: SourceLimits }
    /** A list of sources: one address a line. */
    | { readonly kind: "urls" }
    /** Texts by names of the client's own. */
    | { readonly kind: "pairs"; readonly pairs_max: number | null; readonly characters_max: number | null }
    | { readonly kind: "group"; readonly fields: readonly Field[] }
    | { readonly kind: "json" }
  );

export interface Form {
  readonly action: AnyAction;
  readonly fields: readonly Field[];
  /** Names at the root of which exactly one must be sent. */
  readonly one_of: readonly string[];
}

/** What fields that every action has are called in a form: their descriptions are for programs. */
const WORDS: Readonly<Record<string, { readonly label?: string; readonly help: string }>> = words;

/** Set by the form itself, and what only programs ask for. */
const HIDDEN: ReadonlySet<string> = new Set(["idempotency_key", "webhook_events"]);

export function formOf({ action, schema }: Registered): Form {
  const { properties = {}, required = [] } = schema.request as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  const fields = Object.entries(properties)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, property]) => fieldOf(property, [name], required.includes(name), action.sources[name]));
  return { action, fields, one_of: (action.exactly_one_of ?? []).map(String) };
}

function fieldOf(given: TSchema, path: readonly string[], is_required: boolean, limits?: SourceLimits): Field {
  const { schema, nullable } = withoutNull(given);
  const said = path.length === 1 ? WORDS[path[0]!] : undefined;
  const common: Common = {
    path,
    name: `f.${path.join(".")}`,
    label: said?.label ?? schema.title ?? given.title ?? humanName(path.at(-1)!),
    help: said?.help ?? given.description ?? schema.description ?? null,
    // What has a default is there in any case.
    required: is_required && !nullable && schema.default === undefined && given.default === undefined,
  };
  if (limits !== undefined)
    return limits.repeated === undefined ? { ...common, kind: "audio", limits } : { ...common, kind: "urls" };
  const preset = (given.default ?? schema.default) as unknown;
  const options = optionsOf(schema);
  if (options !== undefined)
    return { ...common, kind: "choice", options, preset: preset === undefined ? null : JSON.stringify(preset) };
  switch (schema.type) {
    case "boolean":
      // Without a default absent and false may differ.
      if (is_required || preset !== undefined) return { ...common, kind: "switch", preset: preset === true };
      return { ...common, kind: "choice", options: [true, false], preset: null };
    case "number":
    case "integer": {
      const bound = (value: unknown): number | null => (typeof value === "number" ? value : null);
      return {
        ...common,
        kind: "number",
        whole: schema.type === "integer",
        minimum: bound(schema.minimum),
        maximum: bound(schema.maximum),
        preset: bound(preset),
      };
    }
    case "string": {
      const characters_max = typeof schema.maxLength === "number" ? schema.maxLength : null;
      const url = schema.format === "uri";
      const lines = url || (characters_max ?? 0) <= 200 ? "one" : characters_max! <= 1500 ? "some" : "many";
      return { ...common, kind: "text", characters_max, lines, url };
    }
    case "object": {
      const inner = schema as { properties?: Record<string, TSchema>; required?: string[] };
      if (Object.keys(inner.properties ?? {}).length === 0) {
        const { type, maxLength } = (schema.additionalProperties ?? {}) as { type?: string; maxLength?: number };
        if (type !== "string") return { ...common, kind: "json" };
        const pairs_max = (schema.maxProperties as number | undefined) ?? null;
        return { ...common, kind: "pairs", pairs_max, characters_max: maxLength ?? null };
      }
      const fields = Object.entries(inner.properties ?? {}).map(([name, property]) =>
        fieldOf(property, [...path, name], inner.required?.includes(name) === true),
      );
      return { ...common, kind: "group", fields };
    }
    default: {
      const among = schema.type === "array" ? optionsOf(schema.items as TSchema) : undefined;
      return among === undefined ? { ...common, kind: "json" } : { ...common, kind: "set", options: among };
    }
  }
}

/** A union with null is its other half, and may be absent. */
function withoutNull(schema: TSchema): { readonly schema: TSchema; readonly nullable: boolean } {
  const parts = (schema.anyOf ?? []) as TSchema[];
  const others = parts.filter((part) => part.type !== "null");
  if (parts.length === others.length) return { schema, nullable: false };
  return { schema: others.length === 1 ? others[0]! : { ...schema, anyOf: others }, nullable: true };
}

/** The values of a literal, an enumeration or a union of literals. */
function optionsOf(schema: TSchema): readonly (string | number | boolean)[] | undefined {
  const values: readonly unknown[] | undefined =
    schema.const !== undefined
      ? [schema.const]
      : Array.isArray(schema.enum)
        ? schema.enum
        : Array.isArray(schema.anyOf) &&
            schema.anyOf.length > 0 &&
            schema.anyOf.every((part: TSchema) => part.const !== undefined)
          ? schema.anyOf.map((part: TSchema) => part.const)
          : undefined;
  const plain = values?.filter((value) => ["string", "number", "boolean"].includes(typeof value));
  return plain === undefined || plain.length !== values!.length ? undefined : (plain as (string | number | boolean)[]);
}
