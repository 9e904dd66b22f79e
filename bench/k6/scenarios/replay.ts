/** The same requests again: the first response, byte for byte. */
import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { ACTION, openLoop, type Submitted, submitAll } from "./common.ts";

export { handleSummary } from "./common.ts";
export const options = openLoop("replay");
export const setup = (): readonly Submitted[] => submitAll(100);

export default function replay(stored: readonly Submitted[]): void {
  const first = stored[exec.scenario.iterationInTest % stored.length] as Submitted;
  const answer = http.put(ACTION, first.body, { headers: first.headers });
  check(answer, {
    "status is 200": ({ status }) => status === 200,
    "is a replay": ({ headers }) => headers["Idempotent-Replayed"] === "true",
    "repeats the first response": ({ body }) => body === first.response,
  });
}
