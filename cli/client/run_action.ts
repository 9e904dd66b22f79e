/** Runs an action's command: each request is submitted, waited for and downloaded, several at a time. */
import { createHash, randomUUID } from "node:crypto";
import type { Fetch, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { Tonwerk as Client } from "../../sdk/typescript/src/mod.ts";
import type { Action, Document } from "./document.ts";
import { EXIT, problemOf } from "./exit_codes.ts";
import { helpOf } from "./help.ts";
import { readTarget, saveResult, type Target } from "./outputs.ts";
import { type Asked, type Request, readWords } from "./read_words.ts";
import { createReport, type Report } from "./report.ts";
import { chooseServer, requireKey } from "./settings.ts";
import { createResolve, type Resolve, resolveForPrice } from "./sources.ts";
import { understoodLines } from "./understood.ts";

interface Run {
  readonly action: Action;
  readonly asked: Asked;
  readonly tonwerk: Tonwerk;
  readonly resolve: Resolve;
  readonly target: Target;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Resolves to the exit code: the highest of all requests. @throws UsageError */
export async function runAction(document: Document, action: Action, typed: readonly string[]): Promise<number> {
  const asked = readWords(document, action, typed);
  if (asked.help) {
    console.log(helpOf(document, action).join("\n"));
    return EXIT.ok;
  }
  const profile = requireKey(chooseServer(asked.profile));
  const target = readTarget(action, asked.output, asked.format, asked.requests.length);
  const tonwerk = new Client({ baseUrl: profile.url, apiKey: profile.key, fetch: fetchWith(asked.headers) });
  const signal = abortOnInterrupt();
  const resolve = asked.dry_run ? resolveForPrice : createResolve(tonwerk, profile, signal);
  const report = createReport({ ...asked, aside: target.kind === "stdout" && !asked.dry_run });
  const run: Run = { action, asked, tonwerk, resolve, target, report, signal };
  return runEach(asked.requests, asked.jobs, signal, (request, index) => runRequest(run, request, index));
}

/** Several at a time. Resolves to the highest exit code. */
export async function runEach<One>(
  all: readonly One[],
  jobs: number,
  signal: AbortSignal,
  perform: (one: One, index: number) => Promise<number>,
): Promise<number> {
  const waiting = [...all.entries()];
  let exit: number = EXIT.ok;
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
      exit = Math.max(exit, await perform(next[1], next[0]));
  };
  await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, lane));
  return signal.aborted ? EXIT.interrupted : exit;
}

/** Submissions have these headers, too. */
const fetchWith =
  (headers: Readonly<Record<string, string>>): Fetch =>
  (url, init) =>
    fetch(url, init.method === "PUT" ? { ...init, headers: { ...(init.headers as object), ...headers } } : init);

async function runRequest(run: Run, request: Request, index: number): Promise<number> {
  const { action, asked, tonwerk, report, signal, target } = run;
  const input = request.label;
  const idempotencyKey = keyOf(asked, index);
  try {
    const body = await run.resolve(request.body);
    const resource = tonwerk.action(action.name);
    if (asked.dry_run) {
      const price = await resource.dryRun(body, { signal });
      const sentence = [
        `${input}: ${price.cost_max === undefined ? "" : "at most "}${price.cost} of ${price.balance} credits`,
        ...understoodLines(price.understood),
      ];
      report.say({ type: "price", input, ...price }, sentence.join("\n"));
      return price.sufficient ? EXIT.ok : EXIT.refused;
    }
    // Without the signal: a submission that was sent must be answered before it can be cancelled.
    const operation = await resource.create(body, { idempotencyKey });
    const ended = await operation.wait({
      signal,
      onProgress: (progress) => report.progress(index, input, operation.id, progress),
    });
    const stem =
      request.stem === undefined ? `${action.command}-${ended.id.slice(-6)}` : `${request.stem}-${action.command}`;
    const files = await saveResult(ended, target, stem, signal);
    report.end(index);
    const said = files.length === 0 ? ended.id : files.join("\n");
    report.say({ type: "ready", input, id: ended.id, files, operation: ended }, said);
    return EXIT.ok;
  } catch (error) {
    report.end(index);
    if (signal.aborted) return EXIT.interrupted;
    const problem = problemOf(error);
    report.problem(input, problem.exit === EXIT.no_answer ? { ...problem, idempotency_key: idempotencyKey } : problem);
    return problem.exit;
  }
}

/** Of several requests under one key each has its own, which the same command makes again. */
function keyOf({ idempotency_key: key, requests }: Asked, index: number): string {
  if (key === undefined) return randomUUID();
  if (requests.length === 1) return key;
  const hex = createHash("sha256").update(`${key} ${index}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The first Ctrl-C cancels what is in work, the second ends the program. */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Error("Interrupted"));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
}
