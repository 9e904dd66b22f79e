import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** Another process that runs a TypeScript file on the runtime that runs the test. */
export interface Child {
  readonly pid: number;
  /** Lines of its standard output, as they come; ends with the process. */
  lines(): AsyncIterable<string>;
  /** SIGKILL; resolves when the process is gone and what it wrote was read, or left unread by leaving `lines()`. */
  kill(): Promise<void>;
}

export function spawnFile(file: URL, ...args: string[]): Child {
  const runtime = process.versions.deno === undefined ? ["run"] : ["run", "-A", "--no-check"];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [...runtime, fileURLToPath(file), ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
  if (child.pid === undefined) throw new Error(`Cannot start ${process.execPath}`);
  return {
    pid: child.pid,
    async *lines() {
      let rest = "";
      for await (const chunk of child.stdout) {
        const parts = (rest + String(chunk)).split("\n");
        rest = parts.pop() ?? "";
        yield* parts;
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
