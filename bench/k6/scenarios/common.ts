/**
 * What the scenarios share. Each runs by itself too: `k6 run -e BASE_URL=… -e KEYS=… [-e RATE=5] [-e SECONDS=10] [-e P99_MS=25] submit.ts`. All are open: iterations begin at a fixed rate whether earlier ones were answered or not, so a slow server cannot
 * slow its own measurement (no coordinated omission). An iteration that found no free virtual user is counted as dropped, and fails the run.
 */
import { check } from "k6";
import http, { type RefinedResponse, type ResponseType } from "k6/http";
import type { ConstantArrivalRateScenario, Options, Scenario } from "k6/options";

export const BASE_URL = given("BASE_URL");
/** One API key for each account. */
export const KEYS: readonly string[] = given("KEYS").split(",");
/** What is submitted: a source that no run fetches, where the suite says so; else an upload of the run's own, as workers may be there. */
const SOURCE = __ENV.SOURCE;
export const ACTION = `${BASE_URL}/v1/adapt.normalise_loudness`;
export const SECONDS = Number(__ENV.SECONDS ?? 10);
const RATE = Number(__ENV.RATE ?? 5);

/** The one scenario of a script, which is called as the script. */
export function openLoop(name: string): Options {
  return withThresholds({ [name]: arrivals(RATE, 0, SECONDS) }, [name]);
}

/** `rate` iterations a second for `seconds`, beginning `start` seconds into the run. */
export function arrivals(rate: number, start: number, seconds: number): ConstantArrivalRateScenario {
  return {
    executor: "constant-arrival-rate",
    // In whole numbers, also below one a second.
    rate: Math.round(rate * 60),
    timeUnit: "1m",
    duration: `${seconds}s`,
    startTime: `${start}s`,
    // Enough for answers that take half a second. Made before the start: to make one while it runs costs iterations.
    preAllocatedVUs: Math.max(50, Math.min(2_000, Math.ceil(rate / 2))),
    maxVUs: Math.max(100, Math.min(4_000, Math.ceil(rate * 2))),
    gracefulStop: "25s",
  };
}

/**
 * Asks of every scenario: no errors, all checks, nothing dropped, and `P99_MS` where it is given. `trends`: the script's own, which k6 tells for
 * each scenario only where a threshold asks.
 */
export function withThresholds(
  scenarios: Record<string, Scenario>,
  names: readonly string[],
  trends: readonly string[] = [],
): Options {
  const p99_ms = Number(__ENV.P99_MS ?? 0);
  const thresholds: Record<string, string[]> = {};
  for (const name of names) {
    thresholds[`http_req_duration{scenario:${name}}`] = [p99_ms > 0 ? `p(99)<${p99_ms}` : "max>=0"];
    thresholds[`http_req_failed{scenario:${name}}`] = ["rate==0"];
    thresholds[`checks{scenario:${name}}`] = ["rate==1"];
    thresholds[`iterations{scenario:${name}}`] = ["count>0"];
    thresholds[`dropped_iterations{scenario:${name}}`] = ["count==0"];
    for (const trend of trends) thresholds[`${trend}{scenario:${name}}`] = ["max>=0"];
  }
  return {
    scenarios,
    thresholds,
    summaryTrendStats: ["avg", "min", "med", "p(95)", "p(99)", "max", "count"],
    // Names of requests would otherwise hold every id that was read.
    systemTags: ["status", "method", "scenario", "error_code", "expected_response"],
    setupTimeout: "60s",
  };
}

/** The summary as JSON where SUMMARY says, for bench/run.ts, to which the screen belongs then; by itself, a line for each metric. */
export function handleSummary(data: {
  readonly metrics: Readonly<Record<string, { readonly values: Readonly<Record<string, number>> }>>;
}): Record<string, string> {
  if (__ENV.SUMMARY !== undefined) return { [__ENV.SUMMARY]: JSON.stringify(data) };
  const lines = Object.entries(data.metrics).map(([name, { values }]) => {
    const figures = Object.entries(values).map(([figure, value]) => `${figure} ${Number(value.toPrecision(4))}`);
    return `${name.padEnd(44)} ${figures.join("  ")}`;
  });
  return { stdout: `${lines.sort().join("\n")}\n` };
}

export interface Call {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** A request of the account at `index`, around the list of keys. */
export function call(index: number, body: object): Call {
  return { body: JSON.stringify({ idempotency_key: crypto.randomUUID(), ...body }), headers: headersOf(index) };
}

export function headersOf(index: number): Record<string, string> {
  return { authorization: `Bearer ${KEYS[index % KEYS.length]}`, "content-type": "application/json" };
}

/** For `setup`: the request of a submission. */
export const sourceOf = (): object => ({ source: { url: SOURCE ?? uploadTone(440, 3, 0) } });

export interface Submitted extends Call {
  readonly id: string;
  readonly response: string;
}

/** For `setup`: stores operations to replay, read or wait for. */
export function submitAll(count: number): readonly Submitted[] {
  const source = sourceOf();
  return Array.from({ length: count }, (_, index) => {
    const { body, headers } = call(index, source);
    const answer = http.put(ACTION, body, { headers });
    if (answer.status !== 200) throw new Error(`Cannot submit: ${answer.status} ${answer.body}`);
    return { body, headers, id: operationOf(answer).id, response: String(answer.body) };
  });
}

export interface Operation {
  readonly id: string;
  readonly status: "processing" | "ready" | "failed";
  readonly output?: { readonly url: string; readonly bytes: number } | null;
  readonly outputs?: readonly { readonly url: string; readonly bytes: number }[] | null;
}

/** What is inside the wrapper. */
export function operationOf(answer: RefinedResponse<ResponseType | undefined>): Operation {
  return Object.values(answer.json() as unknown as Record<string, Operation>)[0] as Operation;
}

export function is200(answer: RefinedResponse<ResponseType | undefined>): boolean {
  return check(answer, { "status is 200": ({ status }) => status === 200 });
}

/** 16-bit mono WAV of a tone, with the URL that the service signed for it. */
export function uploadTone(hertz: number, seconds: number, index: number): string {
  const headers = { authorization: headersOf(index).authorization ?? "" };
  const answer = http.put(`${BASE_URL}/v1/files`, tone(hertz, seconds), { headers });
  if (!is200(answer)) throw new Error(`Cannot upload: ${answer.status} ${answer.body}`);
  return String(answer.json("file.url"));
}

export function tone(hertz: number, seconds: number): ArrayBuffer {
  const rate = 44_100;
  const frames = Math.round(rate * seconds);
  const view = new DataView(new ArrayBuffer(44 + 2 * frames));
  const write = (at: number, text: string): void => {
    for (let i = 0; i < text.length; i++) view.setUint8(at + i, text.charCodeAt(i));
  };
  write(0, "RIFF");
  view.setUint32(4, 36 + 2 * frames, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, 2 * frames, true);
  for (let n = 0; n < frames; n++) {
    view.setInt16(44 + 2 * n, Math.round(8_000 * Math.sin((2 * Math.PI * hertz * n) / rate)), true);
  }
  return view.buffer as ArrayBuffer;
}

function given(name: string): string {
  const value = __ENV[name];
  if (value === undefined)
    throw new Error(
      `Cannot run without ${name}: k6 run -e BASE_URL=http://127.0.0.1:8787 -e KEYS=tonwerk_… bench/k6/scenarios/submit.ts`,
    );
  return value;
}
