/** Operation row -> the object that `PUT`, `GET` and webhooks carry, under its action's wrapper. Pure, but for fresh signatures. */
import type { AnyAction, STEMS } from "./plugin.ts";
import type { LoudnessReport, Operation } from "./ports.ts";
import { type LoudnessTarget, takesSeed } from "./schema.ts";

/** What core keeps of an output; the URL is signed anew whenever it is shown. */
export interface StoredOutput {
  /** Key in the bucket. */
  readonly object: string;
  /** Seconds. */
  readonly duration: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly engine: string;
  readonly kind?: (typeof STEMS)[number];
  readonly gain_db?: number;
  readonly seed?: number;
  readonly loudness?: LoudnessReport;
  readonly report: Readonly<Record<string, unknown>> | null;
}

/** What core keeps of a request. */
export interface StoredRequest {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly loudness: LoudnessTarget | null;
  readonly seed: number;
}

export interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly source?: string;
}

/** Signs the download of an object that has been there since `since`: the URL, and when it stops working. */
export type SignDownload = (object: string, since: number) => { readonly url: string; readonly expires_at: number };

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** `{ [wrapper]: operation }`. `queue_position` is null for what is not queued. */
export function renderOperation(
  action: AnyAction,
  operation: Operation,
  sign: SignDownload,
  queue_position: number | null,
): Record<string, unknown> {
  return { [action.wrapper]: renderBare(action, operation, sign, queue_position) };
}

/** The operation without its wrapper, as `/v1/operations` lists it. */
export function renderBare(
  action: AnyAction,
  operation: Operation,
  sign: SignDownload,
  queue_position: number | null,
): Record<string, unknown> {
  const request = JSON.parse(operation.request) as StoredRequest;
  return {
    id: operation.id,
    status: operation.status,
    created_at: isoTime(operation.created_at),
    idempotency_key: operation.idempotency_key,
    ...renderEcho(action, request),
    ...renderResult(action, operation, sign),
    error: operation.error === null ? null : (JSON.parse(operation.error) as StoredError),
    progress: operation.status === "ready" ? 1 : operation.progress,
    stage: operation.status === "processing" ? (operation.stage ?? (operation.running ? "starting" : "queued")) : null,
    queue_position,
    started_at: operation.started_at === null ? null : isoTime(operation.started_at),
    completed_at: operation.completed_at === null ? null : isoTime(operation.completed_at),
    cost: operation.cost,
  };
}

function renderEcho(action: AnyAction, { fields, loudness, seed }: StoredRequest): Record<string, unknown> {
  const echo: Record<string, unknown> = {};
  for (const name of action.echo.map(String)) echo[name] = fields[name] ?? null;
  if (action.output === "variations") echo.n_variations = fields.n_variations;
  if (action.loudness !== "never") echo.loudness = loudness;
  if (takesSeed(action)) echo.seed = seed;
  return echo;
}

function renderResult(
  action: AnyAction,
  { outputs, completed_at }: Operation,
  sign: SignDownload,
): Record<string, unknown> {
  const key = action.output === "single" ? "output" : "outputs";
  if (outputs === null || completed_at === null) return { [key]: null };
  const rendered = (JSON.parse(outputs) as StoredOutput[]).map(({ object, duration, ...rest }) => {
    const { url, expires_at } = sign(object, completed_at);
    return { url, expires_at: isoTime(expires_at), duration, ...rest };
  });
  return { [key]: action.output === "single" ? rendered[0] : rendered };
}
