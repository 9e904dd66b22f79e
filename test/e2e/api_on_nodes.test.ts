/** The bulk of the API suite once more, on Postgres, Redis and S3: the same files, in a process of their own (see test/service.ts). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { whenThere } from "../services/services.ts";
import { STACK_MISSING } from "../services/stack.ts";

// Left out: what moves the clock that leases and webhooks are counted by (Postgres has its own), and what knows no store.
const FILES = ["http", "files", "operations", "work", "drain"].map((name) => `test/api/${name}.test.ts`);
const RUN = "Deno" in globalThis ? ["test", "-A", "--no-check", "--quiet"] : ["test", "--timeout", "120000"];

whenThere("the API suite on Postgres, Redis and S3", STACK_MISSING, () => {
  test("the API suite on Postgres, Redis and S3", async () => {
    const child = spawn(process.execPath, [...RUN, ...FILES], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
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
    assert.equal(code, 0, printed);
  });
});
