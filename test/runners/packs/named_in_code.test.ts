/** Engine code names no genre and no instrument: what they are stands in their packs. What is still named is counted here, and may only become less. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { packs } from "../../../runners/packs/mod.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Ids that are words of their own in code: a field of a brief, a mood, a step of a drummer, a material. */
const ALSO_WORDS: ReadonlySet<string> = new Set([
  "swing",
  "romantic",
  "march",
  "game",
  "fantasy",
  "epic",
  "drill",
  "metal",
  "horror",
  "arabic",
]);

/** How many names of genres each file still holds: an example of a schema. */
const LEFT: Readonly<Record<string, number>> = {
  "runners/language/understood.ts": 1,
};

test("no file of the music's engines names more genres than are left to it", () => {
  const counted = count([...packs("genres").keys()].filter((id) => !ALSO_WORDS.has(id)));
  const wrong = [...counted].filter(([file, names]) => names.length > (LEFT[file] ?? 0));
  assert.deepEqual(
    wrong.map(([file, names]) => `${file}: ${names.length} (${[...new Set(names)].slice(0, 8).join(", ")})`),
    [],
  );
});

test("no file of the music's engines names a groove", () => {
  const counted = count([...packs("grooves").keys()].filter((id) => id.includes("_")));
  assert.deepEqual([...counted], []);
});

test("no file of the music's engines names an instrument", () => {
  // Ids of one word are words of the language as well: "organ" is a family, "strings" a section.
  const counted = count([...packs("instruments").keys()].filter((id) => id.includes("_")));
  assert.deepEqual([...counted], []);
});

test("no engine compares a drum with a number or asks for a program of General MIDI", () => {
  const numbered = ["runners/music", "runners/signal", "runners/effects"].flatMap((folder) =>
    sources(join(root, folder)).filter((file) =>
      /\b(?:key|pitch|drum)\b\)?\s*(?:[=!]==|[<>]=)\s*(?:3[5-9]|[4-7]\d|8[01])\b|\bprograms?: *\[?\d/u.test(
        bareOf(file),
      ),
    ),
  );
  assert.deepEqual(
    numbered.map((file) => relative(root, file)),
    [],
  );
});

test("a name is found in a text, a list of names, a key and a pattern", () => {
  const ids = new Set(["deep_house", "jazz"]);
  const code = `const a = "deep_house techno"; // jazz\nconst b = { jazz: 1 }; const c = /jazz/u; /* jazz */ const jazzy = \`deep_house\`;`;
  assert.deepEqual(namesIn(code, ids), ["deep_house", "jazz", "jazz", "deep_house"]);
});

function count(names: readonly string[]): Map<string, string[]> {
  const ids = new Set(names);
  const found = new Map<string, string[]>();
  for (const folder of ["runners/music", "runners/language"]) {
    for (const file of existsSync(join(root, folder)) ? sources(join(root, folder)) : []) {
      const found_in = namesIn(readFileSync(file, "utf8"), ids);
      if (found_in.length > 0) found.set(relative(root, file), found_in);
    }
  }
  return found;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

function bareOf(file: string): string {
  return readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gmu, "");
}

/** Ids in texts, patterns and keys; comments do not count. */
function namesIn(code: string, ids: ReadonlySet<string>): string[] {
  const bare = code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gmu, "");
  const places = bare.matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/(?:[^/\\\n*]|\\.)+\/[a-z]+|(?<=[{,]\s*)[a-z_]+(?=:)/gu);
  return [...places].flatMap(([place]) => (place.match(/[a-z][a-z_]*/gu) ?? []).filter((word) => ids.has(word)));
}
