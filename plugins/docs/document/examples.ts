/**
 * Examples of requests and answers, made as the service makes its answers. Tests send them to a service and compare.
 */
import { createHash } from "node:crypto";
import {
  kindsOf,
  NEW_STATE,
  priceOf,
  type Registered,
  renderListed,
  renderOperation,
  type Snapshot,
  type StoredOutput,
  type StoredReport,
  type StoredRequest,
  withoutReport,
} from "../../../core/surface.ts";

/** Values by their names. */
export type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** Each of its own: the same key with another body is refused. */
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
export function exampleKey(text: string): string {
  return hashOf(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/u, "$1-$2-4$3-8$4-$5");
}
const exampleId = (prefix: string, text: string): string => prefix + hashOf(text).slice(0, 26);

const CREATED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const ENDED = { started_at: CREATED_AT + 40, completed_at: CREATED_AT + 9000, progress: 1 };
const CANCELED = JSON.stringify({ code: "canceled", message: "The operation was canceled" });
/** When a signed URL of the examples expires. */
const EXPIRES_AT = CREATED_AT + 3_609_000;
const exampleUrl = (base_url: string, object: string): string =>
  `${base_url}/audio/${object}?expires=${EXPIRES_AT / 1000}&signature=${hashOf(object).slice(0, 43)}`;

export function makeExamples({ action, schema }: Registered, base_url: string) {
  const bodies = action.examples.map((example, index) => ({
    idempotency_key: exampleKey(`${action.name} ${index}`),
    ...example,
  }));
  const body = bodies[0]!;
  const checked = schema.validate(body, { dry_run: false });
  if (!checked.ok) throw new Error(`The first example of ${action.name} is refused`);
  const { fields, loudness, seed, callback_url, options } = checked.value;
  const cost = priceOf(action, fields);
  const snapshot: Snapshot = {
    id: exampleId("op_", action.name),
    account_id: "",
    action: action.name,
    idempotency_key: body.idempotency_key,
    cost,
    request: JSON.stringify({ ...options, fields, loudness, seed: seed ?? 42 } satisfies StoredRequest),
    callback_url,
    created_at: CREATED_AT,
    ...NEW_STATE,
  };
  const count = typeof fields.n_variations === "number" ? fields.n_variations : 1;
  const kinds = [...(kindsOf(action)?.keys() ?? Array.from({ length: count }, () => undefined))];
  const made = kinds.map((kind, index) => ({
    object: `op/${snapshot.id}/1/${index}.flac`,
    duration: 12.5,
    bytes: 1_482_345,
    sha256: hashOf(`${action.name} ${index}`),
    engine: action.engine,
    ...(kind === undefined ? {} : { kind }),
    ...(action.output === "stems"
      ? { gain_db: 0 }
      : { loudness: { lufs: loudness?.target_lufs ?? -14, true_peak_dbtp: -1.2, compressed: false } }),
    ...(action.seeded && { seed: (seed ?? 42) + (kind === undefined ? index : 0) }),
    report: null,
  }));
  const found = { engine: action.engine, report: action.report?.examples?.[0] ?? {} };
  const outputs: readonly (StoredOutput | StoredReport)[] = action.output === "report" ? [found] : made;
  const sign = (object: string) => ({ url: exampleUrl(base_url, object), expires_at: EXPIRES_AT });
  const ready: Snapshot = { ...snapshot, ...ENDED, status: "ready", outputs: JSON.stringify(outputs) };
  const failed: Snapshot = { ...snapshot, ...ENDED, status: "failed", progress: 0, error: CANCELED };
  const render = (of: Snapshot) => ({ value: renderOperation(action, of, sign, undefined, null) });
  // Webhooks have no word of themselves.
  const tell = (of: Snapshot) => ({ value: renderOperation(action, of, sign) });
  return {
    requests: Object.fromEntries(bodies.map((value, index) => [`example ${index + 1}`, { value }])) as Examples,
    processing: render(snapshot),
    dry_run: {
      value: {
        ...{ cost, ...(action.priced_by && { cost_max: cost }), balance: cost + 100, sufficient: true },
        ...(action.understand && { understood: action.understand.schema.examples?.[0] ?? null }),
      },
    },
    ready: render(ready),
    failed: render(failed),
    told: {
      started: tell({ ...snapshot, running: true, started_at: ENDED.started_at }),
      ready: tell(ready),
      failed: tell(failed),
    },
    listed: renderListed(action, { ...ready, outputs: JSON.stringify(outputs.map(withoutReport)) }, sign),
  };
}
