import { readdirSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** As `nice` without a number. */
const NICENESS = 10;

/**
 * Lets others of the service go first where there are not processors enough for all: who waits for an answer of some
 * kilobytes should not wait for a song. Linux, where each thread has a niceness of its own; what is started from here
 * on has it too. A process has it with all threads that there are already: its runtime's compiler and collector work
 * for it alone. Elsewhere, or where the system refuses, nothing happens.
 */
export function letOthersGoFirst(which: "thread" | "process"): void {
  try {
    // <process>/task/<thread>
    const own = readlinkSync("/proc/thread-self").split("/").at(-1)!;
    const threads = which === "thread" ? [own] : readdirSync("/proc/self/task");
    for (const thread of threads.map(Number)) if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
  } catch {
    // It is a courtesy.
  }
}
