/** What `process` is given, beside its request and sources. */

import type { AnyAction, FetchRequest, Job, PluginEngines, Runner, Step } from "../../../contract/mod.ts";
import { PluginFault } from "../../actions/faults.ts";
import type { Settings } from "../../actions/registered.ts";
import { Failure } from "../../base/errors.ts";
import type { Runners } from "../../ports/mod.ts";
import type { Prepare } from "./prepared.ts";
import { createSteps, type During } from "./steps.ts";

/** What does the work that an action asks for. */
export interface Helpers {
  readonly runNested: Runners["runNested"];
  readonly askOwner: Runners["askOwner"];
  readonly prepare: Prepare;
  /** Those of an author's test are made up. */
  engines(during: During): PluginEngines;
}

export function createHelp(
  action: AnyAction,
  settings: Settings,
  { runNested, askOwner, engines }: Omit<Helpers, "prepare">,
  job: Job,
) {
  const during = createSteps(job);
  return {
    config: settings,
    signal: job.signal,
    progress: job.progress,
    engines: engines(during),
    run: <Input, Result>(runner: Runner<Input, Result>, given: Input, step?: Step): Promise<Result> =>
      during(step, (own) => runNested(runner, given, own)),
    fetch: (url: string, request: FetchRequest = {}): Promise<unknown> => askOwner({ url, request }, job),
    fail(code: string, message: string, source?: string): never {
      if (action.failures.includes(code)) throw new Failure(code, String(message), source);
      const declared = action.failures.join(", ") || "none";
      const fact = `Cannot fail with "${code}", expected a code it declares: ${declared}`;
      throw new PluginFault("failure", `${action.name}: ${fact}`);
    },
  };
}

/** Ours, which load when the first of them is asked for. */
export function engineLoader({ loadPluginEngines }: Pick<Runners, "loadPluginEngines">): Helpers["engines"] {
  return (during) => {
    let loading: Promise<PluginEngines> | undefined;
    const load = (): Promise<PluginEngines> => {
      loading ??= loadPluginEngines().then((create) => create(during));
      return loading;
    };
    const later = (name: keyof PluginEngines) => async (given: never, how: never, step: never) =>
      (await load())[name](given, how, step);
    // Each is handed on with what it was given: types of the contract hold for both sides.
    return Object.fromEntries(ENGINES.map((name) => [name, later(name)])) as unknown as PluginEngines;
  };
}

const ENGINES = Object.keys({
  ...{ separate: 0, analyse: 0, cut: 0, duck: 0, master: 0, levelAlbum: 0, compose: 0, makeInstrumentals: 0 },
  ...{ makeSongs: 0, makeSample: 0, effect: 0, remixInstrumental: 0, remixSong: 0, understand: 0 },
} satisfies Record<keyof PluginEngines, 0>) as (keyof PluginEngines)[];
