/** The short form of scripts/generated_requests.ts: some hundred requests that Schemathesis makes up from the document, with all its checks. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isWell, noCounts, tell } from "../../scripts/generated_requests/report.ts";
import { EXCLUDED, EXCLUDED_LIVE, PACKAGES, runSchemathesis } from "../../scripts/generated_requests/schemathesis.ts";
import { startAskedServer } from "../../scripts/generated_requests/server.ts";
import { makeEnvironment, why_not } from "./python.ts";

/** Of a run, without its start. */
const SECONDS = 8;
/** Runs go on until there were so many: a busy machine does not get there in the first. */
const CASES = 100;
const STATUSES = ["200", "404", "422"];
const ROUNDS_MAX = 8;

test("requests that are made up from the document, right and wrong, are answered as it says", {
  skip: why_not,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-generated-"));
  const [server, python] = await Promise.all([startAskedServer(), makeEnvironment(join(folder, "env"), PACKAGES)]);
  try {
    const counts = noCounts();
    const run = { python, url: server.url, seconds: SECONDS, folder };
    const isEnough = () => counts.cases >= CASES && STATUSES.every((status) => counts.statuses[status]! > 0);
    for (let seed = 1; seed <= ROUNDS_MAX && !isEnough(); seed++)
      for (const [key, excluded, phases] of [
        [server.test_key, EXCLUDED, ["examples", "fuzzing", "stateful"]],
        [server.live_key, { ...EXCLUDED, ...EXCLUDED_LIVE }, ["examples"]],
      ] as const)
        await runSchemathesis({ ...run, seed, key, excluded: Object.keys(excluded), phases }, counts);
    const told = tell(counts).join("\n");
    assert.ok(isWell(counts), told);
    assert.ok(isEnough(), told);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
