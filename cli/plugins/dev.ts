/**
 * `tonwerk plugins dev`: a server of one's own with the plugin, which takes a saved change as a whole or not at all.
 * Each save is copied, and the copy is checked and served: declaration and code are always of the same save, in every
 * thread, and a mistake leaves the last good one at work. The server starts anew on the same data; what it was working
 * on begins again.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { argsFor, onStop } from "../../core/adapters/runtime/runtime.ts";
import { newApiKey } from "../../core/base/keys.ts";
import { inspectPlugin } from "./check.ts";
import type { Described } from "./inspect.ts";

const MAIN = fileURLToPath(new URL("../../core/main.ts", import.meta.url));
/** Of the folder of a plugin: what `dev` keeps, with the server's data. */
const OWN = ".tonwerk";
const UNWATCHED = ["node_modules", "dist"];
/** What is hidden is a tool's: its history, its caches, which change by themselves. */
const isWatched = (name: string): boolean => !name.startsWith(".") && !UNWATCHED.includes(name);
/** What trying an action leaves beside it. */
const IS_RESULT = /\.(?:flac|wav|mp3|opus|zip|tgz|log)$/u;
const LOOK_MS = 200;
const CREDITS = 1_000_000;

export interface DevOptions {
  readonly folder: string;
  readonly port: number;
  readonly write: (line: string) => void;
}

/** Resolves once it is told to stop. */
export async function runDev({ folder: given, port, write }: DevOptions): Promise<void> {
  const folder = resolve(given);
  const home = join(folder, OWN);
  await mkdir(home, { recursive: true });
  const key = await keep(join(home, "key"), newApiKey);
  for (const name of await readdir(home)) if (/^\d+$/u.test(name)) await rm(join(home, name), { recursive: true });
  let stopped = false;
  let server: ChildProcess | undefined;
  let served: readonly Described[] | undefined;
  let [print, seen] = ["", ""];
  const ended = Promise.withResolvers<void>();
  onStop(async () => {
    stopped = true;
    await stop(server);
    ended.resolve();
  });

  for (let save = 1; !stopped; ) {
    const now = await fingerprint(folder);
    // Seen twice: an editor may still be writing.
    const is_whole = now === seen;
    seen = now;
    if (is_whole && now !== print) {
      print = now;
      const copy = join(home, String(save++));
      await copyPlugin(folder, copy);
      const { actions, problem } = await inspectPlugin(copy, ["./plugins"]);
      if (stopped) break;
      if (problem !== null) {
        write(`Not served: ${problem.replaceAll(copy, folder)}`);
        if (served !== undefined) write("The last good one stays at work.");
      } else {
        for (const line of describeChanges(served, actions)) write(line);
        await stop(server);
        if (stopped) break;
        server = startServer(home, copy, port, key);
        relayLines(server, served === undefined, (line) => write(line.replaceAll(copy, folder)));
        if (await isReady(server, port)) {
          write(`Served at http://127.0.0.1:${port}: ${actions.map(({ name }) => name).join(", ")}`);
          if (served === undefined) for (const line of describeUse(actions, port, key)) write(line);
          served = actions;
        } else write("The server did not start.");
        await removeOthers(home, copy);
      }
    }
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
  await ended.promise;
}

/** What differs between two versions of a plugin, a line for each action. */
export function describeChanges(before: readonly Described[] | undefined, after: readonly Described[]): string[] {
  if (before === undefined) return [];
  const lines: string[] = [];
  for (const { name } of before) if (!after.some((one) => one.name === name)) lines.push(`${name}: gone`);
  for (const { name, keys } of after) {
    const was = before.find((one) => one.name === name)?.keys;
    if (was === undefined) lines.push(`${name}: new`);
    else {
      const changed = [...new Set([...Object.keys(was), ...Object.keys(keys)])].filter((key) => was[key] !== keys[key]);
      if (changed.length > 0) lines.push(`${name}: ${changed.map((key) => tell(key, was[key], keys[key])).join("; ")}`);
    }
  }
  return lines.length === 0 ? ["The declarations are as they were; what they call may have changed"] : lines;
}

function tell(key: string, was: string | undefined, now: string | undefined): string {
  if (was === undefined || now === undefined) return `${key} ${was === undefined ? "added" : "removed"}`;
  if (key !== "request") return /^(?:"[^"]{0,40}"|true|false)$/u.test(now) ? `${key} is ${now}` : `${key} changed`;
  const [old, fresh] = [was, now].map(
    (text) => (JSON.parse(text) as { properties: Record<string, unknown> }).properties,
  );
  const names = [...new Set([...Object.keys(old!), ...Object.keys(fresh!)])];
  const told = names.flatMap((name) => {
    if (!(name in old!)) return [`request.${name} added`];
    if (!(name in fresh!)) return [`request.${name} removed`];
    return JSON.stringify(old![name]) === JSON.stringify(fresh![name]) ? [] : [`request.${name} changed`];
  });
  return told.join(", ") || "request changed";
}

/** As the plugin is now, with the packages that lie beside it. */
async function copyPlugin(folder: string, copy: string): Promise<void> {
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy, { recursive: true });
  for (const entry of await readdir(folder))
    if (isWatched(entry)) await cp(join(folder, entry), join(copy, entry), { recursive: true });
  await symlink(join(folder, "node_modules"), join(copy, "node_modules"), "dir");
}

async function removeOthers(home: string, copy: string): Promise<void> {
  for (const name of await readdir(home))
    if (/^\d+$/u.test(name) && name !== basename(copy)) await rm(join(home, name), { recursive: true, force: true });
}

/**
 * Of all files that a save may touch. Looked at again and again: watching folders differs between runtimes and systems.
 */
async function fingerprint(folder: string): Promise<string> {
  const seen: string[] = [];
  const look = async (below: string): Promise<void> => {
    for (const entry of await readdir(below, { withFileTypes: true })) {
      if (!isWatched(entry.name) || IS_RESULT.test(entry.name)) continue;
      const path = join(below, entry.name);
      if (entry.isDirectory()) await look(path);
      else {
        const found = await stat(path).catch(() => undefined);
        seen.push(`${path} ${found?.mtimeMs} ${found?.size}`);
      }
    }
  };
  await look(folder);
  return seen.join("\n");
}

function startServer(home: string, copy: string, port: number, key: string): ChildProcess {
  const plugins = `./plugins,${pathToFileURL(`${copy}/`).href}`;
  const own = { PORT: String(port), TONWERK_DATA: join(home, "data"), TONWERK_PLUGINS: plugins };
  const first = { TONWERK_FIRST_KEY: key, TONWERK_FIRST_CREDITS: String(CREDITS) };
  const env = { ...process.env, TONWERK_DRAIN_SECONDS: "1", ...own, ...first };
  return spawn(process.execPath, [...argsFor.run(MAIN)], { env, stdio: ["inherit", "pipe", "pipe"] });
}

/** Its log, and at first the link into the dashboard; all else that a server greets with is said here. */
function relayLines({ stdout, stderr }: ChildProcess, is_first: boolean, write: (line: string) => void): void {
  createInterface({ input: stderr! }).on("line", (line) => {
    for (const part of tellBug(line)) write(part);
  });
  let is_link = false;
  createInterface({ input: stdout! }).on("line", (line) => {
    if (!line.startsWith(" ")) is_link = line.startsWith("Dashboard");
    if (line.startsWith("{") || (is_first && is_link)) write(line);
  });
}

/** A `plugin.error` of the log as whoever mends it reads it: what is wrong, and where. */
export function tellBug(line: string): readonly string[] {
  if (!line.startsWith("{") || !line.includes('"event":"plugin.error"')) return [line];
  const { error, where = "" } = JSON.parse(line) as { readonly error: string; readonly where?: string };
  return [`Bug: ${error}`, ...where.split("\n").filter((frame) => /^\s+at /u.test(frame))];
}

/** How the first of the actions is used. */
function describeUse([action]: readonly Described[], port: number, key: string): readonly string[] {
  const { name = "", keys = {} } = action ?? {};
  const command = keys.command ?? `"${name.slice(name.indexOf(".") + 1).replaceAll("_", "-")}"`;
  return [
    `Key ${key}`,
    "In another terminal, from this folder:",
    `  export TONWERK_URL=http://127.0.0.1:${port} TONWERK_KEY=$(cat ${OWN}/key)`,
    `  tonwerk ${JSON.parse(command)} --help`,
  ];
}

const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;

async function isReady(server: ChildProcess, port: number): Promise<boolean> {
  while (!hasEnded(server)) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return true;
    await new Promise((later) => setTimeout(later, 50));
  }
  return false;
}

async function stop(server: ChildProcess | undefined): Promise<void> {
  if (server === undefined || hasEnded(server)) return;
  const gone = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await gone;
}

/** What the file holds; made where it is missing. */
async function keep(path: string, make: () => string): Promise<string> {
  const kept = await readFile(path, "utf8").catch(() => undefined);
  if (kept !== undefined) return kept;
  const made = make();
  await writeFile(path, made, { mode: 0o600 });
  return made;
}
