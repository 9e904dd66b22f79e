/** Webhooks, usage, audit log and the operator's pages, as people use them: forms and pages of a whole service. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Webhook as Receiver } from "standardwebhooks";
import { runCommand } from "../../plugins/administration/run_command.ts";
import { commands as people } from "../../plugins/dashboard/commands.ts";
import { commands as shell } from "../../plugins/operator/commands.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { listen } from "../receiver.ts";
import { adminOf, ownerLink, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";
import { entered, type Visitor } from "./visitor.ts";

const TONE = `({ audio: { sample_rate: 44100, channels: [Float32Array.from({ length: 4410 }, (_, at) => 0.1 * Math.sin(at / 20))] }, engine: "sine" })`;
const PLAIN = { request: "Type.Object({})", sources: "{}", echo: "[]", examples: "[{}]" };

let folder: string;
let tonwerk: TestService;
let owner: Visitor;
let member: Visitor;
let receiver: Awaited<ReturnType<typeof listen>>;
/** What the receiver answers. */
let status = 200;

before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.tone", { ...PLAIN, process: `() => ${TONE}` });
  await addAction(folder, "test.refusal", {
    ...PLAIN,
    failures: '["not_today"]',
    process: `({ fail }) => fail("not_today", "Closed")`,
  });
  receiver = await listen(() => status);
  tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: `${folder},./plugins`, TONWERK_WORKERS: "1", TONWERK_PRIVATE_HOSTS: "127.0.0.1" },
  });
  owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  const invited = await (await owner.post("/members", { email: "member@example.com", role: "member" })).text();
  member = await entered(tonwerk, /http[^<]+\/dashboard\/link\?token=[\w-]+/u.exec(invited)![0]);
});
after(async () => {
  await tonwerk.stop();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

const account = () => tonwerk.service.first!.account_id;

const store = () => tonwerk.service.store;
/** Where an answer leads, below the dashboard's root. */
const placeOf = (response: Response): string => response.headers.get("location")!.replace(/^.*\/dashboard/u, "");

async function submit(action: string, key = tonwerk.key, more = {}): Promise<string> {
  const answer = await tonwerk.json(
    "PUT",
    `/v1/${action}`,
    { idempotency_key: randomUUID(), ...more },
    { authorization: `Bearer ${key}` },
  );
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { id } = Object.values(answer.body)[0] as { id: string };
  await until(async () => (await store().operation(id))?.status !== "processing");
  return id;
}

test("an endpoint is added, tested, failed at, sent to again in bulk, disabled and deleted, all from its pages", async () => {
  const url = receiver.url;
  const wrong = await owner.post("/webhooks", { url: "nonsense", events: "*.sometimes", description: "" });
  assert.equal(wrong.status, 422);
  const again = await wrong.text();
  assert.match(again, /value="nonsense"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*value="nonsense"/u);
  assert.match(again, /id="events-problem">&quot;\*\.sometimes&quot; is no event: write an action, a dot/u, "in words");

  const made = await (
    await owner.post("/webhooks", {
      url,
      "on:*.ready": "on",
      events: "*.failed, create.remix_song.*",
      description: "shop",
    })
  ).text();
  const secret = /whsec_[\w+/=]+/u.exec(made)![0];
  assert.ok(!(await owner.text("/webhooks")).includes(secret), "shown once");
  const [endpoint] = await store().endpoints(account());
  const path = `/webhooks/${endpoint!.id}`;
  assert.deepEqual(endpoint!.events, ["*.ready", "*.failed", "create.remix_song.*"], "boxes and patterns");
  const form = await owner.text(path);
  assert.match(form, /name="on:\*\.failed" checked/u);
  assert.doesNotMatch(form, /name="on:\*\.started" checked/u);
  assert.match(form, /name="events" type="text" value="create\.remix_song\.\*"/u, "what no box stands for");

  // A test event, with all that went over the wire.
  const place = placeOf(await member.post(`${path}/ping`, {}, path));
  assert.match(place, /^\/deliveries\/evt_\w+\?done=tested$/u);
  await until(async () => (await owner.text(place)).includes('badge good">200'));
  const page = await owner.text(place);
  const [sent] = receiver.seen;
  new Receiver(secret).verify(sent!.body, sent!.headers);
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
    assert.ok(page.includes(`${name}: ${sent!.headers[name]}`), name);
  assert.ok(page.includes(`POST ${url}`) && /Signed with <b[^>]*>the endpoint/u.test(page));
  assert.ok(!page.includes(secret), "and no secret");
  const sending = await member.post(place.replace("?done=tested", "/send"), {}, path);
  assert.equal(sending.status, 409, "a test event is attempted once");

  // What fails is counted, and sent again by its number.
  status = 404;
  const failed = [await submit("test.tone"), await submit("test.tone"), await submit("test.refusal")];
  await until(async () => (await store().deliveries(account(), { state: "failed", limit: 9 })).length === 3);
  const health = await owner.text(path);
  assert.match(health, /3 deliveries given up; attempts fail since/u);
  assert.match(await owner.text("/webhooks"), /badge wait">failing/u);
  const question = await member.text("/deliveries/resend?action=test.tone");
  assert.match(question, /<h1>Send 2 deliveries again\?<\/h1>/u);
  assert.equal((await store().deliveries(account(), { state: "failed", limit: 9 })).length, 3, "asking sends nothing");
  status = 200;
  const newest = /name="newest" value="(evt_\w+)"/u.exec(question)![1]!;
  const late = await store().deliveries(account(), { state: "failed", limit: 1 });
  assert.ok(newest <= late[0]!.id);
  const count = receiver.seen.length;
  const done = placeOf(
    await member.post("/deliveries/resend", { action: "test.tone", newest }, "/deliveries/resend?action=test.tone"),
  );
  assert.equal(done, "/deliveries?sent=2");
  assert.match(await member.text(done), /2 deliveries are sent again now/u);
  await until(() => receiver.seen.length === count + 2);
  await until(async () => (await store().deliveries(account(), { state: "failed", limit: 9 })).length === 1);
  assert.equal(
    (await member.post("/deliveries/resend", { action: "test.tone" }, "/")).headers.get("location")?.endsWith("sent=0"),
    true,
  );

  // One alone, by an operation's link.
  const one = placeOf(await owner.get(`/deliveries/${failed[2]}`));
  assert.match(await owner.text(one), /badge bad">404/u);
  assert.equal((await member.post(`${one}/send`, {}, one)).status, 303);
  await until(async () => (await store().webhook(one.split("/").at(-1)!))?.state === "delivered");
  assert.match(await owner.text(one), /2 attempts[\s\S]*badge good">200[\s\S]*badge bad">404/u);

  // Those that are ticked, whatever their state; a test event, what is not the account's and what is no id are left out.
  const tones = await store().deliveries(account(), { limit: 9 });
  const ticked = tones.filter(({ type }) => type.startsWith("test.tone")).map(({ id }) => id);
  const ping = tones.find(({ operation_id }) => operation_id === null)!.id;
  const listed = await member.text("/deliveries");
  for (const id of ticked) assert.match(listed, new RegExp(`type="checkbox"[^>]*form="chosen"[^>]*value="${id}"`, "u"));
  assert.ok(!listed.includes(`value="${ping}"`));
  const asked = [...ticked, ping, `evt_${"0".repeat(26)}`, "nonsense"].map((id) => `on=${id}`).join("&");
  assert.match(await member.text(`/deliveries/chosen?${asked}`), /<h1>Send 2 deliveries again\?<\/h1>/u);
  const heard = receiver.seen.length;
  const sends = Object.fromEntries([...ticked, ping].map((id) => [`on:${id}`, "yes"]));
  assert.equal(
    placeOf(await member.post("/deliveries/chosen", sends, `/deliveries/chosen?${asked}`)),
    "/deliveries?sent=2",
  );
  await until(() => receiver.seen.length === heard + 2);
  assert.equal(placeOf(await member.get("/deliveries/chosen?on=nonsense")), "/deliveries?sent=0");
  const filtered = await owner.text(`/deliveries?endpoint=${endpoint!.id}&action=test.refusal&state=delivered`);
  assert.equal(filtered.split(one).length - 1, 1);
  assert.ok(!filtered.includes("Tone <small>ready"));

  // Changes are an owner's, asked about, and in the audit log.
  for (const verb of ["disable", "rotate", "delete"]) assert.equal((await member.get(`${path}/${verb}`)).status, 403);
  assert.ok((await owner.text(`${path}/disable`)).includes(url));
  await owner.post(`${path}/disable`, {}, `${path}/disable`);
  assert.match(await owner.text(path), /badge plain">disabled[\s\S]*Somebody of the account disabled it/u);
  await owner.post(`${path}/enable`, {}, path);
  const rotated = /whsec_[\w+/=]+/u.exec(await (await owner.post(`${path}/rotate`, {}, `${path}/rotate`)).text())![0];
  assert.notEqual(rotated, secret);
  await owner.post(path, { url: `${url}?v=2`, events: "*", description: "moved" }, path);
  assert.deepEqual((await store().endpoint(endpoint!.id))?.events, ["*"]);
  await owner.post(`${path}/delete`, {}, `${path}/delete`);
  assert.equal((await owner.get(path)).status, 404);
  const log = await owner.text("/audit?about=endpoint");
  for (const action of ["created", "changed", "secret_rotated", "deleted", "resent"])
    assert.ok(log.includes(`endpoint.${action}`), action);
  assert.ok(![secret, rotated].some((text) => log.includes(text)));
  assert.match(
    log,
    new RegExp(`<b title="${endpoint!.id}" dir="auto">${url}[^<]*</b>`, "u"),
    "by its address, though it is gone",
  );
  assert.ok(!log.includes("<code>hook_"));
});

test("usage by action and key adds up with the ledger, with budgets, test keys apart, and as a file", async () => {
  const admin = adminOf(tonwerk.service);
  const rights = { test: false, read_only: false, actions: null, budget: null };
  const limited = await admin.createKey(account(), '=cmd|"x"', { ...rights, budget: { credits: 7, period: "day" } });
  const trial = await admin.createKey(account(), "trial", { ...rights, test: true });
  await submit("test.tone", limited.plain);
  await submit("test.refusal", limited.plain);
  await submit("test.tone", trial.plain);
  const today = Date.now() - (Date.now() % 86_400_000);
  const parts = await store().usageParts(account(), today, today + 86_400_000);
  const [day] = await store().usage(account(), today, today + 86_400_000);
  const sum = (name: "debited" | "refunded") => parts.reduce((total, part) => total + part[name], 0);
  assert.deepEqual([sum("debited"), sum("refunded")], [day!.debited, day!.refunded]);
  assert.ok(sum("refunded") > 0 && sum("debited") > sum("refunded"));

  const page = await owner.text("/usage");
  const row = (name: string) =>
    new RegExp(`${name}[\\s\\S]*?</tr>`, "u")
      .exec(page)![0]
      .replaceAll(/<[^>]*>/gu, " ")
      .replaceAll(/\s+/gu, " ");
  const used = sum("debited") - sum("refunded");
  assert.equal(page.split(">Together<").length - 1, 2);
  assert.ok(row(">Together<").includes(`${sum("debited")} ${sum("refunded")} ${used} 100 %`), row(">Together<"));
  const of_key = parts.filter(({ key_id }) => key_id === limited.id);
  assert.equal(
    of_key.reduce((total, { operations }) => total + operations, 0),
    2,
  );
  assert.match(row("=cmd"), /1 of 7 this day/u);
  assert.match(page, /<h2>Test keys<\/h2>[\s\S]*trial[\s\S]*Tone 1/u);
  const own = await owner.text(`/usage?key=${limited.id}`);
  assert.match(own, /class="budget-line"/u);
  assert.match(own, /1 of 7 credits of this day \(14 %\)/u);
  assert.match(own, /<b>2<\/b>operations/u);

  const file = await owner.get("/usage/export?days=7");
  assert.match(
    file.headers.get("content-disposition") ?? "",
    /attachment; filename="tonwerk-usage-[\d-]+-to-[\d-]+\.csv"/u,
  );
  const [head, ...lines] = (await file.text()).trimEnd().split("\r\n");
  assert.equal(head, "day,mode,action,key_id,key,operations,taken,refunded,rebated");
  const cells = lines.map((line) => line.split(","));
  const live = cells.filter(([, mode]) => mode === "live");
  assert.equal(
    live.reduce((total, line) => total + Number(line.at(-3)), 0),
    sum("debited"),
  );
  assert.equal(
    live.reduce((total, line) => total + Number(line.at(-2)), 0),
    sum("refunded"),
  );
  assert.deepEqual(
    cells.filter(([, mode]) => mode === "test").map(([, , action, id]) => [action, id]),
    [["test.tone", trial.id]],
  );
  assert.ok(
    lines.some((line) => line.includes(`"'=cmd|""x"""`)),
    "no cell is a formula",
  );
});

test("a source is found among all results, page by page and by words, and nothing that was typed is lost", async () => {
  const marked = await submit("test.tone", tonwerk.key, { metadata: { mood: "blue" } });
  await Promise.all(Array.from({ length: 13 }, () => submit("test.tone")));
  const path = "/playground/adapt.normalise_loudness";
  const idsIn = (page: string) =>
    [...page.matchAll(/type="radio" name="f\.source\.result" value="(op_\w+):0"/gu)].map(([, id]) => id!);
  const first = await member.text(path);
  assert.equal(idsIn(first).length, 12);
  assert.ok(!idsIn(first).includes(marked), "the newest at first");
  const [chosen] = idsIn(first);
  const typed = { "f.source.result": `${chosen}:0`, "f.callback_url": "https://example.com/kept" };
  const older = /name="intent" value="(older:op_\w+:source)"/u.exec(first)![1]!;
  const second = await (await member.post(path, { ...typed, intent: older }, path)).text();
  assert.ok(idsIn(second).includes(marked) && second.includes("https://example.com/kept"));
  assert.deepEqual(
    idsIn(second).filter((id) => idsIn(first).includes(id)),
    [chosen],
    "what is chosen stays",
  );
  assert.match(second, new RegExp(`value="${chosen}:0" checked`, "u"));
  const find = { ...typed, "f.source.find": "BLUE", intent: "find:source" };
  assert.deepEqual(idsIn(await (await member.post(path, find, path)).text()), [chosen, marked]);
  const none = await (await member.post(path, { "f.source.find": "green", intent: "find:source" }, path)).text();
  assert.match(none, /No result fits/u);
});

test("the audit log is filtered by who and when, and says how long it is kept", async () => {
  const { id } = (await store().users(account())).find(({ email }) => email === "owner@example.com")!;
  await owner.post("/keys", { label: "by the owner" });
  const page = await owner.text(`/audit?about=key&who=${id}`);
  assert.ok(page.includes("by the owner") && page.includes("API key created"));
  assert.ok(!page.includes("label: trial"), "nothing of the service's");
  assert.match(page, /kept for 400 days/u);
  const none = await owner.text(`/audit?to=2020-01-01`);
  assert.match(none, /There is nothing here/u);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  assert.match(await owner.text(`/audit?from=${tomorrow}`), /There is nothing here/u);
  const lines = (await (await owner.get(`/audit/export?who=${id}&about=key`)).text()).trimEnd().split("\n");
  assert.ok(lines.every((line) => JSON.parse(line).actor === id));
  // Deletions of uploads are in it, and a file that was none is not.
  const tone = new Uint8Array(await readFile(new URL("../../examples/song.flac", import.meta.url)));
  const { body } = await tonwerk.json("PUT", "/v1/files", tone);
  for (let n = 0; n < 2; n++) await tonwerk.json("DELETE", `/v1/files/${body.file.id}`);
  assert.equal((await store().auditEntries({ account_id: account(), about: "file", limit: 9 })).length, 1);
});

test("the operator's pages are there for who the shell names, and for nobody else, until it takes the right back", async () => {
  const { facade } = tonwerk.service;
  const run = (command: string, ...words: string[]) =>
    runCommand(facade, { commands: { ...shell, ...people } }, { command, words, options: {} });
  assert.equal((await owner.get("/operator")).status, 403, "an owner is no operator");
  assert.ok(!(await owner.text("/")).includes("/dashboard/operator"));
  assert.deepEqual((await run("users operator", "member@example.com", "yes")).ok, true);
  assert.deepEqual((await run("users operator", "member@example.com", "maybe")).ok, false);
  const before = await member.text("/operator");
  assert.match(before, /none was noted/u);
  await run("backups note", "tape 7");
  const health = await member.text("/operator");
  for (const said of ["Signal work", "No job is at work", "None is due", "free of", "tape 7", "0.1.0"])
    assert.ok(health.includes(said), said);
  // An owner of the operator's account does not become one by a link of theirs.
  const { id } = (await store().users(account())).find(({ email }) => email === "member@example.com")!;
  const link = await owner.post(`/members/${id}/link`, {}, "/members");
  assert.equal(link.status, 422);
  assert.match(await link.text(), /tonwerk users link/u);

  const other = await adminOf(tonwerk.service).createAccount({ name: "Example <Records>", credits: 10 });
  const path = `/operator/accounts/${other.account.id}`;
  assert.match(await member.text("/operator/accounts?find=example"), /Example &lt;Records&gt;/u);
  for (const wrong of [
    { credits: "0", reason: "x" },
    { credits: "1e3", reason: "x" },
    { credits: "5", reason: " " },
  ])
    assert.equal((await member.post(`${path}/grant`, wrong, path)).status, 422);
  const asked = await (await member.post(`${path}/grant`, { credits: "25", reason: "Outage" }, path)).text();
  assert.match(asked, /<h1>Grant 25 credits to Example &lt;Records&gt;\?<\/h1>/u);
  assert.equal((await store().account(other.account.id))?.credits, 10, "asking grants nothing");
  const idempotency_key = /name="idempotency_key" value="([^"]+)"/u.exec(asked)![1]!;
  const form = { credits: "25", reason: "Outage", idempotency_key, password: "a violin in the rain" };
  const wrong = await member.post(`${path}/grant`, { ...form, password: "not the one at all" }, path);
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /The current password is wrong/u);
  assert.equal((await store().account(other.account.id))?.credits, 10, "a browser that is signed in is not enough");
  const [first, second] = [
    await member.post(`${path}/grant`, form, path),
    await member.post(`${path}/grant`, form, path),
  ];
  assert.deepEqual([first.status, second.status], [303, 303]);
  assert.equal((await store().account(other.account.id))?.credits, 35, "sent twice, granted once");
  const [line] = await store().ledger(other.account.id, { limit: 1 });
  assert.deepEqual([line?.kind, line?.credits, line?.note], ["grant", 25, "Outage"]);
  const [entry] = await store().auditEntries({ account_id: other.account.id, limit: 1 });
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.actor_email, entry?.address],
    ["credits.granted", id, "member@example.com", null],
  );
  const of_all = await member.text("/operator/audit?about=credits");
  assert.ok(of_all.includes(other.account.id));

  await run("users operator", "member@example.com", "no");
  assert.equal((await member.get("/operator")).status, 403);
  assert.equal((await member.post(`${path}/grant`, form, "/")).status, 403);
});
