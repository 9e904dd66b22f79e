/** Processes started by a thread or process of the pool, which must not outlive it. */
import { readFileSync } from "node:fs";

export class Adopted {
  readonly #started_at = new Map<number, string | undefined>();

  add(pid: number): void {
    this.#started_at.set(pid, startedAt(pid));
  }

  delete(pid: number): void {
    this.#started_at.delete(pid);
  }

  /** SIGKILL to all of them: to the process group that one leads, else to it alone. */
  kill(): void {
    for (const [pid, started_at] of this.#started_at) {
      // A thread that hangs cannot say that its child has ended, and the number may belong to a stranger by now.
      if (startedAt(pid) === started_at && !killGroup(pid)) kill(pid);
    }
    this.#started_at.clear();
  }
}

/** SIGKILL to the process group that `pid` leads or led. False: there is none. */
export function killGroup(pid: number): boolean {
  return kill(-pid);
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ESRCH") return false;
    throw error;
  }
}

/** Start time of process `pid` in clock ticks since boot, where the system tells (proc(5), field 22). */
function startedAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Field 2, the name, is in parentheses and may itself hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    // No /proc on this system, or the process has ended: nothing to compare with.
    return undefined;
  }
}
