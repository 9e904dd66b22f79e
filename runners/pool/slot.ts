/** One thread or process of a pool and the run it has, if any. */
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
  /** What went wrong before an end in order. */
  readonly onFarewell?: ((error: Error) => void) | undefined;
  readonly onIdle: (slot: Slot) => void;
  /** `crashed`: it ended though nobody retired it. */
  readonly onEnd: (slot: Slot, crashed: boolean) => void;
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
  /** Frees what was set up for the run. */
  readonly cleanUp: () => void;
}

export class Slot {
  /** Runners that have been set up here, by key. */
  readonly loaded = new Set<string>();
  readonly #options: SlotOptions;
  readonly #executor: Executor;
  readonly #nested = new Map<number, AbortController>();
  #run: Run | undefined;
  #runs = 0;
  #retired = false;
  /** What runs here has something to do before the end. */
  #awaits_end = false;
  #held = { mb: 0, at: 0 };
  #grace: ReturnType<typeof setTimeout> | undefined;

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
    return this.#run === undefined && !this.#retired;
  }

  /** About to end, or ended. */
  get retired(): boolean {
    return this.#retired;
  }

  get busy(): boolean {
    return this.#run !== undefined;
  }

  /** Megabytes that its run last said it holds, and when by `performance.now()`. */
  get held(): { readonly mb: number; readonly at: number } {
    return this.#held;
  }

  /** Begins a run; the slot must be idle. */
  begin(request: Request): void {
    const { signal, ms_max } = request.options;
    const id = ++this.#runs;
    const abort = (): void => this.stop("aborted", "it was aborted");
    const limit = Number.isFinite(ms_max)
      ? setTimeout(() => this.stop("timeout", `it exceeded ${ms_max} ms`), Math.min(ms_max, TIMER_MS_MAX))
      : undefined;
    limit?.unref();
    signal.addEventListener("abort", abort);
    const cleanUp = (): void => {
      clearTimeout(limit);
      clearTimeout(this.#grace);
      signal.removeEventListener("abort", abort);
      for (const controller of this.#nested.values()) controller.abort();
      this.#nested.clear();
    };
    const began_at = performance.now();
    this.#run = { id, request, began_at, cleanUp };
    this.#held = { mb: 0, at: began_at };
    this.loaded.add(request.key);
    try {
      this.#executor.post({ type: "run", id, runner: request.runner, input: request.input });
    } catch (error) {
      this.#settle(() => request.reject(error));
    }
  }

  /** Asks the run to stop, and ends the slot by force when it has not after the grace. */
  stop(code: PoolFailure, message: string): void {
    const run = this.#run;
    if (run === undefined || run.stopping !== undefined) return;
    run.stopping = { code, message };
    this.#executor.post({ type: "abort", id: run.id });
    this.#grace = setTimeout(() => this.#executor.kill(message), this.#options.grace_ms);
    this.#grace.unref();
  }

  /** Ends the run by force, for its memory. `is_sure`: it is that run; else it may be another's, and the run may be tried again. */
  exceed(message: string, is_sure: boolean): void {
    if (this.#run === undefined) return;
    if (is_sure) this.#run.stopping = { code: "memory", message };
    this.#executor.kill(message);
  }

  /** Ends the slot for good; `onEnd` follows, at once or when its runners have done what they do before. The slot must be idle. */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    if (!this.#awaits_end) {
      this.#executor.kill(UNNEEDED);
      return;
    }
    this.#executor.post({ type: "end" });
    const { grace_ms, onFarewell } = this.#options;
    this.#grace = setTimeout(() => {
      onFarewell?.(new Error(`What was to be done before the end took more than ${grace_ms / 1000} s`));
      this.#executor.kill(UNNEEDED);
    }, grace_ms);
  }

  #bidFarewell({ errors }: FromHost & { type: "ended" }): void {
    clearTimeout(this.#grace);
    for (const error of errors) this.#options.onFarewell?.(fromWire(error));
    this.#executor.kill(UNNEEDED);
  }

  #receive(message: FromHost): void {
    if (message.type === "nest") this.#nest(message);
    else if (message.type === "ask") this.#ask(message);
    else if (message.type === "holds") this.#held = { mb: message.mb, at: performance.now() };
    else if (message.type === "awaits_end") this.#awaits_end = true;
    else if (message.type === "ended") this.#bidFarewell(message);
    else if (message.type === "nest_abort") this.#nested.get(message.id)?.abort();
    else if ("id" in message && message.id === this.#run?.id) this.#answer(this.#run, message);
  }

  #answer(run: Run, message: FromHost): void {
    const { request, stopping } = run;
    if (message.type === "progress") {
      // Later, so that what a listener throws is not taken for a fault of the thread or process.
      if (stopping === undefined) queueMicrotask(() => request.options.onProgress?.(message.fraction, message.stage));
    } else if (message.type === "done") {
      request.options.onCost?.(message.cost_ms);
      this.#settle(() => (stopping ? request.reject(stopped(run)) : request.resolve(message.output)));
    } else if (message.type === "failed") {
      const error = fromWire(message.error);
      request.options.onCost?.(message.cost_ms);
      this.#settle(() => request.reject(stopping ? stopped(run, error) : error));
    }
  }

  #nest({ id, runner, input, ms_max }: FromHost & { type: "nest" }): void {
    const controller = new AbortController();
    const around = this.#run?.request.options;
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

  #ask({ id, question }: FromHost & { type: "ask" }): void {
    const around = this.#run?.request.options;
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
    const run = this.#run;
    const crashed = !this.#retired;
    this.#retired = true;
    clearTimeout(this.#grace);
    if (run !== undefined) {
      run.cleanUp();
      this.#run = undefined;
      const { name } = run.request.runner;
      run.request.options.onCost?.(performance.now() - run.began_at);
      run.request.reject(
        run.stopping
          ? stopped(run, undefined, run.stopping.code !== "memory")
          : new PoolError("crashed", `Run of "${name}" ended: ${why}`),
      );
    }
    this.#options.onEnd(this, crashed);
  }

  #settle(answer: () => void): void {
    this.#run?.cleanUp();
    this.#run = undefined;
    answer();
    if (this.idle) this.#options.onIdle(this);
  }
}

function stopped({ request, stopping }: Run, cause?: Error, forced = false): PoolError {
  const { code, message } = stopping as NonNullable<Run["stopping"]>;
  const text = `Run of "${request.runner.name}" ended: ${message}${forced ? ", and was ended by force, for it went on" : ""}`;
  return new PoolError(code, text, cause === undefined ? undefined : { cause }, forced);
}
