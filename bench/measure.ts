/** What the benchmarks share: processor time, peak memory, fresh processes, medians. Linux: reads /proc, times outside tools with bash. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timeSyncs } from "../cli/bench/machine.ts";

/** The checkout. */
export const HERE = fileURLToPath(new URL("../", import.meta.url));

export type RuntimeName = "bun" | "deno";
export const RUNTIMES: readonly RuntimeName[] = ["bun", "deno"];

const FLAGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  bun: ["run", "--expose-gc"],
  deno: ["run", "-A", "--no-check", "--unstable-no-legacy-abort", "--v8-flags=--expose-gc"],
};

/** Program and arguments that run a file; `flags` are the runtime's own, such as `--cpu-prof`. `root`: the checkout whose runtime it is. */
export function commandOf(
  runtime: RuntimeName,
  flags: readonly string[] = [],
  root = HERE,
): readonly [string, ...string[]] {
  return [join(root, "node_modules/.bin", runtime), ...FLAGS[runtime], ...flags];
}

/** Which one this is. */
export const THIS_RUNTIME: RuntimeName = "Deno" in globalThis ? "deno" : "bun";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Seconds of processor time of this process, all of its threads (compiler and collector too). */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The same of another process, to 10 ms. */
export async function cpuSecondsOf(process_id: number): Promise<number> {
  const { utime, stime } = await ticksOf(process_id);
  return (utime + stime) / 100;
}

/** Of the children of this process that have ended and were waited for, to 10 ms. */
export async function cpuSecondsOfChildren(): Promise<number> {
  const { cutime, cstime } = await ticksOf("self");
  return (cutime + cstime) / 100;
}

/** In ticks of 10 ms (proc_pid_stat(5)). */
async function ticksOf(process_id: number | "self") {
  // After the name, which may hold anything.
  const fields = (await readFile(`/proc/${process_id}/stat`, "latin1")).replace(/^.*\) /su, "").split(" ");
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number);
  return { utime, stime, cutime, cstime };
}

/** Highest resident memory so far of this process's program, in bytes. Not `ru_maxrss`, which remembers the parent's across a spawn. */
export async function peakBytes(process_id: number | "self" = "self"): Promise<number> {
  const status = await readFile(`/proc/${process_id}/status`, "latin1");
  return Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** Resolves to the value that `file` printed as its last line of JSON. Rejects with what it printed where it failed. */
export async function runFresh<Result>(
  runtime: RuntimeName,
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Result> {
  const [program, ...before] = commandOf(runtime, flags);
  const child = spawn(program, [...before, file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const { status, printed, complaints } = await ended(child);
  if (status !== 0) throw new Error(`Cannot run "${file}" on ${runtime}:\n${printed}${complaints}`);
  return JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "") as Result;
}

export interface OutsideRun {
  readonly cpu_s: number;
  /** NaN where it ended before it was looked at. */
  readonly peak_bytes: number;
  readonly printed: string;
}

/** How often the memory of an outside tool is looked at. */
const LOOK_MS = 5;

/** Runs an outside tool to its end: processor time of all it used, to the millisecond. Rejects where it fails. */
export async function runOutside(argv: readonly string[]): Promise<OutsideRun> {
  // bash's own clock reads the kernel's account of its children, which /proc rounds to 10 ms.
  const script = 'TIMEFORMAT="CPU %3U %3S"; time "$@"';
  const child = spawn("bash", ["-c", script, "bash", ...argv], {
    env: { ...process.env, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let peak_bytes = Number.NaN;
  const look = setInterval(() => {
    childOf(child.pid ?? 0)
      .then(peakBytes)
      .then(
        (bytes) => {
          // Of a process that has ended but was not waited for there is no number any more.
          if (!Number.isNaN(bytes)) peak_bytes = Number.isNaN(peak_bytes) ? bytes : Math.max(peak_bytes, bytes);
        },
        () => undefined, // it has not begun, or has ended
      );
  }, LOOK_MS);
  const { status, printed, complaints } = await ended(child).finally(() => clearInterval(look));
  if (status !== 0) throw new Error(`Cannot run "${argv.join(" ")}":\n${complaints}`);
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)\s*$/u.exec(complaints) ?? [];
  return { cpu_s: Number(user) + Number(system), peak_bytes, printed: printed + complaints };
}

/** Whether a program of that name can be started. */
export async function isInstalled(program: string): Promise<boolean> {
  return runOutside(["which", program]).then(
    () => true,
    () => false,
  );
}

/** Median milliseconds that this folder's disk takes to keep 4 KB for good: what a commit cannot be faster than. */
export async function syncMs(folder: string): Promise<number> {
  return median(await timeSyncs(folder));
}

/** In words, for every report: figures of a loaded machine compare only as ratios. */
export function loadNow(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(", ");
}

/** Columns padded to the widest cell: the first and those without a head to the left, the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number): string =>
    column === 0 || head[column] === "" ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}

async function childOf(process_id: number): Promise<number> {
  const children = await readFile(`/proc/${process_id}/task/${process_id}/children`, "latin1");
  const [first = ""] = children.split(" ");
  return Number(first === "" ? Number.NaN : first);
}

function ended(child: ChildProcess): Promise<{ status: number | null; printed: string; complaints: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | null;
    printed: string;
    complaints: string;
  }>();
  let printed = "";
  let complaints = "";
  child.stdout?.on("data", (chunk: Uint8Array) => (printed += chunk.toString()));
  child.stderr?.on("data", (chunk: Uint8Array) => (complaints += chunk.toString()));
  child.on("error", reject);
  child.on("close", (status) => resolve({ status, printed, complaints }));
  return promise;
}
