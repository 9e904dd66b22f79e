/**
 * What the types of the contract cannot see: every fault of a declaration, found at boot by the registry and in an author's tests by
 * `checkAction`. Each problem says what is wrong, with the value, and what was expected.
 */
import { Kind, OptionalKind, type TSchema } from "@sinclair/typebox";
import { FAILURES } from "../base/errors.ts";
import { type AnyAction, BRAND, CONTRACT } from "../plugin.ts";
import { compileAction, RESERVED_FIELDS } from "./schema.ts";

const NAME = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/u;
const IDENTIFIER = /^[a-z][a-z0-9_]*$/u;
/** Bytes and seconds that no source may exceed whatever a declaration says: what a worker's memory is sized for. */
const BYTES_MAX = 50_000_000;
const SECONDS_MAX = 600;
/** Kinds of TypeBox that JSON cannot carry. */
const NOT_JSON = new Set([
  "Date",
  "Function",
  "Promise",
  "Symbol",
  "Uint8Array",
  "BigInt",
  "Undefined",
  "Void",
  "RegExp",
]);
const KEY_EXAMPLE = "00000000-0000-4000-8000-000000000000";

/** True for what `defineAction` returned, in this or another copy of the contract. */
export function isAction(value: unknown): value is AnyAction {
  return typeof value === "object" && value !== null && typeof (value as Record<symbol, unknown>)[BRAND] === "number";
}

/** Everything that is wrong with `action`; empty: it may be registered. Never throws, whatever a package written in JavaScript hands over. */
export function inspectAction(action: AnyAction): readonly string[] {
  if (action[BRAND] !== CONTRACT) return [`it speaks contract ${action[BRAND]}, this core speaks ${CONTRACT}`];
  const misshapen = [...inspectKeys(action)];
  if (misshapen.length > 0) return misshapen;
  try {
    return inspectParts(action);
  } catch (error) {
    // A getter, or the author's own `check`, `cost` or schema, that throws on a sound example.
    return [`inspecting it ended with "${String(error)}", expected functions that take every valid request`];
  }
}

function inspectParts(action: AnyAction): readonly string[] {
  const problems = [
    ...inspectNames(action),
    ...inspectRequest(action),
    ...inspectSources(action),
    ...inspectChoices(action),
  ];
  // Examples are judged by the compiled schema, which needs the rest to be sound.
  return problems.length > 0 ? problems : [...inspectExamples(action)];
}

type Form = "text" | "list" | "object" | "function" | "boolean";

/** What each key of a declaration holds; a `?` marks what may be left out. Keys of the contract that are missing here do not compile. */
const FORMS: Readonly<Record<Extract<keyof AnyAction, string>, Form | `${Form}?`>> = {
  name: "text",
  wrapper: "text",
  summary: "text",
  request: "object",
  sources: "object",
  exactly_one_of: "list?",
  echo: "list",
  output: "text",
  side_by_side: "boolean?",
  work: "text",
  seeded: "boolean",
  level: "text",
  task: "text?",
  engine: "text",
  policy: "object?",
  distinct_sources: "list?",
  loudness: "text",
  failures: "list",
  examples: "list",
  cost: "function",
  check: "function?",
  process: "function",
};

/** Keys that are unknown, missing or of another form; the nearest known key is named for a misspelt one. */
function* inspectKeys(action: AnyAction): Iterable<string> {
  const known = Object.keys(FORMS);
  for (const key of Object.keys(action)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    yield `key "${key}" is unknown${meant === undefined ? `, expected only ${known.join(", ")}` : `, did you mean "${meant}"?`}`;
  }
  for (const [key, form] of Object.entries(FORMS)) {
    const value = (action as Readonly<Record<string, unknown>>)[key];
    const wanted = form.replace("?", "");
    if (value === undefined ? form.endsWith("?") : formOf(value) === wanted) continue;
    yield `key "${key}" must be ${wanted === "object" ? "an object" : `a ${wanted}`}: it is ${value === undefined ? "missing" : formOf(value)}`;
  }
  for (const [name, limits] of Object.entries(action.sources ?? {})) {
    if (formOf(limits) !== "object") yield `source "${name}" must be an object of limits: it is ${formOf(limits)}`;
  }
  if (action.policy !== undefined && !Array.isArray(action.policy?.fields)) yield "policy must have a list of fields";
  for (const [index, example] of Array.isArray(action.examples) ? action.examples.entries() : []) {
    if (formOf(example) !== "object") yield `example ${index + 1} must be an object: it is ${formOf(example)}`;
  }
}

function formOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  return Array.isArray(value) ? "list" : typeof value;
}

/** The known word that is at most two edits away (Levenshtein), if there is one. */
function nearest(word: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => editsBetween(word, candidate) <= 2);
}

function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const replaced = row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

function* inspectNames(action: AnyAction): Iterable<string> {
  if (!NAME.test(action.name)) yield `name "${action.name}" must be "group.action" in snake_case`;
  if (action.name.startsWith("operations.")) yield `name "${action.name}" uses the reserved prefix "operations."`;
  if (!IDENTIFIER.test(action.wrapper)) yield `wrapper "${action.wrapper}" must be snake_case`;
  if (!/^\S.{9,198}\S$/u.test(action.summary)) yield "summary must be one sentence of 11 to 200 characters on one line";
  const known = new Set<string>(Object.keys(FAILURES));
  for (const code of action.failures) {
    if (!IDENTIFIER.test(code)) yield `failure code "${code}" must be snake_case`;
    else if (known.has(code)) yield `failure code "${code}" is shared by all actions and must not be declared`;
  }
  if (new Set(action.failures).size !== action.failures.length) yield "failures lists a code twice";
}

function* inspectRequest(action: AnyAction): Iterable<string> {
  const properties: Record<string, TSchema> | undefined = action.request?.properties;
  if (properties === undefined || action.request[Kind] !== "Object") {
    yield "request must be a Type.Object";
    return;
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (RESERVED_FIELDS.has(name)) yield `field "${name}" is one of core's own and must not be declared`;
    else if (!IDENTIFIER.test(name)) yield `field "${name}" must be snake_case`;
    if (Object.hasOwn(action.sources, name)) yield `field "${name}" is also a source`;
    yield* inspectField(name, schema);
  }
}

function* inspectField(path: string, schema: TSchema): Iterable<string> {
  const kind = String(schema[Kind]);
  if (NOT_JSON.has(kind)) yield `field "${path}" has type ${kind}, which JSON cannot carry`;
  if (kind === "String" && schema.maxLength === undefined && schema.format === undefined) {
    yield `field "${path}" must bound its length with maxLength`;
  }
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>)) {
    yield* inspectField(`${path}.${name}`, inner);
  }
}

function* inspectSources(action: AnyAction): Iterable<string> {
  for (const [name, { seconds_min, seconds_max, bytes_max }] of Object.entries(action.sources)) {
    if (RESERVED_FIELDS.has(name) || !IDENTIFIER.test(name))
      yield `source "${name}" must be snake_case and not a field of core's own`;
    if (!(seconds_min > 0 && seconds_min <= seconds_max && seconds_max <= SECONDS_MAX)) {
      yield `source "${name}" must last 0 < seconds_min <= seconds_max <= ${SECONDS_MAX}: they are ${seconds_min} and ${seconds_max}`;
    }
    if (!(Number.isInteger(bytes_max) && bytes_max > 0 && bytes_max <= BYTES_MAX)) {
      yield `source "${name}" must have a whole bytes_max of 1 to ${BYTES_MAX}: it is ${bytes_max}`;
    }
  }
}

function* inspectChoices(action: AnyAction): Iterable<string> {
  const optional = new Map<string, boolean>();
  for (const [name, schema] of Object.entries(action.request?.properties ?? {})) {
    optional.set(name, (schema as TSchema)[OptionalKind] !== undefined);
  }
  for (const [name, limits] of Object.entries(action.sources)) optional.set(name, limits.optional === true);
  for (const name of action.echo.map(String)) {
    if (!optional.has(name)) yield `echo names "${name}", which is no field or source`;
  }
  for (const name of (action.exactly_one_of ?? []).map(String)) {
    if (optional.get(name) !== true) yield `exactly_one_of names "${name}", which is no optional field or source`;
  }
  const distinct = (action.distinct_sources ?? []).map(String);
  for (const name of distinct) {
    if (!Object.hasOwn(action.sources, name)) yield `distinct_sources names "${name}", which is no source`;
  }
  if (distinct.length === 2 && distinct[0] === distinct[1]) yield "distinct_sources names one source twice";
  for (const name of (action.policy?.fields ?? []).map(String)) {
    if (action.request?.properties[name]?.[Kind] !== "String") yield `policy reads "${name}", which is no text field`;
  }
  if (!["single", "variations", "stems"].includes(action.output))
    yield `output "${action.output}" must be single, variations or stems`;
  if (!["dsp", "generation"].includes(action.work)) yield `work "${action.work}" must be dsp or generation`;
  if (!["never", "optional", "always"].includes(action.loudness)) {
    yield `loudness "${action.loudness}" must be never, optional or always`;
  }
  if (action.output === "stems" && action.loudness !== "never") {
    yield "loudness must be never for stems: they keep the source's level so that they sum to it";
  }
  if (!["source", "peak", "loudness"].includes(action.level)) {
    yield `level "${action.level}" must be source, peak or loudness`;
  }
  if (action.output === "stems" && action.level !== "source") {
    yield "level must be source for stems: they keep the source's level so that they sum to it";
  }
  if (action.output === "stems" && action.seeded) yield "seeded must be false for stems: they follow from the source";
  if (action.loudness === "always" && action.level !== "loudness") {
    yield `level must be loudness where loudness is always: it is ${action.level}`;
  }
}

export const isCost = (cost: unknown): cost is number => Number.isSafeInteger(cost) && (cost as number) >= 0;

/** Credits of a validated request. Throws TypeError where the author's function gives no price: nothing is created then. */
export function priceOf(action: AnyAction, fields: Readonly<Record<string, unknown>>): number {
  const cost: unknown = action.cost(fields as never);
  if (isCost(cost)) return cost;
  throw new TypeError(`${action.name}: Cannot charge ${String(cost)} credits, expected a whole number of at least 0`);
}

function* inspectExamples(action: AnyAction): Iterable<string> {
  if (action.examples.length === 0) yield "examples must hold at least one request";
  const schema = compileAction(action);
  for (const [index, example] of action.examples.entries()) {
    const checked = schema.validate({ ...example, idempotency_key: KEY_EXAMPLE }, { dry_run: false });
    if (!checked.ok) {
      for (const { loc, msg } of checked.issues)
        yield `example ${index + 1} is refused at ${loc.slice(1).join(".") || "its root"}: ${msg}`;
      continue;
    }
    const cost = action.cost(checked.value.fields as never);
    if (!isCost(cost)) yield `cost of example ${index + 1} must be a whole number of at least 0: it is ${cost}`;
  }
}
