import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { understand } from "../../../runners/effects/text/understand.ts";
import { checkPacks } from "../../../runners/packs/check.ts";
import { usePacks } from "../../../runners/packs/mod.ts";

const effect = {
  group: "animal",
  kind: "event",
  seconds: 0.6,
  names: { en: ["frobnid howler"], de: ["Frobheuler"] },
  made_as: "wolf",
};

function inFolder(pack: object, use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "packs-"));
  try {
    mkdirSync(join(folder, "effects"));
    writeFileSync(join(folder, "effects/frobnid_howler.json"), JSON.stringify(pack));
    use(folder);
  } finally {
    usePacks([]);
    rmSync(folder, { recursive: true });
  }
}

test("an operator's effect is found by its names, and made as the one that it says", () => {
  inFolder(effect, (folder) => {
    usePacks(checkPacks([folder], folder));
    const [wolf] = understand("a wolf").parts[0]!;
    for (const prompt of ["a frobnid howler", "ein Frobheuler"]) {
      const [howler] = understand(prompt).parts[0]!;
      assert.equal(howler!.recipe.name, "frobnid_howler", prompt);
      assert.equal(howler!.recipe.render, wolf!.recipe.render);
    }
  });
});

test("an effect's file with a misspelt key is refused by name", () => {
  inFolder({ ...effect, weigths: {} }, (folder) => {
    assert.throws(() => checkPacks([folder], folder), /effects\/frobnid_howler\.json \/weigths/u);
  });
});
