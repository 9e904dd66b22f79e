/**
 * Servers of others that tests start for real. Where a program is missing its tests are skipped, visibly; with TONWERK_TEST_SERVICES=required,
 * as in CI, they fail.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";

/** Path of a program; undefined: it is not installed here. */
export function findProgram(name: string, ...folders: readonly string[]): string | undefined {
  const places = [...folders, ...(process.env.PATH ?? "").split(delimiter), join(homedir(), "go/bin")];
  return places.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** False, and one skipped or failed test that says so, where one of these programs is missing. */
export function haveServices(suite: string, programs: Readonly<Record<string, string | undefined>>): boolean {
  const missing = Object.entries(programs).flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (missing.length === 0) return true;
  const why = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed here`;
  if (process.env.TONWERK_TEST_SERVICES === "required") {
    test(`${suite}: its servers are there`, () => {
      throw new Error(`${why}, and TONWERK_TEST_SERVICES=required`);
    });
  } else {
    test(suite, { skip: why }, () => undefined);
  }
  return false;
}

export interface Running {
  readonly child: ChildProcess;
  /** Ends it with `signal` and resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** What it printed last, for the message of a failure. */
  output(): string;
}

/** Starts a server and resolves once `isReady` does; rejects with what it printed where it ends before. */
export async function startServer(
  program: string,
  args: readonly string[],
  isReady: () => Promise<boolean>,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let printed = "";
  let gone = false;
  const exited = new Promise<void>((resolve) => {
    const settle = () => {
      gone = true;
      resolve();
    };
    child.once("exit", settle);
    child.once("error", settle);
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4_000);
    });
  }
  const running: Running = {
    child,
    output: () => printed,
    async end(signal = "SIGKILL") {
      if (!gone) child.kill(signal);
      await exited;
    },
  };
  const deadline = Date.now() + START_MS;
  while (!(await isReady().catch(() => false))) {
    if (gone || Date.now() > deadline) {
      await running.end();
      throw new Error(`Cannot start ${program}: ${printed || "it printed nothing"}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return running;
}

const START_MS = 30_000;
