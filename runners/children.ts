/**
 * Ties child processes (ffmpeg and the like) to the pool thread that started them: a thread that hangs is ended by force, and its
 * children would otherwise live on.
 */
import type { ChildProcess } from "node:child_process";
import { link } from "./pool/link.ts";

/**
 * Call right after `spawn`. When the pool ends the thread or process that spawned it, a child that still runs gets SIGKILL: its whole
 * process group where it was spawned `detached`, else itself alone. Outside a pool it does nothing.
 *
 * @example
 * ```ts
 * const child = spawn("ffmpeg", args, { detached: true });
 * adopt(child);
 * ```
 */
export function adopt(child: ChildProcess): void {
  const pool = link();
  const { pid } = child;
  // No pid: the spawn failed, and the child's `error` event says so to whoever listens.
  if (pool === undefined || pid === undefined) return;
  pool.adopt(pid);
  child.once("exit", () => pool.release(pid));
}
