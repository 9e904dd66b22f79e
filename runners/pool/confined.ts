/**
 * How a child process is kept to its permissions: by the runtime's own where it has any, by limits of the kernel where `prlimit` (util-linux)
 * is installed, and by its memory, which we look at, everywhere.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Confinement } from "../../core/ports/mod.ts";

const HOME = fileURLToPath(new URL("../../", import.meta.url));
/** Often enough that a process cannot take a machine's memory in between. */
const LOOK_MS = 100;
/** Where a program has to be started to be asked. */
const ASK_MS = 1000;

export interface Started {
  readonly program: string;
  readonly args: readonly string[];
  /** Beside what every child has. */
  readonly env: Readonly<Record<string, string>>;
}

/** The command that runs `file` of ours with these permissions. */
export function confinedCommand({ hosts, read, write, env }: Confinement, file: string, owner: number): Started {
  const own = [file, String(owner)];
  const has_permissions = process.versions.deno !== undefined;
  const seen = env.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const started: Started = {
    program: process.execPath,
    args: has_permissions ? ["run", "--no-prompt", ...granted({ hosts, read, write }), ...own] : own,
    // A cache of its own would be a file.
    env: { ...Object.fromEntries(seen), BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
  };
  const prlimit = findProgram("prlimit");
  if (prlimit === undefined) return started;
  // Deno keeps its own caches, and others' files away by its permissions.
  const limits = ["--core=0", ...(write.length === 0 && !has_permissions ? ["--fsize=0"] : [])];
  return { ...started, program: prlimit, args: [...limits, "--", started.program, ...started.args] };
}

/** Deno's flags. The environment holds only what was put there. */
function granted({ hosts, read, write }: Pick<Confinement, "hosts" | "read" | "write">): string[] {
  const list = (flag: string, entries: readonly string[]): string[] =>
    entries.length === 0 ? [] : [`--allow-${flag}=${entries.join(",")}`];
  return ["--allow-env", ...list("read", [HOME, ...read, ...write]), ...list("write", write), ...list("net", hosts)];
}

function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** Calls `onExcess` once the process holds more than `memory_mb`; returns what stops looking. */
export function watchMemory(pid: number, memory_mb: number, onExcess: (used_mb: number) => void): () => void {
  const judge = (used_mb: number | undefined): void => {
    if (used_mb === undefined || used_mb <= memory_mb) return;
    stop();
    onExcess(Math.round(used_mb));
  };
  const here = residentHere(pid) !== undefined;
  const timer = setInterval(() => (here ? judge(residentHere(pid)) : askResident(pid, judge)), here ? LOOK_MS : ASK_MS);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  return stop;
}

/** Megabytes in memory, where the system has `/proc`. */
function residentHere(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function askResident(pid: number, judge: (used_mb: number | undefined) => void): void {
  execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, printed) => {
    judge(error === null && /^\s*\d+\s*$/u.test(printed) ? Number(printed) / 1024 : undefined);
  });
}
