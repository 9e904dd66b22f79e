/** Processes by number, as Linux tells of them. */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Undefined: it has ended. */
export function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

export const isAlive = (pid: number): boolean => parentOf(pid) !== undefined;

/** Of this one. */
export function children(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/u.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === process.pid);
}
