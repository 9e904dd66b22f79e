/** The threat model and its neighbours name files that are there. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("what the documents on security say stands between is there, and they are found from the README", () => {
  for (const file of ["SECURITY.md", "docs/threat-model.md", "docs/third-party.md"]) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, path = ""] of text.matchAll(/`([\w./-]+\/[\w./-]*)`/g))
      assert.ok(path.startsWith("@") || path.startsWith("/") || existsSync(join(root, path)), `${file}: ${path}`);
    for (const [, link = ""] of text.matchAll(/\]\(([^)#:]+)\)/g))
      assert.ok(existsSync(join(root, dirname(file), link)), `${file}: ${link}`);
    assert.ok(readFileSync(join(root, "README.md"), "utf8").includes(`](${file})`), `README.md: ${file}`);
  }
});
