/** What the heaviest pages weigh as they travel, with style, scripts and font: 60 KB at most, pictures and audio aside. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { ownerLink, startTestService, type TestService } from "../service.ts";
import { entered, type Visitor } from "./visitor.ts";

const MOST = 60_000;
const ACTION = "create.new_song";
/** Operations, deliveries and entries: more than a page of a list holds. */
const OTHERS = 40;
const idOf = (name: string, index: number) => `${name}_${String(index).padStart(26, "0")}`;
const song = `op_${"5".repeat(26)}`;

let tonwerk: TestService;
let owner: Visitor;

/** Numbers that repeat in no pattern that compression could use, the same each time. */
function chance(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** As the engine reports a song of five minutes: 150 chords, 50 lines, 12 sections, 400 beats. */
function reportOf(random: () => number, seconds: number) {
  const spans = (count: number, name: string, labels: readonly string[]) => {
    const edges = Array.from({ length: count - 1 }, () => random() * seconds).sort((one, other) => one - other);
    return edges.map((start, index) => ({
      start: Number(start.toFixed(3)),
      end: Number((edges[index + 1] ?? seconds).toFixed(3)),
      [name]: `${labels[Math.floor(random() * labels.length)]}`,
    }));
  };
  const words =
    "the lamps go out along the quay and nobody is left but me when morning comes with bread and rain".split(" ");
  const line = () => Array.from({ length: 7 }, () => words[Math.floor(random() * words.length)]).join(" ");
  const beats = Array.from({ length: 400 }, (_, index) =>
    Number(((index * seconds) / 400 + random() / 100).toFixed(3)),
  );
  return {
    lines: spans(50, "line", Array.from({ length: 30 }, line)),
    composed: {
      key: "Bb minor",
      tempo_bpm: 102,
      metre: "4/4",
      sections: spans(12, "label", ["intro", "verse", "chorus", "solo", "outro"]),
      chords: spans(150, "label", ["Gb", "Ab", "Bbm", "Fsus4", "Db", "Ebm7", "F7"]),
      beats,
      downbeats: beats.filter((_, index) => index % 4 === 0),
    },
  };
}

before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_ROLE: "api" } });
  const { service, data } = tonwerk;
  owner = await entered(tonwerk, await ownerLink(service), "owner@example.com");
  const account = (await service.store.accounts({ limit: 1 }))[0]!.id;
  const random = chance();
  const outputs = [0, 1, 2].map((index) => ({
    ...{
      object: `op/${song}/1/${index}.flac`,
      duration: 300 + index,
      bytes: 30_000_000,
      engine: "studio/16",
      seed: index,
    },
    ...{ sha256: "f".repeat(64), loudness: { lufs: -14, true_peak_dbtp: -1.2, compressed: false } },
    report: reportOf(random, 300 + index),
  }));
  const request = JSON.stringify({
    fields: {
      lyrics: "[Verse]\nThe lamps go out along the quay\n".repeat(50),
      prompt: "a slow waltz",
      n_variations: 3,
    },
    ...{ loudness: { target_lufs: -14, allow_compression: true }, seed: 1, metadata: { project: "film" } },
  });
  const db = new DatabaseSync(join(data, "tonwerk.db"));
  const operation = db.prepare(
    `INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, response, callback_url,
       created_at, started_at, completed_at, expires_at, attempt, progress, outputs, outputs_listed)
     VALUES (?1, ?2, ?3, 'generation', 'ready', ?1, '', 9, ?4, '{}', 'https://hooks.example.com/x', ?5, ?5, ?5, ?5 + 5184000000, 1, 1, ?6, '[]')`,
  );
  const webhook = db.prepare(
    `INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, first_attempt_at, attempts)
     VALUES (?1, ?2, ?3, ?4, 'https://hooks.example.com/x', 'hooks.example.com', '{}', 'delivered', ?5, ?5, 3)`,
  );
  operation.run(song, account, ACTION, request, Date.now(), JSON.stringify(outputs));
  for (let index = 0; index < OTHERS; index++) {
    const id = idOf("op", index);
    operation.run(id, account, ACTION, request, Date.now() - index, "[]");
    webhook.run(idOf("evt", index), id, account, `${ACTION}.ready`, Date.now() - index);
  }
  db.close();
  const { audit } = service.facade;
  for (let index = 0; index < OTHERS; index++) {
    const actor = { id: idOf("usr", index), email: `person${index}@example.com`, address: `192.0.2.${index}` };
    const details = {
      label: ["", `Key number ${index}`],
      email: `person${index}@example.com`,
      role: ["member", "owner"],
    };
    await audit.write(
      audit.entry(actor, "member.changed", { account_id: account, target: idOf("usr", index), details }),
    );
  }
});
after(() => tonwerk.stop());

/** Everything that the page brings with it, by its path. */
async function weightOf(path: string): Promise<ReadonlyMap<string, number>> {
  const gzip = { "accept-encoding": "gzip" };
  const sizes = new Map([[path, (await (await owner.get(path, gzip)).arrayBuffer()).byteLength]]);
  const page = await owner.get(path);
  assert.equal(page.status, 200, path);
  const text = await page.text();
  const wanted = [...text.matchAll(/(?:href|src)="\/dashboard(\/static\/[^"]+)"/gu)].map(([, asset]) => asset!);
  while (wanted.length > 0) {
    const asset = wanted.pop()!;
    if (sizes.has(asset)) continue;
    sizes.set(asset, (await (await owner.get(asset, gzip)).arrayBuffer()).byteLength);
    // What a script imports at once; `import("…")` waits until it is needed.
    const code = asset.endsWith(".mjs") ? await owner.text(asset) : "";
    for (const [, name] of code.matchAll(/^import[^(\n]*"\.\/([\w.]+)";$/gmu))
      wanted.push(asset.replace(/[^/]+$/u, name!));
  }
  return sizes;
}

const heavy = [
  `/operations/${song}`,
  `/operations/${song}/times/2`,
  "/operations",
  "/operations?action=create.new_song",
  "/deliveries",
  "/deliveries?state=delivered",
  "/audit",
  "/audit?about=member",
  "/usage",
  "/playground/create.new_song",
];
for (const path of heavy) {
  test(`${path} travels in less than 60 KB`, async () => {
    const sizes = await weightOf(path);
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    assert.ok(
      [...sizes.keys()].some((name) => name.endsWith(".woff2")) && sizes.size > 5,
      "the font and scripts count",
    );
    assert.ok(all < MOST, `${all} bytes: ${JSON.stringify([...sizes])}`);
    assert.ok(all > 20_000);
  });
}

test("the song's page has what it is about, and what happens when is a page for each variation", async () => {
  const page = await owner.text(`/operations/${song}`);
  assert.equal(page.split('data-what="Chord"').length, 4);
  assert.equal(page.split('class="beat" d="M').length, 4, "one path in each picture");
  for (const index of [0, 1, 2]) assert.ok(page.includes(`/operations/${song}/times/${index}"`));
  const times = await owner.text(`/operations/${song}/times/1`);
  assert.match(times, /<h1>Variation 2 in time<\/h1>/u);
  for (const title of ["Lyrics in time", "Sections", "Chords"])
    assert.ok(times.includes(`<summary>${title}</summary>`));
  assert.equal((await owner.get(`/operations/${song}/times/3`)).status, 404);
});

test("a list travels compressed unless it repeats text that its address brought along", async () => {
  const { id } = (await tonwerk.service.store.users((await tonwerk.service.store.accounts({ limit: 1 }))[0]!.id))[0]!;
  const nobody = idOf("usr", 99);
  const expected = {
    "/operations?action=create.new_song&status=ready&from=2026-01-01": "gzip",
    "/operations?find=waltz": null,
    [`/audit?who=${id}&about=member`]: "gzip",
    [`/audit?who=${nobody}`]: null,
    "/deliveries?state=delivered": "gzip",
    [`/deliveries?endpoint=${idOf("hook", 1)}`]: null,
    "/usage?days=7&action=nothing.here": null,
    "/usage?days=7": "gzip",
  };
  for (const [path, encoding] of Object.entries(expected)) {
    const answer = await owner.get(path, { "accept-encoding": "gzip" });
    assert.deepEqual([answer.status, answer.headers.get("content-encoding")], [200, encoding], path);
    await answer.body?.cancel();
  }
});
