/**
 * Submissions at one rate after another, each held: where the server no longer keeps up (iterations dropped, or the line growing until the
 * end of the step) is the knee. RATES: comma-separated, a second.
 */
import type { Scenario } from "k6/options";
import { arrivals, SECONDS, withThresholds } from "./common.ts";

export { handleSummary } from "./common.ts";
export { default, setup } from "./submit.ts";

const scenarios: Record<string, Scenario> = {};
for (const [step, rate] of (__ENV.RATES ?? "5,10,20,40").split(",").entries()) {
  // A second between the steps lets the line of the one before drain.
  scenarios[`rate_${rate}`] = { ...arrivals(Number(rate), step * (SECONDS + 1), SECONDS), gracefulStop: "1s" };
}
export const options = withThresholds(scenarios, Object.keys(scenarios));
