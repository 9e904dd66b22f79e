import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { describeConfig } from "../../core/base/config.ts";

test("docs/operating.md lists every setting as the code describes it", async () => {
  const page = await readFile(new URL("../../docs/operating.md", import.meta.url), "utf8");
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = describeConfig().map(
    (row) =>
      `| \`${row.name}\` | ${row.default === "" ? "" : `\`${cell(row.default)}\``} | ${cell(row.unit)} | ${cell(row.sentence)} |`,
  );
  const written = page.split("\n").filter((line) => /^\| `(?:[A-Z0-9]+_)*[A-Z0-9]+` \|/.test(line));
  assert.deepEqual(written, rows);
});
