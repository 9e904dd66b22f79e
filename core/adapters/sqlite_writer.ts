import { type Clock, StoreUnavailable } from "../ports.ts";
import type { Call, Outcome } from "./sqlite_batch.ts";
import { unpackError } from "./sqlite_errors.ts";
import type { FromThread, ToThread } from "./sqlite_thread.ts";
import type { Arguments, Verb, Verbs } from "./sqlite_verbs.ts";

export interface WriterOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Starts sqlite_thread.ts. */
  readonly spawn: () => Worker;
  /** A thread died with calls in flight: whether those were committed is not known. */
  readonly onLost: () => void;
}

/** Calls verbs in the writing thread. Calls that come while a commit is in flight wait and share the next one. */
export interface Writer {
  call<V extends Verb>(verb: V, ...args: Arguments<V>): Promise<ReturnType<Verbs[V]>>;
  /** Commits what was called before, then ends the thread. */
  close(): Promise<void>;
}

interface Waiting extends Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Resolves once the database is open and migrated; rejects with the reason why it cannot be. */
export async function openWriter(options: WriterOptions): Promise<Writer> {
  const { file, clock, spawn, onLost } = options;
  let thread: Worker | undefined;
  /** `down`: between two threads; calls are refused at once, for they may wait long. */
  let state: "starting" | "up" | "down" | "closed" = "starting";
  let waiting: Waiting[] = [];
  const flights = new Map<number, readonly Waiting[]>();
  let flight = 0;
  let failures = 0;
  let cancelRestart = () => {};
  const opened = Promise.withResolvers<void>();
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
        opened.resolve();
        flush();
        break;
      case "refused":
        opened.reject(unpackError(message.error, `Cannot open database "${file}"`));
        lose(message.error.message);
        break;
      case "done":
        land(message.id, message.outcomes);
        flush();
        break;
      case "closed":
        end();
        break;
    }
  }

  function flush(): void {
    while (state === "up" && flights.size < FLIGHTS_MAX && waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      flight += 1;
      flights.set(flight, batch);
      const calls = batch.map(({ verb, now, args }): Call => ({ verb, now, args }));
      send({ kind: "batch", id: flight, calls });
    }
    if (closing && state === "up" && flights.size === 0) send({ kind: "close" });
  }

  function land(id: number, outcomes: readonly Outcome[]): void {
    const batch = flights.get(id) ?? [];
    flights.delete(id);
    for (const [index, call] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome?.ok) call.resolve(outcome.value);
      else if (outcome !== undefined) call.reject(unpackError(outcome.error, "Cannot write to the database"));
    }
  }

  /** Nothing that waits can be answered truly any more: its callers ask again. */
  function lose(why: string): void {
    thread?.terminate();
    thread = undefined;
    state = "down";
    const unknown = [...flights.values()].flat();
    const refused = [...unknown, ...waiting];
    flights.clear();
    waiting = [];
    const reason = new StoreUnavailable(`Cannot write to the database: its thread ended (${why})`);
    for (const call of refused) call.reject(reason);
    opened.reject(reason);
    if (closing) {
      end();
      return;
    }
    if (unknown.length > 0) onLost();
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

  function call<V extends Verb>(verb: V, ...args: Arguments<V>): Promise<ReturnType<Verbs[V]>> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (closing) reject(new StoreUnavailable("Cannot write to the database: it is closed"));
    else if (state === "down")
      reject(new StoreUnavailable("Cannot write to the database: its thread is being replaced"));
    else if (waiting.length >= WAITING_MAX)
      reject(new StoreUnavailable("Cannot write to the database: too many calls wait"));
    else {
      waiting.push({ verb, now: clock.now(), args, resolve, reject });
      // Not at once: what is called in the same turn of the event loop shares the commit.
      if (waiting.length === 1) queueMicrotask(flush);
    }
    // The verb of this name answered.
    return promise as Promise<ReturnType<Verbs[V]>>;
  }

  start();
  try {
    await opened.promise;
  } catch (error) {
    cancelRestart();
    throw error;
  }
  return { call, close };
}

// Two: while one batch is on its way to the disk the next one is already with the thread (bench/store.ts: 11,000 to 14,000 a second).
const FLIGHTS_MAX = 2;
// Bounds what one mistake costs (each call of the batch is tried again by itself). Batches of 64 reach about 60 % of the throughput.
const BATCH_MAX = 500;
// Some seconds of work; more would wait longer than any client does.
const WAITING_MAX = 20_000;
const RESTART_MS = 100;
const RESTART_MS_MAX = 5_000;
