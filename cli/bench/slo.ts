/** `p99=25ms,p99.9=100ms,errors=0.1%`: what a run has to keep. */
import { UsageError } from "../client/exit_codes.ts";
import { answersOf, failuresOf, joinSlices, latencyOf, type Run, type Slice } from "./pace.ts";

export interface Slo {
  /** Milliseconds by quantile. */
  readonly latencies: readonly { readonly q: number; readonly name: string; readonly ms: number }[];
  /** Share of iterations that may fail. */
  readonly errors: number;
}

export function readSlo(text: string): Slo {
  const latencies: { q: number; name: string; ms: number }[] = [];
  let errors = 0;
  for (const part of text.split(",")) {
    const [, name = "", value = "", unit = ""] =
      /^(p\d+(?:\.\d+)?|errors)=(\d+(?:\.\d+)?)(ms|s|%)$/u.exec(part.trim()) ?? [];
    const q = Number(name.slice(1)) / 100;
    if (name === "errors" && unit === "%") errors = Number(value) / 100;
    else if (q > 0 && q < 1 && unit !== "%")
      latencies.push({ q, name, ms: Number(value) * (unit === "s" ? 1_000 : 1) });
    else
      throw new UsageError(`"${part}" is no objective: write p99=25ms, p99.9=0.1s or errors=0.1%, with commas between`);
  }
  return { latencies, errors };
}

export const sloText = ({ latencies, errors }: Slo): string =>
  [...latencies.map(({ name, ms }) => `${name} ${ms} ms`), `errors ${100 * errors} %`].join(", ");

/** Below this share of what was asked, the line grew until the end. */
const KEPT_UP = 0.97;

/** Why it was missed; undefined: it was kept. */
export function missedBy(run: Run, slo: Slo): string | undefined {
  const whole: Slice = joinSlices(run.slices);
  const failed = failuresOf(whole);
  const share = failed / Math.max(1, failed + answersOf(whole));
  if (share > slo.errors) {
    const [why, times] = Object.entries(whole.failed).sort(([, one], [, other]) => other - one)[0]!;
    return `${(100 * share).toPrecision(2)} % failed, most by ${why} (${times})`;
  }
  for (const { q, name, ms } of slo.latencies) {
    const found = latencyOf(whole, q);
    if (!(found <= ms)) return `${name} ${found.toFixed(1)} ms`;
  }
  if (run.achieved < KEPT_UP * (1 - slo.errors) * run.rate && run.seconds * run.rate > 50)
    return `${run.achieved.toFixed(0)}/s were reached`;
  return undefined;
}
