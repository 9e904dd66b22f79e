/** What clients hold on to does not change unannounced: the document that is kept, and the program that compares it. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findUnannounced, newEntries } from "../../scripts/breaking_changes.ts";
import { findProgram } from "../services/programs.ts";

const KEPT = fileURLToPath(new URL("../../sdk/openapi.json", import.meta.url));

test("a change that breaks clients is refused, unless a new entry announces its path", async (t) => {
  const oasdiff = findProgram("oasdiff");
  if (oasdiff === undefined) {
    assert.notEqual(process.env.TONWERK_TEST_SERVICES, "required", "oasdiff is not installed");
    return t.skip("oasdiff is not installed");
  }
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-breaking-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const changed = join(folder, "changed.json");
  const change = async (edit: (schemas: Record<string, { properties: object; required: string[] }>) => void) => {
    const document = JSON.parse(await readFile(KEPT, "utf8"));
    edit(document.components.schemas);
    await writeFile(changed, JSON.stringify(document));
  };
  await change(({ EffectRequest }) => {
    Object.assign(EffectRequest!.properties, { colour: { type: "string", description: "New" } });
  });
  assert.deepEqual(findUnannounced(oasdiff, KEPT, changed, []), [], "what is added breaks nothing");
  await change(({ BulkRedelivery }) => BulkRedelivery!.required.push("since"));
  assert.deepEqual(findUnannounced(oasdiff, KEPT, changed, ["- **Breaking**: PUT /v1/create.new_song"]), [
    "PUT /v1/operations.redeliver_failed: the request property `since` became required",
  ]);
  assert.deepEqual(
    findUnannounced(oasdiff, KEPT, changed, ["**Breaking**: `/v1/operations.redeliver_failed` needs a time"]),
    [],
  );
});

test("only entries that are new announce", () => {
  assert.deepEqual(newEntries("# Log\n- one\n- two", "# Log\n- one\n- three\n- two"), ["three"]);
});
