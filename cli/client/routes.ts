/** Commands that are requests of the server's document besides its actions: `tonwerk list`, `tonwerk endpoints add`. */
import { randomUUID } from "node:crypto";
import { type Choices, choicesOfFields } from "./completion.ts";
import { actionsOf, type Described, type Document, findAction, loadDocument, type Schema, settle } from "./document.ts";
import { EXIT, UsageError } from "./exit_codes.ts";
import { type Field, fieldsIn } from "./fields.ts";
import { optionLines } from "./help.ts";
import { openTransport } from "./operations.ts";
import { parseFields, readFields, readOne, type Values } from "./read_words.ts";
import { createReport, type Report } from "./report.ts";
import { chooseServer, type Profile, requireKey } from "./settings.ts";

/** One request by its `operationId`, or all of a tag, each of which is a verb. */
type Named = { readonly operation: string } | { readonly tag: string };

export const ROUTES: Readonly<Record<string, Named & { readonly usage: string; readonly sentence: string }>> = {
  list: {
    operation: "operations_list",
    usage: "list [--action <name>] [--status <status>] [--created-after 2h] [--metadata <name=value>] [--limit <n>]",
    sentence: "operations, newest first",
  },
  get: { operation: "operations_read", usage: "get <id>…", sentence: "operations of any action as they are now" },
  cancel: { operation: "operations_cancel", usage: "cancel <id>…", sentence: "ends what is in work" },
  redeliver: { operation: "operations_redeliver", usage: "redeliver <id>…", sentence: "sends their webhooks again" },
  account: { operation: "account_read", usage: "account", sentence: "credits and limits, and what the key may" },
  uploads: { tag: "files", usage: "uploads list | get <id>… | remove <id>…", sentence: "what was uploaded" },
  endpoints: {
    tag: "webhook_endpoints",
    usage: "endpoints list | add <url>… [--events <event>] | get|update|ping|rotate-secret|remove <id>…",
    sentence: "receivers that are told of every operation; ping sends a test event",
  },
};

/** What people type for a verb of the document. */
const VERBS: Readonly<Record<string, string>> = { create: "add", delete: "remove", read: "get" };
/** Of lists, which are read to `--limit`, and of waiting, which is a command of its own. */
const OWN_PARAMETERS: readonly string[] = ["cursor", "id", "ids", "wait"];
const SHARED = ["profile", "json", "help"];
const LIMIT = 50;

interface Route {
  readonly command: string;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly query: readonly Field[];
  /** Without the word. */
  readonly body: readonly Field[];
  /** What each word stands for. */
  readonly word: Field | undefined;
  readonly has_key: boolean;
}

/** The requests behind one of `ROUTES`, as this server has them. */
function routesOf(document: Document, name: string): readonly Route[] {
  const named = ROUTES[name]!;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const { operationId: id = "", tags: [tag] = [], requestBody } = described;
      const is_named = "tag" in named ? tag === named.tag : id === named.operation;
      // Uploading is what actions do with their sources.
      const is_json = requestBody === undefined || requestBody.content["application/json"] !== undefined;
      if (!is_named || !is_json) return [];
      const verb = id.slice(`${tag}_`.length).replaceAll("_", "-");
      const command = "tag" in named ? `${name} ${VERBS[verb] ?? verb}` : name;
      return [readRoute(document, command, method.toUpperCase() as Route["method"], path, described)];
    }),
  );
}

function readRoute(
  document: Document,
  command: string,
  method: Route["method"],
  path: string,
  { parameters = [], requestBody, summary = "" }: Described,
): Route {
  const asked = (where: string) =>
    fieldsIn(document, {
      properties: Object.fromEntries(
        parameters
          .filter((one) => one.in === where && (where === "path" || !OWN_PARAMETERS.includes(one.name)))
          .map(({ name, schema, description = "" }) => [name, { ...schema, description }]),
      ),
    });
  const schema: Schema =
    requestBody === undefined ? {} : settle(document, requestBody.content["application/json"].schema);
  const body = fieldsIn(document, schema);
  const word = asked("path")[0] ?? body.find(({ required }) => required);
  return {
    command,
    method,
    path,
    summary,
    query: asked("query"),
    body: body.filter((field) => field !== word),
    word,
    has_key: schema.properties?.idempotency_key !== undefined,
  };
}

/** @throws UsageError */
export async function runRoute(name: string, typed: readonly string[]): Promise<number> {
  const server = chooseServer(profileIn(typed));
  const document = await loadDocument(server.url);
  const routes = routesOf(document, name);
  const { usage, sentence } = ROUTES[name]!;
  const has_verb = "tag" in ROUTES[name]!;
  const [verb = "", ...rest] = has_verb ? typed : ["", ...typed];
  if (has_verb && (verb === "" || verb.startsWith("-"))) {
    const lines = routes.map(
      ({ command, word, summary }) => `  tonwerk ${`${command} ${placeOf(word)}`.padEnd(32)}${summary}`,
    );
    console.log([`Usage: tonwerk ${usage}`, `  ${sentence}`, ...lines].join("\n"));
    return verb === "" ? EXIT.usage : EXIT.ok;
  }
  const route = routes.find(({ command }) => command === (has_verb ? `${name} ${VERBS[verb] ?? verb}` : name));
  if (route === undefined)
    throw new UsageError(
      `${server.url} has no "${[name, ...(has_verb ? [verb] : [])].join(" ")}"\nUsage: tonwerk ${usage}`,
    );
  const { query, body, word } = route;
  const { values, positionals } = parseFields([...query, ...body], SHARED, rest);
  if (values.help === true) {
    const usage_of = ["Usage: tonwerk", route.command, placeOf(word), "[options]"]
      .filter((part) => part !== "")
      .join(" ");
    console.log([usage_of, `  ${route.summary}.`, "", ...optionLines([...query, ...body])].join("\n"));
    return EXIT.ok;
  }
  if (word === undefined && positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many`);
  if (word !== undefined && positionals.length === 0)
    throw new UsageError(`Usage: tonwerk ${route.command} ${placeOf(word)}`);
  const report = createReport({ json: values.json === true, quiet: true, aside: false });
  await send(document, route, requireKey(server), values, positionals, report);
  return EXIT.ok;
}

/** What may follow one of `ROUTES` in a shell. */
export function choicesOfRoute(document: Document, name: string, verb: string): Choices {
  const routes = routesOf(document, name);
  const verbs = routes.map(({ command, summary }) => [command.slice(name.length + 1), summary]);
  const route = routes.find(({ command }) => command === name || command === `${name} ${VERBS[verb] ?? verb}`);
  const fields = [...(route?.query ?? []), ...(route?.body ?? [])];
  const { options, values } = choicesOfFields(
    fields,
    Object.fromEntries(SHARED.map((one) => [one, ""])),
    actionsOf(document),
  );
  return { words: "tag" in ROUTES[name]! ? Object.fromEntries(verbs) : {}, options, values };
}

const placeOf = (word: Field | undefined): string => (word === undefined ? "" : `<${word.option}>…`);

/** One request a word. @throws ApiError */
async function send(
  document: Document,
  { method, path, query, body, word, has_key }: Route,
  profile: Profile,
  values: Values,
  words: readonly string[],
  report: Report,
): Promise<void> {
  // What has no key of its own is sent once: a second try could make a second one.
  const transport = openTransport(profile, method === "POST" && !has_key ? 0 : 6);
  const fields = readFields(body, values);
  const asked = writeQuery(document, readFields(query, values));
  for (const one of words.length === 0 ? [""] : words) {
    const in_path = path.includes("{");
    const given = in_path || word === undefined ? {} : { [word.path[0]!]: readOne(word, one, () => "") };
    const json = { ...(has_key ? { idempotency_key: randomUUID() } : {}), ...fields, ...given };
    const call = { method, ...(Object.keys(json).length === 0 && method !== "PATCH" ? {} : { json }) };
    const to = path.replace(/\{[^}]+\}/u, encodeURIComponent(one));
    const limit = Number(values.limit ?? LIMIT);
    for (let left = limit; left > 0; ) {
      if ("limit" in values) asked.set("limit", String(Math.min(left, 100)));
      const answer = await transport.json<Answer>({ ...call, path: asked.size === 0 ? to : `${to}?${asked}` });
      const entries = method === "GET" ? Object.values(answer).find((value) => Array.isArray(value)) : undefined;
      if (entries === undefined) {
        say(report, unwrap(answer), method === "GET");
        break;
      }
      for (const entry of entries.slice(0, left) as object[]) say(report, entry, false);
      left -= entries.length;
      if (!answer.next_cursor) break;
      asked.set("cursor", answer.next_cursor);
    }
  }
}

interface Answer {
  readonly [field: string]: unknown;
  readonly next_cursor?: string | null;
}

function unwrap(answer: Answer): object {
  const [only, ...more] = Object.values(answer);
  return more.length === 0 && typeof only === "object" && only !== null ? only : answer;
}

function writeQuery(document: Document, values: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value))
      query.set(name, value.map((one) => (name === "action" ? actionName(document, one) : one)).join(","));
    else if (typeof value === "object" && value !== null)
      for (const [key, one] of Object.entries(value)) query.set(`${name}[${key}]`, String(one));
    else query.set(name, String(value));
  }
  return query;
}

/** By its command or its name; the word itself where the server has no such action. */
export const actionName = <Word extends string | undefined>(document: Document, word: Word): string | Word =>
  (word === undefined ? undefined : findAction(actionsOf(document), word)?.name) ?? word;

/** What a line on a terminal says of an entry, as far as it has it. */
const COLUMNS = [
  "created_at",
  "id",
  "action",
  "status",
  "name",
  "url",
  "events",
  "enabled",
  "duration",
  "deleted",
  "secret",
];

function say(report: Report, result: object, is_whole: boolean): void {
  // A new endpoint stands beside its secret.
  const parts = Object.values(result).filter((value) => typeof value === "object" && !Array.isArray(value));
  const fields = Object.assign({}, ...parts, result) as Readonly<Record<string, unknown>>;
  const { id } = fields;
  const shown = COLUMNS.flatMap((name) => {
    const value = fields[name];
    // Signed URLs are too long to be read.
    if (value === undefined || value === null || (name === "url" && "expires_at" in fields)) return [];
    return typeof value === "boolean" ? (value ? [name] : [`not ${name}`]) : [String(value)];
  });
  const whole = is_whole || shown.length === 0;
  report.say({ type: "result", id, result }, whole ? JSON.stringify(result, null, 2) : shown.join("  "));
}

/** The server's document is needed before options can be read. */
export function profileIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === "--profile" || word.startsWith("--profile="));
  if (at === -1) return undefined;
  return words[at]!.includes("=") ? words[at]!.slice("--profile=".length) : words[at + 1];
}
