/** Reads of operations that are queued. */
import exec from "k6/execution";
import http from "k6/http";
import { ACTION, is200, openLoop, type Submitted, submitAll } from "./common.ts";

export { handleSummary } from "./common.ts";
export const options = openLoop("status");
export const setup = (): readonly Submitted[] => submitAll(100);

export default function status(stored: readonly Submitted[]): void {
  const { id, headers } = stored[exec.scenario.iterationInTest % stored.length] as Submitted;
  is200(http.get(`${ACTION}?id=${id}`, { headers }));
}
