/**
 * One scenario for each registered action, all at once, each at the same rate: its declaration's first example, whose sources are uploads
 * (of different tones, for actions that refuse the same audio twice). ACTIONS: what bench/k6/examples.ts read from `/openapi.json`.
 */
import exec from "k6/execution";
import http from "k6/http";
import type { Scenario } from "k6/options";
import { arrivals, BASE_URL, call, is200, SECONDS, uploadTone, withThresholds } from "./common.ts";

export { handleSummary } from "./common.ts";

interface Example {
  readonly path: string;
  readonly body: object;
}

/** By scenario. */
const EXAMPLES = JSON.parse(__ENV.ACTIONS ?? "{}") as Readonly<Record<string, Example>>;
const names = Object.keys(EXAMPLES);
const scenarios: Record<string, Scenario> = {};
for (const name of names) scenarios[name] = arrivals(Number(__ENV.RATE) / names.length, 0, SECONDS);
export const options = withThresholds(scenarios, names);

export function setup(): readonly string[] {
  // The longest that an action asks for at least is 30 s.
  return [uploadTone(440, 31, 0), uploadTone(554, 31, 0), uploadTone(659, 31, 0)];
}

export default function submitExample(uploads: readonly string[]): void {
  const { path, body } = EXAMPLES[exec.scenario.name] as Example;
  let used = 0;
  const own = JSON.parse(JSON.stringify(body), (_, value) => {
    const is_source = typeof value === "object" && value !== null && typeof value.url === "string";
    return is_source ? { ...value, url: uploads[used++ % uploads.length] } : value;
  });
  const { body: text, headers } = call(exec.scenario.iterationInTest, own);
  is200(http.put(BASE_URL + path, text, { headers }));
}
