/** Processes of this one, as Linux sees them. */
import { readdirSync, readFileSync } from "node:fs";

export function children(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && Number(statOf(pid)[1]) === process.pid;
      } catch {
        return false;
      }
    });
}

/** Seconds. */
export function cpuOf(pid: number | undefined): number {
  if (pid === undefined) return 0;
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Peak of the resident set, 10^6 bytes. */
export function peakOf(pid: number | "self" | undefined): number {
  if (pid === undefined) return 0;
  const [, kib = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

/** From its state on. */
function statOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /, "")
    .split(" ");
}
