/**
 * What an action wants of the environment of its installation: its `config`, read where jobs run. `process` gets the
 * values; logs and what clients are told never show those that are secret.
 */
import { Kind, type TSchema } from "@sinclair/typebox";
import type { AnyAction } from "../../../contract/mod.ts";
import { hostOf } from "../../actions/fetch_rules.ts";
import type { Settings } from "../../actions/registered.ts";
import { compileValidator } from "../../actions/validator.ts";
import { VARIABLES } from "../../base/config/variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const OURS: ReadonlySet<string> = new Set(Object.values(VARIABLES).map(({ name }) => name));

export const isWrong = (read: Settings | readonly string[]): read is readonly string[] => Array.isArray(read);

/** The values of an action's settings, or everything that is wrong with them, without the values. */
export function readSettings({ config, fetch }: AnyAction, environment: Environment): Settings | readonly string[] {
  if (config === undefined) return {};
  const given: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, schema] of Object.entries<TSchema>(config.properties)) {
    const env = String(schema.env);
    const text = environment[env]?.trim() || undefined;
    if (OURS.has(env)) wrong.push(`config.${name} must have a variable of its own: ${env} is Tonwerk's`);
    else if (text !== undefined) given[name] = parse(schema, text);
  }
  const checked = compileValidator(config)(given);
  if (checked.ok) {
    for (const name of fetch?.hosts_of ?? []) {
      const value = (checked.value as Settings)[name];
      if (value === undefined || hostOf(value) !== undefined) continue;
      const schema = config.properties[name];
      wrong.push(
        describe(schema, ["config", name], "Must be an address such as https://api.example.com, without a user"),
      );
    }
    return wrong.length > 0 ? wrong : checked.value;
  }
  return [...wrong, ...checked.issues.map(({ loc, msg }) => describe(config.properties[String(loc[1])], loc, msg))];
}

function describe(schema: TSchema | undefined, loc: readonly (string | number)[], msg: string): string {
  const env = String(schema?.env);
  const path = loc.slice(1).join(".");
  return msg === "Field required"
    ? `config.${path} must be set as ${env} in the environment`
    : `config.${path}, which is ${env} in the environment: ${msg}`;
}

/** A text as its schema has it; what fits no number or truth value stays a text, which the schema refuses. */
function parse(schema: TSchema, text: string): unknown {
  switch (schema[Kind]) {
    case "Number":
    case "Integer":
      return /^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : text;
    case "Boolean":
      return text === "true" ? true : text === "false" ? false : text;
    default:
      return text;
  }
}

/** The values that nobody may read. */
export function secretsOf({ config }: AnyAction, settings: Settings): readonly string[] {
  const secret = Object.entries<TSchema>(config?.properties ?? {}).filter(([, schema]) => schema.secret === true);
  return secret.flatMap(([name]) => (settings[name] === undefined ? [] : [String(settings[name])]));
}
