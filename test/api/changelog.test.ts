/** What changes and what goes: `/v1/changelog`, and the headers of what is deprecated. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { readChangelog } from "../../plugins/docs/changelog.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
let folder: string;
before(async () => {
  folder = await pluginFolder([]);
  await addAction(folder, "acme.old", { deprecated: '{ since: "2026-11-01", sunset: "2027-05-01" }' });
  await addAction(folder, "acme.older", { deprecated: '{ since: "2026-10-01" }' });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `./plugins,${folder}` } });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the changelog is CHANGELOG.md, entry by entry, for anybody", async () => {
  const text = await readFile(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  const response = await tonwerk.call("GET", "/v1/changelog", undefined, { authorization: "" });
  assert.equal(response.status, 200);
  const { changes } = (await response.json()) as { changes: { date: string; kind: string; text: string }[] };
  assert.equal(changes.length, text.split("\n").filter((line) => line.startsWith("- ")).length);
  const words = (from: string) => from.replace(/[#\s-]+/gu, "");
  for (const { text: entry } of changes) assert.ok(words(text).includes(words(entry)), entry);
  assert.ok(changes.every(({ date, text: entry }) => /^\d{4}-\d\d-\d\d$/u.test(date) && entry.length > 10));
  assert.deepEqual(
    changes.map(({ date }) => date),
    changes.map(({ date }) => date).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
  );
  assert.deepEqual([...new Set(changes.map(({ kind }) => kind))].sort(), [
    "Changed",
    "Fixed",
    "New",
    "Removed",
    "Security",
  ]);
  const etag = response.headers.get("etag")!;
  const again = await tonwerk.call("GET", "/v1/changelog", undefined, { "if-none-match": etag });
  assert.equal(again.status, 304);
});

test("an entry without a day or a kind is none", () => {
  assert.deepEqual(
    readChangelog("# Changes\n\nAs it is.\n### 2026-01-02\n#### Fixed\n\n- One\n  thing.\n- Another.\n"),
    [
      { date: "2026-01-02", kind: "Fixed", text: "One thing." },
      { date: "2026-01-02", kind: "Fixed", text: "Another." },
    ],
  );
  assert.throws(() => readChangelog("# Changes\n#### New\n- One thing.\n"), /its day and kind/u);
  assert.throws(() => readChangelog("# Changes\n### 2026-01-02\n- One thing.\n"), /its day and kind/u);
});

test("every answer of a deprecated action says so, refusals too", async () => {
  const told = ({ headers }: { headers: Headers }) =>
    ["deprecation", "sunset", "link"].map((name) => headers.get(name));
  const wanted = [
    "@1793491200",
    "Sat, 01 May 2027 00:00:00 GMT",
    '</v1/changelog>; rel="deprecation"; type="application/json"',
  ];
  assert.equal(Date.parse("2026-11-01T00:00:00Z"), 1_793_491_200_000);
  const body = { idempotency_key: randomUUID(), source: { url: "https://audio.invalid/a.wav" } };
  const submitted = await tonwerk.json("PUT", "/v1/acme.old", body);
  assert.equal(submitted.status, 200);
  const { id } = submitted.body.acme_old;
  for (const [method, path, sent, status] of [
    ["PUT", "/v1/acme.old", body, 200],
    ["PUT", "/rpc/acme.old", {}, 422],
    ["GET", `/v1/acme.old?id=${id}`, undefined, 200],
    ["GET", "/v1/acme.old", undefined, 422],
  ] as const) {
    const answer = await tonwerk.call(method, path, sent);
    assert.deepEqual([answer.status, ...told(answer)], [status, ...wanted], `${method} ${path}`);
  }
  const undecided = await tonwerk.call("PUT", "/v1/acme.older", {});
  assert.deepEqual(told(undecided).slice(0, 2), ["@1790812800", null]);
  assert.deepEqual(told(await tonwerk.call("PUT", "/v1/create.new_fx", {})), [null, null, null]);
});

test("the document marks what is deprecated", async () => {
  const { paths } = (await tonwerk.json("GET", "/openapi.json")).body;
  for (const method of ["put", "get"]) {
    const { deprecated, "x-deprecation": when } = paths["/v1/acme.old"][method];
    assert.deepEqual([deprecated, when], [true, { since: "2026-11-01", sunset: "2027-05-01" }]);
    assert.equal(paths["/v1/create.new_fx"][method].deprecated, undefined);
  }
});
