/**
 * `tonwerk config`: what the environment sets, Tonwerk's own variables and those of actions, without anything secret.
 */
import { resolve } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { ADDED, loadRegistry } from "../core/adapters/plugins/registry.ts";
import { isWrong, readSettings } from "../core/adapters/plugins/settings.ts";
import { VARIABLES } from "../core/base/config/variables.ts";
import { type Config, loadConfig } from "../core/base/config.ts";
import { redact } from "../core/base/log.ts";

const HOME = new URL("../", import.meta.url).href;
/** Of ours: what nobody is to read over a shoulder. */
const SECRET = /SECRET|KEY|PASSWORD/u;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Writes a line for each variable. Returns the exit code: 1 where an action's settings are wrong, 2 for a word too
 * many.
 */
export async function configCommand(
  rest: readonly string[],
  environment: Environment,
  write: (line: string) => void,
): Promise<number> {
  if (rest.length > 0) {
    write("Usage: tonwerk config");
    return 2;
  }
  const config = loadConfig(environment);
  for (const { name, default: preset } of Object.values(VARIABLES)) {
    const set = environment[name]?.trim() || undefined;
    const shown = set === undefined ? preset : SECRET.test(name) ? "[set]" : redact(set);
    write(lineOf(name, shown === "" ? undefined : shown, set === undefined));
  }
  return (await writeSettings(config, environment, write)) ? 0 : 1;
}

/** False: some action would be refused. */
async function writeSettings(
  { plugins, data }: Config,
  environment: Environment,
  write: (line: string) => void,
): Promise<boolean> {
  const { actions } = await loadRegistry(plugins, HOME, { added: resolve(data, ADDED) });
  let sound = true;
  for (const [name, { action }] of actions) {
    for (const schema of Object.values<TSchema>(action.config?.properties ?? {})) {
      const env = String(schema.env);
      const set = environment[env]?.trim() || undefined;
      const preset: unknown = schema.default;
      const value = set ?? (preset === undefined ? undefined : String(preset));
      const shown = schema.secret === true && value !== undefined ? "[set]" : value;
      write(`${lineOf(env, shown, set === undefined)}  ${name}: ${schema.description ?? ""}`);
    }
    const read = readSettings(action, environment);
    for (const wrong of isWrong(read) ? read : []) {
      write(`Cannot register "${name}": ${wrong}`);
      sound = false;
    }
  }
  return sound;
}

const lineOf = (name: string, value: string | undefined, is_default: boolean): string =>
  `${name.padEnd(32)} ${value ?? "-"}${is_default && value !== undefined ? "  (default)" : ""}`;
