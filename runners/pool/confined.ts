/**
 * How a child process is kept to its permissions: by the runtime's own where it has any, else by a sandbox; by limits
 * of the kernel where `prlimit` (util-linux) is installed; and by its memory, which we look at, everywhere.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Confinement, Keeping } from "../../core/ports/mod.ts";
import { findSandboxFault, SANDBOX_PARENT, sandboxArguments } from "./sandbox.ts";

/** What of this installation runs: not its data, which may lie beside it. */
const CODE = [
  "contract",
  "core",
  "runners",
  "packages",
  "plugins",
  "node_modules",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
].map((name) => fileURLToPath(new URL(`../../${name}`, import.meta.url)));
const HAS_PERMISSIONS = process.versions.deno !== undefined;
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

/** What keeps children to files and hosts here. */
export function howConfined(): Keeping {
  if (HAS_PERMISSIONS) return { by: "runtime" };
  const fault = findSandboxFault();
  return fault === null ? { by: "sandbox" } : { by: null, why: `this runtime has no permissions, and bwrap: ${fault}` };
}

/** The command that runs `file` of ours with these permissions. */
export function confinedCommand({ hosts, read, write, env }: Confinement, file: string, owner: number): Started {
  const seen = env.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  // A cache of its own would be a file.
  const variables = { ...Object.fromEntries(seen), BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  const started = { ...commandFor({ hosts, write, read: [...CODE, ...read] }, file, owner), env: variables };
  const prlimit = findProgram("prlimit");
  if (prlimit === undefined) return started;
  // Deno keeps its own caches, and others' files away by its permissions.
  const limits = ["--core=0", ...(write.length === 0 && !HAS_PERMISSIONS ? ["--fsize=0"] : [])];
  return { ...started, program: prlimit, args: [...limits, "--", started.program, ...started.args] };
}

type Files = Pick<Confinement, "hosts" | "read" | "write">;

function commandFor(wanted: Files, file: string, owner: number): Pick<Started, "program" | "args"> {
  const program = process.execPath;
  if (HAS_PERMISSIONS) return { program, args: ["run", "--no-prompt", ...granted(wanted), file, String(owner)] };
  if (findSandboxFault() !== null) return { program, args: [file, String(owner)] };
  return { program: "bwrap", args: [...sandboxArguments(wanted), "--", program, file, String(SANDBOX_PARENT)] };
}

/** Deno's flags. The environment holds only what was put there. */
function granted({ hosts, read, write }: Files): string[] {
  const list = (flag: string, entries: readonly string[]): string[] =>
    entries.length === 0 ? [] : [`--allow-${flag}=${entries.join(",")}`];
  return ["--allow-env", ...list("read", [...read, ...write]), ...list("write", write), ...list("net", hosts)];
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

/**
 * Mebibytes in memory, of the process and of those below it, where the system has `/proc`: the first may be the
 * sandbox.
 */
export function residentHere(pid: number | string): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    if (kilobytes === undefined) return undefined;
    return childrenOf(pid).reduce((sum, child) => sum + (residentHere(child) ?? 0), Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

/** Each thread has those that it started. */
function childrenOf(pid: number | string): readonly string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean);
    } catch {
      // It has ended, or this kernel does not tell.
      return [];
    }
  });
}

function askResident(pid: number, judge: (used_mb: number | undefined) => void): void {
  execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, printed) => {
    judge(error === null && /^\s*\d+\s*$/u.test(printed) ? Number(printed) / 1024 : undefined);
  });
}
