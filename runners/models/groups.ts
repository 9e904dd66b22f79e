/**
 * Pieces side by side in a model's process: their steps run as rows of one, because a decoder reads its weights once a
 * step, however many rows there are. A decoder takes its position from the length of its caches, so that only pieces
 * which stand at the same step can share one. Whoever begins later therefore catches up first, while the others wait;
 * those at the same step are a cohort, and cohorts that meet become one.
 *
 * Each piece knows nothing of the others: it asks for its step when it likes, ends when it likes and fails alone. One
 * that does not come goes on by itself. Rows do not change each other's bits, so that a piece is what it is alone.
 */
import {
  arrangeCarried,
  type Carried,
  type Graph,
  joinRuns,
  releaseCarried,
  runGraph,
  splitOutputs,
} from "./graph_runs.ts";
import type { Ort } from "./runtime.ts";
import type { Tensors } from "./tensor.ts";
import type { GraphRun, Wish } from "./types.ts";

/** Whose step has not come when the process did nothing else for so long is waited for no more. */
const MISSING_MS = 1000;
/** A step is held so long while others catch up, and then asked for again: runs have a time limit. */
const HELD_MS = 10_000;
/**
 * Who begins joins those that have done at most this share of its steps, and of theirs. Each time somebody joins, the
 * others wait for as many steps as they have done: what they wait for together is a few times their own at most.
 */
const CATCH_UP_MAX = 0.5;

interface Waiting {
  readonly run: GraphRun;
  /** Undefined: it is to be asked for again. */
  readonly resolve: (outputs: Tensors | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Pieces at one step. */
interface Cohort {
  steps: number;
  /** States of its pieces. */
  readonly members: Set<string>;
  /** What they carry, and whose rows these are, in order; of who has not taken a step yet, it is among the states. */
  carried: Carried;
  rows: readonly string[];
}

export interface GroupLimits {
  /** Pieces. */
  readonly most: number;
  /** Bytes that their caches may take yet. */
  readonly room: () => number;
}

export class Groups {
  readonly #ort: typeof Ort;
  readonly #graphs: ReadonlyMap<string, Graph>;
  /** Where a piece's own is while it shares nothing. */
  readonly #states: Map<string, Carried>;
  readonly #limits: GroupLimits;
  /** By state. */
  readonly #wishes = new Map<string, Wish>();
  readonly #waiting = new Map<string, Waiting>();
  #cohorts: Cohort[] = [];
  #running = false;
  /** When the process last did something, by `performance.now()`. */
  #active_at = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(ort: typeof Ort, graphs: ReadonlyMap<string, Graph>, states: Map<string, Carried>, limits: GroupLimits) {
    this.#ort = ort;
    this.#graphs = graphs;
    this.#states = states;
    this.#limits = limits;
  }

  /** Whether a piece may begin, beside others or alone; else it is to ask again later. */
  begin(state: string, wish: Wish): boolean {
    const others = [...this.#wishes.values()];
    if (others.length > 0) {
      const front = Math.max(...this.#cohorts.map(({ steps }) => steps));
      const taken = this.#cohorts
        .flatMap(({ members, steps }) => [...members].map((one) => ({ steps, ...this.#wishes.get(one)! })))
        .reduce((sum, { steps, bytes, steps_max }) => sum + bytes * Math.max(0, 1 - steps / steps_max), 0);
      const fits = others.length < this.#limits.most && taken + wish.bytes <= this.#limits.room();
      const shared = Math.min(wish.steps_max, Math.max(...others.map(({ steps_max }) => steps_max)));
      if (!fits || others[0]!.alike !== wish.alike || front > CATCH_UP_MAX * shared) return false;
    }
    this.#wishes.set(state, wish);
    this.#cohorts.push({ steps: 0, members: new Set([state]), carried: {}, rows: [] });
    this.touch();
    this.#advance();
    return true;
  }

  has(state: string): boolean {
    return this.#wishes.has(state);
  }

  /** A step of a piece that has begun here; undefined: others are still behind, and it is to be asked for again. */
  run(state: string, run: GraphRun, signal: AbortSignal): Promise<Tensors | undefined> {
    return new Promise((resolve, reject) => {
      const end = <Value>(how: (value: Value) => void): ((value: Value) => void) => {
        return (value) => {
          clearTimeout(held);
          signal.removeEventListener("abort", abort);
          if (this.#waiting.get(state) === waiting) this.#waiting.delete(state);
          how(value);
        };
      };
      const waiting: Waiting = { run, resolve: end(resolve), reject: end(reject) };
      const abort = (): void => this.leave(state);
      const held = setTimeout(() => waiting.resolve(undefined), HELD_MS);
      held.unref();
      this.#waiting.set(state, waiting);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      else this.#advance();
    });
  }

  /** The piece has ended, or was given up. */
  leave(state: string): void {
    if (!this.has(state)) return;
    this.#waiting.get(state)?.reject(new Error("The piece was given up"));
    this.#drop(state);
    this.#advance();
  }

  /** The process did something else, in which no step could come. */
  touch(): void {
    this.#active_at = performance.now();
  }

  /** Runs those that are furthest behind, once all of them wait for it. */
  #advance(): void {
    clearTimeout(this.#watch);
    if (this.#running) return;
    this.#meet();
    const [rear] = this.#cohorts;
    if (rear === undefined) return;
    if ([...rear.members].every((state) => this.#waiting.has(state))) {
      this.#running = true;
      void this.#runCohort(rear).then(() => {
        this.#running = false;
        this.touch();
        this.#advance();
      });
    } else this.#watchFor(rear, MISSING_MS);
  }

  #watchFor(rear: Cohort, ms: number): void {
    this.#watch = setTimeout(() => {
      const left_ms = MISSING_MS - (performance.now() - this.#active_at);
      if (left_ms > 0) this.#watchFor(rear, left_ms);
      else {
        for (const state of [...rear.members]) if (!this.#waiting.has(state)) this.#part(state, rear);
        this.#advance();
      }
    }, ms);
    this.#watch.unref();
  }

  /** Cohorts at the same step become one, those behind come first, and what nobody is in any more goes. */
  #meet(): void {
    const by_steps = new Map<number, Cohort[]>();
    for (const cohort of this.#cohorts) {
      if (cohort.members.size === 0) releaseCarried(cohort.carried);
      else by_steps.set(cohort.steps, [...(by_steps.get(cohort.steps) ?? []), cohort]);
    }
    this.#cohorts = [...by_steps.values()]
      .map((all) => (all.length === 1 ? all[0]! : this.#merge(all)))
      .sort((a, b) => a.steps - b.steps);
  }

  #merge(cohorts: readonly Cohort[]): Cohort {
    const members = new Set(cohorts.flatMap((cohort) => [...cohort.members]));
    const { steps } = cohorts[0]!;
    // Before the first step each has its own.
    if (steps === 0) return { steps, members, carried: {}, rows: [] };
    const kept = cohorts.map((cohort) => ({
      ...cohort,
      rows: cohort.rows.filter((state) => cohort.members.has(state)),
    }));
    const parts = kept.map(({ carried, rows }, index) => {
      const before = cohorts[index]!.rows;
      return { carried, which: rows.map((state) => before.indexOf(state)), of: before.length };
    });
    return { steps, members, carried: arrangeCarried(this.#ort, parts, true), rows: kept.flatMap(({ rows }) => rows) };
  }

  async #runCohort(cohort: Cohort): Promise<void> {
    const states = [...cohort.members];
    const all = states.map((state) => this.#waiting.get(state)!);
    for (const state of states) this.#waiting.delete(state);
    try {
      this.#arrange(cohort, states);
      const run = joinRuns(all.map((one) => one.run));
      const outputs = await runGraph(this.#ort, this.#graphs.get(run.role)!, run, cohort.carried);
      cohort.steps++;
      for (const [index, made] of splitOutputs(outputs, all.length).entries()) all[index]!.resolve(made);
    } catch (error) {
      if (all.length === 1) all[0]!.reject(error);
      else await this.#runApart(cohort, states, all);
    }
  }

  /** What is carried, as rows of these in this order. */
  #arrange(cohort: Cohort, states: readonly string[]): void {
    const { rows, carried } = cohort;
    if (`${states}` === `${rows}`) return;
    if (cohort.steps === 0) {
      const own = states.map((state) => this.#states.get(state) ?? {});
      const parts = own.map((one) => ({ carried: one, which: [0], of: 1 }));
      cohort.carried = own.length === 1 ? own[0]! : arrangeCarried(this.#ort, parts, true);
      for (const state of states) this.#states.delete(state);
    } else {
      const which = states.map((state) => rows.indexOf(state));
      cohort.carried = arrangeCarried(this.#ort, [{ carried, which, of: rows.length }], true);
    }
    cohort.rows = states;
  }

  /** One of them may be at fault: the others do not share it. */
  async #runApart(cohort: Cohort, states: readonly string[], all: readonly Waiting[]): Promise<void> {
    for (const state of states) this.#part(state, cohort);
    for (const [index, { run, resolve, reject }] of all.entries()) {
      const carried = this.#states.get(states[index]!) ?? {};
      this.#states.set(states[index]!, carried);
      await runGraph(this.#ort, this.#graphs.get(run.role)!, run, carried).then(resolve, reject);
    }
  }

  /** From here on the piece goes alone, with what it carries. */
  #part(state: string, { rows, carried }: Cohort): void {
    const index = rows.indexOf(state);
    // Else it has not taken its first step.
    if (index >= 0)
      this.#states.set(state, arrangeCarried(this.#ort, [{ carried, which: [index], of: rows.length }], false));
    this.#drop(state);
  }

  #drop(state: string): void {
    this.#wishes.delete(state);
    this.#waiting.delete(state);
    for (const { members } of this.#cohorts) members.delete(state);
  }
}
