/**
 * The author kit: prove an action in a test of its own, with the very checks of the service.
 *
 * ```ts
 * import { test } from "node:test";
 * import { checkAction, runAction, tone } from "@tonwerk/plugin/testing";
 * import action from "./action.ts";
 *
 * test("adapt.normalise_loudness is a sound declaration", () => checkAction(action, { accepts: [...], refuses: [...]
 * })); test("adapt.normalise_loudness returns its source", async () => {
 *   const { outputs } = await runAction(action, { request: { source: { url: "https://example.com/a.flac" } }, sources: { source: tone(440, 2) } });
 * });
 * ```
 */
import assert from "node:assert/strict";
import {
  type AnyAction,
  type FetchAnswer,
  type FetchRequest,
  type Output,
  type PluginEngines,
  type ReportOutput,
  Type,
} from "../../contract/mod.ts";
import { findSameSource, identifyUrl } from "../../core/actions/distinct_sources.ts";
import { priceOf, weightOf } from "../../core/actions/faults.ts";
import { checkFetch, type FetchQuestion } from "../../core/actions/fetch_rules.ts";
import { isAction } from "../../core/actions/imports.ts";
import { checkPolicy } from "../../core/actions/policy.ts";
import type { StoredRequest } from "../../core/actions/render.ts";
import { compileAction, type Submittable } from "../../core/actions/schema.ts";
import { compileValidator, type Validated } from "../../core/actions/validator.ts";
import { inspectAction } from "../../core/adapters/plugins/declaration.ts";
import type { Helpers } from "../../core/adapters/thread/context.ts";
import { runAction as makePieces } from "../../core/adapters/thread/job.ts";
import { disposeOf, type Prepare, setUp } from "../../core/adapters/thread/prepared.ts";
import { checkAudio, isReport, makeOutput, type Named } from "../../core/adapters/thread/produced.ts";
import type { During } from "../../core/adapters/thread/steps.ts";
import { understandFields } from "../../core/adapters/thread/understand.ts";
import { runNested } from "../../runners/pool/nested.ts";
import { asDecoded, checkSources, fingerprint, type Given, priceGiven, readWhole } from "./given.ts";

export { noise, silence, tone } from "./signals.ts";

const KEY = "00000000-0000-4000-8000-000000000000";

type Body = Readonly<Record<string, unknown>>;

export interface Cases {
  /** Bodies, without `idempotency_key`, that must be accepted, beside the declared examples. */
  readonly accepts?: readonly Body[];
  /**
   * Bodies that must be refused, each with every `loc` (joined by dots, without `body`) and `type` of its 422 entries,
   * in any order.
   */
  readonly refuses?: readonly (readonly [body: Body, entries: readonly (readonly [loc: string, type: string])[]])[];
}

/** Throws unless the registry would take the action, and its schema accepts and refuses what the cases say. */
export function checkAction(action: unknown, { accepts = [], refuses = [] }: Cases = {}): void {
  assert.ok(isAction(action), NO_ACTION);
  assert.deepEqual(inspectAction(action), [], `"${action.name}" would be refused at boot`);
  assert.ok(Object.isFrozen(action), `"${action.name}" can be changed after its declaration`);
  for (const body of [...action.examples, ...accepts] as Body[]) {
    const { fields } = validateBody(action, body);
    const before = JSON.stringify(fields);
    const cost = priceOf(action, fields);
    assert.equal(cost, priceOf(action, structuredClone(fields)), `Cost of ${before} must depend on the request only`);
    weightOf(action, fields, cost);
    assert.equal(JSON.stringify(fields), before, "cost, work_seconds and check must not change the request");
    // Whatever is accepted, a mistyped field beside it must not be.
    assert.ok(findEntries(action, { ...body, no_such_field: 1 }).includes(MISTYPED), "Accepted an unknown field");
  }
  const seen = new Set<string>();
  for (const [body, expected] of refuses) {
    const text = JSON.stringify(body);
    assert.ok(!seen.has(text), `The case ${text} is listed twice`);
    seen.add(text);
    const entries = expected.map(([loc, type]) => `${loc} ${type}`);
    assert.deepEqual(findEntries(action, body).sort(), entries.sort(), `422 entries of ${text}`);
  }
}

const NO_ACTION = "It is not an action, expected what defineAction() returns";
const MISTYPED = "no_such_field extra_forbidden";

function checkBody(action: AnyAction, body: Body): Validated<Submittable> {
  const checked = compileAction(action).validate({ idempotency_key: KEY, ...body }, { dry_run: false });
  if (!checked.ok) return checked;
  const { fields } = checked.value as { fields: Readonly<Record<string, { url: string } | undefined>> };
  const same = findSameSource(action, (name) =>
    fields[name] === undefined ? undefined : identifyUrl(fields[name].url),
  );
  return same === undefined ? checked : { ok: false, issues: [same] };
}

function validateBody(action: AnyAction, body: Body): Submittable {
  const checked = checkBody(action, body);
  if (checked.ok) return checked.value;
  assert.fail(`Refused ${JSON.stringify(body)}: ${JSON.stringify(checked.issues)}`);
}

/** The 422 entries of a body, each as `loc type`; none where it is accepted. */
function findEntries(action: AnyAction, body: Body): string[] {
  const checked = checkBody(action, body);
  return checked.ok ? [] : checked.issues.map(({ loc, type }) => `${loc.slice(1).join(".")} ${type}`);
}

export interface RunRequest {
  /** The body without `idempotency_key`. */
  readonly request: Body;
  /** Decoded audio for every source that the request names; a list for one that is repeated. */
  readonly sources?: Given;
  /** The action's `config`, as values; defaults are filled in. */
  readonly config?: Body;
  /**
   * What `context.engines` gives in the test, for they are not in this package; or what makes them of an action's
   * steps.
   */
  readonly engines?: GivenEngines;
  /**
   * What `context.fetch` answers in the test, for hosts that the action may ask; nothing leaves it. `signal`: that of
   * the run.
   */
  readonly fetch?: (url: string, request: FetchRequest, signal: AbortSignal) => FetchAnswer | Promise<FetchAnswer>;
  readonly signal?: AbortSignal;
}

type GivenEngines = Partial<PluginEngines> | ((during: During) => PluginEngines);

type Made = Named<Output> & { readonly kind?: string };

export interface RunResult {
  /** In delivery order, before mastering. */
  readonly outputs: readonly Made[];
  /** Outputs without audio. */
  readonly reports: readonly Named<ReportOutput>[];
  /** By the sources given, where it is priced by them. */
  readonly cost: number;
  readonly seeds: readonly number[];
  /** Every call of `progress`. */
  readonly progress: readonly { readonly fraction: number; readonly stage: string }[];
}

/**
 * Validates the request, runs `setup`, `process` with its real runners in this thread and `dispose`, and checks what
 * comes back as the service does. Rejects with the action's `Failure`, with an AssertionError for a refused request or
 * a broken rule of the contract (sources must match their limits and stay unchanged, progress must rise from 0 to 1),
 * and with a TypeError where the service would: failures must be declared.
 */
export async function runAction(
  action: unknown,
  { request, sources = {}, config = {}, engines = {}, fetch: answer, signal }: RunRequest,
): Promise<RunResult> {
  assert.ok(isAction(action), NO_ACTION);
  const { fields, loudness, seed } = validateBody(action, request);
  const stored: StoredRequest = { fields, loudness, seed: seed ?? 0 };
  checkSources(action, fields, sources);
  checkPolicy(action, fields);

  const progress: { fraction: number; stage: string }[] = [];
  const report = (fraction: number, stage: string): void => {
    const last = progress.at(-1)?.fraction ?? 0;
    assert.ok(
      fraction >= last && fraction <= 1,
      `progress(${fraction}) must lie between ${last}, reported before, and 1`,
    );
    assert.ok(stage.length > 0 && stage.length <= 80, `The stage "${stage}" must have 1 to 80 characters`);
    progress.push({ fraction, stage });
  };
  const before = fingerprint(sources);
  const job = { signal: signal ?? new AbortController().signal, progress: report };
  const settings = checkConfig(action, config);
  let dispose = async (): Promise<unknown> => undefined;
  const prepare: Prepare = async (_, its, own) => {
    const prepared = await setUp(action, its, own.signal);
    dispose = () => disposeOf(action, prepared);
    return prepared;
  };
  try {
    const { pieces, seeds } = await makePieces(
      action,
      { request: stored, settings },
      asDecoded(sources),
      { runNested, askOwner: fetchBy(action, settings, answer), prepare, engines: enginesOf(engines) },
      job,
    );
    const outputs: Made[] = [];
    const reports: Named<ReportOutput>[] = [];
    for (const [index, piece] of pieces.entries()) {
      if (isReport(piece)) {
        reports.push(piece.output);
        continue;
      }
      const { output: given, kind } = piece;
      const output = typeof given === "function" ? await makeOutput(action, index, given, job.signal) : given;
      const audio = readWhole(output.audio);
      checkAudio(kind ?? "output", audio);
      outputs.push({ ...output, audio, ...(kind === undefined ? {} : { kind }) });
    }
    assert.equal(fingerprint(sources), before, "process must not write to its sources");
    return { outputs, reports, cost: priceGiven(action, fields, sources), seeds: action.seeded ? seeds : [], progress };
  } finally {
    await dispose();
  }
}

/**
 * What a dry run of the request tells as `understood`: its words alone, no source. Rejects with an AssertionError for a
 * refused request, and with a TypeError where it is not what the action's schema says.
 */
export async function understandRequest(
  action: unknown,
  request: Body,
  { engines = {} }: Pick<RunRequest, "engines"> = {},
): Promise<object> {
  assert.ok(isAction(action), NO_ACTION);
  const { fields } = validateBody(action, request);
  const before = JSON.stringify(fields);
  const job = { signal: new AbortController().signal, progress: () => undefined };
  const understood = await understandFields(action, fields, { runNested, engines: enginesOf(engines) }, job);
  assert.equal(JSON.stringify(fields), before, "understand must not change the request");
  return understood;
}

function fetchBy(action: AnyAction, settings: Body, answer: RunRequest["fetch"]): Helpers["askOwner"] {
  return async (asked, { signal }) => {
    assert.ok(answer !== undefined, "Give runAction what context.fetch answers: { fetch: (url, request) => … }");
    const question = asked as FetchQuestion;
    checkFetch(action, settings, question);
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      Promise.resolve(answer(question.url, question.request, signal)).then(resolve, reject);
    });
  };
}

function enginesOf(engines: GivenEngines): (during: During) => PluginEngines {
  if (typeof engines === "function") return engines;
  // Refuses what the test does not give.
  const given = new Proxy(engines as PluginEngines, {
    get(given, name) {
      assert.ok(name in given, `Give runAction an engine of this name: { engines: { ${String(name)} } }`);
      return given[name as keyof PluginEngines];
    },
  });
  return () => given;
}

function checkConfig({ config: schema }: AnyAction, config: Body): Body {
  const checked = compileValidator(schema ?? Type.Object({}))(config);
  if (checked.ok) return checked.value;
  const [{ loc, msg } = { loc: [], msg: "" }] = checked.issues;
  return assert.fail(`config.${loc.slice(1).join(".")}: ${msg}`);
}
