import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { TABLES } from "../../core/adapters/shared/store_tables.ts";
import { openSqliteExport } from "../../core/adapters/sqlite/export.ts";
import { openSqliteStore } from "../../core/adapters/sqlite/store.ts";
import { fakeClock } from "../clock.ts";

test("openSqliteExport() knows every table of the schema, and refuses a database with one that it does not know", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-export-"));
  try {
    const file = join(folder, "tonwerk.db");
    const store = await openSqliteStore({ file, clock: fakeClock() });
    await store.createAccount({ id: "acc_1", name: "", credits: 5, created_at: 0 });
    await store.close();
    const source = openSqliteExport(file);
    for (const table of TABLES) {
      const columns = source.columns(table);
      for (const name of table.key) assert.ok(columns.includes(name), `${table.name}.${name}`);
      assert.equal(source.rows(table, null, 10).length, source.count(table), table.name);
    }
    const ledger = TABLES.find(({ name }) => name === "ledger")!;
    const [line] = source.rows(ledger, null, 10);
    assert.equal(line?.credits, 5);
    assert.deepEqual(source.rows(ledger, [line.id ?? null], 10), []);
    assert.deepEqual(source.objects("", 10), []);
    source.close();

    const db = new DatabaseSync(file);
    db.exec("CREATE TABLE inventions (id INTEGER PRIMARY KEY)");
    db.close();
    assert.throws(() => openSqliteExport(file), /does not know how to carry inventions/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("objects() pages through what operations and files name, each once, in order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-export-"));
  try {
    const file = join(folder, "tonwerk.db");
    await (await openSqliteStore({ file, clock: fakeClock() })).close();
    const db = new DatabaseSync(file);
    db.exec("PRAGMA foreign_keys = OFF");
    const named = db.prepare("INSERT INTO objects (key, owner) VALUES (?, ?)");
    const bound = db.prepare(
      "INSERT INTO operation_sources (operation_id, position, name, object, url) VALUES (?, 0, 'source', ?, '')",
    );
    const expected = new Set<string>();
    for (let number = 0; number < 40; number++) {
      const key = `files/${String((number * 17) % 40).padStart(2, "0")}.wav`;
      expected.add(key);
      if (number % 3 !== 0) for (const owner of ["file_a", "file_b", `file_${number}`]) named.run(key, owner);
      if (number % 3 !== 1) for (const use of [1, 2]) bound.run(`op_${number}_${use}`, key);
    }
    db.close();
    const source = openSqliteExport(file);
    const seen: string[] = [];
    for (let after = ""; ; after = seen.at(-1)!) {
      const page = source.objects(after, 7);
      if (page.length === 0) break;
      seen.push(...page.map(({ key }) => key));
    }
    assert.deepEqual(seen, [...expected].sort());
    assert.equal(source.countObjects(), 40);
    source.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
