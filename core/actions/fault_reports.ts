/**
 * What a plugin does wrong while it serves: its client gets `internal_error` and no word more, its operator
 * `plugin.error` in the log, with origin and version, and `tonwerk_plugin_errors_total`. What is wrong with a
 * declaration is a `RegistrationError`, and stops the start.
 */
import { refuse } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { FaultKind, Telemetry } from "../ports/telemetry.ts";
import { describeValue, PluginFault, priceOf, weightOf } from "./faults.ts";
import type { AllMeasured } from "./measured.ts";
import type { Registered } from "./registered.ts";
import type { Submittable } from "./schema.ts";
import type { Validated } from "./validator.ts";

export interface FaultServices {
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** What kind of fault of a plugin `error` is, as it came out of a thread; undefined: none. */
export function faultOf(error: unknown): FaultKind | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, code, forced } = error as Error & { readonly code?: unknown; readonly forced?: boolean };
  if (name === "PluginFault") return code as FaultKind;
  if (name === "RegistrationError") return "load";
  if (name !== "PoolError") return undefined;
  if (code === "crashed") return "crash";
  if (code === "memory") return "memory";
  return code === "timeout" && forced === true ? "hang" : undefined;
}

/** Tells the operator. `error`: a PluginFault, or what became of one on its way out of a thread. */
export function reportFault(
  { log, telemetry: { metrics } }: FaultServices,
  { action, origin, version }: Registered,
  kind: FaultKind,
  error: unknown,
  more: Readonly<Record<string, string | number>> = {},
): void {
  const { message, stack, cause } = error instanceof Error ? error : new Error(describeValue(error));
  const where = cause instanceof Error ? cause.stack : stack;
  log("plugin.error", { ...more, action: action.name, origin: origin.module, version, kind, error: message, where });
  metrics?.pluginError(action.name, kind);
}

/** An action's answers to requests. A fault is told to the operator, and answered with a bare 500. */
export interface Asking {
  validate(to: Registered, body: unknown, options: { readonly dry_run: boolean }): Validated<Submittable>;
  price(to: Registered, fields: Readonly<Record<string, unknown>>, sources?: AllMeasured): number;
  weigh(to: Registered, fields: Readonly<Record<string, unknown>>, cost: number): number;
}

export function createAsking(services: FaultServices): Asking {
  const guard = <Result>(to: Registered, answer: () => Result): Result => {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      reportFault(services, to, error.code, error);
      throw refuse.internal();
    }
  };
  return {
    validate: (to, body, options) => guard(to, () => to.schema.validate(body, options)),
    price: (to, fields, sources) => guard(to, () => priceOf(to.action, fields, sources)),
    weigh: (to, fields, cost) => guard(to, () => weightOf(to.action, fields, cost)),
  };
}
