/** Fresh submissions, of all accounts in turn. */
import exec from "k6/execution";
import http from "k6/http";
import { ACTION, call, is200, openLoop, sourceOf } from "./common.ts";

export { handleSummary } from "./common.ts";
export const options = openLoop("submit");

export const setup = sourceOf;

export default function submit(source: object): void {
  const { body, headers } = call(exec.scenario.iterationInTest, source);
  is200(http.put(ACTION, body, { headers }));
}
