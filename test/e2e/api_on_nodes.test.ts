/** The API suite once more on Postgres, Redis and S3, in processes of their own (see test/service.ts). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { whenThere } from "../services/services.ts";
import { STACK_MISSING } from "../services/stack.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const IS_DENO = "Deno" in globalThis;
const RUN = IS_DENO ? ["test", "-A", "--no-check", "--quiet"] : ["test", "--timeout", "300000"];

/** Files whose subject goes through the store, the queue or the bucket. */
const ON_NODES: readonly string[] = [
  "accounts",
  "batches",
  "drain",
  "events",
  "files",
  "health",
  "http",
  "keys",
  "leaks",
  "lent_urls",
  "lists",
  "long_jobs",
  "measured_prices",
  "operations",
  "operations_by_id",
  "own_uploads",
  "request_options",
  "sources",
  "test_mode",
  "uninstalled",
  "unknown_action",
  "upload_tokens",
  "uploads",
  "webhook_endpoints",
  "webhooks",
  "work",
];
/** Files whose subject ends before them: what they store is what every operation stores, which the others read back. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  albums: "one job's outputs, which are stored as all are",
  client_reasons: "words of faults, which are stored as all are",
  cors: "headers of the front door",
  eleventh_action: "an action, which is stored as the ten are",
  error_codes: "a table and what is refused by it",
  formats: "made by the pool; test/e2e/formats_on_nodes.test.ts is about the store, the bucket and other nodes",
  named_outputs: "kinds of outputs, which are stored as those of stems are",
  long_sources: "how engines read what is long",
  reports: "what an action finds, stored as every report",
  routing: "paths of the front door",
  silent_names: "names that the way out asks for",
  slow_sources: "how sources are fetched",
  understood: "answered before anything is stored",
  isolation: "a process beside the pool's threads",
  first_import: "before a store is asked",
  job_memory: "processes of the pool",
  prepared: "threads and processes of the pool",
  plugin_engines: "what a thread is given",
  plugin_fetch: "the way out of a thread",
  plugin_faults: "ended in the pool",
  plugin_mistakes: "refused at the start",
  plugin_settings: "environment variables that a thread is given",
  model_families: "models, and packages that bring their families, are a machine's own",
  models: "which model serves is decided in the pool",
  duck_models: "heard in a model's own process",
  generate_models: "made in a model's own process",
  separate_models: "made in a model's own process",
  sidecars: "made behind HTTP, asked by the pool",
  sing_models: "made in a model's own process",
  side_by_side: "threads of the pool",
  raw_http: "what parsers and the front door refuse",
  bodies: "refused before anything is stored",
  changelog: "what is told of files and declarations",
  document: "what is written of the registry and the routes",
  document_rules: "the same",
  registry: "plugins on disk; starts no service",
  surfaces: "folders on disk; how surfaces are found and what they are given",
  runtime: "sockets; starts no service",
};
/**
 * Beside the others: two whose times have to be the real ones, which others move within their process, and one that waits most of its time
 * (what a killed node was delivering is another's after a lease of 30 s).
 */
const BESIDE: readonly string[] = ["operations_by_id", "webhook_endpoints", "webhooks"];

test("every file of the API suite runs on Postgres, Redis and S3, or is known not to depend on them", () => {
  const there = readdirSync(`${ROOT}/test/api`).flatMap((name) => name.match(/^(.+)\.test\.ts$/u)?.[1] ?? []);
  assert.deepEqual([...ON_NODES, ...Object.keys(ELSEWHERE)].sort(), there.sort());
  // Without it a file runs on SQLite whatever it is told.
  for (const name of ON_NODES)
    assert.ok(readFileSync(`${ROOT}/${pathOf(name)}`, "utf8").includes("startTestService"), name);
});

whenThere("the API suite on Postgres, Redis and S3", STACK_MISSING, () => {
  test("the API suite on Postgres, Redis and S3", { timeout: 1_200_000 }, async () => {
    const runs = [BESIDE, ON_NODES.filter((name) => !BESIDE.includes(name))].map(async (some) => {
      const { code, printed } = await run(some.map(pathOf));
      assert.equal(code, 0, printed);
    });
    // All are waited for, so that none goes on when one has failed.
    for (const outcome of await Promise.allSettled(runs)) if (outcome.status === "rejected") throw outcome.reason;
  });
});

function pathOf(name: string): string {
  return `test/api/${name}.test.ts`;
}

async function run(some: readonly string[]): Promise<{ readonly code: unknown; readonly printed: string }> {
  const child = spawn(process.execPath, [...RUN, ...some.map((file) => `./${file}`)], {
    cwd: ROOT,
    env: { ...process.env, TONWERK_TEST_STACK: "nodes" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Uint8Array) => {
      printed = (printed + chunk.toString()).slice(-20_000);
    });
  }
  const code = await new Promise((resolve) => child.on("close", resolve));
  // What passed would push what failed out of a report that shows the beginning of a long message.
  return {
    code,
    printed: printed.replace(/^(?:\((?:pass|skip)\)|.* \.\.\. ok |test\/\S+:$|running \d+ tests|$).*\n/gmu, ""),
  };
}
