/**
 * One scenario for each registered action, all at once: its declaration's first example with uploaded sources, from the submission to the end,
 * which must be `ready`. Each as often as its plan says, evenly over SECONDS. ACTIONS: by scenario, `Planned` of bench/k6/plan.ts.
 * `operation_ms`: from the `PUT` to the end.
 */
import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { Trend } from "k6/metrics";
import type { Scenario } from "k6/options";
import type { Planned } from "../plan.ts";
import { BASE_URL, call, is200, operationOf, SECONDS, withThresholds } from "./common.ts";

export { handleSummary } from "./common.ts";

if (__ENV.ACTIONS === undefined)
  throw new Error("Cannot run without ACTIONS: npm run bench -- --only actions, or tonwerk bench --scenario actions");
const ACTIONS = JSON.parse(__ENV.ACTIONS) as Readonly<Record<string, Planned>>;
/** Of the last one, for what is slower in company than alone; k6 leaves as soon as all have ended. */
const PATIENCE_SECONDS = 60 + 2 * SECONDS;
const scenarios: Record<string, Scenario> = {};
for (const [name, { times, start_s }] of Object.entries(ACTIONS)) {
  scenarios[name] = {
    executor: "constant-arrival-rate",
    rate: times,
    timeUnit: ms(SECONDS),
    startTime: ms(start_s),
    // The first begins at once and the last half a step before the end: `times` of them, and not one more.
    duration: ms(((times - 0.5) * SECONDS) / times),
    // As many as there are iterations, so that none is dropped for a slow one before it.
    preAllocatedVUs: times,
    maxVUs: times,
    gracefulStop: ms(PATIENCE_SECONDS),
  };
}
export const options = withThresholds(scenarios, Object.keys(scenarios), ["operation_ms"]);

const operation_ms = new Trend("operation_ms", true);

export default function runExample(): void {
  const { path, body: example } = (ACTIONS[exec.scenario.name] as Planned).example;
  const { body, headers } = call(exec.scenario.iterationInTest, example);
  const began = Date.now();
  const submitted = http.put(BASE_URL + path, body, { headers });
  if (!is200(submitted)) return;
  const { id } = operationOf(submitted);
  let ended = http.get(`${BASE_URL}${path}?id=${id}&wait=true`, { headers });
  while (ended.status === 200 && operationOf(ended).status === "processing")
    ended = http.get(`${BASE_URL}${path}?id=${id}&wait=true`, { headers });
  operation_ms.add(Date.now() - began);
  check(ended, { "is ready": (answer) => answer.status === 200 && operationOf(answer).status === "ready" });
}

function ms(seconds: number): string {
  return `${Math.round(1_000 * seconds)}ms`;
}
