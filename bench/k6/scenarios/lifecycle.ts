/**
 * Upload, submission, its end (every second time by webhook, else by long-poll), download. RECEIVER takes the webhooks and answers
 * `GET /<operation id>` once one has come. `lifecycle_ms`: all of it.
 */
import { check } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { Trend } from "k6/metrics";
import { ACTION, call, is200, openLoop, operationOf, uploadTone } from "./common.ts";

export { handleSummary } from "./common.ts";
export const options = openLoop("lifecycle");

const RECEIVER = __ENV.RECEIVER ?? "";
const lifecycle_ms = new Trend("lifecycle_ms", true);

export default function lifecycle(): void {
  const index = exec.scenario.iterationInTest;
  const by_webhook = RECEIVER !== "" && index % 2 === 0;
  const began = Date.now();
  const url = uploadTone(220 + index, 1, index);
  const { body, headers } = call(index, {
    source: { url },
    ...(by_webhook ? { callback_url: RECEIVER } : {}),
  });
  const submitted = http.put(ACTION, body, { headers });
  if (!is200(submitted)) return;
  const { id } = operationOf(submitted);
  const ended = by_webhook
    ? http.get(`${RECEIVER}/${id}`, { headers })
    : http.get(`${ACTION}?id=${id}&wait=true`, { headers });
  const ready = check(ended, {
    "is ready": (answer) => answer.status === 200 && operationOf(answer).status === "ready",
  });
  if (!ready) return;
  const { output } = operationOf(ended);
  const audio = http.get(output?.url ?? "", { responseType: "binary" });
  lifecycle_ms.add(Date.now() - began);
  check(audio, {
    "is the whole file": ({ status, body: bytes }) =>
      status === 200 && (bytes as ArrayBuffer).byteLength === output?.bytes,
  });
}
