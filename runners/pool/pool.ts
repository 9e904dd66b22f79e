/**
 * Runs runners off the event loop: kernels in threads, native code in child processes. It knows how they are started,
 * watched, stopped and replaced, and nothing of audio. See `Pool` in core/ports/mod.ts for what it promises.
 */
import type { Runner } from "../../contract/mod.ts";
import type { Confinement, Pool, PoolOptions, RunOptions } from "../../core/ports/mod.ts";
import { startProcess, startThread } from "./executor.ts";
import { Lane } from "./lane.ts";
import { MemoryGuard } from "./memory.ts";
import type { RunnerName } from "./messages.ts";
import { Resident } from "./resident.ts";

/** `RunOptions.signal` promises these 2 s. */
const GRACE_MS = 2000;

/**
 * A pool with nothing started yet: threads and processes come with the first runs that need them. While one is alive, so is this
 * process, until `close()`. `grace_ms` is for tests.
 *
 * @example
 * ```ts
 * const pool = createPool({ threads_max: 4, processes_max: 2, idle_ms: 60_000 });
 * const cut = await pool.run(cutter, { audio, seconds: 30 }, { signal, ms_max: 600_000 });
 * await pool.close();
 * ```
 */
export function createPool(
  { threads_max, processes_max, stand_by, idle_ms, onResident, onFarewell, ...rest }: PoolOptions,
  grace_ms = GRACE_MS,
): Pool {
  const residents = new Map<string, Resident>();
  const warm_up = stand_by && {
    ...{ runner: named(stand_by.runner), key: keyOf(stand_by.runner), at_once: 1, input: stand_by.input },
  };
  const submit = (lane: Pick<Lane, "add">, runner: RunnerName, input: unknown, options: RunOptions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { resident, at_once = 1 } = runner;
      lane.add({
        ...{ runner: named(runner), key: keyOf(runner), at_once: resident === undefined ? 1 : at_once },
        ...{ input, options, resolve, reject },
      });
    });
  // Threads wait for processes, never the other way round (a process runs what is nested itself): no circle, no deadlock.
  const nest = (runner: RunnerName, input: unknown, options: RunOptions): Promise<unknown> =>
    submit(processesFor(runner), runner, input, options);
  /** How many runs chose a resident and have not ended: between the steps of one its process only seems idle. */
  const chosen = new Map<string, number>();
  const choose = ({ from, name }: RunnerName, among: readonly string[]) => {
    const keyFor = (resident: string): string => `${from}#${name}#${resident}`;
    const load = (resident: string): number =>
      // Whoever failed is tried again where the others have more to do.
      (chosen.get(keyFor(resident)) ?? 0) + (residents.get(keyFor(resident))?.health().state === "failed" ? 1 : 0);
    const order = among.toSorted((a, b) => load(a) - load(b));
    const key = keyFor(order[0]!);
    const count = (change: number): void => void chosen.set(key, (chosen.get(key) ?? 0) + change);
    count(1);
    return { order, release: () => count(-1) };
  };
  const common = { idle_ms, grace_ms, nest, choose, onFarewell };
  /** One lane for each set of permissions. */
  const confined = new Map<string, Lane>();
  const confinedBy = (confine: Confinement): Lane => {
    const key = JSON.stringify(confine);
    const known = confined.get(key);
    if (known !== undefined) return known;
    const lane = new Lane({
      ...{ ...common, slots_max: processes_max, kept: 0, single_runner: true },
      start: (listener) => startProcess(listener, { confine }),
    });
    confined.set(key, lane);
    if (closing) void lane.close();
    return lane;
  };
  const processesFor = ({ from, name, resident, confine }: RunnerName): Pick<Lane, "add"> => {
    if (confine !== undefined) return confinedBy(confine);
    if (resident === undefined) return processes;
    const key = `${from}#${name}#${resident}`;
    const known = residents.get(key);
    if (known !== undefined) return known;
    const lane = new Lane({
      slots_max: 1,
      ...common,
      kept: 1,
      single_runner: true,
      start: (listener) => startProcess(listener),
    });
    const added = new Resident(resident, lane, onResident);
    residents.set(key, added);
    if (closing) void lane.close();
    return added;
  };
  let closing = false;
  const processes = new Lane({
    slots_max: processes_max,
    ...common,
    kept: 0,
    single_runner: true,
    start: (listener) => startProcess(listener),
  });
  const guard = new MemoryGuard({
    memory_mb: rest.memory_mb ?? Number.POSITIVE_INFINITY,
    slots: () => [...threads.slots, ...probes.slots, ...jobs.slots],
    onStuck: rest.onStuck,
  });
  const onBegin = (): void => guard.watch();
  const threads: Lane = new Lane({
    onBegin,
    slots_max: threads_max,
    ...common,
    kept: 1,
    single_runner: false,
    start: startThread,
  });
  const jobs: Lane = new Lane({
    onBegin,
    slots_max: rest.jobs_max ?? threads_max,
    ...common,
    kept: 1,
    single_runner: false,
    stand_by: warm_up,
    start: (listener) => startProcess(listener, { is_job: true }),
  });
  const probes_max = rest.probes_max ?? 2;
  const probes: Lane = new Lane({
    onBegin,
    slots_max: probes_max,
    ...common,
    kept: warm_up === undefined ? 0 : 2,
    single_runner: false,
    stand_by: warm_up,
    each_max: Math.max(1, Math.floor(probes_max / 2)),
    start: startThread,
  });
  const laneOf = (runner: RunnerName & { readonly isolation: string }, { lane }: RunOptions): Pick<Lane, "add"> => {
    if (runner.isolation !== "thread") return processesFor(runner);
    return lane === "job" ? jobs : lane === "probe" ? probes : threads;
  };

  return {
    run<Input, Output>(runner: Runner<Input, Output>, input: Input, options: RunOptions): Promise<Output> {
      // What comes back is what `run` of this very runner returned, cloned.
      return submit(laneOf(runner, options), runner, input, options) as Promise<Output>;
    },
    stats() {
      const lanes = [
        threads,
        probes,
        jobs,
        processes,
        ...confined.values(),
        ...[...residents.values()].map(({ lane }) => lane),
      ];
      const sum = (of: readonly Lane[], count: (lane: Lane) => number): number =>
        of.reduce((total, lane) => total + count(lane), 0);
      return {
        threads: sum(lanes.slice(0, 2), (lane) => lane.alive),
        processes: sum(lanes.slice(2), (lane) => lane.alive),
        busy: sum(lanes, (lane) => lane.busy),
        waiting: sum(lanes, (lane) => lane.waiting),
        replaced: sum(lanes, (lane) => lane.replaced),
      };
    },
    residents: () =>
      [...residents.values()].map((resident) => ({ ...resident.health(), memory_mb: resident.lane.memory_mb })),
    async close() {
      closing = true;
      const lanes = [...confined.values(), ...[...residents.values()].map(({ lane }) => lane)];
      await Promise.all([threads, probes, jobs, processes, ...lanes].map((lane) => lane.close()));
    },
  };
}

const named = ({ from, name }: RunnerName): RunnerName => ({ from, name });
const keyOf = ({ from, name }: RunnerName): string => `${from}#${name}`;
