/** Packs: what is shipped is sound, and what an operator adds is added, or refused by file and place. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkPacks } from "../../../runners/packs/check.ts";
import { derived, grooveOf, musicOf, packs, usePacks } from "../../../runners/packs/mod.ts";

const HOME = fileURLToPath(new URL("../../../", import.meta.url));
const WALTZ = packs("genres").get("waltz")!;

let base: string;

before(async () => {
  base = await mkdtemp(join(tmpdir(), "packs-"));
});

after(async () => {
  usePacks([]);
  await rm(base, { recursive: true, force: true });
});

/** A folder of packs below `base`, by "<kind>/<id>.json". */
async function folderOf(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
  for (const [file, pack] of Object.entries(files)) {
    const path = join(base, name, file);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, typeof pack === "string" ? pack : JSON.stringify(pack));
  }
  return join(base, name);
}

test("what Tonwerk brings along is sound", () => {
  assert.deepEqual(checkPacks([], HOME), []);
});

test("no name means two genres", () => {
  const owners = new Map<string, string>();
  for (const [id, genre] of packs("genres")) {
    const named = [genre, ...(genre.subgenres ?? [])].flatMap((some) =>
      [some.names, some.weak_names, some.adjectives].flatMap((lists) => Object.values(lists ?? {}).flat()),
    );
    for (const name of new Set(named)) {
      const written = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
      const owner = owners.get(written);
      assert.ok(owner === undefined || owner === id, `"${name}" stands in ${owner} and in ${id}`);
      owners.set(written, id);
    }
  }
});

test("a folder of an operator's adds genres and replaces them, and tables made of them follow", async () => {
  const folder = await folderOf("added", {
    "genres/slow_waltz.json": { ...WALTZ, label: "slow waltz" },
    "genres/waltz.json": { ...WALTZ, label: "Viennese waltz" },
  });
  const labels = derived(() => [...packs("genres")].map(([id, { label }]) => `${id}: ${label}`));
  const before_them = labels();
  usePacks(checkPacks([folder], HOME));
  const added = labels().filter((label) => !before_them.includes(label));
  assert.deepEqual(added, ["slow_waltz: slow waltz", "waltz: Viennese waltz"]);
  assert.deepEqual([...packs("genres").keys()], [...packs("genres").keys()].sort());
  usePacks([]);
  assert.deepEqual(labels(), before_them);
});

test("a genre is as the one that it is like, save for what it says itself", async () => {
  const { form, progressions, grooves, lineup, styles, melody, singing, mix, ...identity } = WALTZ;
  const folder = await folderOf("like", {
    "genres/slow_waltz.json": {
      ...identity,
      like: "waltz",
      melody: { like: "jazz", notes_per_second: 0.5 },
      grooves: { drums: ["slow_turn"] },
    },
    "grooves/slow_turn.json": { drums: { base: [{ kick: "X...|....|....", tambourine: "....|x...|x..." }] } },
  });
  usePacks(checkPacks([folder], HOME));
  const [slow, waltz] = [musicOf("slow_waltz"), musicOf("waltz")];
  assert.deepEqual(
    [slow.form, slow.progressions, slow.lineup, slow.mix],
    [waltz.form, waltz.progressions, waltz.lineup, waltz.mix],
  );
  assert.deepEqual(slow.grooves, { ...waltz.grooves, drums: ["slow_turn"] });
  assert.deepEqual(slow.melody, { ...musicOf("jazz").melody, notes_per_second: 0.5 });
  assert.deepEqual(grooveOf("slow_turn").drums?.base.map(Object.keys), [["kick", "tambourine"]]);
  usePacks([]);
  assert.throws(() => musicOf("slow_waltz"), RangeError);
});

test("words are added to those of their language", async () => {
  const one = await folderOf("one", {
    "words/eo.json": { language: "eo", words: { "mood:calm": ["trankvila"], "genre:jazz": ["jxazo"] } },
  });
  const two = await folderOf("two", { "words/eo.json": { language: "eo", words: { "mood:calm": ["kvieta"] } } });
  usePacks(checkPacks([one, two], HOME));
  assert.deepEqual(packs("words").get("eo")?.words, { "mood:calm": ["trankvila", "kvieta"], "genre:jazz": ["jxazo"] });
  usePacks([]);
});

test("a package's folder of packs is found, here and upwards", async () => {
  await folderOf("node_modules/@acme/dances/packs", { "genres/slow_waltz.json": WALTZ });
  const found = checkPacks(["@acme/dances"], join(base, "deep", "in", "it"));
  assert.deepEqual(found, [join(base, "node_modules/@acme/dances/packs")]);
  assert.throws(
    () => checkPacks(["@acme/nothing"], base),
    /@acme\/nothing: no package of that name with a folder "packs"/u,
  );
});

test("relative folders start from the base", async () => {
  await folderOf("relative", { "genres/slow_waltz.json": WALTZ });
  assert.deepEqual(checkPacks(["./relative"], base), [join(base, "relative")]);
  assert.throws(() => checkPacks(["./elsewhere"], base), /packs of \.\/elsewhere: there is no such folder/u);
});

const REFUSED: readonly (readonly [file: string, pack: unknown, message: string])[] = [
  [
    "genres/slow.json",
    { ...WALTZ, tempo_bpm: { low: 20, usual: 60, high: 80 } },
    "genres/slow.json /tempo_bpm/low: expected a number from 30 to 300",
  ],
  ["genres/slow.json", { ...WALTZ, tempo: 60 }, "genres/slow.json /tempo: there is no such key"],
  ["genres/slow.json", { ...WALTZ, label: undefined }, "genres/slow.json /label: is missing; expected text"],
  [
    "genres/slow.json",
    { ...WALTZ, metre: "11/8" },
    'genres/slow.json /metre: expected "2/4" or "3/4" or "4/4" or "5/4" or "7/4" or "6/8" or "9/8" or "12/8"',
  ],
  [
    "genres/slow.json",
    { ...WALTZ, tempo_bpm: { low: 90, usual: 60, high: 80 } },
    "genres/slow.json /tempo_bpm: expected low, usual and high in this order",
  ],
  [
    "genres/slow.json",
    { ...WALTZ, in_decade: { "1980": "nothing_known" } },
    'genres/slow.json /in_decade/1980: there is no genre "nothing_known"',
  ],
  [
    "genres/slow.json",
    { ...WALTZ, means: { guitars: "air_guitar" } },
    'genres/slow.json /means/guitars: there is no instrument "air_guitar"',
  ],
  [
    "genres/slow.json",
    { ...WALTZ, grooves: { ...WALTZ.grooves, drums: ["bossa", "hold"] } },
    'genres/slow.json /grooves/drums/1: there is no groove "hold" with "drums"',
  ],
  [
    "genres/slow.json",
    { ...WALTZ, lineup: { bands: [[{ role: "lead", instruments: ["violin", "air_guitar"] }]] } },
    'genres/slow.json /lineup: there is no instrument "air_guitar"',
  ],
  [
    "genres/slow.json",
    { ...WALTZ, mix: undefined },
    "genres/slow.json /mix/space: is missing, here and in the genres that it is like",
  ],
  [
    "genres/slow.json",
    { ...WALTZ, melody: { like: "slow" } },
    "genres/slow.json /melody: it is like itself: slow > slow",
  ],
  [
    "genres/slow.json",
    { ...WALTZ, form: { like: "nothing_known" } },
    'genres/slow.json /form: there is no genre "nothing_known", slow > nothing_known',
  ],
  [
    "genres/slow.json",
    { ...WALTZ, progressions: { ...WALTZ.progressions, minor: { verse: ["i | H7"], chorus: ["i"], bridge: ["i"] } } },
    "genres/slow.json /progressions/minor/verse/0: expected text that fits ",
  ],
  [
    "grooves/slow.json",
    { drums: { base: [{ kick: "X...|....", gong: "X...|...." }] } },
    "grooves/slow.json /drums/base/0/gong: there is no such key",
  ],
  [
    "grooves/slow.json",
    { chords: { base: ["x---|z---"] } },
    "grooves/slow.json /chords/base/0: expected text that fits ",
  ],
  ["genres/Slow Waltz.json", WALTZ, "genres/Slow Waltz.json is not named as an id, such as deep_house.json"],
  ["genres/slow.json", "{ label: 1 }", "genres/slow.json is no JSON: "],
  ["words/eo.json", { language: "Esperanto" }, "words/eo.json /language: expected text that fits ^[a-z]{2}$"],
  [
    "tunes/slow.json",
    WALTZ,
    "none of the folders genres, grooves, instruments, drums, instrument_groups, modes, scenes, effects, words holds a .json file",
  ],
];

for (const [n, [file, pack, message]] of REFUSED.entries()) {
  test(`refused: ${message}`, async () => {
    const folder = await folderOf(`refused-${n}`, { [file]: pack });
    assert.throws(
      () => checkPacks([folder], HOME),
      (error: Error) => error.name === "PackError" && error.message.includes(message),
    );
  });
}
