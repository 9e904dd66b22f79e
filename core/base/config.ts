/** The environment, read once: every variable with its sentence, unit, default and reader, and the frozen object that core works with. */
import type { KeyObject } from "node:crypto";
import { availableParallelism } from "node:os";
import { normalAddress, normalRange } from "./addresses.ts";
import { WORKS, type Work } from "./basics.ts";
import { canonicalEmail } from "./emails.ts";
import { checkApiKey } from "./keys.ts";
import { readLeakKeys } from "./leak_signature.ts";
import { decodeSecret, signingKey } from "./secrets.ts";

/** What VARIABLES reads, null for what is absent and has no default. */
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
      wrong.push(`${name} is not a variable of this version, did you mean ${nearestName(name)}?`);
  }
  wrong.push(...contradictions(config));
  if (wrong.length > 0) throw new ConfigError(wrong);
  config.base_url ??= baseUrlOf(String(config.host), Number(config.port));
  return Object.freeze(config) as Config;
}

/** TONWERK_PLUGINS alone, for who needs nothing else of the environment. */
export function pluginOrigins(environment: Readonly<Record<string, string | undefined>>): Config["plugins"] {
  const { name, read } = VARIABLES.plugins;
  return read(environment[name]?.trim() || undefined);
}

/** One row of the table in docs/operating.md. */
export interface ConfigRow {
  readonly name: string;
  /** Unit or form. */
  readonly unit: string;
  /** As it would be written; empty: absent. */
  readonly default: string;
  readonly sentence: string;
}

export function describeConfig(): readonly ConfigRow[] {
  const rows: readonly ConfigRow[] = Object.values(VARIABLES);
  return rows.map((row) => ({ name: row.name, unit: row.unit, default: row.default, sentence: row.sentence }));
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

const VARIABLES = {
  port: variable("PORT", "TCP port", "8787", whole(1, 65_535), "Port that the HTTP server listens on"),
  host: variable(
    "HOST",
    "address or host name",
    "127.0.0.1",
    host,
    "Where it listens; 0.0.0.0 or :: is every interface",
  ),
  base_url: optional(
    "TONWERK_BASE_URL",
    "http(s) URL",
    baseUrl,
    "Where clients reach this service, for signed URLs; absent: http with HOST and PORT",
  ),
  data: variable(
    "TONWERK_DATA",
    "folder",
    "./data",
    text,
    "Holds the database, the audio and the secret, and work in flight",
  ),
  role: variable(
    "TONWERK_ROLE",
    "all, api or worker",
    "all",
    choice("all", "api", "worker"),
    "Whether this process answers requests (api), runs jobs (worker) or both",
  ),
  work: variable(
    "TONWERK_WORK",
    "list of dsp, generation and gpu",
    "dsp,generation,gpu",
    works,
    "Kinds of work that a worker does; each has TONWERK_WORKERS places of its own",
  ),
  gpu_tasks: variable(
    "TONWERK_GPU_TASKS",
    "list of separate and generate",
    "",
    list(choice("separate", "generate")),
    "Tasks that models on an accelerator serve: their operations are work of the kind gpu; the same on every node",
  ),
  database_url: optional(
    "DATABASE_URL",
    "postgres URL",
    address("postgres:", "postgresql:"),
    "Postgres instead of SQLite, for many nodes; TONWERK_SECRET must then be set, the same on all of them",
  ),
  redis_url: optional(
    "REDIS_URL",
    "redis or rediss URL",
    address("redis:", "rediss:"),
    "Redis, which wakes workers of other nodes at once and counts rate limits for all nodes together; absent: each node by itself",
  ),
  s3_endpoint: optional("S3_ENDPOINT", "http(s) URL", baseUrl, "S3 server of S3_BUCKET; absent: Amazon's of S3_REGION"),
  s3_public_endpoint: optional(
    "S3_PUBLIC_ENDPOINT",
    "http(s) URL or none",
    publicEndpoint,
    "Where clients reach that server, for the addresses that downloads lead to; absent: S3_ENDPOINT; none: downloads pass through this service",
  ),
  s3_bucket: optional(
    "S3_BUCKET",
    "name",
    text,
    "Bucket that holds the audio, made at the first start where that is allowed; absent: files in TONWERK_DATA",
  ),
  s3_region: variable("S3_REGION", "name", "us-east-1", text, "Region of S3_BUCKET"),
  s3_access_key_id: optional(
    "S3_ACCESS_KEY_ID",
    "key id",
    text,
    "Key that may read and write S3_BUCKET; absent: what the machine's surroundings give",
  ),
  s3_secret_access_key: optional("S3_SECRET_ACCESS_KEY", "secret", text, "Secret of S3_ACCESS_KEY_ID"),
  s3_addressing: variable(
    "S3_ADDRESSING",
    "auto, path or host",
    "auto",
    choice("auto", "path", "host"),
    "Whether the bucket's name is in the path or before the host; auto: in the path at S3_ENDPOINT, before the host at Amazon's",
  ),
  plugins: variable(
    "TONWERK_PLUGINS",
    "list of folders and packages",
    "./plugins",
    list(plugin),
    "Where actions and surfaces (dashboard, operator) come from; one with a leading ? may fail to load without stopping the start",
  ),
  models: optional(
    "TONWERK_MODELS",
    "folder",
    text,
    "Holds models and their manifests; absent: only what Tonwerk brings along",
  ),
  shipped_models: variable(
    "TONWERK_SHIPPED_MODELS",
    "on or off",
    "on",
    choice("on", "off"),
    "Whether models that Tonwerk brings along serve before the engines that need none (its separator of stems)",
  ),
  providers: variable(
    "TONWERK_PROVIDERS",
    "list of tensorrt, cuda, directml, coreml and cpu",
    "cuda,directml,coreml,cpu",
    list(choice("tensorrt", "cuda", "directml", "coreml", "cpu")),
    "Where models run, the first that works; TensorRT only where it is listed, for it builds each model anew for minutes",
  ),
  // MusicGen small, the largest of the families, holds 3 GB in single precision.
  model_mb: variable(
    "TONWERK_MODEL_MB",
    "MB",
    "6000",
    whole(100, 1_000_000),
    "Memory that the process of one model may hold before it is ended and replaced",
  ),
  model_seconds: variable(
    "TONWERK_MODEL_SECONDS",
    "s",
    "60",
    whole(1, 3_600),
    "Time limit of one run of a model, which is one block of some seconds, where its manifest sets none",
  ),
  put_per_minute: variable(
    "TONWERK_PUT_PER_MINUTE",
    "requests/min",
    "600",
    whole(0, 1_000_000),
    "PUT requests of an account that has no limit of its own; 0 is unlimited",
  ),
  get_per_minute: variable(
    "TONWERK_GET_PER_MINUTE",
    "requests/min",
    "3000",
    whole(0, 1_000_000),
    "GET requests of an account that has no limit of its own; 0 is unlimited",
  ),
  long_polls: variable(
    "TONWERK_LONG_POLLS",
    "requests",
    "100",
    whole(0, 1_000_000),
    "Open long-polls of an account that has no limit of its own; 0 is unlimited",
  ),
  // An hour of one core: no more than a twentieth of what the smallest machine has in a day, and far above what mistakes cost.
  free_seconds: variable(
    "TONWERK_FREE_SECONDS",
    "s",
    "3600",
    whole(0, 1_000_000),
    "Processor time a day (UTC) of an account for work that ends without a charge: failed operations and looking at uploads; past it actions and uploads are refused with 429; 0 is unlimited",
  ),
  uploads_open: variable(
    "TONWERK_UPLOADS_OPEN",
    "requests",
    "8",
    whole(0, 1_000_000),
    "Uploads of an account at a time; 0 is unlimited",
  ),
  // A hundred of the largest.
  upload_bytes: variable(
    "TONWERK_UPLOAD_BYTES",
    "bytes",
    "5000000000",
    whole(0, 1_000_000_000_000_000),
    "Bytes that the uploads of an account may have together until they are deleted, 24 hours after their last use; 0 is unlimited",
  ),
  // Some jobs' sources and results, and the database's log.
  free_bytes_min: variable(
    "TONWERK_FREE_BYTES_MIN",
    "bytes",
    "2000000000",
    whole(0, 1_000_000_000_000_000),
    "Free space on the disk of TONWERK_DATA below which uploads are refused with 507 while jobs go on; 0: none is kept free",
  ),
  first_key: optional(
    "TONWERK_FIRST_KEY",
    "API key",
    hidden(checkApiKey, "an API key: tonwerk_ and 36 letters and digits with a fitting checksum"),
    "Key of the account that a first start creates; absent: a random one",
  ),
  first_secret: optional(
    "TONWERK_FIRST_SECRET",
    "whsec_ secret",
    hidden((given) => signingKey(given) !== undefined, "whsec_ and the padded base64 of 24 to 64 bytes"),
    "Webhook signing secret of that account; absent: a random one",
  ),
  first_credits: variable(
    "TONWERK_FIRST_CREDITS",
    "credits",
    "1000",
    whole(0, 1_000_000_000),
    "Credits of that account",
  ),
  secret: optional(
    "TONWERK_SECRET",
    "base64",
    rootSecret,
    "Signs download URLs and encrypts signing secrets; absent: made at the first start and kept in TONWERK_DATA",
  ),
  secret_previous: optional(
    "TONWERK_SECRET_PREVIOUS",
    "base64",
    rootSecret,
    "The TONWERK_SECRET before, for as long as URLs and signing secrets made with it are in use",
  ),
  trusted_proxies: variable(
    "TONWERK_TRUSTED_PROXIES",
    "list of addresses and CIDR ranges",
    "",
    list(range),
    "Proxies whose X-Forwarded-For is believed",
  ),
  private_hosts: variable(
    "TONWERK_PRIVATE_HOSTS",
    "list of hosts, addresses and CIDR ranges",
    "",
    list(hostOrRange),
    "Private hosts that sources and callbacks may reach, over http too",
  ),
  dns: variable(
    "TONWERK_DNS",
    "list of addresses, with a port or without",
    "",
    list(nameServer),
    "Name servers for the hosts of sources and callbacks, such as 10.0.0.2 or [fd00::2]:5353, in this order, at most three; absent: the system's",
  ),
  smtp_url: optional(
    "TONWERK_SMTP_URL",
    "smtp(s) URL",
    smtpUrl,
    "Server that sends mail: leak reports, invitations, forgotten passwords; smtps:// is TLS from the start, smtp:// STARTTLS where it is offered; absent: no mail",
  ),
  mail_from: optional(
    "TONWERK_MAIL_FROM",
    "e-mail address",
    hidden((given) => canonicalEmail(given) !== undefined, "an e-mail address such as tonwerk@example.com"),
    "Sender of that mail; absent: tonwerk at the host of TONWERK_BASE_URL",
  ),
  leak_keys: optional(
    "TONWERK_LEAK_KEYS",
    "JSON",
    leakKeys,
    "Public keys that sign leak reports: an object of key identifiers and PEM texts, or GitHub's list of them as it is; absent: POST /leaks is refused",
  ),
  // 5 min: a download that starts at once still does. 7 d: no S3 signature lasts longer.
  url_seconds: variable("TONWERK_URL_SECONDS", "s", "3600", whole(300, 604_800), "How long a download URL works"),
  retention_days: variable(
    "TONWERK_RETENTION_DAYS",
    "d",
    "30",
    whole(1, 36_500),
    "How long operations, outputs and idempotency keys are kept after the end",
  ),
  audit_days: variable(
    "TONWERK_AUDIT_DAYS",
    "d",
    "400",
    whole(1, 36_500),
    "How long entries of the audit log are kept; the store refuses to delete them before",
  ),
  unknown_hours: variable(
    "TONWERK_UNKNOWN_HOURS",
    "h",
    "24",
    whole(1, 8_760),
    "How long an operation waits while workers of its kind are there and none knows its action; then it fails and its credits come back",
  ),
  work_seconds: variable(
    "TONWERK_WORK_SECONDS",
    "s",
    "600",
    whole(1, 86_400),
    "Time limit of the work on one operation",
  ),
  workers: variable(
    "TONWERK_WORKERS",
    "jobs",
    "auto",
    workers,
    "How many jobs of one kind run at a time; auto is one less than there are processor cores, and at least 1. On Linux they run at niceness 10, so that a node that does everything answers requests first",
  ),
  flac_bits: variable("TONWERK_FLAC_BITS", "24 or 16", "24", flacBits, "Bits of a sample in delivered FLAC"),
  // 25 s: Kubernetes and most supervisors kill after 30.
  drain_seconds: variable(
    "TONWERK_DRAIN_SECONDS",
    "s",
    "25",
    whole(0, 3_600),
    "How long running jobs may go on when stopping",
  ),
  metrics_port: optional(
    "TONWERK_METRICS_PORT",
    "TCP port",
    whole(1, 65_535),
    "Serves GET /metrics for Prometheus on a port of its own, without a key; absent: no metrics",
  ),
  metrics_host: variable(
    "TONWERK_METRICS_HOST",
    "address or host name",
    "127.0.0.1",
    host,
    "Where that port listens; let only Prometheus reach it",
  ),
  log_level: variable(
    "TONWERK_LOG_LEVEL",
    "debug, info, warn or error",
    "info",
    choice("debug", "info", "warn", "error"),
    "What is logged: from this level up; debug has a line for each request",
  ),
  ffmpeg_path: optional(
    "FFMPEG_PATH",
    "file or none",
    text,
    "The ffmpeg to fall back on; absent: the one on the PATH; none: no ffmpeg",
  ),
};

interface Variable<Value> extends ConfigRow {
  /** Throws WrongValue. */
  read(given: string | undefined): Value;
}

type Reader<Value> = (given: string) => Value;

function variable<Value>(
  name: string,
  unit: string,
  default_text: string,
  read: Reader<Value>,
  sentence: string,
): Variable<Value> {
  return { name, unit, default: default_text, sentence, read: (given) => read(given ?? default_text) };
}

function optional<Value>(name: string, unit: string, read: Reader<Value>, sentence: string): Variable<Value | null> {
  return { name, unit, default: "", sentence, read: (given) => (given === undefined ? null : read(given)) };
}

/** Why a value cannot be; the message continues the variable's name. */
class WrongValue extends Error {
  /** `given` stays out of the message where it may be a secret. */
  constructor(expected: string, given?: string) {
    super(`must be ${expected}${given === undefined ? "" : `, not "${given}"`}`);
  }
}

// -------------------------------------------------------------------------------------------------------------- readers

function text(given: string): string {
  return given;
}

function whole(min: number, max: number): Reader<number> {
  return (given) => {
    const value = /^(?:0|[1-9][0-9]{0,14})$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new WrongValue(`a whole number from ${min} to ${max}`, given);
  };
}

function choice<const Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return (given) => {
    const chosen = choices.find((one) => one === given);
    if (chosen !== undefined) return chosen;
    throw new WrongValue(`one of ${choices.join(", ")}`, given);
  };
}

function flacBits(given: string): 16 | 24 {
  return choice("24", "16")(given) === "24" ? 24 : 16;
}

function workers(given: string): number {
  if (given === "auto") return Math.max(1, availableParallelism() - 1);
  try {
    return whole(1, 256)(given);
  } catch {
    throw new WrongValue("auto or a whole number from 1 to 256", given);
  }
}

/** Comma-separated; spaces around the commas do not count, and neither do empty items. */
function list(item: Reader<string>): Reader<readonly string[]> {
  return (given) => {
    const items = given.split(",").map((part) => part.trim());
    return Object.freeze(items.filter((part) => part !== "").map(item));
  };
}

function plugin(given: string): string {
  if (given !== "?") return given;
  throw new WrongValue(
    "folders such as ./plugins and packages such as @acme/pitch, optional ones with a leading ?",
    given,
  );
}

function range(given: string): string {
  const normal = normalRange(given);
  if (normal !== undefined) return normal;
  throw new WrongValue("addresses and CIDR ranges such as 10.0.0.0/8", given);
}

function hostOrRange(given: string): string {
  const normal = normalRange(given) ?? hostName(given);
  if (normal !== undefined) return normal;
  throw new WrongValue("host names, addresses and CIDR ranges, without scheme and port", given);
}

/** An address, or an address and a port as a URL writes them. */
function nameServer(given: string): string {
  const plain = normalAddress(given);
  if (plain !== undefined) return plain;
  const [, address = "", port = ""] = /^(.+):([0-9]{1,5})$/u.exec(given) ?? [];
  const normal = normalAddress(address.replace(/^\[(.*:.*)\]$/u, "$1"));
  const is_bracketed = address.startsWith("[");
  if (normal !== undefined && address.includes(":") === is_bracketed && Number(port) >= 1 && Number(port) <= 65_535) {
    return `${address}:${port}`;
  }
  throw new WrongValue("addresses such as 10.0.0.2, 10.0.0.2:5353 or [fd00::2]:5353", given);
}

function host(given: string): string {
  const normal = normalAddress(given) ?? hostName(given);
  if (normal !== undefined) return normal;
  throw new WrongValue("an address or a host name, without scheme and port", given);
}

/** In lower case. A name whose last label is a number would be a mistyped address. */
function hostName(given: string): string | undefined {
  const labels = given.toLowerCase().split(".");
  const is_name = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
  return is_name && !/^[0-9]+$/.test(labels.at(-1)!) ? labels.join(".") : undefined;
}

function baseUrl(given: string): string {
  const url = URL.parse(given);
  const plain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (plain && (url.protocol === "http:" || url.protocol === "https:") && !/[?#\s]/.test(given)) {
    return url.href.replace(/\/+$/, "");
  }
  // Not repeated: it may hold a password.
  throw new WrongValue("an http or https URL without user name, query and fragment");
}

function hidden(isValid: (given: string) => boolean, expected: string): Reader<string> {
  return (given) => {
    if (isValid(given)) return given;
    throw new WrongValue(expected);
  };
}

function smtpUrl(given: string): string {
  const url = URL.parse(given);
  if (url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "") return given;
  // Not repeated: it may hold a password.
  throw new WrongValue("smtp:// or smtps:// with a host, as in smtp://user:password@mail.example.com:587");
}

function leakKeys(given: string): ReadonlyMap<string, KeyObject> {
  const keys = readLeakKeys(given);
  if (keys !== undefined) return keys;
  throw new WrongValue(
    'JSON of PEM public keys on P-256 by identifier, as in {"id": "-----BEGIN PUBLIC KEY-----\\n…"}',
  );
}

function rootSecret(given: string): string {
  return hidden(
    (text) => decodeSecret(text) !== undefined,
    "base64 of at least 32 bytes, as openssl rand -base64 32 makes it",
  )(given);
}

/** Not repeated where it is wrong: it may hold a password. */
function address(...protocols: readonly string[]): Reader<string> {
  const isAddress = (given: string): boolean => {
    const url = URL.parse(given);
    return url !== null && protocols.includes(url.protocol) && url.hostname !== "" && !/\s/.test(given);
  };
  const schemes = protocols.map((protocol) => `${protocol}//`).join(" or ");
  return hidden(isAddress, `a URL that begins with ${schemes} and names a host`);
}

function publicEndpoint(given: string): string {
  return given === "none" ? given : baseUrl(given);
}

function works(given: string): readonly Work[] {
  const items = list((item) => choice(...WORKS)(item))(given);
  if (items.length > 0) return Object.freeze(WORKS.filter((work) => items.includes(work)));
  throw new WrongValue("at least one of dsp, generation and gpu");
}

/** Values that are well by themselves and not together. */
function contradictions(config: Readonly<Record<string, unknown>>): string[] {
  const lines: string[] = [];
  const missing = (name: string, with_what: string) => lines.push(`${name} must be set with ${with_what}`);
  if (config.database_url && config.secret === null) {
    missing("TONWERK_SECRET", "DATABASE_URL, the same on every node: openssl rand -base64 32 makes one");
  }
  if (config.s3_endpoint && config.s3_bucket === null) missing("S3_BUCKET", "S3_ENDPOINT");
  if (config.s3_access_key_id && config.s3_secret_access_key === null)
    missing("S3_SECRET_ACCESS_KEY", "S3_ACCESS_KEY_ID");
  if (config.s3_secret_access_key && config.s3_access_key_id === null)
    missing("S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY");
  return lines;
}

// ---------------------------------------------------------------------------------------------------------------- names

function baseUrlOf(listening: string, port: number): string {
  // Every interface is no address that a client could call.
  const named = listening === "0.0.0.0" ? "127.0.0.1" : listening === "::" ? "::1" : listening;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}

function isUnknown(name: string, value: string): boolean {
  if (!name.startsWith("TONWERK_") || Object.values(VARIABLES).some((known) => known.name === name)) return false;
  // Of the test suite, whose child processes inherit them.
  if (name.startsWith("TONWERK_TEST_")) return false;
  // Kubernetes puts these into every container for a Service that is called tonwerk or tonwerk-something.
  const of_a_service = /_SERVICE_HOST$|_SERVICE_PORT(?:_[A-Z0-9_]+)?$|_PORT_[0-9]+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?$/.test(
    name,
  );
  return !of_a_service && !(name.endsWith("_PORT") && /^(?:tcp|udp|sctp):\/\//.test(value));
}

function nearestName(name: string): string {
  // Without case and prefix, which some variables lack: neither says what was meant.
  const plain = (full: string): string => full.toUpperCase().replace(/^TONWERK_/, "");
  const distances = Object.values(VARIABLES).map((row) => ({
    name: row.name,
    distance: editDistance(plain(name), plain(row.name)),
  }));
  return distances.reduce((nearest, one) => (one.distance < nearest.distance ? one : nearest)).name;
}

/** Levenshtein: characters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = row[j]! + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
