/** From the words behind an action's command to the requests that they ask for. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../../core/base/log.ts";
import { findNearest } from "../../core/base/nearest.ts";
import type { Action, Document } from "./document.ts";
import { UsageError } from "./exit_codes.ts";
import { type Field, fieldsOf, headerFields, SHARED_FLAGS, SHARED_OPTIONS, wordFields } from "./fields.ts";

export interface Asked {
  readonly requests: readonly Request[];
  readonly output: string | undefined;
  readonly format: string | undefined;
  /** Of each submission. */
  readonly headers: Readonly<Record<string, string>>;
  readonly dry_run: boolean;
  readonly idempotency_key: string | undefined;
  readonly jobs: number;
  readonly profile: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly help: boolean;
}

/** One operation that is to be made. */
export interface Request {
  /** What people call it: the source's name, or the prompt. */
  readonly label: string;
  /** The name of its results, where a source gives it. */
  readonly stem: string | undefined;
  /** Without the idempotency key; a source is `{ given }`, a file, a URL or `-`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A source as it was typed. */
export interface Given {
  readonly given: string;
}

/** @throws UsageError */
export function readWords(document: Document, action: Action, typed: readonly string[]): Asked {
  const fields = fieldsOf(document, action);
  const headers = headerFields(document, action);
  const { values, positionals } = parseFields([...fields, ...headers], Object.keys(SHARED_OPTIONS), typed);
  const shared = <T>(name: keyof typeof SHARED_OPTIONS): T | undefined => values[name] as T | undefined;
  const asked = {
    output: shared<string>("output"),
    format: shared<boolean>("zip") === true ? "zip" : shared<string>("format"),
    headers: readFields(headers, values) as Record<string, string>,
    dry_run: shared<boolean>("dry-run") === true,
    idempotency_key: shared<string>("idempotency-key")?.toLowerCase(),
    jobs: readJobs(shared<string>("jobs") ?? "4"),
    profile: shared<string>("profile"),
    json: shared<boolean>("json") === true,
    quiet: shared<boolean>("quiet") === true,
    help: shared<boolean>("help") === true,
  };
  if (asked.help) return { ...asked, requests: [] };
  const { idempotency_key: key } = asked;
  if (key !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(key))
    throw new UsageError(`--idempotency-key must be a UUID, not "${key}"`);
  const stdin = createStdin();
  const common = readFields(fields, values, stdin);
  const groups = groupWords(wordFields(fields, new Set(Object.keys(values))), positionals);
  const requests = groups.map((group) => {
    const body = structuredClone(common);
    for (const [field, word] of group) put(body, field, readOne(field, word, stdin));
    refuseMissing(fields, body);
    return { ...nameOf(action, fields, body), body };
  });
  return { ...asked, requests };
}

/** What the options of these fields say, as a body has it. */
export function readFields(
  fields: readonly Field[],
  values: Values,
  stdin: Stdin = createStdin(),
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = readValue(field, values, stdin);
    if (value !== undefined) put(body, field, value);
  }
  return body;
}

export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
const SHORT: Readonly<Record<string, string>> = { output: "o", jobs: "j", quiet: "q", help: "h" };

/** `shared`: names of further options. @throws UsageError */
export function parseFields(
  fields: readonly Field[],
  shared: readonly string[],
  typed: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } {
  const options: Record<string, { type: "string" | "boolean"; short?: string; multiple?: boolean }> = {};
  for (const name of shared) {
    const short = SHORT[name];
    options[name] = { type: SHARED_FLAGS.has(name) ? "boolean" : "string", ...(short === undefined ? {} : { short }) };
  }
  for (const { option, kind, many } of fields) {
    // The words of the line are a list's sources: `*.flac --album`.
    const is_flag = many ? kind === "source" : kind === "boolean" || kind === "block";
    options[option] = {
      type: is_flag ? "boolean" : "string",
      ...((many && !is_flag) || kind === "pairs" ? { multiple: true } : {}),
    };
    if (is_flag && kind === "boolean") options[`no-${option}`] = { type: "boolean" };
  }
  try {
    const { values, positionals } = parseArgs({ args: joinNumbers(options, typed), options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    const unknown = /^Unknown option '--?([^']+)'/u.exec(messageOf(error))?.[1];
    if (unknown === undefined) throw new UsageError(messageOf(error));
    throw new UsageError(
      `There is no option --${unknown}; did you mean --${findNearest(unknown, Object.keys(options))}?`,
    );
  }
}

/** `--target-lufs -16` as `--target-lufs=-16`: what begins with a dash would be taken for an option. */
function joinNumbers(options: Readonly<Record<string, { readonly type: string }>>, typed: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of typed) {
    const before = joined.at(-1) ?? "";
    const takes = before.startsWith("--") && options[before.slice(2)]?.type === "string";
    if (takes && /^-(\.?\d|$)/u.test(word)) joined[joined.length - 1] = `${before}=${word}`;
    else joined.push(word);
  }
  return joined;
}

function readJobs(text: string): number {
  const jobs = Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 64) return jobs;
  throw new UsageError(`--jobs must be a whole number of 1 to 64, not "${text}"`);
}

export type Stdin = () => string;
/** Standard input can be read once. */
function createStdin(): Stdin {
  let is_read = false;
  return () => {
    if (is_read) throw new UsageError("Only one value can come from standard input");
    is_read = true;
    return readFileSync(0, "utf8");
  };
}

function readValue(field: Field, values: Readonly<Record<string, unknown>>, stdin: Stdin): unknown {
  const given = values[field.option];
  if (values[`no-${field.option}`] === true && field.kind === "boolean") return false;
  if (given === undefined) return undefined;
  if (field.kind === "block" && !field.many) return {};
  // Filled by the words.
  if (field.kind === "source" && field.many) return undefined;
  if (field.kind === "pairs") return Object.fromEntries((given as readonly string[]).map(readPair));
  return Array.isArray(given) ? given.map((one) => readOne(field, one, stdin)) : readOne(field, given, stdin);
}

function readPair(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new UsageError(`"${text}" must be <name>=<value>`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function readOne(field: Field, value: unknown, stdin: Stdin): unknown {
  if (typeof value !== "string") return value;
  const { kind, option, words } = field;
  if (field.is_time) return readTime(option, value);
  switch (kind) {
    case "source":
      refuseMissingFile(value);
      return { given: value } satisfies Given;
    case "number": {
      const number = Number(value);
      if (value.trim() === "" || !Number.isFinite(number))
        throw new UsageError(`--${option} must be a number, not "${value}"`);
      return number;
    }
    case "text":
      if (words.length > 0 && !words.includes(value))
        throw new UsageError(`--${option} must be one of ${words.join(", ")}, not "${value}"`);
      return words.length > 0 ? value : readText(field, value, stdin);
    case "boolean":
      return value === "true";
    default:
      return readJson(option, value);
  }
}

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `2h`, `7d` ago, or a date. */
function readTime(option: string, text: string): string {
  const [, count, unit = ""] = /^(\d{1,5})([smhd])$/u.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : Date.now() - Number(count) * UNIT_S[unit]! * 1_000;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw new UsageError(`--${option} must be a time such as 2026-11-23T12:00Z, or 30m, 2h or 7d ago, not "${text}"`);
}

function readJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`--${option} must be JSON, not "${text}"`);
  }
}

/** `@file` and `-` for every text; of one of many lines also the bare name of a file. */
function readText({ option, is_long }: Field, value: string, stdin: Stdin): string {
  if (value === "-") return stdin().trimEnd();
  if (value.startsWith("@")) return readFile(option, value.slice(1));
  if (!is_long || value.includes("\n")) return value;
  if (isFile(value)) return readFile(option, value);
  // Nobody pays for hearing the name of a file sung.
  if (/^\S+\.(txt|md|lrc|text)$/iu.test(value)) throw new UsageError(`--${option}: there is no file "${value}"`);
  return value;
}

function readFile(option: string, path: string): string {
  if (!isFile(path)) throw new UsageError(`--${option}: there is no file "${path}"`);
  return readFileSync(path, "utf8").trimEnd();
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
export const isUrl = (given: string): boolean => /^https?:\/\//iu.test(given);

function refuseMissingFile(given: string): void {
  if (given !== "-" && !isUrl(given) && !isFile(given)) throw new UsageError(`There is no file "${given}"`);
}

/** Words in groups of as many as fields wait for one; each group is a request. */
function groupWords(waiting: readonly Field[], words: readonly string[]): readonly (readonly [Field, string])[][] {
  if (words.length === 0) return [[]];
  const [list] = waiting;
  if (list?.many === true) return [words.map((word) => [list, word] as const)];
  if (waiting.length === 0) throw new UsageError(`"${words[0]}" is one word too many`);
  if (words.length % waiting.length !== 0)
    throw new UsageError(
      `Expected ${waiting.map(({ option }) => `<${option}>`).join(" ")}, not ${words.length} word${words.length === 1 ? "" : "s"}`,
    );
  return Array.from({ length: words.length / waiting.length }, (_, group) =>
    waiting.map((field, index) => [field, words[group * waiting.length + index]!] as const),
  );
}

function put(body: Record<string, unknown>, { path, kind, many }: Field, value: unknown): void {
  let at = body;
  for (const name of path.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  const name = path.at(-1)!;
  if (many && kind === "source") {
    at[name] = [...((at[name] ?? []) as unknown[]), value];
    return;
  }
  if (kind !== "block" || at[name] === undefined) at[name] = value;
}

function refuseMissing(fields: readonly Field[], body: Readonly<Record<string, unknown>>): void {
  const missing = fields.filter(({ required, path }) => required && body[path[0]!] === undefined);
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map(({ option }) => `--${option}`).join(", ")}`);
}

function nameOf(action: Action, fields: readonly Field[], body: Readonly<Record<string, unknown>>) {
  const sources = fields.filter(
    ({ kind, required, path, many }) =>
      kind === "source" && !many && (required || body.prompt === undefined) && body[path[0]!] !== undefined,
  );
  // Of several sources the last one is what changes from request to request: the voice over the music.
  const given = (body[sources.at(-1)?.path[0] ?? ""] as Given | undefined)?.given;
  if (given === undefined) return { label: shorten(String(body.prompt ?? action.command)), stem: undefined };
  if (given === "-") return { label: "standard input", stem: undefined };
  const name = isUrl(given) ? basename(new URL(given).pathname) : basename(given);
  return { label: shorten(name), stem: name.replace(/\.[^.]*$/u, "") || undefined };
}

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
};
