/**
 * Keeps the threads and the job processes of a pool to a memory: one that takes it without end would take the service
 * with it, or the machine. Above the limit the one that holds most is ended, and its run fails. What a process holds is
 * seen from outside; threads share their process's.
 */
import { residentHere } from "./confined.ts";
import type { Slot } from "./slot.ts";

/** Often enough that a loop cannot take a machine's memory in between. */
const LOOK_MS = 100;
/** What a thread says of itself is good for so long; one that says nothing is in a loop. */
const FRESH_MS = 700;
/** What an ended thread held is given back in that time, where the runtime can end it. */
const RELEASE_MS = 1000;
/**
 * A loop is blamed before a thread that says how much it holds only where it holds that much more: garbage is counted
 * late.
 */
const SURE = 1.5;

export interface MemoryGuardOptions {
  readonly memory_mb: number;
  slots(): Iterable<Slot>;
  /** A thread that was ended goes on: nothing more can be done here until its process ends. */
  readonly onStuck: ((used_mb: number) => void) | undefined;
}

export class MemoryGuard {
  readonly #options: MemoryGuardOptions;
  /** What the process holds without any run. */
  #idle_mb = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #ended: { readonly at: number; readonly used_mb: number } | undefined;
  /** Since when it holds too much, and nobody could be blamed. */
  #over_since: number | undefined;
  #is_stuck = false;

  constructor(options: MemoryGuardOptions) {
    this.#options = options;
  }

  /** A run begins. Looks until none is at work. */
  watch(): void {
    if (this.#timer !== undefined) return;
    this.#idle_mb = this.#usedMb();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Of this process and of those of jobs, idle ones too. */
  #usedMb(): number {
    const processes = [...this.#options.slots()].map((slot) => processMb(slot) ?? 0);
    return processes.reduce((sum, mb) => sum + mb, process.memoryUsage.rss() / 2 ** 20);
  }

  #look(): void {
    const busy = [...this.#options.slots()].filter((slot) => slot.busy);
    if (busy.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const used_mb = this.#usedMb();
    const now = performance.now();
    if (used_mb <= this.#options.memory_mb) {
      this.#is_stuck = false;
      this.#ended = undefined;
      this.#over_since = undefined;
    } else if (this.#ended === undefined) this.#end(busy, used_mb, now);
    else if (now - this.#ended.at > RELEASE_MS && !this.#is_stuck) {
      if (used_mb < this.#ended.used_mb) this.#end(busy, used_mb, now);
      else {
        this.#is_stuck = true;
        this.#options.onStuck?.(Math.round(used_mb));
      }
    }
  }

  #end(busy: readonly Slot[], used_mb: number, now: number): void {
    const silent = busy.filter((slot) => processMb(slot) === undefined && now - slot.held.at > FRESH_MS);
    const open = busy.filter((slot) => !silent.includes(slot));
    const told_mb = open.reduce((sum, slot) => sum + heldMb(slot), 0);
    // What nobody tells of is that of the loops, the newest first: of several it cannot be said which.
    const hidden_mb = used_mb - this.#idle_mb - told_mb;
    const most = open.toSorted((one, other) => heldMb(other) - heldMb(one))[0];
    const most_mb = most === undefined ? 0 : heldMb(most);
    const loop = silent.at(-1);
    const is_loop = loop !== undefined && hidden_mb > SURE * most_mb;
    const slot = is_loop ? loop : (most ?? loop);
    this.#over_since ??= now;
    // What nobody tells of may be that of a loop that has just begun.
    const is_dark = !is_loop && hidden_mb > SURE * most_mb && now - this.#over_since < 2 * FRESH_MS;
    if (slot === undefined || is_dark) return;
    this.#ended = { at: now, used_mb };
    const limit = `the service held ${Math.round(used_mb)} MB of memory, and may hold ${Math.round(this.#options.memory_mb)}`;
    slot.exceed(
      `${limit}: its ${slot.pid === undefined ? "thread" : "job"} held most of it`,
      !is_loop || silent.length === 1,
    );
  }
}

/** Of a process; undefined for a thread, and where the system does not tell. */
const processMb = ({ pid }: Slot): number | undefined => (pid === undefined ? undefined : residentHere(pid));
const heldMb = (slot: Slot): number => processMb(slot) ?? slot.held.mb;
