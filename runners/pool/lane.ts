/** Threads or processes of a pool, and the runs that wait for them: first come, first served within each line. */
import { residentHere } from "./confined.ts";
import { PoolError } from "./error.ts";
import { Lines } from "./lines.ts";
import { type Request, Slot, type SlotOptions } from "./slot.ts";

export interface LaneOptions extends Pick<SlotOptions, "start" | "nest" | "choose" | "grace_ms" | "onFarewell"> {
  /** Most slots alive at once. */
  readonly slots_max: number;
  readonly idle_ms: number;
  /** A run begins. */
  readonly onBegin?: () => void;
  /** How many slots are kept however long they idle. */
  readonly kept: number;
  /** A slot serves one runner only, so that native code and its models do not pile up in one process. */
  readonly single_runner: boolean;
  /** Most runs at once of one `RunOptions.fair_by`. Absent: nobody asks for whom they run, and all wait in one line. */
  readonly each_max?: number;
  /**
   * Where given, a slot stands by, started and warmed up by this run, whenever there is room for one more and no other
   * idles: whoever comes while all are taken does not wait for the start of one.
   */
  readonly stand_by?: Pick<Request, "runner" | "key" | "at_once" | "input"> | undefined;
}

/** Of a warm-up: far above what a loaded machine takes to load everything. */
const WARM_UP_MS = 30_000;

export class Lane {
  /** Slots that ended though nobody retired them. */
  replaced = 0;
  readonly #options: LaneOptions;
  /** Least recently used first. */
  readonly #slots = new Set<Slot>();
  readonly #idle_timers = new Map<Slot, ReturnType<typeof setTimeout>>();
  /** What stops watching the signal of each that waits. */
  readonly #forgets = new Map<Request, () => void>();
  readonly #waiting: Lines<Request>;
  /** The line of each run that was begun. */
  readonly #lines = new Map<Request, string>();
  #closing: PromiseWithResolvers<void> | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#waiting = new Lines(options.each_max ?? Number.POSITIVE_INFINITY);
  }

  /** Those at work in the order in which they began. */
  get slots(): Iterable<Slot> {
    return this.#slots;
  }

  get alive(): number {
    return this.#slots.size;
  }

  get busy(): number {
    return [...this.#slots].filter((slot) => slot.busy).length;
  }

  /** Of its processes, where the system tells; null: there are none, or it does not. */
  get memory_mb(): number | null {
    const known = [...this.#slots].flatMap(({ pid }) => (pid === undefined ? [] : (residentHere(pid) ?? [])));
    return known.length === 0 ? null : known.reduce((sum, mebibytes) => sum + mebibytes * 1.048576, 0);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  add(request: Request): void {
    const { signal } = request.options;
    const { name } = request.runner;
    const abort = (): void => {
      this.withdraw(request);
      request.reject(new PoolError("aborted", `Run of "${name}" ended: it was aborted before it began`));
    };
    if (this.#closing !== undefined) request.reject(closed(name));
    else if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort, { once: true });
      this.#forgets.set(request, () => signal.removeEventListener("abort", abort));
      this.#waiting.add(this.#lineOf(request), request);
      this.#dispatch();
    }
  }

  /** Takes a request out of the line, unanswered; false where it has begun, or was answered. */
  withdraw(request: Request): boolean {
    this.#forget(request);
    return this.#waiting.delete(this.#lineOf(request), request);
  }

  /** Refuses what waits and what comes, stops what runs, ends every slot; resolves when none is left. */
  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing.promise;
    this.#closing = Promise.withResolvers<void>();
    for (const request of [...this.#waiting]) {
      this.withdraw(request);
      request.reject(closed(request.runner.name));
    }
    for (const slot of this.#slots) {
      if (slot.busy) slot.stop("closed", "the pool was closed");
      else this.#retire(slot);
    }
    if (this.#slots.size === 0) this.#closing.resolve();
    return this.#closing.promise;
  }

  #dispatch(): void {
    for (let request = this.#waiting.next(); request !== undefined; request = this.#waiting.next()) {
      let slot: Slot | undefined;
      try {
        slot = this.#choose(request);
      } catch (cause) {
        this.withdraw(request);
        request.reject(new PoolError("crashed", `Cannot start anything to run "${request.runner.name}"`, { cause }));
        continue;
      }
      if (slot === undefined) break;
      const line = this.#lineOf(request);
      this.#forget(request);
      this.#waiting.begin(line, request);
      this.#lines.set(request, line);
      clearTimeout(this.#idle_timers.get(slot));
      this.#slots.delete(slot);
      this.#slots.add(slot);
      slot.begin(request);
      this.#options.onBegin?.();
    }
    this.#standBy();
  }

  #standBy(): void {
    const { stand_by, slots_max } = this.#options;
    if (stand_by === undefined || this.busy < this.#slots.size || this.busy === 0 || this.busy === slots_max) return;
    let slot: Slot;
    try {
      slot = this.#start();
    } catch {
      // Whoever needs one is told.
      return;
    }
    const ignore = (): void => undefined;
    const options = { signal: new AbortController().signal, ms_max: WARM_UP_MS };
    slot.begin({ ...stand_by, options, resolve: ignore, reject: ignore });
  }

  #lineOf({ options }: Request): string {
    return this.#options.each_max === undefined ? "" : (options.fair_by ?? "");
  }

  #forget(request: Request): void {
    this.#forgets.get(request)?.();
    this.#forgets.delete(request);
  }

  #leave(request: Request): void {
    const line = this.#lines.get(request);
    if (line === undefined) return;
    this.#lines.delete(request);
    this.#waiting.end(line);
  }

  /**
   * A slot with room, best one that knows the runner; else a new one; at the cap undefined, having made room where idle
   * slots allow.
   */
  #choose(request: Request): Slot | undefined {
    const { slots_max, single_runner } = this.#options;
    const idle = [...this.#slots].filter((slot) => slot.idle).reverse();
    const free = [...this.#slots].filter((slot) => slot.takes(request)).reverse();
    const slot = free.find(({ loaded }) => loaded.has(request.key)) ?? (single_runner ? undefined : idle[0]);
    if (slot !== undefined) return slot;
    if (this.#slots.size < slots_max) return this.#start();
    // One at a time: whoever waits first is served when it has ended.
    const ending = [...this.#slots].some(({ retired }) => retired);
    const oldest = idle.at(-1);
    if (oldest !== undefined && !ending) this.#retire(oldest);
    return undefined;
  }

  #start(): Slot {
    const { start, nest, choose, grace_ms, onFarewell } = this.#options;
    const slot = new Slot({
      start,
      nest,
      choose,
      grace_ms,
      onFarewell,
      onSettled: (slot, request) => this.#settled(slot, request),
      onEnd: (slot, requests, crashed) => this.#ended(slot, requests, crashed),
    });
    this.#slots.add(slot);
    return slot;
  }

  #retire(slot: Slot): void {
    clearTimeout(this.#idle_timers.get(slot));
    slot.retire();
  }

  #settled(slot: Slot, request: Request): void {
    this.#leave(request);
    if (slot.idle && this.#closing !== undefined) this.#retire(slot);
    else if (slot.idle) this.#awaitNext(slot);
    if (this.#closing === undefined) this.#dispatch();
  }

  #awaitNext(slot: Slot): void {
    const timer = setTimeout(() => {
      if (slot.idle && this.#slots.size > this.#options.kept) slot.retire();
    }, this.#options.idle_ms);
    timer.unref();
    this.#idle_timers.set(slot, timer);
  }

  #ended(slot: Slot, requests: readonly Request[], crashed: boolean): void {
    for (const request of requests) this.#leave(request);
    clearTimeout(this.#idle_timers.get(slot));
    this.#idle_timers.delete(slot);
    this.#slots.delete(slot);
    if (crashed) this.replaced++;
    if (this.#closing === undefined) this.#dispatch();
    else if (this.#slots.size === 0) this.#closing.resolve();
  }
}

function closed(name: string): PoolError {
  return new PoolError("closed", `Run of "${name}" was refused: the pool is closed`);
}
