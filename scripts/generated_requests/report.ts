/** Reads the report that Schemathesis writes of a run, a line an event, into counts and faults. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { BEYOND, type Failed } from "./beyond.ts";

export interface Counts {
  cases: number;
  /** By status, as the client saw it; "none": no answer. */
  readonly statuses: Record<string, number>;
  /** By check. */
  readonly checked: Record<string, { held: number; beyond: number; failed: number }>;
  /** By reason: failures that are none. */
  readonly beyond: Record<string, number>;
  /** The first of each kind of fault. */
  readonly faults: Map<string, Failed>;
  /** What stopped a part of a run. */
  readonly errors: string[];
}

export const noCounts = (): Counts => ({
  ...{ cases: 0, statuses: {}, checked: {}, beyond: {} },
  ...{ faults: new Map(), errors: [] },
});

interface Body {
  readonly $base64?: string;
}
interface Event {
  readonly NonFatalError?: { readonly label?: string; readonly value?: { readonly message?: string } };
  readonly FatalError?: object;
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly label: string;
      readonly cases?: Readonly<Record<string, { readonly value: { readonly method: string; readonly path: string } }>>;
      readonly checks?: Readonly<Record<string, readonly Check[]>>;
      readonly interactions?: Readonly<Record<string, Interaction>>;
    };
  };
}
interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly message: string } } | null;
}
interface Interaction {
  readonly request: { readonly uri: string; readonly body?: Body | null };
  readonly response?: {
    readonly status_code: number;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly content?: Body | null;
  } | null;
}

export async function addReport(counts: Counts, file: string): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const event = JSON.parse(line) as Event;
    if (event.FatalError !== undefined) counts.errors.push(line.slice(0, 500));
    if (event.NonFatalError !== undefined)
      counts.errors.push(`${event.NonFatalError.label}: ${event.NonFatalError.value?.message ?? line.slice(0, 500)}`);
    const recorder = event.ScenarioFinished?.recorder;
    for (const [id, interaction] of Object.entries(recorder?.interactions ?? {})) {
      counts.cases += 1;
      const status = String(interaction.response?.status_code ?? "none");
      counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
      const { method = "", path = "" } = recorder?.cases?.[id]?.value ?? {};
      for (const check of recorder?.checks?.[id] ?? []) countCheck(counts, check, `${method} ${path}`, interaction);
    }
  }
}

function countCheck(counts: Counts, check: Check, operation: string, { request, response }: Interaction): void {
  const { name } = check;
  counts.checked[name] ??= { held: 0, beyond: 0, failed: 0 };
  const counted = counts.checked[name];
  if (check.status === "success") return void counted.held++;
  const failed: Failed = {
    check: name,
    operation,
    url: request.uri,
    sent: textOf(request.body),
    status: response?.status_code ?? 0,
    answered: textOf(response?.content),
    content_type: response?.headers["content-type"]?.[0] ?? "",
    message: check.failure_info?.failure.message ?? "",
  };
  const known = BEYOND.find((one) => one.check === name && one.fits(failed));
  if (known === undefined) {
    counted.failed++;
    const kind = `${name} ${operation} ${failed.status}`;
    if (!counts.faults.has(kind)) counts.faults.set(kind, failed);
  } else {
    counted.beyond++;
    counts.beyond[known.reason] = (counts.beyond[known.reason] ?? 0) + 1;
  }
}

const textOf = (body: Body | null | undefined): string => Buffer.from(body?.$base64 ?? "", "base64").toString();

/** Lines for people, the last of them the result. */
export function tell(counts: Counts): readonly string[] {
  const { cases, statuses, checked, beyond, faults, errors } = counts;
  const failed = Object.values(checked).reduce((sum, one) => sum + one.failed, 0);
  return [
    ...Object.entries(checked)
      .sort()
      .map(
        ([name, { held, beyond, failed }]) => `${name}: ${held} held, ${beyond} beyond the document, ${failed} failed`,
      ),
    ...Object.entries(beyond).map(([reason, count]) => `beyond the document: ${count} × ${reason}`),
    ...[...faults.values()].map(
      (one) =>
        `FAULT ${one.check}: ${one.operation} ${one.url}\n  sent ${one.sent.slice(0, 600)}\n  ${one.status} ${one.answered.slice(0, 600)}\n  ${one.message.slice(0, 400)}`,
    ),
    ...errors.map((error) => `ERROR ${error}`),
    `answered ${Object.entries(statuses)
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")}`,
    `${cases} cases, ${faults.size} kinds of fault in ${failed} checks, ${errors.length} errors`,
  ];
}

export const isWell = ({ cases, statuses, faults, errors }: Counts): boolean =>
  cases > 0 && faults.size === 0 && errors.length === 0 && !Object.keys(statuses).some((one) => /^5|none/u.test(one));
