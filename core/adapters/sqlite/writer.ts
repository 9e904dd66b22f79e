import { setImmediate } from "node:timers";
import { type Clock, StoreUnavailable, WAITING_MAX } from "../../ports/mod.ts";
import type { Call, Outcome } from "./batch.ts";
import { unpackError } from "./errors.ts";
import type { WriterWatch } from "./fast/unended.ts";
import type { Async } from "./sync.ts";
import type { FromThread, ToThread } from "./thread.ts";
import type { Verb, Verbs } from "./verbs.ts";

export interface WriterOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Starts thread.ts. */
  readonly spawn: () => Worker;
  /** A thread died while there were calls: whether those that it had were committed is not known. */
  readonly onLost: () => void;
  readonly watch: WriterWatch;
}

/** The verbs of the writing thread. Calls that come while a commit is under way share the next one. */
export interface Writer {
  readonly verbs: Async<Verbs>;
  /** Commits what was called before, then ends the thread. */
  close(): Promise<void>;
}

interface Waiting extends Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Resolves once the database is open and migrated; rejects with the reason why it cannot be. */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  const { file, clock, spawn, onLost, watch } = options;
  let thread: Worker | undefined;
  /** `down`: between two threads; calls are refused at once, for they may wait long. */
  let state: "starting" | "up" | "down" | "closed" = "starting";
  let waiting: Waiting[] = [];
  /** With the thread, in the order in which it answers; the first `landed` have been. */
  let flying: Waiting[] = [];
  let landed = 0;
  let failures = 0;
  let cancelRestart = () => {};
  const opened = Promise.withResolvers<readonly string[]>();
  const closed = Promise.withResolvers<void>();
  let closing = false;

  function start(): void {
    state = "starting";
    const mine = spawn();
    thread = mine;
    const died = (why: string) => {
      if (thread === mine) lose(why);
    };
    mine.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (thread === mine) receive(data);
    });
    mine.addEventListener("error", (event) => {
      // Handled here; unprevented it would end the process on Deno.
      event.preventDefault();
      died(event.message);
    });
    mine.addEventListener("messageerror", () => died("it sent a message that cannot be read"));
    // Bun says so when a thread ends; Deno has no such event.
    mine.addEventListener("close", () => died("it ended"));
    send({ kind: "open", file, now: clock.now() });
  }

  function send(message: ToThread): void {
    thread?.postMessage(message);
  }

  function receive(message: FromThread): void {
    switch (message.kind) {
      case "opened":
        state = "up";
        failures = 0;
        opened.resolve(message.verbs);
        flush();
        break;
      case "refused":
        opened.reject(unpackError(message.error, `Cannot open database "${file}"`));
        lose(message.error.message);
        break;
      case "done":
        land(message.outcomes);
        if (closing) flush();
        break;
      case "closed":
        end();
        break;
    }
  }

  function flush(): void {
    if (state !== "up") return;
    if (waiting.length > 0) {
      send({ kind: "calls", calls: waiting.map(({ verb, now, args }) => ({ verb, now, args })) });
      for (const call of waiting) flying.push(call);
      waiting = [];
    }
    if (closing && flying.length === landed) send({ kind: "close" });
  }

  function land(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      const call = flying[landed++];
      if (call === undefined) continue;
      watch.landed(call.verb, call.args, outcome);
      if (outcome.ok) call.resolve(outcome.value);
      else call.reject(unpackError(outcome.error, "Cannot write to the database"));
    }
    // Not at each landing: what is left would be moved again and again.
    if (landed * 2 < flying.length) return;
    flying = flying.slice(landed);
    landed = 0;
  }

  /** Nothing that waits can be answered truly any more: its callers ask again. */
  function lose(why: string): void {
    thread?.terminate();
    thread = undefined;
    state = "down";
    const refused = [...flying.slice(landed), ...waiting];
    flying = [];
    landed = 0;
    waiting = [];
    watch.lost();
    const reason = new StoreUnavailable(`Cannot write to the database: its thread ended (${why})`);
    for (const call of refused) call.reject(reason);
    opened.reject(reason);
    if (closing) {
      end();
      return;
    }
    if (refused.length > 0) onLost();
    cancelRestart = clock.after(Math.min(RESTART_MS * 2 ** failures, RESTART_MS_MAX), start);
    failures += 1;
  }

  function end(): void {
    thread?.terminate();
    thread = undefined;
    state = "closed";
    closed.resolve();
  }

  async function close(): Promise<void> {
    if (!closing) {
      closing = true;
      cancelRestart();
      if (state === "down") end();
      else flush();
    }
    await closed.promise;
  }

  function call(verb: Verb, args: readonly unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (closing) reject(new StoreUnavailable("Cannot write to the database: it is closed"));
    else if (state === "down")
      reject(new StoreUnavailable("Cannot write to the database: its thread is being replaced"));
    else if (waiting.length + flying.length - landed >= WAITING_MAX)
      reject(new StoreUnavailable("Cannot write to the database: too many calls wait"));
    else {
      watch.called(verb);
      waiting.push({ verb, now: clock.now(), args, resolve, reject });
      // Not at once: what is called in the same turn of the event loop shares a message, which costs more than what is
      // in it.
      if (waiting.length === 1) setImmediate(flush);
    }
    return promise;
  }

  start();
  try {
    const names = (await opened.promise) as readonly Verb[];
    const verbs = Object.fromEntries(names.map((verb) => [verb, (...args: unknown[]) => call(verb, args)]));
    // The thread has the verbs that the type says, and answers a call by the verb of its name.
    return { verbs: verbs as unknown as Async<Verbs>, close };
  } catch (error) {
    cancelRestart();
    throw error;
  }
}

const RESTART_MS = 100;
const RESTART_MS_MAX = 5_000;
