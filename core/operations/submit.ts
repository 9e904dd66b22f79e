/**
 * A submission, whichever surface it comes through: rate limit, budget of free work, request, replay, price,
 * acceptance. Refusals come in this order (429, 422, 402), and an earlier one costs less than a later one.
 */
import { hash } from "node:crypto";
import type { AnyAction } from "../../contract/mod.ts";
import type { FreeWork } from "../accounts/free_work.ts";
import { budgetOf, refuseOverBudget, requireAction } from "../accounts/key_rights.ts";
import type { Principal } from "../accounts/keyring.ts";
import { type Counted, countRequest, type Limits } from "../accounts/limits.ts";
import { failureCodes } from "../actions/failure_codes.ts";
import { createAsking } from "../actions/fault_reports.ts";
import type { Registered } from "../actions/registered.ts";
import { NEW_STATE, renderOperation, type SignDownload, type StoredRequest, UNSENT } from "../actions/render.ts";
import { NO_OPTIONS } from "../actions/request_options.ts";
import type { Submittable } from "../actions/schema.ts";
import type { Config } from "../base/config.ts";
import { issue, refuse } from "../base/errors.ts";
import { operationId } from "../base/ids.ts";
import { canonicalJson, parseBody } from "../base/json.ts";
import type { PrivateHosts } from "../base/web_address.ts";
import {
  FILE_MS,
  type KeysStore,
  type OperationsStore,
  type Queue,
  type SourceBinding,
  type Submission,
  type Submitted,
  type Work,
} from "../ports/mod.ts";
import { type Checked, createPricing, type Price, type PriceServices, type Quote } from "./price.ts";
import { createRecent, recentKey } from "./recent.ts";
import {
  bindSources,
  fileOf,
  isUnreadable,
  namedSources,
  refuseSameSource,
  refuseUnreadable,
  refuseUrls,
} from "./sources.ts";
import type { UrlSigner } from "./urls.ts";

export interface SubmitServices extends PriceServices {
  readonly config: Config;
  readonly store: PriceServices["store"] & Pick<OperationsStore, "submit"> & Pick<KeysStore, "keyUse">;
  readonly queue: Queue;
  readonly signer: UrlSigner;
  readonly limits: Limits;
  readonly free_work: FreeWork;
  readonly private_hosts: PrivateHosts;
  /** True once the node is going away: nothing new is accepted. */
  isDraining(): boolean;
}

/**
 * A submission as a surface has it. What it must read or parse is asked for only when the checks before have passed.
 */
interface Incoming {
  readonly account: Principal;
  readonly to: Registered;
  /** Gets what is left of the rate limit, before a refusal too. */
  readonly counted?: Counted;
  /** Whether only the price is asked for. */
  isDryRun?(): boolean;
  /** How an operation of a test key is to end: `ready`, or a code that it fails with. */
  readonly test_outcome?: string | null;
  /** The request: its JSON as it was sent, or the object that it means. */
  read(): Promise<Uint8Array> | Readonly<Record<string, unknown>>;
}

export interface Answer {
  /** JSON: the operation as it was first answered, or the `Price` in a dry run. */
  readonly body: string;
  readonly replayed: boolean;
}

export interface Submissions {
  submit(incoming: Incoming): Promise<Answer>;
  /**
   * What the request would cost; refuses with 422 what a submission would refuse. Counts against no limit and creates
   * nothing.
   */
  price(account: Principal, to: Registered, request: unknown): Promise<Price>;
}

export function createSubmissions(services: SubmitServices, sign: SignDownload): Submissions {
  const { config, store, queue, clock, signer, telemetry, limits, free_work, private_hosts, isDraining } = services;
  const recent = createRecent(clock);
  const ask = createAsking(services);
  const pricing = createPricing(services, ask);

  const check = (to: Registered, sent: unknown, dry_run: boolean): Checked => {
    const { action } = to;
    const checked = ask.validate(to, sent, { dry_run });
    if (!checked.ok) throw refuse.invalid(checked.issues);
    const named = namedSources(action, checked.value.fields, signer);
    refuseUrls(named, checked.value.callback_url, private_hosts);
    refuseSameSource(action, named);
    if (dry_run) refuseUnreadable(named);
    return { request: checked.value, named };
  };

  /** Everything a submission writes, the first response included, before the store is asked. */
  const prepare = (
    account: Principal,
    to: Registered,
    idempotency_key: string,
    asked: Submittable,
    sources: readonly SourceBinding[],
    { cost, cost_max }: Quote,
    test: string | undefined,
  ): Submission => {
    const { action, package: name, version } = to;
    const { callback_url, options, loudness, fields } = asked;
    const seed = asked.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
    const trace = telemetry.traces?.active();
    // First of all, where `keyOf` finds it.
    const asking = account.key === undefined ? undefined : { key: account.key.id };
    const kept = { ...asking, ...options, fields, loudness, seed };
    const request: StoredRequest = trace === undefined ? kept : { ...kept, trace };
    if (name !== null) Object.assign(request, { plugin: { name, version } });
    if (cost_max !== undefined) Object.assign(request, { cost_max });
    if (test !== undefined) Object.assign(request, { test });
    const created_at = clock.now();
    const id = operationId(created_at);
    const common = { id, account_id: account.id, action: action.name, idempotency_key, cost, created_at, callback_url };
    // `request` is parsed already where it is rendered.
    const seen = { ...common, ...NEW_STATE, request: "" };
    const { metadata = null, timeout_seconds } = options;
    return {
      ...common,
      fingerprint: fingerprintOf(action, asked),
      work: test === undefined ? workOf(action, config) : "test",
      weight: ask.weigh(to, fields, cost),
      request: JSON.stringify(request),
      sources,
      metadata,
      deadline_at: timeout_seconds === undefined ? null : created_at + timeout_seconds * 1000,
      files: sources.flatMap(({ object }) => fileOf(object) ?? []),
      files_until: created_at + FILE_MS,
      response: JSON.stringify(renderOperation(action, seen, sign, request, callback_url === null ? null : UNSENT)),
    };
  };

  /** What is refused before the request is read, then reads it. */
  const admit = (incoming: Incoming): Promise<Answer> => {
    const { account, to } = incoming;
    requireAction(account, to.action.name);
    if (isDraining()) throw refuse.draining();
    const dry_run = incoming.isDryRun?.() ?? false;
    const test = readTestOutcome(account, to.action, incoming.test_outcome ?? null);
    if (!dry_run) free_work.check(account);
    const read = incoming.read();
    if (!(read instanceof Promise)) return accept(incoming, { sent: read, dry_run, test });
    return read.then((bytes) => {
      if (dry_run) return accept(incoming, { sent: parseBody(bytes), dry_run, test });
      const recent_key = recentKey(account.id, to.action.name, bytes);
      const known = recent.find(recent_key);
      if (known === undefined) return accept(incoming, { sent: parseBody(bytes), dry_run, test, recent_key });
      telemetry.metrics?.replayed(to.action.name);
      return { body: known, replayed: true };
    });
  };

  const accept = async ({ account, to }: Incoming, { sent, dry_run, test, recent_key }: Admitted): Promise<Answer> => {
    const { action } = to;
    const checked = check(to, sent, dry_run);
    const { request, named } = checked;
    const key = request.idempotency_key;
    if (dry_run) {
      const used = key === null ? undefined : await store.keyUse(account.id, key);
      if (used !== undefined && used.fingerprint !== fingerprintOf(action, request)) throw refuse.keyReused();
      return { body: JSON.stringify(await pricing.tell(account, to, checked)), replayed: false };
    }
    if (key === null) throw new Error("A submission needs an idempotency key: only dry runs go without");
    if (named.some(isUnreadable)) {
      // It may have been readable when the same was asked for the first time.
      const used = await store.keyUse(account.id, key);
      if (used?.response && used.fingerprint === fingerprintOf(action, request)) {
        telemetry.metrics?.replayed(action.name);
        return { body: used.response, replayed: true };
      }
      refuseUnreadable(named);
    }
    const bound = bindSources(named, account.id, store);
    const sources = bound instanceof Promise ? await bound : bound;
    const quoted = pricing.quote(account, to, request.fields, sources);
    const quote = quoted instanceof Promise ? await quoted : quoted;
    const submission = prepare(account, to, key, request, sources, quote, test);
    const budget = budgetOf(account, submission.created_at);
    const submitted = await store.submit(budget === undefined ? submission : { ...submission, budget });
    const body = responseOf(submitted, submission, account);
    const replayed = submitted.kind === "replayed";
    if (replayed) telemetry.metrics?.replayed(action.name);
    else {
      telemetry.metrics?.submitted(action.name, submission.cost);
      queue.wake(submission.work, submission.id);
    }
    if (recent_key !== undefined) recent.remember(recent_key, body);
    return { body, replayed };
  };

  return {
    // Not `async`, nor is what a replay passes: that takes as long as finding it.
    submit(incoming) {
      try {
        const counted = countRequest({ limits, config }, incoming.account, "put", incoming.counted);
        return counted === undefined ? admit(incoming) : counted.then(() => admit(incoming));
      } catch (error) {
        return Promise.reject(error);
      }
    },

    async price(account, to, request) {
      requireAction(account, to.action.name);
      return pricing.tell(account, to, check(to, request, true));
    },
  };
}

/** Undefined: no key of test mode asks. Refuses with 422 what cannot be, and a live key that asks for any. */
function readTestOutcome({ key }: Principal, action: AnyAction, asked: string | null): string | undefined {
  const is_test = key?.test === true;
  if (asked === null) return is_test ? "ready" : undefined;
  const outcomes = ["ready", ...failureCodes(action)];
  if (is_test && outcomes.includes(asked)) return asked;
  const why = is_test ? `Must be one of ${outcomes.join(", ")}` : "Only test keys choose how an operation ends";
  throw refuse.invalid([issue(["header", "test-outcome"], "value_error", why)]);
}

/** A request that was let in and read. */
interface Admitted {
  readonly sent: unknown;
  readonly dry_run: boolean;
  /** How it is to end; undefined: no test key asks. */
  readonly test: string | undefined;
  /** Where the same bytes find its answer. */
  readonly recent_key?: string;
}

/**
 * The first response, of this submission or of the one that it repeats. Refuses a key that another request has, and a
 * short balance.
 */
function responseOf(submitted: Submitted, { response, cost, created_at }: Submission, account: Principal): string {
  switch (submitted.kind) {
    case "accepted":
      return response;
    case "replayed":
      return submitted.response;
    case "insufficient_credits":
      throw refuse.insufficientCredits(cost, submitted.balance);
    case "key_budget_exceeded":
      return refuseOverBudget(account, cost, submitted.left, created_at);
    case "key_reused":
      throw refuse.keyReused();
  }
}

function workOf({ task, work }: AnyAction, { gpu_tasks }: Config): Work {
  return [task ?? []].flat().some((one) => gpu_tasks.includes(one)) ? "gpu" : work;
}

/** The seed as it was sent: one that core chose must not tell a replay from its original. */
function fingerprintOf(action: AnyAction, { fields, loudness, seed, callback_url, options }: Submittable): string {
  const asked = [action.name, fields, loudness, seed, callback_url];
  return hash("sha256", canonicalJson(options === NO_OPTIONS ? asked : [...asked, options]), "hex");
}
