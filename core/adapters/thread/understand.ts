/** What the words of a request are taken to ask for, in a thread: what the action says, held to what it declared. */
import { Errors } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import type { AnyAction, Job, Runner } from "../../../contract/mod.ts";
import { PluginFault } from "../../actions/faults.ts";
import { loadAction } from "../../actions/imports.ts";
import type { UnderstandInput } from "../../actions/tasks.ts";
import type { Runners } from "../../ports/mod.ts";
import { engineLoader, type Helpers } from "./context.ts";
import { runOwn } from "./own_code.ts";
import { createSteps } from "./steps.ts";

export async function runUnderstand({ origin, runners, packs, fields }: UnderstandInput, job: Job): Promise<object> {
  const all = (await import(runners)) as Runners;
  all.usePacks(packs);
  const helpers = { runNested: all.runNested, engines: engineLoader(all) };
  return understandFields(await loadAction(origin), fields, helpers, job);
}

/** Throws TypeError where the action does not say what its schema promises: clients are typed by it. */
export async function understandFields(
  action: AnyAction,
  fields: UnderstandInput["fields"],
  { runNested, engines }: Omit<Helpers, "askOwner" | "prepare">,
  job: Job,
): Promise<object> {
  const { name, understand } = action;
  if (understand === undefined) throw new TypeError(`${name}: Cannot understand, for it declares no \`understand\``);
  const context = {
    request: fields,
    signal: job.signal,
    engines: engines(createSteps(job)),
    run: <Input, Result>(runner: Runner<Input, Result>, given: Input): Promise<Result> => runNested(runner, given, job),
  };
  // Erased types cannot show that the request matches the action.
  const understood = await runOwn(action, "understand", job.signal, () => understand.read(context as never));
  if (Check(understand.schema, understood)) return understood;
  const [fault] = Errors(understand.schema, understood);
  throw new PluginFault(
    "understand",
    `${name}: Cannot tell what was understood: ${fault?.path || "all of it"}: ${fault?.message}`,
  );
}
