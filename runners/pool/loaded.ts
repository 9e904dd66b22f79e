/** Runners that are set up in this thread or process: loaded once, run many times. */
import type { Job, Runner } from "../../core/plugin.ts";
import type { RunnerName } from "./messages.ts";

type AnyRunner = Runner<unknown, unknown>;
interface Loaded<Input, Output> {
  run(input: Input, job: Job): Output | Promise<Output>;
}

const engines = new WeakMap<object, Promise<unknown>>();

/** What `runner.load()` gave, called once for each descriptor; again only where it had failed. */
export function loaded<Input, Output>(runner: Runner<Input, Output>): Promise<Loaded<Input, Output>> {
  const known = engines.get(runner);
  if (known !== undefined) return known as Promise<Loaded<Input, Output>>;
  const loading = runner.load();
  engines.set(runner, loading);
  loading.catch(() => engines.delete(runner));
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
