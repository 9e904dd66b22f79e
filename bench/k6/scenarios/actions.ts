/**
 * One scenario for each registered action, all at once: its declaration's first example with uploaded sources, from the submission to the end,
 * which must be `ready`. Each at a rate of its own. ACTIONS: by scenario, what bench/k6/actions.ts prepared, and iterations a second.
 * `operation_ms`: from the `PUT` to the end.
 */
import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { Trend } from "k6/metrics";
import type { Scenario } from "k6/options";
import { arrivals, BASE_URL, call, is200, operationOf, SECONDS, withThresholds } from "./common.ts";

export { handleSummary } from "./common.ts";

interface Submittable {
  readonly path: string;
  readonly body: object;
  readonly rate: number;
}

const ACTIONS = JSON.parse(__ENV.ACTIONS ?? "{}") as Readonly<Record<string, Submittable>>;
const scenarios: Record<string, Scenario> = {};
for (const [name, { rate }] of Object.entries(ACTIONS))
  scenarios[name] = { ...arrivals(rate, 0, SECONDS), gracefulStop: "120s" };
export const options = withThresholds(scenarios, Object.keys(scenarios), ["operation_ms"]);

const operation_ms = new Trend("operation_ms", true);

export default function runExample(): void {
  const { path, body: example } = ACTIONS[exec.scenario.name] as Submittable;
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
