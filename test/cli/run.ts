/** Runs the program `tonwerk` as people do, on the runtime that runs the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runFile } from "../process.ts";

const CLI = fileURLToPath(new URL("../../cli/tonwerk.ts", import.meta.url));
export const command: readonly string[] = [process.execPath, ...runFile(CLI)];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
  /** Of standard output, one JSON object each. */
  readonly lines: readonly Record<string, unknown>[];
}

export interface Running {
  readonly child: ChildProcess;
  /** Resolves once standard output or standard error has this. */
  said(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Shell {
  /** Home and working folder of every command. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export function start({ folder, env }: Shell, args: readonly string[], input: string | Uint8Array = ""): Running {
  const [program = "", ...rest] = command;
  const child = spawn(program, [...rest, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  let stderr = "";
  const waiting: { text: string; resolve: () => void }[] = [];
  const check = () => {
    const all = Buffer.concat(out).toString("latin1") + stderr;
    for (const { text, resolve } of waiting) if (all.includes(text)) resolve();
  };
  child.stdout.on("data", (part: Buffer) => {
    out.push(Buffer.from(part));
    check();
  });
  child.stderr.on("data", (part: Buffer) => {
    stderr += part.toString();
    check();
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => {
      const bytes = Buffer.concat(out);
      const stdout = bytes.toString("utf8");
      const lines = stdout.split("\n").flatMap((line) => (line.startsWith('{"type"') ? [JSON.parse(line)] : []));
      resolve({ code, stdout, stderr, bytes, lines });
    });
  });
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      waiting.push({ text, resolve });
      check();
    });
  return { child, said, ended };
}

export const run = (shell: Shell, args: readonly string[], input?: string | Uint8Array): Promise<Ended> =>
  start(shell, args, input).ended;

/** A `tonwerk` for shells; resolves to the folder that PATH needs. */
export async function writeProgram(folder: string): Promise<string> {
  const path = join(folder, "tonwerk");
  await writeFile(path, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  await chmod(path, 0o755);
  return folder;
}
