/** Every file of the API suite that starts a service, once more on Postgres, Redis and S3, in processes of their own (see test/service.ts). */
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

/**
 * On Bun alone, for they take 40 s: what is long in them is the models' own processes, which know no store, and both runtimes run them on
 * SQLite.
 */
const MODELS = ["models", "generate_models", "separate_models", "sing_models"].map(
  (name) => `test/api/${name}.test.ts`,
);

const files = readdirSync(`${ROOT}/test/api`)
  .map((name) => `test/api/${name}`)
  // The others know no store, queue or bucket.
  .filter((file) => file.endsWith(".test.ts") && readFileSync(`${ROOT}/${file}`, "utf8").includes("startTestService"))
  .filter((file) => !(IS_DENO && MODELS.includes(file)));
/** Beside the others, for it waits most of its time: what a killed node was delivering is another's after a lease of 30 s. */
const WAITING = "test/api/webhooks.test.ts";

whenThere("the API suite on Postgres, Redis and S3", STACK_MISSING, () => {
  test("the API suite on Postgres, Redis and S3", { timeout: 1_200_000 }, async () => {
    const runs = [[WAITING], files.filter((file) => file !== WAITING)].map(async (some) => {
      assert.ok(some.every((file) => files.includes(file)) && some.length > 0, "the files are there");
      const { code, printed } = await run(some);
      assert.equal(code, 0, printed);
    });
    // All are waited for, so that none goes on when one has failed.
    for (const outcome of await Promise.allSettled(runs)) if (outcome.status === "rejected") throw outcome.reason;
  });
});

async function run(some: readonly string[]): Promise<{ readonly code: unknown; readonly printed: string }> {
  const child = spawn(process.execPath, [...RUN, ...some], {
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
  return { code, printed };
}
