/** A submission and one long-poll, which answers when the work has ended. `operation_ms`: from the `PUT` to that answer. */
import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { Trend } from "k6/metrics";
import { ACTION, call, is200, openLoop, operationOf, uploadTone } from "./common.ts";

export { handleSummary } from "./common.ts";
export const options = openLoop("long_poll");
export const setup = (): string => uploadTone(440, 1, 0);

const operation_ms = new Trend("operation_ms", true);

export default function longPoll(url: string): void {
  const { body, headers } = call(exec.scenario.iterationInTest, { source: { url } });
  const began = Date.now();
  const submitted = http.put(ACTION, body, { headers });
  if (!is200(submitted)) return;
  const answer = http.get(`${ACTION}?id=${operationOf(submitted).id}&wait=true`, { headers });
  operation_ms.add(Date.now() - began);
  check(answer, { "is ready": (ended) => ended.status === 200 && operationOf(ended).status === "ready" });
}
