/** The service as a process of its own, started as `npm start` does, on the runtime that runs the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

export interface ServiceProcess {
  readonly pid: number;
  readonly url: string;
  /** Everything printed so far. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
}

const MAIN = fileURLToPath(new URL("../core/main.ts", import.meta.url));

/** Arguments that make this test's runtime run a file. */
export const runFile = (file: string): readonly string[] =>
  "Deno" in globalThis ? ["run", "-A", "--no-check", "--unstable-no-legacy-abort", file] : ["run", file];

/**
 * A port that nobody listens on, below those that the system gives to connections (32768 to 60999 on Linux): there a connection could take it
 * before the server does. Drawn anew for each, so that two suites at once hardly meet.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    if (given.has(port)) continue;
    const server = createServer();
    const is_free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!is_free) continue;
    await new Promise((resolve) => server.close(resolve));
    given.add(port);
    return port;
  }
}

const given = new Set<number>();

/** Several nodes that start at once on a busy machine take their time. */
const START_MS = 100_000;

/** Starts a process, of another tree's `main` where it is given; resolves once it has exited or /health answers 200. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  port: number,
  poll_ms = 50,
  main = MAIN,
): Promise<ServiceProcess> {
  const child: ChildProcess = spawn(process.execPath, runFile(main), {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout?.on("data", (chunk: Uint8Array) => (printed += chunk.toString()));
  child.stderr?.on("data", (chunk: Uint8Array) => (printed += chunk.toString()));
  let done = false;
  const exited = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      done = true;
      resolve(code);
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const started: ServiceProcess = {
    pid: child.pid ?? 0,
    url,
    output: () => printed,
    // Not child.kill(): on Deno the exit status is lost after it.
    kill: (signal) => void (done || process.kill(started.pid, signal)),
    exited,
  };
  for (let waited_ms = 0; waited_ms < START_MS && !done; waited_ms += poll_ms) {
    const healthy = await fetch(`${url}/health`).then(
      async (response) => {
        await response.body?.cancel();
        return response.status === 200;
      },
      () => false,
    );
    if (healthy) return started;
    await new Promise((resolve) => setTimeout(resolve, poll_ms));
  }
  if (!done) {
    started.kill("SIGKILL");
    throw new Error(`Not healthy after ${START_MS / 1000} s:\n${printed}`);
  }
  return started;
}
