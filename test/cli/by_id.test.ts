/** `tonwerk` on what exists already: operations by id and in lists, uploads, endpoints; formats, archives, test keys. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { KEY, SONG, startTestServer, type TestServer } from "../sdk/tonwerk.ts";
import { type Ended, run, type Shell, start } from "./run.ts";

let folder: string;
let server: TestServer;
let tonwerk: Tonwerk;
let shell: Shell;
/** With a test key, whose operations cost nothing and end at once. */
let trial: Shell;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-by-id-"));
  server = await startTestServer();
  tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  shell = { folder, env: { TONWERK_URL: server.url, TONWERK_KEY: KEY } };
  await copyFile(SONG, join(folder, "song.flac"));
  trial = { folder, env: { TONWERK_URL: server.url, TONWERK_KEY: await server.makeTestKey() } };
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const results = ({ lines }: Ended) =>
  lines.filter(({ type }) => type === "result").map(({ result }) => result as Record<string, unknown>);
const magic = async (path: string) => (await readFile(join(folder, path))).subarray(0, 4).toString("latin1");

async function tried(...words: string[]): Promise<Ended> {
  const ended = await run(trial, words);
  assert.equal(ended.code, 0, `${words.join(" ")}: ${ended.stdout.slice(-800)}${ended.stderr}`);
  return ended;
}

test("operations of any action are listed by action, status, time and metadata, and read by id", async () => {
  for (const take of ["1", "2", "3"])
    await tried("fx", "knock", "--metadata", `take=${take}`, "--metadata", "for=film");
  const kick = await tried("sample", "kick", "--duration", "0.5", "--timeout", "60", "-o", "kick.flac");
  const { id } = kick.lines.at(-1)! as { id: string };
  const takes = async (...filter: string[]) =>
    results(await tried("list", ...filter)).map(
      ({ action, metadata }) => (metadata as { take?: string }).take ?? action,
    );
  assert.deepEqual(await takes("--action", "fx", "--status", "ready"), ["3", "2", "1"]);
  assert.deepEqual(await takes("--metadata", "for=film", "--limit", "2"), ["3", "2"]);
  assert.deepEqual(await takes("--metadata", "for=film", "--metadata", "take=1"), ["1"]);
  assert.deepEqual(await takes("--created-after", "1h"), ["create.new_sample", "3", "2", "1"]);
  assert.deepEqual(await takes("--created-before", "1h"), []);
  assert.deepEqual(await takes("--status", "processing", "--status", "failed"), []);
  const [first, second] = results(await tried("get", id, id));
  assert.deepEqual([first!.id, first!.action, first!.status], [id, "create.new_sample", "ready"]);
  assert.deepEqual(second, first);
  assert.equal(results(await tried("account"))[0]!.credits, (await tonwerk.account()).credits);
  for (const [words, code] of [
    [["get", "op_00000000000000000000000000"], 3],
    [["get"], 2],
    [["list", "--status", "lost"], 2],
    [["list", "--created-after", "soon"], 2],
    [["list", id], 2],
    [["wait"], 2],
  ] as const)
    assert.equal((await run(trial, words)).code, code, words.join(" "));
});

test("lists go on over pages until their limit", async () => {
  const request = { prompt: "knock", metadata: { for: "pages" } };
  const submissions = Array.from({ length: 100 }, () => ({
    action: "create.new_fx",
    request: { ...request, idempotency_key: randomUUID() },
  }));
  const answer = await fetch(`${server.url}/v1/batches`, {
    method: "POST",
    headers: { authorization: `Bearer ${trial.env.TONWERK_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ submissions }),
  });
  assert.equal(answer.status, 200, await answer.text());
  const all = results(await tried("list", "--limit", "104")).map(({ id }) => id);
  assert.equal(all.length, 104);
  assert.equal(new Set(all).size, 104);
  assert.deepEqual(
    results(await tried("list", "--limit", "3")).map(({ id }) => id),
    all.slice(0, 3),
  );
});

test("wait and download take operations that others submitted, in every format, and stems as an archive", async () => {
  const stems = await tried("stems", "song.flac", "--zip", "-o", "stems/");
  const { id, files } = stems.lines.at(-1)! as { id: string; files: string[] };
  assert.deepEqual(files, ["stems/song-stems.zip"]);
  assert.equal(await magic(files[0]!), "PK\u0003\u0004");
  await tried("download", id, "-o", "again.zip");
  assert.equal(await magic("again.zip"), "PK\u0003\u0004");
  const each = await tried("download", id, "-o", "each.wav");
  assert.equal((each.lines.at(-1)!.files as string[]).length, 5);
  assert.equal(await magic("each-vocals.wav"), "RIFF");
  const { id: fx } = (await tried("fx", "knock", "-o", "knock.mp3")).lines.at(-1)! as { id: string };
  assert.match(await magic("knock.mp3"), /^(ID3|\u00ff)/u);
  await tried("download", fx, "--format", "opus");
  assert.equal(await magic(`fx-${fx.slice(-6)}.opus`), "OggS");
  assert.equal((await run(trial, ["download", fx, "--zip"])).code, 2, "one effect is no archive");
  assert.equal((await run(trial, ["download", fx, id, "-o", "one.flac"])).code, 2);
});

test("waiting ends with the operation, or after --timeout while the work goes on; cancel ends it", async () => {
  const operation = await tonwerk.stems.create({ source: await tonwerk.files.upload(SONG) });
  const late = await run(shell, ["wait", operation.id, "--timeout", "0.2"]);
  assert.equal(late.code, 6, late.stdout + late.stderr);
  assert.equal(late.lines.at(-1)!.code, "too_late");
  assert.equal((await tonwerk.stems.get(operation.id)).status, "processing");
  const waiting = start(shell, ["wait", operation.id]);
  await waiting.said('"type":"progress"');
  const canceled = await run(shell, ["cancel", operation.id]);
  assert.equal(canceled.code, 0, canceled.stderr);
  assert.equal(results(canceled)[0]!.id, operation.id);
  const { code, lines } = await waiting.ended;
  assert.deepEqual([code, lines.at(-1)!.type, lines.at(-1)!.code], [4, "failed", "canceled"]);
});

test("with a test key --test-outcome says how an operation ends; a live key refuses it", async () => {
  const failed = await run(trial, ["fx", "knock", "--test-outcome", "generation_timeout"]);
  assert.deepEqual([failed.code, failed.lines.at(-1)!.code], [4, "generation_timeout"], failed.stderr);
  assert.equal((await run(trial, ["fx", "knock", "--test-outcome", "rain"])).code, 2);
  assert.equal((await run(shell, ["fx", "knock", "--test-outcome", "ready"])).code, 3);
});

test("uploads are listed, read and removed", async () => {
  const file = await tonwerk.files.upload(SONG);
  const [newest] = results(await run(shell, ["uploads", "list", "--limit", "1"]));
  assert.equal(newest!.id, file.id);
  assert.equal(results(await run(shell, ["uploads", "get", file.id]))[0]!.id, file.id);
  const removed = await run(shell, ["uploads", "delete", file.id]);
  assert.equal(results(removed)[0]!.deleted, true, removed.stderr);
  assert.equal((await run(shell, ["uploads", "get", file.id])).code, 3);
  assert.equal((await run(shell, ["uploads"])).code, 2);
  assert.equal((await run(shell, ["uploads", "burn", file.id])).code, 2);
});

test("endpoints are added, pinged, changed and removed", async () => {
  const types: unknown[] = [];
  const receiver = createServer((request, response) => {
    types.push(request.headers["webhook-type"]);
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const added = await run(shell, ["endpoints", "add", url, "--events", "*.ready", "--events", "*.failed"]);
  assert.equal(added.code, 0, added.stdout + added.stderr);
  const { webhook_endpoint, secret } = results(added)[0] as { webhook_endpoint: object; secret: string };
  const { id, events } = webhook_endpoint as { id: string; events: string[] };
  assert.ok(secret.startsWith("whsec_"));
  assert.deepEqual(events, ["*.ready", "*.failed"]);
  assert.equal((await run(shell, ["endpoints", "add", url])).code, 3, "each URL once");
  assert.equal((await run(shell, ["endpoints", "ping", id])).code, 0);
  for (let n = 0; n < 100 && types.length === 0; n++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(types, ["ping"]);
  const changed = await run(shell, ["endpoints", "update", id, "--no-enabled"]);
  assert.equal(results(changed)[0]!.enabled, false, changed.stdout + changed.stderr);
  assert.deepEqual(
    results(await run(shell, ["endpoints", "list"])).map((one) => one.id),
    [id],
  );
  assert.equal((await run(shell, ["endpoints", "remove", id])).code, 0);
  assert.deepEqual(results(await run(shell, ["endpoints", "list"])), []);
  const help = await run(shell, ["endpoints", "add", "--help"]);
  assert.match(help.stdout, /<url>…[\s\S]*--events <text> +What it is told/u);
  receiver.close();
});
