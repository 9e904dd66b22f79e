import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { VARIABLES } from "../../core/base/config/variables.ts";

test("docs/operating.md lists every setting with its default, unit and purpose, in the code's order", async () => {
  const page = await readFile(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const lines = page.split("\n").filter((line) => /^\| `(?:[A-Z0-9]+_)*[A-Z0-9]+` \|/.test(line));
  const rows = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  assert.deepEqual(
    rows.map(([, name, value]) => [name, value]),
    Object.values(VARIABLES).map((row) => [`\`${row.name}\``, row.default === "" ? "" : `\`${row.default}\``]),
  );
  for (const [, name = "", , unit, purpose, ...rest] of rows) {
    assert.notEqual(unit, "", name);
    assert.match(purpose ?? "", /^[A-Z].{10,}[^.]$/, name);
    assert.deepEqual(rest, [""], name);
  }
});
