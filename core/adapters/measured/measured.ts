/** The same port, with every call timed and, inside a trace, a span of its own. */
import type { Bucket, Queue, Store } from "../../ports/mod.ts";
import type { Metrics, PortName, Telemetry } from "../../ports/telemetry.ts";

/**
 * `skipped` verbs are left as they are: listeners, and what waits on purpose. `plain` ones answer
 * without a promise and get no span. The port must be a plain object of functions, as our adapters' are.
 */
function measured<Port extends object>(
  name: PortName,
  port: Port,
  { metrics, traces }: Telemetry,
  { skipped, plain = [] }: { readonly skipped: readonly (keyof Port)[]; readonly plain?: readonly (keyof Port)[] },
): Port {
  const has = (verbs: readonly (keyof Port)[], verb: string): boolean => (verbs as readonly string[]).includes(verb);
  const wrapped: Record<string, unknown> = {};
  for (const [verb, call] of Object.entries(port)) {
    if (typeof call !== "function" || has(skipped, verb)) {
      wrapped[verb] = call;
      continue;
    }
    const span = `${name}.${verb}`;
    const timed = withTimes(call.bind(port) as Call, metrics?.verb(name, verb));
    wrapped[verb] =
      traces === undefined || has(plain, verb)
        ? timed
        : (...args: unknown[]) => traces.inside(span, {}, () => timed(...args) as Promise<unknown>);
  }
  return wrapped as Port;
}

type Call = (...args: unknown[]) => unknown;

function withTimes(call: Call, record: ReturnType<Metrics["verb"]> | undefined): Call {
  if (record === undefined) return call;
  return (...args) => {
    const began = performance.now();
    const took = (failed: boolean): void => record((performance.now() - began) / 1000, failed);
    let result: unknown;
    try {
      result = call(...args);
    } catch (error) {
      took(true);
      throw error;
    }
    if (!(result instanceof Promise)) {
      took(false);
      return result;
    }
    return result.then(
      (value: unknown) => {
        took(false);
        return value;
      },
      (error: unknown) => {
        took(true);
        throw error;
      },
    );
  };
}

/** Store, queue and bucket as the service uses them. */
export function measuredStack({ store, queue, bucket }: Stack, telemetry: Telemetry): Stack {
  return {
    store: measured("store", store, telemetry, { skipped: ["close", "onEnded", "onProgress", "onAccountChanged"] }),
    // Waiting is what an idle worker does.
    queue: measured("queue", queue, telemetry, { skipped: ["close", "wait"], plain: ["wake", "taken"] }),
    bucket: measured("bucket", bucket, telemetry, { skipped: ["close", "list", "path"] }),
  };
}

interface Stack {
  readonly store: Store;
  readonly queue: Queue;
  readonly bucket: Bucket;
}
