/** `tonwerk wait` and `tonwerk download`: operations by id, whatever their action. */
import { type AnyOperation, type Operation, operationOf } from "../../sdk/typescript/src/operation.ts";
import { Transport } from "../../sdk/typescript/src/transport.ts";
import { type Action, actionsOf, loadDocument } from "./document.ts";
import { EXIT, problemOf, UsageError } from "./exit_codes.ts";
import { readTarget, saveResult } from "./outputs.ts";
import { createReport } from "./report.ts";
import { abortOnInterrupt, runEach } from "./run_action.ts";
import type { Profile } from "./settings.ts";

/** `retries`: 0 for what must not be sent twice. */
export const openTransport = ({ url: baseUrl, key: apiKey }: Profile, retries = 6): Transport =>
  new Transport({ baseUrl, apiKey, retries, timeoutMs: 60_000, fetch: (url, init) => fetch(url, init) });

/** @throws NotFoundError */
async function readById(transport: Transport, id: string, signal?: AbortSignal): Promise<Operation> {
  const answer = await transport.json<{ operation: AnyOperation & { readonly action: string } }>({
    method: "GET",
    path: `/v1/operations/${encodeURIComponent(id)}`,
    signal,
  });
  return operationOf(transport, answer.operation.action, answer);
}

export interface Wanted {
  readonly ids: readonly string[];
  /** Undefined: nothing is saved. */
  readonly output: string | undefined;
  readonly format: string | undefined;
  /** Seconds to wait; undefined: for ever. */
  readonly timeout: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

const AT_ONCE = 4;

/**
 * Waits, and saves where an output is named. The work goes on, whatever ends the waiting. Resolves to the highest exit
 * code.
 */
export async function waitFor(profile: Profile, wanted: Wanted): Promise<number> {
  const { ids, output, format, timeout } = wanted;
  if (ids.length === 0) throw new UsageError("Which operations? Say their ids");
  const transport = openTransport(profile);
  const actions = actionsOf(await loadDocument(profile.url));
  const interrupt = abortOnInterrupt();
  const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1_000);
  const signal = late === undefined ? interrupt : AbortSignal.any([interrupt, late]);
  const report = createReport({ ...wanted, aside: output === "-" });
  const exit = await runEach(ids, AT_ONCE, signal, async (id, index) => {
    try {
      const operation = await readById(transport, id, signal);
      const action = actions.find(({ name }) => name === operation.action);
      if (action === undefined) throw new UsageError(`The server has no action "${operation.action}" any more`);
      // Before anything is waited for.
      const target = output === undefined ? undefined : readTarget(action, output, format, ids.length);
      const onProgress = (now: Parameters<typeof report.progress>[3]) =>
        report.progress(index, nameOf(action, id), id, now);
      const ended = await operation.wait({ signal, keepOnAbort: true, onProgress });
      const files = target === undefined ? [] : await saveResult(ended, target, nameOf(action, id), signal);
      report.end(index);
      const said = files.length === 0 ? `${id} is ready` : files.join("\n");
      report.say({ type: "ready", input: id, id, files, operation: ended }, said);
      return EXIT.ok;
    } catch (error) {
      report.end(index);
      if (interrupt.aborted) return EXIT.interrupted;
      const problem = late?.aborted === true ? lateProblem(id, timeout) : problemOf(error);
      report.problem(id, problem);
      return problem.exit;
    }
  });
  return interrupt.aborted ? EXIT.interrupted : late?.aborted === true ? EXIT.too_late : exit;
}

/** What files of an operation are called. */
const nameOf = ({ command }: Action, id: string): string => `${command}-${id.slice(-6)}`;

const lateProblem = (id: string, timeout: number | undefined) => ({
  exit: EXIT.too_late,
  code: "too_late",
  message: `${id} is still in work after ${timeout} s`,
});
