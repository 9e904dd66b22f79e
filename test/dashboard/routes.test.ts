/** Who may do what: every route of the dashboard, by every kind of visitor. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { sweepOrphans } from "../../core/work/upkeep.ts";
import type { DashboardServices, Route } from "../../plugins/dashboard/context.ts";
import { PAGES } from "../../plugins/dashboard/pages/pages.ts";
import { may } from "../../plugins/dashboard/people/roles.ts";
import { adminOf, ownerLink, startTestService, type TestService } from "../service.ts";
import { entered, type Visitor, visitor } from "./visitor.ts";

let tonwerk: TestService;
let owner: Visitor;
let member: Visitor;
/** Owner of another account. */
let stranger: Visitor;
let routes: readonly Route[];
/** What the first account has, by the name of the parameter in a route. */
let own: Readonly<Record<string, string>>;

before(async () => {
  // One job at a time, so that another waits.
  tonwerk = await startTestService({ env: { TONWERK_WORKERS: "1" } });
  const { service } = tonwerk;
  routes = PAGES.flatMap((pages) => pages(service.facade as DashboardServices));
  owner = await entered(tonwerk, await ownerLink(service), "owner@example.com");
  const invited = await (await owner.post("/members", { email: "member@example.com", role: "member" })).text();
  member = await entered(tonwerk, /http[^<]+\/dashboard\/link\?token=[\w-]+/u.exec(invited)![0]);
  const other = await adminOf(service).createAccount({ name: "Others", credits: 10 });
  stranger = await entered(tonwerk, await ownerLink(service, other.account.id), "stranger@example.com");

  const song = await readFile(new URL("../../examples/song.flac", import.meta.url));
  const { body: uploaded } = await tonwerk.json("PUT", "/v1/files", new Uint8Array(song));
  const request = {
    idempotency_key: randomUUID(),
    source: { url: uploaded.file.url },
    callback_url: "https://hooks.example.com/x",
  };
  const { body } = await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", request);
  const { id } = body.normalised_audio;
  await tonwerk.json("GET", `/v1/adapt.normalise_loudness?id=${id}&wait=true`);
  const account = (await service.store.operation(id))!.account_id;
  const hook = { url: "https://hooks.example.com/all", events: ["*"], description: "" };
  const { body: hooked } = await tonwerk.json("POST", "/v1/webhook_endpoints", hook);
  own = {
    operation: id,
    account,
    endpoint: hooked.webhook_endpoint.id,
    delivery: (await service.store.webhooks(id))[0]!.id,
    key: (await service.store.keys(account))[0]!.id,
    secret: (await service.store.secrets(account))[0]!.id,
    invitation: await openInvitation(),
    user: (await service.store.users(account)).find(({ role }) => role === "member")!.id,
    file: uploaded.file.id,
  };
});
after(() => tonwerk.stop());

/** Of somebody who never comes. */
async function openInvitation(): Promise<string> {
  const page = await (await owner.post("/members", { email: "late@example.com", role: "member" })).text();
  return /members\/invitations\/([\w]+)\/send/u.exec(page)![1]!;
}

/** The route's path for what the first account has. */
function filled(path: string): string {
  const id = path.startsWith("/keys")
    ? own.key
    : path.startsWith("/secrets")
      ? own.secret
      : path.startsWith("/members/invitations")
        ? own.invitation
        : path.startsWith("/members")
          ? own.user
          : path.startsWith("/uploads")
            ? own.file
            : path.startsWith("/leaks")
              ? "leak_unknown"
              : path.startsWith("/deliveries")
                ? own.delivery
                : own.operation;
  const values: Readonly<Record<string, string>> = {
    id: id!,
    account: own.account!,
    endpoint: own.endpoint!,
    operation: own.operation!,
    action: "adapt.normalise_loudness",
    index: "0",
    source: "source",
    name: "waveform-light-1x",
  };
  return path.replace(/:(\w+)/gu, (_, name: string) => values[name]!);
}

test("nobody gets anywhere without a session but to the ways in", async () => {
  for (const { method, path, access } of routes) {
    if (access === "public") continue;
    const response = await visitor(tonwerk).raw(method, filled(path), method === "GET" ? null : new URLSearchParams());
    const expected = method === "GET" ? [303, /\/sign-in/u] : [401, /^$/u];
    assert.equal(response.status, expected[0], `${method} ${path}`);
    assert.match(response.headers.get("location") ?? "", expected[1] as RegExp, `${method} ${path}`);
  }
});

test("nothing is changed by a form without the session's token, or with that of another", async () => {
  const foreign = /name="csrf" value="([^"]+)"/u.exec(await stranger.text("/keys"))![1]!;
  for (const { method, path, access } of routes) {
    if (method === "GET") continue;
    for (const csrf of ["", "x", foreign]) {
      const body = new URLSearchParams({ csrf, label: "forged", email: "a@example.com", password: "x", role: "owner" });
      const response = await owner.raw(method, filled(path), body, { "x-csrf-token": csrf });
      // The ways in have a token of their own, which this visitor never got.
      assert.equal(response.status, 403, `${method} ${path} (${access}) with "${csrf}"`);
    }
  }
  assert.ok(!(await owner.text("/keys")).includes("forged"));
});

test("a form that comes from another site is refused even with the right token", async () => {
  const csrf = /name="csrf" value="([^"]+)"/u.exec(await owner.text("/keys"))![1]!;
  const body = () => new URLSearchParams({ csrf, label: "forged" });
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
    assert.equal((await owner.raw("POST", "/keys", body(), headers)).status, 403, JSON.stringify(headers));
  }
});

test("a member may do what the role says and nothing more, in every route", async () => {
  for (const { method, path, access } of routes) {
    if (access === "public") continue;
    const response = await member.raw(method, filled(path), method === "GET" ? null : new URLSearchParams());
    if (!may("member", access)) {
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.match(await response.text(), /not allowed/u, `${method} ${path}`);
    } else if (method === "GET")
      // What has ended is not cancelled, and where nothing failed nothing is sent again: it is shown.
      assert.ok(
        [200, 404, /\/(?:cancel|resend|chosen)$/u.test(path) ? 303 : 200].includes(response.status),
        `${method} ${path}: ${response.status}`,
      );
  }
  const shown = await member.text("/keys");
  assert.ok(!shown.includes("Revoke") && !shown.includes("Create key"));
  assert.ok(!(await member.text("/")).includes("/dashboard/members"));
});

test("what is another account's is not there: no page, no sound, no picture, no change", async () => {
  for (const { method, path, access } of routes) {
    // Actions are everybody's.
    if (access === "public" || !path.includes(":") || path.startsWith("/playground")) continue;
    const csrf = /name="csrf" value="([^"]+)"/u.exec(await stranger.text("/"))![1]!;
    const response = await stranger.raw(method, filled(path), method === "GET" ? null : new URLSearchParams({ csrf }));
    const refused = access === "operate" ? [403] : [404, 422];
    assert.ok(refused.includes(response.status), `${method} ${path}: ${response.status}`);
    const text = await response.text();
    for (const id of Object.values(own)) assert.ok(!text.includes(id), `${method} ${path} repeats ${id}`);
  }
  for (const path of [
    "/",
    "/operations",
    "/usage",
    "/keys",
    "/secrets",
    "/webhooks",
    "/deliveries",
    "/members",
    "/audit",
    "/usage/export",
    "/audit/export",
    `/playground/adapt.normalise_loudness?again=${own.operation}`,
  ]) {
    const text = await stranger.text(path);
    for (const secret of [own.operation!, own.key!, own.secret!, own.user!, "owner@example.com"]) {
      // The path that was asked for may be repeated; nothing else of it is known.
      assert.ok(!text.replaceAll(`again=${own.operation}`, "").includes(secret), `${path} shows ${secret}`);
    }
  }
  // Bound by hand: another account's result and upload as sources.
  const form = {
    "f.source.upload": own.file!,
    "f.source.result": `${own.operation}:0`,
    idempotency_key: randomUUID(),
    intent: "run",
  };
  const response = await stranger.post("/playground/adapt.normalise_loudness", form);
  assert.equal(response.status, 422);
  assert.equal((await tonwerk.service.store.operation(own.operation!))?.status, "ready");
});

test("invitations are shown, sent again and withdrawn, and tell a user of another account only by their link", async () => {
  const link = (page: string) => /http[^<]+(\/link\?token=[\w-]+)/u.exec(page)![1]!;
  const invite = async (email: string) => (await owner.post("/members", { email, role: "member" })).text();
  const plain = (page: string, email: string) =>
    page.replaceAll(email, "…").replaceAll(/inv_\w+|token=[\w-]+|\d\d:\d\d:\d\d[.\d]*/gu, "");
  const unknown = await invite("nobody@example.com");
  const id = /members\/invitations\/(\w+)\/withdraw/u.exec(unknown.split("nobody@example.com")[1]!)![1]!;
  const withdrawn = await owner.post(`/members/invitations/${id}/withdraw`, {}, "/members");
  assert.equal(withdrawn.status, 303);
  assert.equal((await visitor(tonwerk).get(link(unknown))).status, 410);
  assert.ok(!(await owner.text("/members")).includes("nobody@example.com"));
  const known = await invite("stranger@example.com");
  assert.equal(plain(known, "stranger@example.com"), plain(unknown, "nobody@example.com"));
  const opened = await visitor(tonwerk).get(link(known));
  assert.equal(opened.status, 409);
  assert.match(await opened.text(), /signs in to an account here already/u);
  const late = await (await owner.post(`/members/invitations/${own.invitation}/send`, {}, "/members")).text();
  assert.match(await visitor(tonwerk).text(link(late)), /You become a member of/u);
  const members = await invite("member@example.com");
  assert.match(members, /is a member/u);
});

test("changes of people are asked about by name, submitted, and never made by a link alone", async () => {
  const find = async () => (await tonwerk.service.store.users(account())).find(({ id }) => id === own.user);
  const account = () => tonwerk.service.first!.account_id;
  const page = (verb: string) => owner.text(`/members/${own.user}/${verb}`);
  const list = await owner.text("/members");
  assert.ok(!/<select[^>]*id="role-/u.test(list) && !list.includes("data-submits"), "no list changes a role by a key");
  for (const [verb, asks] of [
    ["role", "Make member@example.com an owner?"],
    ["disable", "Disable member@example.com?"],
    ["remove", "Remove member@example.com?"],
  ] as const) {
    const text = await page(verb);
    assert.ok(text.includes(`<h1>${asks}</h1>`), `${verb}: ${asks}`);
  }
  const before = await find();
  assert.deepEqual([before?.role, before?.disabled_at], ["member", null], "asking changes nothing");
  const send = (verb: string, values = {}) => owner.post(`/members/${own.user}/${verb}`, values, "/members");
  assert.equal((await send("role", { role: "owner" })).status, 303);
  assert.equal((await find())?.role, "owner");
  assert.match(await page("role"), /Make member@example.com a member\?/u);
  await send("role", { role: "member" });
  await send("disable");
  assert.notEqual((await find())?.disabled_at, null);
  assert.match(await owner.text("/members"), /members\/user_?\w+\/enable|\/enable/u);
  await send("enable");
  // Somebody else, so that the member of the other tests stays.
  const invited = await (await owner.post("/members", { email: "leaver@example.com", role: "member" })).text();
  const leaver = await entered(tonwerk, /http[^<]+\/dashboard\/link\?token=[\w-]+/u.exec(invited)![0]);
  const { id } = (await tonwerk.service.store.users(account())).find(({ email }) => email === "leaver@example.com")!;
  assert.equal((await owner.post(`/members/${id}/remove`, {}, "/members")).status, 303);
  assert.equal((await leaver.get("/")).status, 303, "their session has ended");
  assert.ok(!(await owner.text("/members")).includes("leaver@example.com"));
  const self = (await tonwerk.service.store.users(account())).find(({ email }) => email === "owner@example.com")!;
  assert.equal((await owner.post(`/members/${self.id}/remove`, {}, "/members")).status, 422, "an owner stays");
});

test("cancelling says what it costs before, and is no failure", async () => {
  const { store } = tonwerk.service;
  const send = async () => {
    const body = { idempotency_key: randomUUID(), prompt: "slow ambient", duration: 300 };
    const answer = await tonwerk.json("PUT", "/v1/create.new_instrumental", body);
    return (Object.values(answer.body) as { id: string }[])[0]!.id;
  };
  const [running, waiting] = [await send(), await send()];
  while ((await store.operation(running))?.started_at === null) await new Promise((resolve) => setTimeout(resolve, 20));
  const ask = (id: string) => owner.text(`/operations/${id}/cancel`);
  const cancel = (id: string, values: Readonly<Record<string, string>>) =>
    owner.post(`/operations/${id}/cancel`, values, `/operations/${id}/cancel`);

  assert.match(await ask(waiting), /Work has not begun: the 3 credits that it costs come back/u);
  await cancel(waiting, { spends: "no" });
  const free = await owner.text(`/operations/${waiting}?done=canceled`);
  assert.match(free, /badge plain">canceled/u);
  assert.match(free, /It was cancelled\. 3 credits came back/u);
  assert.ok(!free.includes("It failed") && !free.includes("badge bad"));
  assert.match(await owner.text("/usage"), new RegExp(`refund</span>[^]*?${waiting}`, "u"));

  assert.match(await ask(running), /Cancel and spend 3 credits/u);
  // Asked while it waited, answered while it runs: asked again.
  const asked_again = await cancel(running, { spends: "no" });
  assert.match(await asked_again.text(), /Work has begun meanwhile/u);
  assert.equal((await store.operation(running))?.status, "processing");
  await cancel(running, { spends: "yes" });
  const spent = await owner.text(`/operations/${running}`);
  assert.match(spent, /It was cancelled\. Work had begun: 3 credits were spent/u);
  assert.match(spent, /none came back/u);
  assert.match(await owner.text("/operations"), /badge plain">canceled/u);
});

test("operations are found by words, id, metadata and day", async () => {
  const body = { idempotency_key: randomUUID(), prompt: "a click", duration: 0.3, metadata: { project: "film" } };
  const answer = await tonwerk.json("PUT", "/v1/create.new_fx", body);
  const { id } = (Object.values(answer.body) as { id: string }[])[0]!;
  const ids = async (query: string) =>
    [...(await owner.text(`/operations?${query}`)).matchAll(/operations\/(op_[0-9a-z]{26})"/gu)].map(([, one]) => one);
  assert.deepEqual(await ids("find=project%3Dfilm"), [id]);
  assert.deepEqual(await ids("find=project%3Dother"), []);
  const by_id = await owner.get(`/operations?find=${id}`);
  assert.equal(by_id.headers.get("location"), `/dashboard/operations/${id}`);
  const today = new Date().toISOString().slice(0, 10);
  assert.ok((await ids(`from=${today}&to=${today}`)).includes(id));
  assert.deepEqual(await ids("to=2020-01-01"), []);
  assert.deepEqual(await ids("from=2999-01-01"), []);
  assert.deepEqual(await ids("find=CLICK+film"), [id]);
  assert.deepEqual(await ids("find=click+other"), []);
});

test("the audit log shows owners what was done in their account, by page, by subject and as a file", async () => {
  const key = await (await owner.post("/keys", { label: "for <b>audit</b>" })).text();
  const id = /keys\/(key_\w+)\/revoke/u.exec(key)![1]!;
  await owner.post("/settings", { name: "First account", allowlist: "", webhook_body: "envelope" });
  const page = await owner.text("/audit");
  for (const said of ["key.created", id, "owner@example.com", "127.0.0.1", "settings.changed", "operation → envelope"])
    assert.ok(page.includes(said), said);
  assert.ok(page.includes("for &lt;b&gt;audit") && !page.includes("for <b>"));
  assert.ok(!page.includes("Others"), "nothing of other accounts");
  const of_keys = await owner.text("/audit?about=key");
  assert.ok(of_keys.includes("key.created") && !of_keys.includes("settings.changed"));
  const exported = await owner.get("/audit/export");
  assert.match(
    exported.headers.get("content-disposition") ?? "",
    /attachment; filename="tonwerk-audit-[\d-]+\.ndjson"/u,
  );
  const lines = (await exported.text()).trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  const { store } = tonwerk.service;
  const account = (await store.operation(own.operation!))!.account_id;
  assert.ok(entries.every(({ account_id }) => account_id === account));
  assert.equal(entries.find(({ target }) => target === id).details.label, "for <b>audit</b>");
  assert.ok(!lines.join().includes(/tonwerk_\w{36}/u.exec(key)![0]), "and no key");
  // More than a page, and more than the export reads at once.
  const [newest] = await store.auditEntries({ account_id: account, limit: 1 });
  const { position: _, previous: __, sha256: ___, ...one } = newest!;
  const more = Array.from({ length: 600 }, (_, n) => ({ ...one, id: `aud_more_${n}`, action: "credits.granted" }));
  await Promise.all(more.map((entry) => store.audit(entry)));
  const whole = (await (await owner.get("/audit/export")).text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(whole.length, entries.length + 600);
  assert.equal(new Set(whole.map(({ position }) => position)).size, whole.length);
  const next = /\/audit\?about=credits&amp;before=\d+/u.exec(await owner.text("/audit?about=credits"))![0];
  const older = await owner.text(next.replace("&amp;", "&"));
  assert.equal(older.split("credits.granted").length - 1, 30);
  assert.ok(!(await stranger.text("/audit")).includes(id));
});

test("whatever is asked, no page fails on our side", async () => {
  const nasty = [
    "",
    "x",
    "../..",
    "%00",
    "%2e%2e%2f",
    "op_",
    "-1",
    "9".repeat(30),
    "constructor",
    "__proto__",
    "é",
    "a".repeat(3000),
  ];
  const queries = [
    "?before=x",
    "?before=op_zzzzzzzzzzzzzzzzzzzzzzzzzz",
    "?action=%00&status=%ff",
    "?days=0",
    "?example=99",
    "?example=constructor",
    "?again=x",
    "?to=//evil.example",
    "?token=%00",
    "?state=__proto__",
  ];
  for (const { method, path } of routes) {
    if (method !== "GET") continue;
    const variants = path.includes(":")
      ? nasty.map((text) => path.replace(/:\w+/gu, text))
      : queries.map((query) => path + query);
    for (const variant of variants) {
      const response = await owner.get(variant.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent));
      assert.ok(response.status < 500, `${variant}: ${response.status}`);
      assert.match(response.headers.get("content-type") ?? "text/html", /html|json|audio|png|csv/u);
      await response.body?.cancel();
    }
  }
  for (const body of ["", "=", "%", "a=%ff", "csrf", "x".repeat(200_000)]) {
    for (const type of [
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "multipart/form-data; boundary=x",
      "text/plain",
    ]) {
      const response = await owner.raw("POST", "/playground/create.new_fx", body, { "content-type": type });
      assert.ok(response.status >= 400 && response.status < 500, `${type}: ${response.status}`);
    }
  }
});

test("a picture is kept beside its audio until the sweep takes it, and drawn again for who looks then", async () => {
  const { bucket, store, clock, log } = tonwerk.service;
  const audio = `op/${own.operation}/1/0.flac`;
  const path = `/operations/${own.operation}/outputs/0/pictures/spectrogram-1x`;
  const first = new Uint8Array(await (await owner.get(path)).arrayBuffer());
  const kept = await bucket.stat(`${audio}.spectrogram-1x.png`);
  assert.equal(kept?.bytes, first.length);
  const later = { ...clock, now: () => clock.now() + 25 * 3_600_000 };
  const swept = await sweepOrphans({ bucket, store, clock: later, log } as never);
  assert.ok(swept >= 6, `${swept} pictures of one output`);
  assert.equal(await bucket.stat(`${audio}.spectrogram-1x.png`), undefined);
  assert.ok((await bucket.stat(audio)) !== undefined, "the audio stays");
  assert.deepEqual(new Uint8Array(await (await owner.get(path)).arrayBuffer()), first);
});

test("a browser that opens the bare address comes to the dashboard, a program does not", async () => {
  const open = (accept: string) => tonwerk.call("GET", "/", undefined, { accept });
  const person = await open("text/html,application/xhtml+xml,*/*;q=0.8");
  assert.deepEqual([person.status, person.headers.get("location")], [303, "dashboard"]);
  assert.equal((await open("*/*")).status, 404);
});

test("pages and answers carry the headers that keep them to themselves", async () => {
  for (const path of ["/", "/sign-in", "/nothing", "/keys"]) {
    const { headers } = await owner.get(path);
    assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self'/u, path);
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "same-origin");
  }
  const picture = await owner.get(`/operations/${own.operation}/outputs/0/pictures/waveform-light-1x`);
  assert.equal(picture.headers.get("content-type"), "image/png");
  assert.match(picture.headers.get("cache-control") ?? "", /^private/u);
  const wrong = await owner.get("/keys", { host: "evil.example" });
  assert.equal(wrong.status, 421);
  assert.ok(!(await wrong.text()).includes("owner@example.com"), "who is signed in is not told to another host");
});
