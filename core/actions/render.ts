/**
 * Operation row -> the object that `PUT`, `GET` and webhooks carry, under its action's wrapper. Pure, but for fresh
 * signatures.
 */
import type { AnyAction } from "../../contract/mod.ts";
import type { LoudnessReport, Snapshot } from "../ports/mod.ts";
import { kindsOf } from "./outputs.ts";
import type { RequestOptions } from "./request_options.ts";
import type { LoudnessTarget } from "./schema.ts";

/** What core keeps of an output without audio, and of every other beside its audio. */
export interface StoredReport {
  readonly object?: never;
  readonly engine: string;
  readonly report: Readonly<Record<string, unknown>> | null;
}

/** What core keeps of a piece of audio; the URL is signed anew whenever it is shown. */
export interface StoredOutput extends Omit<StoredReport, "object"> {
  /** Key in the bucket. */
  readonly object: string;
  /** Seconds. */
  readonly duration: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly seed?: number;
  /** Which one it is of those that come together. */
  readonly kind?: string;
  readonly gain_db?: number;
  readonly loudness?: LoudnessReport;
}

export const hasAudio = (output: StoredOutput | StoredReport): output is StoredOutput => output.object !== undefined;

/** The outputs of a row that are audio. */
export function audioOf(outputs: string | null | undefined): readonly StoredOutput[] {
  return (JSON.parse(outputs ?? "[]") as (StoredOutput | StoredReport)[]).filter(hasAudio);
}

/** An output as lists show it: the report of a long song has 100 KB and more. */
export function withoutReport({ report: _, ...output }: StoredOutput | StoredReport): object {
  return output;
}

/** What core keeps of a request. */
export interface StoredRequest extends RequestOptions {
  /** Id of the key that asked; absent: somebody who was signed in. Comes first: `keyOf` looks for it there. */
  readonly key?: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly loudness: LoudnessTarget | null;
  readonly seed: number;
  /** Who shipped the action then, where a package did. */
  readonly plugin?: { readonly name: string; readonly version: string | null };
  /** What was debited, where its sources were still to be measured: the most that it may cost. */
  readonly cost_max?: number;
  /** Of a test key: how it is to end, `ready` or a code that it fails with. */
  readonly test?: string;
  /**
   * W3C `traceparent` of the submission, where traces are on: its job and its webhook belong to that trace. Shown to
   * nobody.
   */
  readonly trace?: string;
}

export interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly source?: string;
}

/** How the webhook that tells an operation's end fares. */
export interface WebhookFate {
  readonly attempts: number;
  /** HTTP status that the last attempt was answered with; null: there was no answer, or no attempt. */
  readonly last_status: number | null;
  readonly next_attempt_at: string | null;
  readonly delivered_at: string | null;
}

export const UNSENT: WebhookFate = { attempts: 0, last_status: null, next_attempt_at: null, delivered_at: null };

/** Of a snapshot, right after its submission. */
export const NEW_STATE = {
  status: "processing",
  started_at: null,
  completed_at: null,
  expires_at: null,
  running: false,
  progress: 0,
  stage: null,
  outputs: null,
  error: null,
  // Not known before the commit, and a replay repeats these very bytes.
  queue_position: null,
} as const satisfies Partial<Snapshot>;

/** Signs the download of an object that has been there since `since`: the URL, and when it stops working. */
export type SignDownload = (object: string, since: number) => { readonly url: string; readonly expires_at: number };

let last_ms = Number.NaN;
let last_text = "";

/** What is made in one millisecond shares its text: most of what a busy service says of times is of now. */
export function isoTime(ms: number): string {
  if (ms !== last_ms) {
    last_text = new Date(ms).toISOString();
    last_ms = ms;
  }
  return last_text;
}

/**
 * `{ [wrapper]: operation }`. `request`: of the operation, where the caller has it parsed; `fate`: of its webhook, null
 * without one; lists and webhooks themselves have none.
 */
export function renderOperation(
  action: AnyAction,
  operation: Snapshot,
  sign: SignDownload,
  request?: StoredRequest,
  fate?: WebhookFate | null,
): Record<string, unknown> {
  const rendered = renderBare(action, operation, sign, request);
  if (fate !== undefined) rendered.webhook = fate;
  return { [action.wrapper]: rendered };
}

/** The operation without its wrapper, as `/v1/operations` lists it. */
export function renderListed(action: AnyAction, operation: Snapshot, sign: SignDownload): Record<string, unknown> {
  return { action: action.name, ...renderBare(action, operation, sign) };
}

function renderBare(
  action: AnyAction,
  operation: Snapshot,
  sign: SignDownload,
  { fields, loudness, seed, metadata, test, cost_max }: StoredRequest = JSON.parse(operation.request),
): Record<string, unknown> {
  const rendered: Record<string, unknown> = {
    id: operation.id,
    status: operation.status,
    created_at: isoTime(operation.created_at),
    idempotency_key: operation.idempotency_key,
    metadata: metadata ?? {},
  };
  for (const name of action.echo) rendered[name] = fields[name] ?? null;
  for (const name of action.echo_sent ?? []) if (fields[name] !== undefined) rendered[name] = fields[name];
  if (action.output === "variations") rendered.n_variations = fields.n_variations;
  if (action.loudness !== "never") rendered.loudness = loudness;
  if (action.seeded) rendered.seed = seed;
  if (action.output === "report") addReport(rendered, operation);
  else addOutputs(rendered, action, operation, sign, countOutputs(action, fields) !== undefined);
  addState(rendered, operation);
  rendered.cost = operation.cost;
  rendered.refunded = refundOf(operation);
  if (cost_max !== undefined) Object.assign(rendered, { cost_max, rebated: cost_max - operation.cost });
  if (test !== undefined) rendered.test = true;
  return rendered;
}

/** Absent from lists, as the reports of other outputs are. */
function addReport(to: Record<string, unknown>, { outputs }: Snapshot): void {
  const [made] = outputs === null ? [] : (JSON.parse(outputs) as [StoredReport]);
  to.engine = made?.engine ?? null;
  to.report = made === undefined ? null : made.report;
}

/** How many outputs a `single` action owes because a list of sources was sent; undefined: the one. */
export function countOutputs({ outputs_of }: AnyAction, fields: StoredRequest["fields"]): number | undefined {
  return outputs_of === undefined ? undefined : (fields[String(outputs_of)] as readonly unknown[] | undefined)?.length;
}

/** `is_list`: of an action that has one output otherwise, whose `output` stays null then. */
function addOutputs(
  to: Record<string, unknown>,
  action: AnyAction,
  operation: Snapshot,
  sign: SignDownload,
  is_list: boolean,
): void {
  const outputs = renderOutputs(operation, sign);
  if (action.output === "single") to.output = is_list ? null : (outputs?.[0] ?? null);
  if (action.output !== "single" || is_list) to.outputs = outputs;
  if (kindsOf(action) !== undefined) to.archive = renderArchive(operation, sign);
}

function renderOutputs({ outputs, completed_at }: Snapshot, sign: SignDownload): readonly object[] | null {
  if (outputs === null || completed_at === null) return null;
  return (JSON.parse(outputs) as StoredOutput[]).map(({ object, duration, ...rest }) => {
    const { url, expires_at } = sign(object, completed_at);
    return { url, expires_at: isoTime(expires_at), duration, ...rest };
  });
}

/** All outputs as one file, which a surface makes as it is read. */
function renderArchive({ outputs, completed_at }: Snapshot, sign: SignDownload): object | null {
  if (outputs === null || completed_at === null) return null;
  const [first] = JSON.parse(outputs) as [StoredOutput];
  const { url, expires_at } = sign(first.object.replace(/[^/]+$/u, "outputs.zip"), completed_at);
  return { url, expires_at: isoTime(expires_at) };
}

/** Credits that came back with the end: all of what failed, except where it was canceled after work had begun. */
export function refundOf({ error, started_at, cost }: Pick<Snapshot, "error" | "started_at" | "cost">): number {
  return error !== null && isRefunded(JSON.parse(error) as StoredError, started_at) ? cost : 0;
}

/** Whether a failure gives the credits back: a cancel does only before work has begun. */
export function isRefunded({ code }: StoredError, started_at: number | null): boolean {
  return code !== "canceled" || started_at === null;
}

/** What changes while the operation lives, its outputs apart. */
function addState(to: Record<string, unknown>, operation: Snapshot): void {
  to.error = operation.error === null ? null : (JSON.parse(operation.error) as StoredError);
  to.progress = operation.status === "ready" ? 1 : operation.progress;
  to.stage =
    operation.status === "processing" ? (operation.stage ?? (operation.running ? "starting" : "queued")) : null;
  to.queue_position = operation.queue_position;
  to.started_at = operation.started_at === null ? null : isoTime(operation.started_at);
  to.completed_at = operation.completed_at === null ? null : isoTime(operation.completed_at);
}
