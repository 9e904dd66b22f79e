// Gain: no commit waits for a checkpoint of 24 to 71 ms; none in submissions a second; see docs/performance.md.
import type { FromCheckpointer, ToCheckpointer } from "./checkpoint_thread.ts";

export interface Checkpointer {
  /** So many calls more have been committed. */
  committed(calls: number): void;
  /** Ends the thread, after the copy that it may be at. */
  close(): Promise<void>;
}

export interface CheckpointerOptions {
  /** Has the thread that writes copy the rest. */
  readonly finish: () => void;
  /** Starts the thread. */
  readonly spawn?: () => Worker;
  /** From this length of the log on, in pages, `finish` is called. */
  readonly long_pages?: number;
}

/**
 * Has the log copied into the database by a thread of its own, every now and then. A copy ends with a synchronisation of the whole database, tens of
 * milliseconds on a busy disk, which every submission would wait for that comes meanwhile, were it made by the thread that writes. Where this one
 * fails or falls behind, SQLite makes its own within a commit (connection.ts). The thread starts with the first copy.
 *
 * While the other thread writes, something is always left uncopied, and the log would grow on. So `finish` is called right after a copy, when next to
 * nothing is left: the thread that writes copies that between two commits, and its next commit begins the log anew. At 128 MiB within a commit
 * it took 20 to 58 ms, this takes about ten, and seldom.
 */
export function createCheckpointer(
  file: string,
  { finish, spawn = spawnThread, long_pages = LONG_PAGES }: CheckpointerOptions,
): Checkpointer {
  let thread: Worker | undefined;
  let uncopied = 0;
  let isCopying = false;
  let closing: Promise<void> | undefined;
  let closed = () => {};

  function start(): Worker {
    const mine = spawn();
    const died = () => {
      if (thread !== mine) return;
      thread = undefined;
      isCopying = false;
      mine.terminate();
      closed();
    };
    mine.addEventListener("message", ({ data }: MessageEvent<FromCheckpointer>) => {
      if (thread !== mine) return;
      if (data.kind === "closed") return died();
      isCopying = false;
      if (data.log_pages >= long_pages) finish();
      copyIfDue();
    });
    mine.addEventListener("error", (event) => {
      // Handled here; unprevented it would end the process on Deno.
      event.preventDefault();
      died();
    });
    mine.addEventListener("messageerror", died);
    // Bun says so when a thread ends; Deno has no such event.
    mine.addEventListener("close", died);
    return mine;
  }

  function copyIfDue(): void {
    if (closing !== undefined || isCopying || uncopied < CALLS) return;
    uncopied = 0;
    isCopying = true;
    thread ??= start();
    send({ kind: "copy", file });
  }

  function send(message: ToCheckpointer): void {
    thread?.postMessage(message);
  }

  return {
    committed(calls) {
      uncopied += calls;
      copyIfDue();
    },
    close() {
      closing ??= new Promise((resolve) => {
        if (thread === undefined) return resolve();
        closed = resolve;
        send({ kind: "close" });
      });
      return closing;
    },
  };
}

// Web Worker, not node:worker_threads: as the thread that writes.
function spawnThread(): Worker {
  return new Worker(new URL("./checkpoint_thread.ts", import.meta.url), { type: "module" });
}

/** From 17 MiB of log, when many calls share a commit: a page changes many times before it is copied, so copies are few and the disk is left to commits. */
const CALLS = 2_048;
/** 96 MiB: before SQLite makes its own copy at 128, and no oftener than that needs, for the thread that writes synchronises the database once each time. */
const LONG_PAGES = 24_576;
