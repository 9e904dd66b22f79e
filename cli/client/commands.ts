/** The commands of `tonwerk` for clients that are no action's. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { BENCH_OPTIONS, BENCH_USAGE, runBenchCommand } from "../bench/command.ts";
import { type Choices, choicesOfFields, complete, completionScript } from "./completion.ts";
import { chooseForward, listenSecret, sendDelivery } from "./deliveries.ts";
import { type Action, actionsOf, findAction, loadDocument } from "./document.ts";
import { followEnded, listEnded, typeOf } from "./events.ts";
import { EXIT, problemOf, UsageError } from "./exit_codes.ts";
import { fieldsOf, headerFields, SHARED_OPTIONS } from "./fields.ts";
import { waitFor } from "./operations.ts";
import { createReport } from "./report.ts";
import { actionName, choicesOfRoute, ROUTES } from "./routes.ts";
import { abortOnInterrupt } from "./run_action.ts";
import { type EndOrStart, EVENTS, sampleBody } from "./sample.ts";
import { chooseServer, type Profile, readSettings, requireKey, trim, writeSettings } from "./settings.ts";

interface Command {
  readonly usage: string;
  readonly sentence: string;
  /** What its first word may be. */
  readonly words?: readonly string[];
  /** Options that take a value, besides `--profile`. */
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  run(words: readonly string[], options: Options): Promise<number>;
}
type Options = Readonly<Record<string, string | boolean | undefined>>;

export const CLIENT_COMMANDS: Readonly<Record<string, Command>> = {
  profile: {
    usage: "profile add <name> --url <url> [--key <key>] | list | use <name> | remove <name>",
    sentence: "servers and keys, in a file that only you may read; without --key it is read from standard input",
    words: ["add", "list", "use", "remove"],
    options: ["url", "key"],
    run: runProfile,
  },
  wait: {
    usage: "wait <id>… [--timeout <seconds>]",
    sentence: "until operations of any action have ended; the work goes on if you leave",
    options: ["timeout"],
    flags: ["json", "quiet"],
    run: (ids, options) => runWait(ids, options, undefined),
  },
  download: {
    usage: "download <id>… [-o <path>] [--format <format>] [--zip] [--timeout <seconds>]",
    sentence: "their results, as soon as they are there",
    options: ["output", "format", "timeout"],
    flags: ["zip", "json", "quiet"],
    run: (ids, options) => runWait(ids, options, text(options.output) ?? "./"),
  },
  events: {
    usage: "events [--follow] [--action <name>] [--limit <n>]",
    sentence: "operations that ended, newest first; --follow goes on with those that end",
    options: ["action", "limit"],
    flags: ["follow", "json"],
    run: runEvents,
  },
  listen: {
    usage: "listen --forward <url> [--action <name>]",
    sentence: "send this account's deliveries to an address here, signed; --print-secret says with what",
    options: ["forward", "action"],
    flags: ["json", "print-secret"],
    run: runListen,
  },
  trigger: {
    usage: "trigger <action>.started|ready|failed [--forward <url>]",
    sentence: "send a signed sample delivery there",
    options: ["forward"],
    flags: ["json"],
    run: runTrigger,
  },
  open: {
    usage: "open [id] [--print]",
    sentence: "the dashboard, or an operation's page in it",
    flags: ["print"],
    run: runOpen,
  },
  bench: {
    usage: BENCH_USAGE,
    sentence:
      "measures how fast a server answers you: latencies at a rate, or the highest rate that keeps an objective. " +
      "Scenarios: status, submit, replay, long-poll, upload, download (these without --scenario), webhooks, " +
      "mixed, actions, or an action's name. compare says what differs between two results; preload fills a new store",
    words: ["compare", "preload"],
    options: BENCH_OPTIONS,
    flags: ["knee"],
    run: (words, { profile, ...options }) => runBenchCommand(words, options, () => chooseServer(text(profile))),
  },
  mcp: {
    usage: "mcp [--http [<host>:]<port>]",
    sentence: "the server's actions as tools for programs that speak MCP, over stdio or, with Bearer keys, HTTP",
    options: ["http"],
    run: runMcp,
  },
  completion: {
    usage: "completion bash|zsh|fish",
    sentence: "what your shell needs to complete commands and options",
    words: ["bash", "zsh", "fish"],
    run: async ([shell]) => {
      console.log(completionScript(shell));
      return EXIT.ok;
    },
  },
};

/** @throws UsageError */
export async function runClientCommand(name: string, typed: readonly string[]): Promise<number> {
  const { usage, sentence, options = [], flags = [], run } = CLIENT_COMMANDS[name]!;
  const accepted = {
    ...describeOptions(["profile", ...options], "string"),
    ...describeOptions(flags, "boolean"),
    help: { type: "boolean" as const, short: "h" },
  };
  const explained = `Usage: tonwerk ${usage}`;
  let parsed: { values: Options; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...typed], options: accepted, allowPositionals: true }) as typeof parsed;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${explained}`);
  }
  if (parsed.values.help === true) {
    console.log(`${explained}\n  ${sentence}`);
    return EXIT.ok;
  }
  return run(parsed.positionals, parsed.values);
}

const SHORT: Readonly<Record<string, string>> = { output: "o", quiet: "q" };
const describeOptions = <Type extends "string" | "boolean">(names: readonly string[], type: Type) =>
  Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(SHORT, name) ? { type, short: SHORT[name]! } : { type }]),
  );

/** What may stand at the last of `words`; never waits long for a server. */
export async function printCompletion(
  words: readonly string[],
  others: Readonly<Record<string, string>>,
): Promise<number> {
  const document = await loadDocument(chooseServer(undefined).url, "cached", 1_000).catch(() => undefined);
  const actions = document === undefined ? [] : actionsOf(document);
  const commands = [
    ...actions.map(({ command, summary }) => [command, summary]),
    ...Object.entries({ ...ROUTES, ...CLIENT_COMMANDS }).map(([name, { sentence }]) => [name, sentence]),
    ...Object.entries(others),
  ];
  const choicesOf = (command: string, verb: string): Choices | undefined => {
    if (Object.hasOwn(CLIENT_COMMANDS, command)) return choicesOfCommand(command, actions);
    if (document === undefined) return undefined;
    if (Object.hasOwn(ROUTES, command)) return choicesOfRoute(document, command, verb);
    const action = findAction(actions, command);
    const fields =
      action === undefined ? undefined : [...fieldsOf(document, action), ...headerFields(document, action)];
    return fields && choicesOfFields(fields, SHARED_OPTIONS, actions);
  };
  const found = complete(Object.fromEntries(commands) as Record<string, string>, choicesOf, words);
  if (found.length > 0) console.log(found.join("\n"));
  return EXIT.ok;
}

function choicesOfCommand(name: string, actions: readonly Action[]): Choices {
  const { words = [], options = [], flags = [] } = CLIENT_COMMANDS[name]!;
  const own = name === "trigger" ? actions.flatMap((one) => EVENTS.map((event) => `${one.command}.${event}`)) : words;
  const describe = (all: readonly string[]) => Object.fromEntries(all.map((one) => [one, ""]));
  return {
    words: describe(own),
    options: describe(["profile", ...options, ...flags, "help"]),
    values: { action: actions.map(({ command }) => command) },
  };
}

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

async function runProfile([verb, name, ...more]: readonly string[], options: Options): Promise<number> {
  const settings = readSettings();
  const { profiles, current } = settings;
  if (verb === "list" && name === undefined) {
    for (const [one, { url, key }] of Object.entries(profiles))
      console.log(`${one === current ? "*" : " "} ${one.padEnd(16)} ${url}  …${key.slice(-4)}`);
    return EXIT.ok;
  }
  if (name === undefined || more.length > 0) throw new UsageError(`Usage: tonwerk ${CLIENT_COMMANDS.profile!.usage}`);
  if (verb === "add") {
    const url = trim(text(options.url) ?? "");
    if (!URL.canParse(url)) throw new UsageError("Where is the server? Say --url https://audio.example.com");
    const key = text(options.key) ?? readKey();
    const { credits } = await new Tonwerk({ baseUrl: url, apiKey: key, retries: 1 }).account();
    writeSettings({ ...settings, current: current ?? name, profiles: { ...profiles, [name]: { url, key } } });
    console.log(`${name}: ${url}, ${credits} credits`);
    return EXIT.ok;
  }
  if (!Object.hasOwn(profiles, name)) throw new UsageError(`There is no profile "${name}"`);
  if (verb === "use") writeSettings({ ...settings, current: name });
  else if (verb === "remove") {
    const { [name]: _, ...rest } = profiles;
    const { current: __, ...others } = settings;
    writeSettings({ ...others, ...(current === undefined || current === name ? {} : { current }), profiles: rest });
  } else throw new UsageError(`Usage: tonwerk ${CLIENT_COMMANDS.profile!.usage}`);
  return EXIT.ok;
}

/** From standard input: what stands on the command line, others may read. */
function readKey(): string {
  if (process.stdin.isTTY) process.stderr.write("API key: ");
  const key = readFileSync(0, "utf8").split("\n")[0]!.trim();
  if (key === "") throw new UsageError("No API key was given");
  return key;
}

function connect(options: Options): { tonwerk: Tonwerk; profile: Profile } {
  const profile = requireKey(chooseServer(text(options.profile)));
  return { tonwerk: new Tonwerk({ baseUrl: profile.url, apiKey: profile.key }), profile };
}

async function runWait(ids: readonly string[], options: Options, output: string | undefined): Promise<number> {
  const timeout = options.timeout === undefined ? undefined : Number(options.timeout);
  if (timeout !== undefined && !(timeout > 0 && timeout <= 86_400))
    throw new UsageError(`--timeout must be 1 to 86400 seconds, not "${options.timeout}"`);
  return waitFor(requireKey(chooseServer(text(options.profile))), {
    ids,
    output,
    format: options.zip === true ? "zip" : text(options.format),
    timeout,
    json: options.json === true,
    quiet: options.quiet === true,
  });
}

async function runEvents(_: readonly string[], options: Options): Promise<number> {
  const { tonwerk, profile } = connect(options);
  const document = await loadDocument(profile.url);
  const limit = Number(options.limit ?? (options.follow === true ? 0 : 20));
  if (!Number.isInteger(limit) || limit < 0) throw new UsageError("--limit must be a whole number");
  const action = actionName(document, text(options.action));
  const report = createReport({ json: options.json === true, quiet: true, aside: false });
  const say = (ended: Parameters<typeof typeOf>[0] & { readonly id: string; readonly created_at: string }) =>
    report.say(
      { type: "event", event: typeOf(ended), id: ended.id, operation: ended },
      `${ended.created_at}  ${ended.id}  ${typeOf(ended)}`,
    );
  for (const ended of await listEnded(tonwerk, limit, action)) say(ended);
  if (options.follow !== true) return EXIT.ok;
  const signal = abortOnInterrupt();
  for await (const ended of followEnded(tonwerk, action, signal, () => undefined)) say(ended);
  return EXIT.interrupted;
}

async function runListen(_: readonly string[], options: Options): Promise<number> {
  if (options["print-secret"] === true) {
    console.log(listenSecret());
    return EXIT.ok;
  }
  const { tonwerk, profile } = connect(options);
  const forward = chooseForward(text(options.forward));
  const document = await loadDocument(profile.url);
  const action = actionName(document, text(options.action));
  const actions = actionsOf(document);
  const report = createReport({ json: options.json === true, quiet: true, aside: false });
  const signal = abortOnInterrupt();
  let is_ready = false;
  const ready = () => {
    if (!is_ready) console.error(`Ready: deliveries to ${forward.url} are signed with ${forward.secret}`);
    is_ready = true;
  };
  for await (const ended of followEnded(tonwerk, action, signal, ready)) {
    const wrapper = actions.find(({ name }) => name === ended.action)?.wrapper ?? "operation";
    const type = typeOf(ended);
    await forwardOne({ id: `msg_${ended.id.slice(3)}`, type, body: { [wrapper]: ended } }, forward, report);
  }
  return EXIT.interrupted;
}

/** Tells what came of it; true where the receiver took it. */
async function forwardOne(
  delivery: Parameters<typeof sendDelivery>[0],
  forward: ReturnType<typeof chooseForward>,
  report: ReturnType<typeof createReport>,
): Promise<boolean> {
  const { id, type } = delivery;
  try {
    const status = await sendDelivery(delivery, forward);
    report.say({ type: "forwarded", event: type, id, status }, `${type}  ${id}  ${status}`);
    return status >= 200 && status < 300;
  } catch (error) {
    const { message } = problemOf(error);
    report.say({ type: "forwarded", event: type, id, status: null, message }, `${type}  ${id}  no answer: ${message}`);
    return false;
  }
}

async function runTrigger([type = "", ...more]: readonly string[], options: Options): Promise<number> {
  const [, word, status] = /^(.+)\.(started|ready|failed)$/u.exec(type) ?? [];
  if (word === undefined || more.length > 0) throw new UsageError(`Usage: tonwerk ${CLIENT_COMMANDS.trigger!.usage}`);
  const document = await loadDocument(chooseServer(text(options.profile)).url);
  const actions = actionsOf(document);
  const action: Action | undefined = findAction(actions, word);
  if (action === undefined)
    throw new UsageError(`There is no action "${word}"; there are ${actions.map(({ name }) => name).join(", ")}`);
  const body = sampleBody(document, action, status as EndOrStart);
  const forward = chooseForward(text(options.forward));
  const report = createReport({ json: options.json === true, quiet: true, aside: false });
  const delivery = { id: `msg_sample${Date.now().toString(36)}`, type: `${action.name}.${status}`, body };
  return (await forwardOne(delivery, forward, report)) ? EXIT.ok : EXIT.no_answer;
}

const OPENERS: Readonly<Record<string, string>> = { darwin: "open", win32: "explorer" };

async function runOpen([id]: readonly string[], options: Options): Promise<number> {
  const { url } = chooseServer(text(options.profile));
  const page = `${url}/dashboard${id === undefined ? "" : `/operations/${encodeURIComponent(id)}`}`;
  console.log(page);
  if (options.print === true || !process.stdout.isTTY) return EXIT.ok;
  const browser = spawn(OPENERS[process.platform] ?? "xdg-open", [page], { stdio: "ignore", detached: true });
  // A machine without a browser: the address was printed.
  browser.on("error", () => undefined);
  browser.unref();
  return EXIT.ok;
}

async function runMcp(_: readonly string[], options: Options): Promise<number> {
  const server = chooseServer(text(options.profile));
  const signal = abortOnInterrupt();
  // Loaded here alone: with the protocol's package it takes longer to load than everything else.
  const { serveOverHttp, serveOverStdio } = await import("../mcp/server.ts");
  const at = text(options.http);
  if (at === undefined) {
    await serveOverStdio(requireKey(server), signal);
    return EXIT.ok;
  }
  const [, hostname = "127.0.0.1", port] = /^(?:(.+):)?(\d{1,5})$/u.exec(at) ?? [];
  if (port === undefined) throw new UsageError(`--http must be <port> or <host>:<port>, not "${at}"`);
  const http = await serveOverHttp(server.url, { hostname: hostname.replace(/^\[(.*)\]$/u, "$1"), port: Number(port) });
  console.error(`MCP on ${http.url}, for ${server.url}`);
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await http.stop();
  return EXIT.ok;
}
