/**
 * The one process that runs of a resident share: its queue, its health, and the pause that follows when it keeps
 * crashing.
 */
import type { Health, PoolFailure, ResidentHealth } from "../../core/ports/mod.ts";
import { PoolError } from "./error.ts";
import type { Lane } from "./lane.ts";
import { type Request, TIMER_MS_MAX } from "./slot.ts";

/** Each job of the service has one run under way, so that more than this is a mistake somewhere. */
const WAITING_MAX = 64;
/**
 * A process that crashes this often in a row is left alone for a while: starting it anew each time would keep a machine
 * busy for nothing.
 */
const CRASHES_MAX = 3;
const PAUSE_MS = 30_000;
/** Beyond its own limit, a run waits at most this long for its turn. */
const WAIT_MS = 60_000;

export class Resident {
  readonly lane: Lane;
  readonly #name: string;
  readonly #onChange: ((health: ResidentHealth) => void) | undefined;
  #state: "starting" | "ready" | "failed" = "starting";
  #reason: string | null = null;
  #ended = false;
  #crashes = 0;
  /** Of the process that ended last, by `lane.replaced`: all runs that it had tell of one crash. */
  #ended_last = -1;
  #paused_until = 0;
  #shown: Health | undefined;

  constructor(name: string, lane: Lane, onChange: ((health: ResidentHealth) => void) | undefined) {
    this.#name = name;
    this.lane = lane;
    this.#onChange = onChange;
  }

  health(): ResidentHealth {
    const busy = this.#state === "ready" && this.lane.busy > 0;
    return {
      name: this.#name,
      state: busy ? "busy" : this.#state,
      reason: this.#state === "failed" ? this.#reason : null,
      ended: this.#state === "failed" && this.#ended,
      waiting: this.lane.waiting,
    };
  }

  add(request: Request): void {
    const refused = this.#refusal();
    if (refused !== undefined) {
      request.reject(new PoolError("refused", `Run of "${request.runner.name}" was refused: ${refused}`));
      return;
    }
    const queued: Request = {
      ...request,
      resolve: (output) => {
        clearTimeout(patience);
        this.#crashes = 0;
        this.#settled("ready", null);
        request.resolve(output);
      },
      reject: (error) => {
        clearTimeout(patience);
        this.#failed(error);
        request.reject(error);
      },
    };
    const patience = this.#patience(request, queued);
    this.lane.add(queued);
    this.#show();
  }

  /**
   * A run waits as long as one before it may hang, and up to a minute more; then whoever asks does better with another
   * engine. Says nothing of the health.
   */
  #patience({ runner, options: { ms_max }, reject }: Request, queued: Request) {
    const wait_ms = ms_max + Math.min(ms_max, WAIT_MS);
    if (wait_ms > TIMER_MS_MAX) return undefined;
    const timer = setTimeout(() => {
      if (!this.lane.withdraw(queued)) return;
      reject(
        new PoolError("refused", `Run of "${runner.name}" was refused: "${this.#name}" was busy for ${wait_ms} ms`),
      );
    }, wait_ms);
    timer.unref();
    return timer;
  }

  #refusal(): string | undefined {
    if (this.lane.waiting >= WAITING_MAX) return `${WAITING_MAX} runs wait for "${this.#name}" already`;
    const pause_ms = this.#paused_until - performance.now();
    if (pause_ms <= 0) return undefined;
    return `"${this.#name}" crashed ${this.#crashes} times in a row and rests for ${Math.ceil(pause_ms / 1000)} s more: ${this.#reason}`;
  }

  #failed(error: unknown): void {
    const code = (error as { code?: unknown } | null)?.code as PoolFailure | undefined;
    const of_pool = error instanceof PoolError;
    if (of_pool && (code === "aborted" || code === "closed")) {
      // Stopped from outside: says nothing of its health.
      this.#settled(this.#state, this.#reason);
      return;
    }
    this.#ended = of_pool;
    const { replaced } = this.lane;
    const took_process = of_pool && (code === "crashed" || error.forced);
    const is_known = took_process && replaced === this.#ended_last;
    if (took_process) this.#ended_last = replaced;
    if (of_pool && !is_known) {
      this.#crashes++;
      if (this.#crashes >= CRASHES_MAX) this.#paused_until = performance.now() + PAUSE_MS;
    }
    this.#settled("failed", error instanceof Error ? error.message : String(error));
  }

  #settled(state: "starting" | "ready" | "failed", reason: string | null): void {
    this.#state = state;
    this.#reason = reason;
    // A little later: whoever waits next begins first.
    queueMicrotask(() => this.#show());
  }

  #show(): void {
    const health = this.health();
    if (health.state === this.#shown) return;
    this.#shown = health.state;
    this.#onChange?.(health);
  }
}
