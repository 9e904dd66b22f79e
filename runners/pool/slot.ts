/** One thread or process of a pool and the runs it has. */
import type { PoolFailure, RunOptions } from "../../core/ports/mod.ts";
import { free, transferables } from "./buffers.ts";
import { PoolError } from "./error.ts";
import type { Executor, Listener } from "./executor.ts";
import { type FromHost, fromWire, type RunnerName, toWire } from "./messages.ts";

/** A run asked of the pool. */
export interface Request {
  readonly runner: RunnerName;
  /** Tells runners apart: name and origin. */
  readonly key: string;
  /** `Runner.at_once` of a resident; 1 of all others. */
  readonly at_once: number;
  readonly input: unknown;
  readonly options: RunOptions;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface SlotOptions {
  /** What a runner has to stop in, after its signal aborted, before it is ended by force. */
  readonly grace_ms: number;
  readonly start: (listener: Listener) => Executor;
  /** Runs a runner on behalf of the one that runs here. */
  readonly nest: (runner: RunnerName, input: unknown, options: RunOptions) => Promise<unknown>;
  /**
   * Residents of a runner, those with the least to do first. The slot's run counts as the first one's until it calls
   * `release`.
   */
  readonly choose: (
    runner: RunnerName,
    residents: readonly string[],
  ) => { readonly order: readonly string[]; readonly release: () => void };
  /** What went wrong before an end in order. */
  readonly onFarewell?: ((error: Error) => void) | undefined;
  /** The run of this request has ended, and the slot goes on. */
  readonly onSettled: (slot: Slot, request: Request) => void;
  /** `requests`: those whose runs ended with it. `crashed`: it ended though nobody retired it. */
  readonly onEnd: (slot: Slot, requests: readonly Request[], crashed: boolean) => void;
}

const UNNEEDED = "it was not needed any more";

/** The longest delay that timers take, about 25 days; above it they fire at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

interface Run {
  readonly id: number;
  readonly request: Request;
  /** By `performance.now()`. */
  readonly began_at: number;
  /** Why it was asked to stop. */
  stopping?: { readonly code: PoolFailure; readonly message: string };
  grace?: ReturnType<typeof setTimeout>;
  /** Frees what was set up for the run. */
  readonly cleanUp: () => void;
}

export class Slot {
  /** Runners that have been set up here, by key. */
  readonly loaded = new Set<string>();
  readonly #options: SlotOptions;
  readonly #executor: Executor;
  readonly #nested = new Map<number, AbortController>();
  /** What the run has chosen. */
  readonly #releases: (() => void)[] = [];
  readonly #runs = new Map<number, Run>();
  #begun = 0;
  #retired = false;
  /** What runs here has something to do before the end. */
  #awaits_end = false;
  #held = { mb: 0, at: 0 };
  #farewell: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SlotOptions) {
    this.#options = options;
    this.#executor = options.start({
      onMessage: (message) => this.#receive(message),
      onEnd: (why) => this.#ended(why),
    });
  }

  /** Of its process; undefined: it is a thread. */
  get pid(): number | undefined {
    return this.#executor.pid;
  }

  /** Neither at work nor about to end. */
  get idle(): boolean {
    return this.#runs.size === 0 && !this.#retired;
  }

  /** About to end, or ended. */
  get retired(): boolean {
    return this.#retired;
  }

  get busy(): boolean {
    return this.#runs.size > 0;
  }

  /** Whether this request may begin beside what is at work. */
  takes({ at_once }: Request): boolean {
    return !this.#retired && this.#runs.size < at_once;
  }

  /** Megabytes that its run last said it holds, and when by `performance.now()`. */
  get held(): { readonly mb: number; readonly at: number } {
    return this.#held;
  }

  /** Begins a run, which the slot must take. */
  begin(request: Request): void {
    const { signal, ms_max } = request.options;
    const id = ++this.#begun;
    const abort = (): void => this.#stop(run, "aborted", "it was aborted");
    const limit = Number.isFinite(ms_max)
      ? setTimeout(() => this.#stop(run, "timeout", `it exceeded ${ms_max} ms`), Math.min(ms_max, TIMER_MS_MAX))
      : undefined;
    limit?.unref();
    signal.addEventListener("abort", abort);
    const cleanUp = (): void => {
      clearTimeout(limit);
      clearTimeout(run.grace);
      signal.removeEventListener("abort", abort);
      // Runs beside each other nest nothing.
      for (const controller of this.#nested.values()) controller.abort();
      this.#nested.clear();
      for (const release of this.#releases.splice(0)) release();
    };
    const began_at = performance.now();
    const run: Run = { id, request, began_at, cleanUp };
    this.#runs.set(id, run);
    this.#held = { mb: 0, at: began_at };
    this.loaded.add(request.key);
    try {
      this.#executor.post({ type: "run", id, runner: request.runner, input: request.input });
    } catch (error) {
      this.#settle(run, () => request.reject(error));
    }
  }

  /** Asks all runs to stop. */
  stop(code: PoolFailure, message: string): void {
    for (const run of this.#runs.values()) this.#stop(run, code, message);
  }

  /** Asks the run to stop, and ends the slot by force when it has not after the grace. */
  #stop(run: Run, code: PoolFailure, message: string): void {
    if (run.stopping !== undefined) return;
    run.stopping = { code, message };
    this.#executor.post({ type: "abort", id: run.id });
    const force = (): void => {
      // What was only aborted ends nobody else: others may be what it waits for, and have limits of their own.
      if (code === "aborted" && this.#runs.size > 1) wait();
      else this.#executor.kill(message);
    };
    const wait = (): void => {
      run.grace = setTimeout(force, this.#options.grace_ms);
      run.grace.unref();
    };
    wait();
  }

  /**
   * Ends the run by force, for its memory. `is_sure`: it is that run; else it may be another's, and the run may be
   * tried again.
   */
  exceed(message: string, is_sure: boolean): void {
    if (!this.busy) return;
    if (is_sure) for (const run of this.#runs.values()) run.stopping = { code: "memory", message };
    this.#executor.kill(message);
  }

  /**
   * Ends the slot for good; `onEnd` follows, at once or when its runners have done what they do before. The slot must
   * be idle.
   */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    if (!this.#awaits_end) {
      this.#executor.kill(UNNEEDED);
      return;
    }
    this.#executor.post({ type: "end" });
    const { grace_ms, onFarewell } = this.#options;
    this.#farewell = setTimeout(() => {
      onFarewell?.(new Error(`What was to be done before the end took more than ${grace_ms / 1000} s`));
      this.#executor.kill(UNNEEDED);
    }, grace_ms);
  }

  #bidFarewell({ errors }: FromHost & { type: "ended" }): void {
    clearTimeout(this.#farewell);
    for (const error of errors) this.#options.onFarewell?.(fromWire(error));
    this.#executor.kill(UNNEEDED);
  }

  #receive(message: FromHost): void {
    if (message.type === "nest") this.#nest(message);
    else if (message.type === "ask") this.#ask(message);
    else if (message.type === "choose") this.#choose(message);
    else if (message.type === "holds") this.#held = { mb: message.mb, at: performance.now() };
    else if (message.type === "awaits_end") this.#awaits_end = true;
    else if (message.type === "ended") this.#bidFarewell(message);
    else if (message.type === "nest_abort") this.#nested.get(message.id)?.abort();
    else if ("id" in message) {
      const run = this.#runs.get(message.id);
      if (run !== undefined) this.#answer(run, message);
    }
  }

  /** What the run that nests and asks was given: it is the only one. */
  get #around(): RunOptions | undefined {
    for (const { request } of this.#runs.values()) return request.options;
    return undefined;
  }

  #answer(run: Run, message: FromHost): void {
    const { request, stopping } = run;
    if (message.type === "progress") {
      // Later, so that what a listener throws is not taken for a fault of the thread or process.
      if (stopping === undefined) queueMicrotask(() => request.options.onProgress?.(message.fraction, message.stage));
    } else if (message.type === "done") {
      request.options.onCost?.(message.cost_ms);
      this.#settle(run, () => (stopping ? request.reject(stopped(run)) : request.resolve(message.output)));
    } else if (message.type === "failed") {
      const error = fromWire(message.error);
      request.options.onCost?.(message.cost_ms);
      this.#settle(run, () => request.reject(stopping ? stopped(run, error) : error));
    }
  }

  #nest({ id, runner, input, ms_max }: FromHost & { type: "nest" }): void {
    const controller = new AbortController();
    const around = this.#around;
    // A run that has settled left this behind.
    if (around === undefined) return;
    this.#nested.set(id, controller);
    const onProgress = (fraction: number, stage: string): void =>
      this.#executor.post({ type: "nested_progress", id, fraction, stage });
    const { onCost, onAsk } = around;
    const options = {
      ...{ signal: controller.signal, ms_max, onProgress },
      ...(onCost === undefined ? {} : { onCost }),
      ...(onAsk === undefined ? {} : { onAsk }),
    };
    // Without a limit of its own the run around it has one, and its end aborts this.
    this.#options.nest(runner, input, options).then(
      (output) => {
        this.#nested.delete(id);
        this.#executor.post({ type: "nested_done", id, output }, transferables(output));
        // A copy that came for this run, all of which has been sent.
        free(input);
      },
      (error: unknown) => {
        this.#nested.delete(id);
        this.#executor.post({ type: "nested_failed", id, error: toWire(error) });
      },
    );
  }

  #choose({ id, runner, residents }: FromHost & { type: "choose" }): void {
    // A run that has settled left this behind.
    if (!this.busy) return;
    const { order, release } = this.#options.choose(runner, residents);
    this.#releases.push(release);
    this.#executor.post({ type: "nested_done", id, output: order });
  }

  #ask({ id, question }: FromHost & { type: "ask" }): void {
    const around = this.#around;
    if (around === undefined) return;
    const controller = new AbortController();
    this.#nested.set(id, controller);
    const unanswered = async (): Promise<unknown> => {
      throw new TypeError("Cannot ask: nobody answers this run");
    };
    (around.onAsk ?? unanswered)(question, controller.signal).then(
      (output) => {
        this.#nested.delete(id);
        this.#executor.post({ type: "nested_done", id, output });
      },
      (error: unknown) => {
        this.#nested.delete(id);
        this.#executor.post({ type: "nested_failed", id, error: toWire(error) });
      },
    );
  }

  #ended(why: string): void {
    const runs = [...this.#runs.values()];
    const crashed = !this.#retired;
    this.#retired = true;
    clearTimeout(this.#farewell);
    this.#runs.clear();
    for (const run of runs) {
      run.cleanUp();
      const { name } = run.request.runner;
      run.request.options.onCost?.(performance.now() - run.began_at);
      run.request.reject(
        run.stopping
          ? stopped(run, undefined, run.stopping.code !== "memory")
          : new PoolError("crashed", `Run of "${name}" ended: ${why}`),
      );
    }
    this.#options.onEnd(
      this,
      runs.map(({ request }) => request),
      crashed,
    );
  }

  #settle(run: Run, answer: () => void): void {
    run.cleanUp();
    this.#runs.delete(run.id);
    answer();
    if (!this.#retired) this.#options.onSettled(this, run.request);
  }
}

function stopped({ request, stopping }: Run, cause?: Error, forced = false): PoolError {
  const { code, message } = stopping as NonNullable<Run["stopping"]>;
  const text = `Run of "${request.runner.name}" ended: ${message}${forced ? ", and was ended by force, for it went on" : ""}`;
  return new PoolError(code, text, cause === undefined ? undefined : { cause }, forced);
}
