/** The five minutes of docs/writing-a-plugin.md, by its own commands, on the runtime that runs the test. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runNewcomer } from "../../bench/plugin_stopwatch.ts";
import { runFile } from "../process.ts";

test("from an empty folder to a green check, a form and a finished FLAC", async () => {
  const program = [process.execPath, ...runFile("").slice(0, -1)];
  // Nothing waits for types, and tests ask no registry.
  const steps = await runNewcomer(program, false);
  assert.deepEqual(
    steps.map(({ name }) => name),
    ["make", "serve", "use", "stop"],
  );
  assert.ok(steps.every(({ seconds, processor_seconds }) => seconds > 0 && processor_seconds >= 0));
});
