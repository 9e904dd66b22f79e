/** CPU seconds of work in this process, in a fresh one, and of other programs. Linux. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** User and system time of this process with all its threads, compilers' included, and of children that were waited for. */
export async function cpuSeconds(): Promise<number> {
  const { user, system } = process.cpuUsage();
  const fields = (await readFile("/proc/self/stat", "latin1")).replace(/^.*\) /, "").split(" ");
  // cutime and cstime, in ticks of 10 ms.
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

/** What `work` takes. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = await cpuSeconds();
  await work();
  return (await cpuSeconds()) - before;
}

/** What a program takes, its start included. */
export async function cpuOfProgram(program: string, args: readonly string[]): Promise<number> {
  return await cpuOf(async () => await exec(program, args, { maxBuffer: 2 ** 28 }));
}

/** Runs `script` on the runtime that runs this, and reads what it prints last as JSON. */
export async function inFreshProcess<T>(script: URL, args: readonly string[]): Promise<T> {
  const before = process.versions.deno === undefined ? [] : ["run", "-A", "--no-check"];
  const { stdout } = await exec(process.execPath, [...before, script.pathname, ...args], { maxBuffer: 2 ** 28 });
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as T;
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
