/** Fresh submissions, of all accounts in turn. */
import exec from "k6/execution";
import http from "k6/http";
import { ACTION, call, EXTERNAL, is200, openLoop } from "./common.ts";

export { handleSummary } from "./common.ts";
export const options = openLoop("submit");

export default function submit(): void {
  const { body, headers } = call(exec.scenario.iterationInTest, EXTERNAL);
  is200(http.put(ACTION, body, { headers }));
}
