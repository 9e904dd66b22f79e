/** Reads the environment once, into the frozen object that core works with. */

import { type Variable, WrongValue } from "./config/readers.ts";
import { VARIABLES } from "./config/variables.ts";
import { findNearest } from "./nearest.ts";

/** The values of all variables; null: absent and without a default. */
export type Config = {
  readonly [Field in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Field]["read"]>;
} & { readonly base_url: string };

/** An empty variable counts as absent. Throws a ConfigError that names everything that is wrong at once. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const wrong: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [field, { name, read }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    try {
      config[field] = read(environment[name]?.trim() || undefined);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      wrong.push(`${name} ${error.message}`);
    }
  }
  for (const [name, value = ""] of Object.entries(environment)) {
    if (isUnknown(name, value))
      wrong.push(`${name} is not a variable of this version, did you mean ${findNearestName(name)}?`);
  }
  wrong.push(...findContradictions(config));
  if (wrong.length > 0) throw new ConfigError(wrong);
  config.base_url ??= makeBaseUrl(String(config.host), Number(config.port));
  return Object.freeze(config) as Config;
}

/** TONWERK_PLUGINS alone, for callers that need nothing else of the environment. */
export function pluginOrigins(environment: Readonly<Record<string, string | undefined>>): Config["plugins"] {
  const { name, read } = VARIABLES.plugins;
  return read(environment[name]?.trim() || undefined);
}

/** Stops the start. `wrong` has one line for each variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly wrong: readonly string[];
  constructor(wrong: readonly string[]) {
    super(`Cannot start with this environment:\n${wrong.map((line) => `  ${line}`).join("\n")}`);
    this.wrong = wrong;
  }
}

/** Values that are right by themselves and wrong together: the first asks for the second. */
const BOUND: readonly (readonly [field: keyof Config, asks_for: keyof Config, hint?: string])[] = [
  ["database_url", "secret", ", the same on every node: openssl rand -base64 32 makes one"],
  ["s3_endpoint", "s3_bucket"],
  ["s3_access_key_id", "s3_secret_access_key"],
  ["s3_secret_access_key", "s3_access_key_id"],
];

function findContradictions(config: Readonly<Record<string, unknown>>): string[] {
  return BOUND.filter(([field, other]) => config[field] && config[other] === null).map(
    ([field, other, hint = ""]) => `${VARIABLES[other].name} must be set with ${VARIABLES[field].name}${hint}`,
  );
}

// ---------------------------------------------------------------------------------------------------------------- names

function makeBaseUrl(listening: string, port: number): string {
  // No client can call the address that stands for every interface.
  const named = listening === "0.0.0.0" ? "127.0.0.1" : listening === "::" ? "::1" : listening;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

function isUnknown(name: string, value: string): boolean {
  if (!name.startsWith("TONWERK_") || Object.values(VARIABLES).some((known) => known.name === name)) return false;
  // The test suite's own, which its child processes inherit.
  if (name.startsWith("TONWERK_TEST_") || OF_CLIENTS.has(name)) return false;
  // Kubernetes sets these in every container where a Service is called tonwerk or tonwerk-something.
  const of_a_service = /_SERVICE_HOST$|_SERVICE_PORT(?:_[A-Z0-9_]+)?$|_PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?$/.test(
    name,
  );
  return !of_a_service && !(name.endsWith("_PORT") && /^(?:tcp|udp|sctp):\/\//.test(value));
}

/** What a shell has in which somebody also uses a server as its client. */
const OF_CLIENTS: ReadonlySet<string> = new Set(["TONWERK_URL", "TONWERK_KEY", "TONWERK_PROFILE"]);

function findNearestName(name: string): string {
  const names = Object.values(VARIABLES).map((variable) => variable.name);
  // Without case and prefix, which some variables lack: neither says what was meant.
  return findNearest(name, names, (full) => full.toUpperCase().replace(/^TONWERK_/, ""));
}
