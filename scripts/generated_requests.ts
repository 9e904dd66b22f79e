/**
 * `bun scripts/generated_requests.ts [--cases 20000] [--seed 1] [--python <of an environment with Schemathesis>]`: requests that Schemathesis makes up
 * from the document as served, right and wrong ones, with all its checks: no 5xx, and no answer that the document does not say. Asks a server
 * of its own by turns with a test key, whose operations end at once, and a live one, until there were so many cases. Ends with a line of
 * result. Fetches Schemathesis, so that no more than a short form is part of `npm test` (test/sdk/generated_requests.test.ts).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeEnvironment, why_not } from "../test/sdk/python.ts";
import { isWell, noCounts, tell } from "./generated_requests/report.ts";
import { EXCLUDED, EXCLUDED_LIVE, PACKAGES, runSchemathesis } from "./generated_requests/schemathesis.ts";
import { startAskedServer } from "./generated_requests/server.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    python: { type: "string" },
  },
});
if (why_not !== false) throw new Error(why_not);

const PHASES = ["examples", "coverage", "fuzzing", "stateful"];
/** Examples and coverage take twenty of them. */
const SECONDS = { test: 90, live: 60 };

const folder = mkdtempSync(join(tmpdir(), "tonwerk-generated-"));
const server = await startAskedServer();
const counts = noCounts();
try {
  const python = options.python ?? (await makeEnvironment(join(folder, "env"), PACKAGES));
  for (const [id, reason] of Object.entries({ ...EXCLUDED, ...EXCLUDED_LIVE }))
    console.log(`not asked, ${id}: ${reason}`);
  for (let n = 0; counts.cases < Number(options.cases); n++) {
    const is_live = n % 2 === 1;
    const before = counts.cases;
    const key = is_live ? server.live_key : server.test_key;
    const excluded = Object.keys({ ...EXCLUDED, ...(is_live && EXCLUDED_LIVE) });
    const seconds = is_live ? SECONDS.live : SECONDS.test;
    const run = { python, url: server.url, key, excluded, seconds, phases: PHASES, folder };
    await runSchemathesis({ ...run, seed: Number(options.seed) + n }, counts);
    console.log(
      `${is_live ? "live" : "test"} key: ${counts.cases - before} cases, ${counts.faults.size} kinds of fault so far`,
    );
    if (counts.cases === before) throw new Error("Schemathesis asked nothing");
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const line of tell(counts)) console.log(line);
if (!isWell(counts)) process.exitCode = 1;
