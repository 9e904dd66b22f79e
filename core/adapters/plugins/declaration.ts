/**
 * What the types of the contract cannot see: every fault of a declaration, found at boot by the registry and in an
 * author's tests by `checkAction`. Each problem says what is wrong, with the value, and what was expected.
 */
import { Kind, OptionalKind, type TSchema } from "@sinclair/typebox";
import { type AnyAction, BRAND, CONTRACT } from "../../../contract/mod.ts";
import { checkFields, describeValue, PluginFault, priceOf, priceWithin, weightOf } from "../../actions/faults.ts";
import { EXTREMES, measureSources } from "../../actions/measured.ts";
import { type ShapeName, shapeOf } from "../../actions/outputs.ts";
import { compileAction } from "../../actions/schema.ts";
import { findDefaultProblem } from "../../actions/validator.ts";
import { inspectKeys, SETTING_KINDS } from "./declaration_keys.ts";

/** What `type` of a JSON Schema may be; a union has none. */
const JSON_TYPES = new Set(["string", "number", "integer", "boolean", "null", "array", "object", undefined]);
const KEY_EXAMPLE = "00000000-0000-4000-8000-000000000000";

/**
 * Everything that is wrong with `action`; empty: it may be registered. Never throws, whatever a package written in
 * JavaScript hands over.
 */
export function inspectAction(action: AnyAction): readonly string[] {
  if (action[BRAND] !== CONTRACT) return [`it speaks contract ${action[BRAND]}, this core speaks ${CONTRACT}`];
  try {
    // Each step relies on the one before it: what keys hold, then what they say of each other, then what the compiled
    // schema does.
    for (const inspect of [inspectKeys, inspectRules, inspectExamples]) {
      const problems = [...inspect(action)];
      if (problems.length > 0) return problems;
    }
    return [];
  } catch (error) {
    // A getter that throws, say.
    return [`inspecting it ended with ${describeValue(error)}, expected a declaration of plain values and functions`];
  }
}

/** What some outputs need. */
const NEEDS = {
  /** They keep the source's level so that they sum to it, and follow from the source alone. */
  stems: { loudness: "never", level: "source", seeded: false },
  /** There is nothing to bring to a level. */
  report: { loudness: "never", level: "source" },
  single: {},
  variations: {},
  named: {},
} as const satisfies Readonly<Record<ShapeName, Partial<AnyAction>>>;

/** What keys say of each other. */
function* inspectRules(action: AnyAction): Iterable<string> {
  const { sources } = action;
  const shape = shapeOf(action);
  const fields: Record<string, TSchema> = action.request.properties;
  for (const [name, schema] of Object.entries(fields)) {
    if (Object.hasOwn(sources, name)) yield `field "${name}" is also a source`;
    yield* inspectField(name, schema);
  }
  const settings: Record<string, TSchema> = action.config?.properties ?? {};
  for (const [name, schema] of Object.entries(settings)) {
    if (!SETTING_KINDS.includes(schema[Kind]))
      yield `config.${name} must be one of ${SETTING_KINDS.join(", ")}: it is ${schema[Kind] ?? describeValue(schema)}`;
  }
  for (const [name, { seconds_min, seconds_max }] of Object.entries(sources)) {
    if (seconds_min > seconds_max)
      yield `source "${name}" must last seconds_min <= seconds_max: they are ${seconds_min} and ${seconds_max}`;
  }
  const all = Object.keys({ ...fields, ...sources });
  const optional = all.filter((name) => fields[name]?.[OptionalKind] ?? sources[name]?.optional);
  const texts = all.filter((name) => fields[name]?.[Kind] === "String");
  yield* inspectNames("echo", action.echo, all, "field or source");
  yield* inspectNames("echo_sent", action.echo_sent, Object.keys(fields), "field");
  yield* inspectNames("exactly_one_of", action.exactly_one_of, optional, "optional field or source");
  const [repeated, plain] = [true, false].map((is) =>
    Object.keys(sources).filter((name) => (sources[name]!.repeated !== undefined) === is),
  );
  yield* inspectNames("distinct_sources", action.distinct_sources, plain!, "source that is no list");
  yield* inspectNames(
    "outputs_of",
    action.outputs_of === undefined ? [] : [String(action.outputs_of)],
    repeated!,
    "repeated source",
  );
  if (action.outputs_of !== undefined && action.output !== "single")
    yield `output must be single where outputs_of is set: it is ${shape}`;
  yield* inspectNames("policy.fields", action.policy?.fields, texts, "text field");
  for (const [key, wanted] of Object.entries(NEEDS[shape]) as [keyof AnyAction, unknown][]) {
    if (action[key] !== wanted)
      yield `${String(key)} must be ${wanted} where output is ${shape}: it is ${String(action[key])}`;
  }
  if (action.priced_by !== undefined && Object.keys(sources).length === 0) yield "priced_by needs a source to go by";
  if (action.priced_by === undefined && action.cost.length > 1)
    yield 'cost takes sources, which it is given where priced_by is "sources": it is absent';
  const { hosts, hosts_of } = action.fetch ?? {};
  const addresses = Object.entries(settings).filter(([, schema]) => schema[Kind] === "String");
  yield* inspectNames(
    "fetch.hosts_of",
    hosts_of,
    addresses.map(([name]) => name),
    "text of config",
  );
  if (action.fetch !== undefined && hosts === undefined && hosts_of === undefined)
    yield "fetch must name hosts, or by hosts_of the settings that hold their addresses";
  if (action.dispose !== undefined && action.setup === undefined)
    yield "dispose needs a setup that makes what it gives back";
  if (action.permissions !== undefined && action.isolation === undefined)
    yield 'permissions need isolation "process": without it nothing keeps the action to them';
  const { since = "", sunset = since } = action.deprecated ?? {};
  if (sunset < since) yield `deprecated.sunset must not be before its since: it is ${sunset}`;
  if (action.loudness === "always" && action.level !== "loudness")
    yield `level must be loudness where loudness is always: it is ${action.level}`;
}

function* inspectField(path: string, schema: TSchema): Iterable<string> {
  if (schema[Kind] === undefined) {
    yield `field "${path}" must be made by Type: it is ${describeValue(schema)}`;
    return;
  }
  if (typeof schema.pattern === "string" && !isPattern(schema.pattern))
    yield `field "${path}" has the pattern ${describeValue(schema.pattern)}, expected a regular expression of flag u`;
  if (!JSON_TYPES.has(schema.type)) yield `field "${path}" has type ${schema[Kind]}, which JSON cannot carry`;
  if (schema[Kind] === "String" && schema.maxLength === undefined && schema.format === undefined)
    yield `field "${path}" must bound its length with maxLength`;
  const problem = findDefaultProblem(schema);
  if (problem !== undefined) yield `field "${path}" has the default ${describeValue(schema.default)}: ${problem}`;
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>))
    yield* inspectField(`${path}.${name}`, inner);
}

function* inspectNames(
  key: string,
  names: readonly (string | number)[] = [],
  allowed: readonly string[],
  wanted: string,
): Iterable<string> {
  for (const name of names) if (!allowed.includes(String(name))) yield `${key} names "${name}", which is no ${wanted}`;
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** What the author's own functions make of the examples. */
function* inspectExamples(action: AnyAction): Iterable<string> {
  const schema = compileAction(action);
  for (const [index, example] of action.examples.entries()) {
    const name = `example ${index + 1}`;
    try {
      const checked = schema.validate({ ...example, idempotency_key: KEY_EXAMPLE }, { dry_run: false });
      if (!checked.ok) {
        for (const { loc, msg } of checked.issues)
          yield `${name} is refused at ${loc.slice(1).join(".") || "its root"}: ${msg}`;
        continue;
      }
      const { fields } = checked.value;
      const before = JSON.stringify(fields);
      const most = priceOf(action, fields);
      if (action.priced_by !== undefined)
        for (const measure of EXTREMES) priceWithin(action, fields, measureSources(action, fields, measure), most);
      weightOf(action, fields, most);
      checkFields(action, fields);
      if (JSON.stringify(fields) !== before)
        yield `cost, work_seconds and check must not change their request: ${name} became another`;
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      yield `${error.message.slice(`${action.name}: `.length)} (${name})`;
    }
  }
}
