/** docs/packs.md shows what stands in the packs. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/packs.md", root), "utf8");
const shown = [...page.matchAll(/^```json (\S+)\n([\s\S]*?)^```$/gmu)];

test("docs/packs.md shows a genre and an instrument", () => {
  const files = new Set(shown.map(([, file]) => file!.split("/")[0]));
  for (const kind of ["genres", "instruments"]) assert.ok(files.has(kind), kind);
});

for (const [n, [, file, json]] of shown.entries()) {
  const part = JSON.parse(json!) as Record<string, unknown>;
  test(`docs/packs.md, ${n + 1}: ${Object.keys(part).join(", ")} stand so in ${file}`, () => {
    const pack = JSON.parse(readFileSync(new URL(`runners/packs/${file}`, root), "utf8")) as Record<string, unknown>;
    for (const [key, value] of Object.entries(part)) assert.deepEqual(value, pack[key], key);
  });
}
