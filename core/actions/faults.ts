/**
 * What a plugin answers when core calls its own functions, and what it is when they fail. `fault_reports.ts` tells the
 * operator.
 */
import type { AnyAction, Issue } from "../../contract/mod.ts";
import { WEIGHT_MAX } from "../ports/operations.ts";
import type { FaultKind } from "../ports/telemetry.ts";
import { type AllMeasured, atMost, measureSources } from "./measured.ts";

/**
 * A plugin's bug: its function threw, or answered what it must not. `code` says which. TypeErrors serve the authors'
 * own tests.
 */
export class PluginFault extends TypeError {
  override readonly name = "PluginFault";
  readonly code: FaultKind;
  constructor(code: FaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * Credits of a validated request; the most that it may cost where its action is priced by sources and no `sources` are
 * given. Throws PluginFault where the author's function gives no price.
 */
export function priceOf(action: AnyAction, fields: Readonly<Record<string, unknown>>, sources?: AllMeasured): number {
  const seen = action.priced_by === undefined ? undefined : (sources ?? measureSources(action, fields, atMost));
  const cost = ask(action, "cost", () => action.cost(fields as never, seen as never));
  if (Number.isSafeInteger(cost) && (cost as number) >= 0) return cost as number;
  throw new PluginFault(
    "cost",
    `${action.name}: cost returned ${describeValue(cost)}, expected a whole number of at least 0`,
  );
}

/**
 * How heavy a job is where accounts wait for workers: its seconds as the action tells them, else a second for each
 * credit. Throws PluginFault where that is no number of seconds.
 */
export function weightOf(action: AnyAction, fields: Readonly<Record<string, unknown>>, cost: number): number {
  const seconds =
    action.work_seconds === undefined
      ? cost
      : ask(action, "work_seconds", () => action.work_seconds?.(fields as never));
  if (Number.isFinite(seconds) && (seconds as number) >= 0)
    return Math.min(WEIGHT_MAX, Math.max(1, Math.round(seconds as number)));
  throw new PluginFault(
    "work_seconds",
    `${action.name}: work_seconds returned ${describeValue(seconds)}, expected a number of seconds`,
  );
}

/**
 * Credits once its sources are measured. Throws PluginFault where that is more than was debited: a client agreed to no
 * more.
 */
export function priceWithin(
  action: AnyAction,
  fields: Readonly<Record<string, unknown>>,
  sources: AllMeasured,
  cost_max: number,
): number {
  const cost = priceOf(action, fields, sources);
  if (cost <= cost_max) return cost;
  throw new PluginFault(
    "cost",
    `${action.name}: cost returned ${cost} for sources of ${describeValue(sources)}, expected at most ${cost_max}, as for the longest`,
  );
}

/** What the action's own `check` has against a request that its schema took. */
export function checkFields(action: AnyAction, fields: Readonly<Record<string, unknown>>): readonly Issue[] {
  if (action.check === undefined) return NONE;
  const issues = ask(action, "check", () => action.check?.(fields as never));
  if (Array.isArray(issues) && issues.every(isIssue)) return issues;
  throw new PluginFault(
    "check",
    `${action.name}: check returned ${describeValue(issues)}, expected a list of issues such as ` +
      '{ loc: ["bpm"], msg: "Must be even", type: "value_error" }',
  );
}

const NONE: readonly Issue[] = [];

function ask(action: AnyAction, kind: "cost" | "work_seconds" | "check", answer: () => unknown): unknown {
  try {
    return answer();
  } catch (error) {
    throw thrownBy(action, kind, error);
  }
}

/** The fault of an action whose function threw. */
export function thrownBy({ name }: AnyAction, kind: FaultKind, error: unknown): PluginFault {
  return new PluginFault(
    kind,
    `${name}: ${kind} threw ${describeValue(error)}, expected it to serve every valid request`,
    error,
  );
}

function isIssue(value: unknown): value is Issue {
  const { loc, msg, type } = Object(value) as Partial<Record<keyof Issue, unknown>>;
  return Array.isArray(loc) && typeof msg === "string" && typeof type === "string";
}

/** At most this much of a value is repeated. */
const VALUE_LENGTH = 80;

/** What something is, for whoever expected something else; never throws. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "function":
      return "a function";
    case "object":
      break;
    case "string":
      return JSON.stringify(value).slice(0, VALUE_LENGTH);
    case "bigint":
      return `the bigint ${value}`;
    default:
      return String(value);
  }
  try {
    if (value instanceof Promise) return "a promise";
    if (value instanceof Error) return `"${value.name}: ${value.message}"`;
    const kind: unknown = Array.isArray(value) ? undefined : value?.constructor?.name;
    // JSON makes {} of a Map, and numbers without an end of typed arrays.
    if (typeof kind === "string" && kind !== "Object") return `a ${kind}`;
    return JSON.stringify(value).slice(0, VALUE_LENGTH);
  } catch {
    return "an object without a JSON form";
  }
}
