/** Runs one scenario with k6 and reads what it measured. */
import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { failuresOf, joinSlices, latencyOf, type Run } from "../../cli/bench/pace.ts";
import { commandOf, THIS_RUNTIME } from "../measure.ts";
import type { Target } from "./servers.ts";
import { type Mode, requestsOf } from "./wrk.ts";

export type Script = "submit" | "replay" | "status" | "long_poll" | "lifecycle" | "actions" | "ramp";

export interface Load {
  /** Iterations a second; of all scenarios of the script together. */
  readonly rate: number;
  readonly seconds: number;
  /** Threshold; none when absent. */
  readonly p99_ms?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Of one k6 scenario. Latencies are of single HTTP requests. */
export interface Measured {
  readonly target: string;
  readonly scenario: string;
  /** Iterations a second. */
  readonly rate_asked: number;
  readonly rate_achieved: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** Requests and checks that failed, and iterations that found no free virtual user. */
  readonly errors: number;
  readonly dropped: number;
  /** Trends of the script's own, such as `operation_ms`: median and 99th percentile. */
  readonly trends: Readonly<Record<string, { readonly p50_ms: number; readonly p99_ms: number }>>;
  readonly thresholds_ok: boolean;
}

export const HOW_TO_GET_K6 =
  "Cannot find k6: install it from https://grafana.com/docs/k6/latest/set-up/install-k6, or with go install go.k6.io/k6@latest";

/** Path of k6 on PATH or where `go install` puts it; undefined where there is none. */
export async function findK6(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), join(homedir(), "go/bin")];
  for (const folder of folders) {
    const file = join(folder, process.platform === "win32" ? "k6.exe" : "k6");
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

/** One row for each scenario of the script. Thresholds that are missed are told in the rows; rejects where k6 could not run it. */
export async function runScript(k6: string, script: Script, target: Target, load: Load): Promise<readonly Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-k6-"));
  const summary = join(folder, "summary.json");
  const env = {
    BASE_URL: target.url,
    KEYS: target.keys.join(","),
    RATE: String(load.rate),
    SECONDS: String(load.seconds),
    SUMMARY: summary,
    // Where jobs stay queued nobody fetches it, and the peer takes no uploads.
    SOURCE: "https://source.invalid/song.flac",
    ...(load.p99_ms === undefined ? {} : { P99_MS: String(load.p99_ms) }),
    ...load.env,
  };
  try {
    await k6Run(k6, fileURLToPath(new URL(`./scenarios/${script}.ts`, import.meta.url)), env);
    return readSummary(JSON.parse(await readFile(summary, "utf8")) as Summary, target.name, load);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Requests at `rate` by pace.ts, where k6 is too heavy for the machine; told as a row like k6's. */
export async function runPace(target: Target, mode: Mode, load: Load): Promise<Measured> {
  return measuredOf(target, mode, await pace(target, mode, load), load.p99_ms);
}

/** The same with whole histograms. */
export async function pace(target: Target, mode: Mode, { rate, seconds }: Load): Promise<Run> {
  const file = fileURLToPath(new URL("./pace.ts", import.meta.url));
  const env = {
    PATH: process.env.PATH ?? "",
    ...(await requestsOf(target, mode)),
    URL: target.url,
    RATE: String(rate),
    SECONDS: String(seconds),
  };
  const [program, ...args] = commandOf(THIS_RUNTIME);
  const { stdout } = await promisify(execFile)(program, [...args, file], { env, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout) as Run;
}

export function measuredOf(target: Target, mode: Mode, run: Run, p99_ms = Number.POSITIVE_INFINITY): Measured {
  const whole = joinSlices(run.slices);
  const errors = failuresOf(whole);
  const at = (q: number): number => latencyOf(whole, q);
  return {
    target: target.name,
    scenario: `${mode} (pace)`,
    rate_asked: run.rate,
    rate_achieved: run.achieved,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    max_ms: at(1),
    errors,
    dropped: 0,
    trends: {},
    thresholds_ok: errors === 0 && at(0.99) < p99_ms,
  };
}

/** k6 leaves with 99 where a threshold was missed: that is a result. */
const THRESHOLD_MISSED = 99;

function k6Run(k6: string, file: string, env: Readonly<Record<string, string>>): Promise<void> {
  // The system's environment is not handed on (KEYS and the like come through `env` alone).
  const args = ["run", "--quiet", "--no-usage-report", "--include-system-env-vars", file];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { env: { PATH: process.env.PATH ?? "", HOME: homedir(), ...env }, maxBuffer: 2 ** 26 };
  execFile(k6, args, options, (error, stdout, stderr) => {
    if (error === null || error.code === THRESHOLD_MISSED) resolve();
    else reject(new Error(`Cannot run "${file}" with k6:\n${stdout}${stderr}`, { cause: error }));
  });
  return promise;
}

export interface Summary {
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly values: Readonly<Record<string, number>>;
        readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
      }
    >
  >;
}

/** Rows in the order of the summary's scenarios. */
export function readSummary({ metrics }: Summary, target: string, { rate, seconds }: Load): readonly Measured[] {
  const scenarios = Object.keys(metrics).flatMap(
    (name) => /^http_req_duration\{scenario:(.+)\}$/u.exec(name)?.[1] ?? [],
  );
  return scenarios.map((scenario) => {
    const of = (metric: string) => metrics[`${metric}{scenario:${scenario}}`];
    const value = (metric: string, field: string): number => of(metric)?.values[field] ?? 0;
    const asked = /^rate_(\d+)$/u.exec(scenario)?.[1];
    const dropped = value("dropped_iterations", "count");
    return {
      target,
      scenario,
      rate_asked: asked === undefined ? rate / scenarios.length : Number(asked),
      rate_achieved: value("iterations", "count") / seconds,
      p50_ms: value("http_req_duration", "med"),
      p95_ms: value("http_req_duration", "p(95)"),
      p99_ms: value("http_req_duration", "p(99)"),
      max_ms: value("http_req_duration", "max"),
      // k6 calls a true `http_req_failed` a pass.
      errors: value("http_req_failed", "passes") + value("checks", "fails") + dropped,
      dropped,
      trends: trendsOf(metrics, scenario, scenarios.length === 1),
      thresholds_ok: Object.entries(metrics)
        .filter(([name]) => name.endsWith(`{scenario:${scenario}}`))
        .every(([, { thresholds = {} }]) => Object.values(thresholds).every(({ ok }) => ok)),
    };
  });
}

/** Trends that the script keeps itself: those of the scenario, and those of the whole script where it has but one. */
function trendsOf(metrics: Summary["metrics"], scenario: string, alone: boolean): Measured["trends"] {
  const trends: Record<string, { p50_ms: number; p99_ms: number }> = {};
  for (const [name, { type, values }] of Object.entries(metrics)) {
    const [, own, of] = /^([a-z]+_ms)(?:\{scenario:(.+)\})?$/u.exec(name) ?? [];
    if (type !== "trend" || own === undefined || !(of === scenario || (of === undefined && alone))) continue;
    trends[own] = { p50_ms: values.med ?? 0, p99_ms: values["p(99)"] ?? 0 };
  }
  return trends;
}
