/** Runners that are set up in this thread or process: loaded once, run many times. */
import type { Job, Runner } from "../../contract/mod.ts";
import type { RunnerName } from "./messages.ts";

type AnyRunner = Runner<unknown, unknown>;
interface Loaded<Input, Output> {
  run(input: Input, job: Job): Output | Promise<Output>;
}

const engines = new WeakMap<object, Promise<unknown>>();
/** Those of residents by what the pool knows them by: a descriptor that names one is made anew for each run. */
const residents = new Map<string, Promise<unknown>>();

/** What `runner.load()` gave, called once for each descriptor or resident; again only where it had failed. */
export function loaded<Input, Output>(runner: Runner<Input, Output>): Promise<Loaded<Input, Output>> {
  const { from, name, resident } = runner;
  return resident === undefined
    ? loadedOnce(engines, runner, runner)
    : loadedOnce(residents, `${from}#${name}#${resident}`, runner);
}

interface Kept<Key> {
  get(key: Key): Promise<unknown> | undefined;
  set(key: Key, loading: Promise<unknown>): unknown;
  delete(key: Key): unknown;
}

function loadedOnce<Key, Input, Output>(kept: Kept<Key>, key: Key, runner: Runner<Input, Output>) {
  const known = kept.get(key);
  if (known !== undefined) return known as Promise<Loaded<Input, Output>>;
  const loading = runner.load();
  kept.set(key, loading);
  loading.catch(() => kept.delete(key));
  return loading;
}

/** The descriptor called `name` among the exports of the module at `from`. */
export async function find({ from, name }: RunnerName): Promise<AnyRunner> {
  const exports: Record<string, unknown> = await import(from);
  const runners = Object.values(exports).filter(isRunner);
  const found = runners.find((runner) => runner.name === name);
  if (found !== undefined) return found;
  const there = runners.map((runner) => `"${runner.name}"`).join(", ") || "none";
  throw new Error(`Cannot run "${name}": "${from}" exports no runner of that name, but ${there}`);
}

function isRunner(value: unknown): value is AnyRunner {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<AnyRunner>).name === "string" &&
    typeof (value as Partial<AnyRunner>).load === "function"
  );
}
