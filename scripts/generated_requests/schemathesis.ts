/** Schemathesis against a server of our own: one run, and what it counted. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { addReport, type Counts } from "./report.ts";

/** For `pip install`. */
export const PACKAGES = ["schemathesis==4.32.5"];

/** Excluded from what is asked, and why. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  // Its bounds and refusals are in test/api/events.test.ts.
  events_follow: "a stream that does not end: each case would last until the client gives up",
};
/** Of a live key alone: with a test key, operations have ended before anybody follows them. */
export const EXCLUDED_LIVE: Readonly<Record<string, string>> = {
  operations_events: "a stream that lasts as long as the job",
};

export interface Run {
  /** Of an environment with PACKAGES. */
  readonly python: string;
  readonly url: string;
  readonly key: string;
  readonly excluded: readonly string[];
  /** Fuzzing and stateful testing repeat until then. */
  readonly seconds: number;
  readonly seed: number;
  readonly phases: readonly string[];
  /** For the report. */
  readonly folder: string;
}

const HOOKS = fileURLToPath(new URL("hooks.py", import.meta.url));
const REQUEST_SECONDS = 30;
const CONFIG = "[output]\nsanitization.enabled = false\n";

/** All checks, each in each case. Throws where Schemathesis itself fails. */
export async function runSchemathesis(run: Run, counts: Counts): Promise<void> {
  const folder = await mkdtemp(join(run.folder, "run-"));
  const config = join(folder, "schemathesis.toml");
  await writeFile(config, CONFIG);
  const said = await execute(join(dirname(run.python), "st"), folder, [
    ...["--config-file", config, "run", `${run.url}/openapi.json`],
    ...["--header", `Authorization: Bearer ${run.key}`],
    ...["--phases", run.phases.join(","), "--checks", "all", "--mode", "all", "--continue-on-failure"],
    ...run.excluded.flatMap((id) => ["--exclude-operation-id", id]),
    ...["--max-time", String(run.seconds), "--request-timeout", String(REQUEST_SECONDS), "--seed", String(run.seed)],
    // Failures are told once and not made smaller: most time would go into that.
    ...["--no-shrink", "--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off"],
    ...["--report", "ndjson", "--report-dir", folder, "--no-color"],
  ]);
  const report = (await readdir(folder)).find((name) => name.endsWith(".ndjson"));
  if (report === undefined) throw new Error(`Schemathesis wrote no report:\n${said}`);
  await addReport(counts, join(folder, report));
  await rm(folder, { recursive: true, force: true });
}

/** Resolves to what it printed, whatever its status: failed checks are for us to judge. */
function execute(program: string, cwd: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, SCHEMATHESIS_HOOKS: HOOKS };
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Uint8Array) => (said = (said + chunk.toString()).slice(-20_000)));
    child.on("error", reject);
    child.on("close", () => resolve(said));
  });
}
