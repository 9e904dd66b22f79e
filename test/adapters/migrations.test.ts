/** A migration that has landed stays as it is to the byte: databases were made by it, and a change to it reaches none of them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

/** SHA-256 by file. What changes a schema is a new migration, which gets its line here with the commit that brings it. */
const LANDED: Readonly<Record<string, string>> = {
  "postgres/0001.sql": "03286099b1b351b1bf1dc2518227328363dd06922dd678760327b1d1c1f209e0",
  "postgres/0002.sql": "7f4d38183b0b706742afe96f76c7eeeac10f5f31b308e954a5481296289cc2e5",
  "postgres/0003.sql": "16bbf5c1eedec97272843139f1e80a591fb59ab4761f776c6871acec18438296",
  "postgres/0004.sql": "146bc0603473f28a37f6c7399d964d276e5675e191e5f8a229135f9ccea65574",
  "sqlite/0001.sql": "711d8157af4a09e3c346b90214e9a56447b58ea36b00f8c0627369a63f94e725",
  "sqlite/0002.sql": "7a58db95c16c2e3c1b34446a13f5da2e5a0602e747b26b8bd626267057400488",
  "sqlite/0003.sql": "45c54cbecada7708fbd34d6404c3ae63b48cc07bd6893c1fd88dce6606422746",
};

const ADAPTERS = new URL("../../core/adapters/", import.meta.url);

test("no migration that has landed was changed", async () => {
  const found: [string, string][] = [];
  for (const store of ["postgres", "sqlite"]) {
    const folder = new URL(`${store}/schema/`, ADAPTERS);
    for (const name of (await readdir(folder)).sort()) {
      const sql = await readFile(new URL(name, folder));
      found.push([`${store}/${name}`, createHash("sha256").update(sql).digest("hex")]);
    }
  }
  const how = "A migration that has landed is not edited: write the next one. A new one is named in LANDED";
  assert.deepEqual(Object.fromEntries(found), LANDED, how);
});
