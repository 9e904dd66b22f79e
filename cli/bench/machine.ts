/**
 * The machine that measures, as far as figures depend on it. What /proc does not tell elsewhere than on Linux is null.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runtime } from "../../core/adapters/runtime/runtime.ts";

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory_mb: number;
  /** Whether a hypervisor is below; null: unknown. */
  readonly virtual: boolean | null;
  readonly kernel: string;
  readonly clock: string | null;
  readonly runtime: string;
  /** Of this program. */
  readonly commit: string | null;
  readonly load: readonly number[];
  /** Milliseconds that the disk of the temporary folder takes to keep 4 KB for good. */
  readonly sync_ms: { readonly p50: number; readonly p99: number };
}

export async function describeMachine(folder: string): Promise<Machine> {
  const info = read("/proc/cpuinfo") ?? "";
  const field = (name: string): string | undefined => new RegExp(`^${name}\\s*: (.*)$`, "mu").exec(info)?.[1];
  const number = (name: string): string => (field(name) === undefined ? "" : `, ${name} ${field(name)}`);
  const syncs = await timeSyncs(folder);
  return {
    processor: `${cpus()[0]?.model ?? "unknown"}${number("cpu family")}${number("model")}${number("stepping")}${number("cache size")}`,
    cores: cpus().length,
    memory_mb: Math.round(totalmem() / 2 ** 20),
    virtual: info === "" ? null : / hypervisor\b/u.test(field("flags") ?? ""),
    kernel: `${platform()} ${release()}`,
    clock: read("/sys/devices/system/clocksource/clocksource0/current_clocksource")?.trim() ?? null,
    runtime: `${runtime.name} ${runtime.version}`,
    commit: commitHere(),
    load: loadavg().map((load) => Math.round(100 * load) / 100),
    sync_ms: { p50: at(syncs, 0.5), p99: at(syncs, 0.99) },
  };
}

export const machineLine = (one: Machine): string =>
  `${one.cores} x ${one.processor}${one.virtual === true ? ", virtual" : ""}, ${one.memory_mb} MB, ${one.kernel}, ${one.runtime}, ` +
  `load ${one.load.join(" ")}, disk keeps 4 KB in ${one.sync_ms.p50.toFixed(2)} ms (p99 ${one.sync_ms.p99.toFixed(2)})`;

/**
 * Share of all processor time since `before` that a hypervisor gave to others, and that was idle; null where nobody
 * tells.
 */
export function sharesSince(before: readonly number[] | null): { stolen: number; idle: number } | null {
  const now = processorTimes();
  if (now === null || before === null) return null;
  const spent = now.map((value, index) => value - (before[index] ?? 0));
  // user nice system idle iowait irq softirq steal: guest times are within user.
  const all = spent.slice(0, 8).reduce((sum, value) => sum + value, 0);
  return all === 0 ? null : { stolen: (spent[7] ?? 0) / all, idle: (spent[3] ?? 0) / all };
}

export function processorTimes(): readonly number[] | null {
  const first = read("/proc/stat")?.split("\n")[0];
  return first === undefined ? null : first.trim().split(/\s+/u).slice(1).map(Number);
}

export function commitHere(): string | null {
  try {
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    return execFileSync("git", ["describe", "--always", "--dirty"], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    // Not a checkout, or no git.
    return null;
  }
}

/**
 * Milliseconds that a hundred commits of 4 KB to this folder's disk took, the quickest first: what a commit cannot be
 * faster than.
 */
export async function timeSyncs(folder: string): Promise<readonly number[]> {
  const path = join(folder, `sync-${process.pid}`);
  const file = await open(path, "w");
  const took: number[] = [];
  try {
    for (let write = 0; write < 100; write++) {
      const began = performance.now();
      await file.write(new Uint8Array(4_096), 0, 4_096, write * 4_096);
      await file.datasync();
      took.push(performance.now() - began);
    }
  } finally {
    await file.close();
    await rm(path);
  }
  return took.sort((one, other) => one - other);
}

const at = (sorted: readonly number[], q: number): number => sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN;

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
