/**
 * A thread beside the work of a pool's process. The end of standard input tells that the pool's process is gone, but
 * not to a runner that never yields: this thread sees it as well.
 */
import { Adopted } from "./adopted.ts";

export type ToWatchdog =
  | { readonly type: "watch"; readonly owner: number }
  | { readonly type: "adopt" | "release"; readonly pid: number };

const POLL_MS = 1000;

const adopted = new Adopted();

(globalThis as unknown as { onmessage: (event: MessageEvent<ToWatchdog>) => void }).onmessage = ({ data }) => {
  if (data.type === "watch") setInterval(() => check(data.owner), POLL_MS);
  else if (data.type === "adopt") adopted.add(data.pid);
  else adopted.delete(data.pid);
};

/** Orphans get another parent. */
function check(owner: number): void {
  if (process.ppid === owner) return;
  adopted.kill();
  process.kill(process.pid, "SIGKILL");
}
