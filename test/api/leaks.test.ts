/** Leak reports from the partner's signed POST to the mail that an SMTP server took. */
import assert from "node:assert/strict";
import { createHash, createSign, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { leakKeysOf } from "../../plugins/dashboard/leaks/signature.ts";
import { addUser } from "../add_user.ts";
import { type Mailbox, openMailbox } from "../mailbox.ts";
import { freePort } from "../process.ts";
import { adminOf, sessionsOf, startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

const partner = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = partner.publicKey.export({ type: "spki", format: "pem" });
/** As GitHub lists its keys. */
const LEAK_KEYS = JSON.stringify({ public_keys: [{ key_identifier: "key-1", key: pem, is_current: true }] });

let tonwerk: TestService;
let port: number;
let mailbox: Mailbox;
before(async () => {
  port = await freePort();
  mailbox = await openMailbox(port);
  tonwerk = await startTestService({
    env: {
      TONWERK_ROLE: "api",
      TONWERK_LEAK_KEYS: LEAK_KEYS,
      TONWERK_SMTP_URL: `smtp://mailer:p%40ss@127.0.0.1:${port}`,
      TONWERK_MAIL_FROM: "tonwerk@example.com",
    },
  });
});
after(async () => {
  await tonwerk.stop();
  await mailbox.close();
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

async function report(
  body: string,
  {
    key_id = "key-1",
    by = partner.privateKey,
    signature = createSign("sha256").update(body).sign(by, "base64"),
    on = tonwerk,
  } = {},
) {
  const response = await on.service.app(
    new Request("http://127.0.0.1/leaks", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "github-public-key-identifier": key_id,
        "github-public-key-signature": signature,
      },
      body,
    }),
    { address: "192.0.2.1" },
  );
  return { status: response.status, body: await response.json() };
}

const leak = (token: string, url = "https://git.example/a/b.txt", more: object = {}) =>
  JSON.stringify([{ token, type: "tonwerk_api_key", url, source: "content", ...more }]);

async function addOwner(account_id: string, email: string): Promise<void> {
  const user = { id: `usr_${email}`, account_id, email, role: "owner", password: "p" } as const;
  assert.equal(await addUser(tonwerk.service.store, { ...user, created_at: Date.now() }), "redeemed");
}

test("a report of a live key is recorded, its owners are mailed, and the key lives until they revoke it", async () => {
  const { store } = tonwerk.service;
  const admin = adminOf(tonwerk.service);
  const { account, key } = await admin.createAccount({ name: "Ada's studio", credits: 5 });
  await addOwner(account.id, "ada@example.com");
  await addOwner(account.id, "bob@example.com");
  const answer = await report(leak(key.plain));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, [
    { token_hash: sha256(key.plain), token_type: "tonwerk_api_key", label: "true_positive" },
  ]);
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes("ada@example.com")));
  assert.deepEqual([...mail.to].sort(), ["ada@example.com", "bob@example.com"]);
  assert.equal(mail.from, "tonwerk@example.com");
  assert.equal(mail.user, "mailer");
  assert.match(mail.text, /Subject: An API key of Ada's studio was found in public/);
  assert.ok(
    mail.text.includes(`ending in ${key.plain.slice(-4)}`) && mail.text.includes("https://git.example/a/b.txt"),
  );
  assert.ok(!mail.text.includes(key.plain), "the mail must not leak it again");
  assert.ok(!tonwerk.logged.join().includes(key.plain));
  const [recorded] = await store.leaks(account.id, { limit: 9 });
  assert.deepEqual(
    { ...recorded, id: "", created_at: 0 },
    {
      id: "",
      account_id: account.id,
      key_id: key.id,
      source: "content",
      url: "https://git.example/a/b.txt",
      created_at: 0,
      revoked: false,
      closed_at: null,
    },
  );
  assert.equal((await callWith(key.plain)).status, 200);
  // The same place again is no news, another place is; nobody is mailed twice for one.
  assert.equal((await report(leak(key.plain))).body[0].label, "true_positive");
  await report(leak(key.plain, ""));
  await until(() => mailbox.mails.filter(({ to }) => to.includes("ada@example.com")).length === 2);
  assert.equal((await store.leaks(account.id, { limit: 9 })).length, 2);
});

test("an account that chose it has the key revoked at once", async () => {
  const { store } = tonwerk.service;
  const admin = adminOf(tonwerk.service);
  const { account, key } = await admin.createAccount({ name: "Strict", credits: 0, settings: { revoke_leaked: true } });
  await addOwner(account.id, "strict@example.com");
  assert.equal((await callWith(key.plain)).status, 200);
  assert.equal((await report(leak(key.plain))).body[0].label, "true_positive");
  assert.equal((await callWith(key.plain)).status, 401);
  assert.equal((await store.leaks(account.id, { limit: 1 }))[0]?.revoked, true);
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes("strict@example.com")));
  assert.match(mail.text, /were revoked/);
});

test("many reports are answered in order, in one mail, and unknown or malformed ones are false positives", async () => {
  const admin = adminOf(tonwerk.service);
  const { account, key } = await admin.createAccount({
    name: "Many\r\nBcc: eve@example.com".replace(/\s+/g, " "),
    credits: 0,
  });
  await addOwner(account.id, "many@example.com");
  const valid = newApiKey();
  const broken = `${key.plain.slice(0, -1)}${key.plain.endsWith("0") ? "1" : "0"}`;
  const tokens = [
    valid,
    key.plain,
    broken,
    "tonwerk_short",
    "",
    "ghp_x",
    key.plain.toLowerCase(),
    "😀".repeat(3_000),
    key.plain,
  ];
  const body = JSON.stringify(
    tokens.map((token, i) => ({ token, type: `t${i}`, url: `https://git.example/${i}`, extra: { later: true } })),
  );
  const answer = await report(body);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    answer.body,
    tokens.map((token, i) => ({
      token_hash: sha256(token),
      token_type: `t${i}`,
      label: token === key.plain ? "true_positive" : "false_positive",
    })),
  );
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes("many@example.com")));
  assert.ok(mail.text.includes("https://git.example/1") && mail.text.includes("https://git.example/8"));
  assert.equal(mailbox.mails.filter(({ to }) => to.includes("many@example.com")).length, 1);
  // Revoked ones are nobody's any more.
  await admin.revokeKey(account.id, key.id);
  assert.equal((await report(leak(key.plain, "https://git.example/late"))).body[0].label, "false_positive");
});

test("what is not signed by a known key over these very bytes is a 403, and nothing is recorded", async () => {
  const { store } = tonwerk.service;
  const admin = adminOf(tonwerk.service);
  const { account, key } = await admin.createAccount({ name: "Safe", credits: 0 });
  const body = leak(key.plain);
  const good = createSign("sha256").update(body).sign(partner.privateKey, "base64");
  const cases = [
    { by: stranger.privateKey },
    { key_id: "key-2" },
    { key_id: "" },
    { key_id: "__proto__" },
    { signature: "" },
    { signature: "x" },
    { signature: "AAAA" },
    { signature: `${good}AAAA` },
    { signature: createSign("sha256").update(`${body} `).sign(partner.privateKey, "base64") },
    { signature: createSign("sha512").update(body).sign(partner.privateKey, "base64") },
    {
      signature: createSign("sha256")
        .update(body)
        .sign({ key: partner.privateKey, dsaEncoding: "ieee-p1363" }, "base64"),
    },
  ];
  for (const one of cases) assert.equal((await report(body, one)).status, 403, JSON.stringify(one));
  const bare = await tonwerk.service.app(new Request("http://127.0.0.1/leaks", { method: "POST", body }), {
    address: "192.0.2.1",
  });
  assert.equal(bare.status, 403);
  assert.deepEqual(await store.leaks(account.id, { limit: 9 }), []);
  assert.equal((await report(body, { signature: good })).status, 200);
});

test("signed nonsense is a 422, too much a 413, another method a 405", async () => {
  for (const body of [
    "",
    "x",
    "{}",
    "[]",
    "[1]",
    '[{"token":"a"}]',
    '[{"token":1,"type":"a"}]',
    '[{"token":"\\u0000"',
  ]) {
    assert.equal((await report(body)).status, 422, body);
  }
  assert.equal((await report(`[${" ".repeat(4_000_001)}]`)).status, 413);
  const other = await tonwerk.service.app(new Request("http://127.0.0.1/leaks"), { address: "192.0.2.1" });
  assert.equal(other.status, 405);
  assert.equal(other.headers.get("allow"), "POST");
});

test("a mail server that is away or refuses delays the mail, over a restart too", async () => {
  const quiet_port = await freePort();
  const env = {
    TONWERK_ROLE: "api",
    TONWERK_LEAK_KEYS: LEAK_KEYS,
    TONWERK_SMTP_URL: `smtp://mailer:p%40ss@127.0.0.1:${quiet_port}`,
  };
  const first = await startTestService({ env });
  const { store } = first.service;
  const admin = adminOf(first.service);
  const { account, key } = await admin.createAccount({ name: "Late", credits: 0 });
  const user = {
    id: "usr_1",
    account_id: account.id,
    email: "late@example.com",
    role: "owner",
    password: "p",
  } as const;
  await addUser(store, { ...user, created_at: Date.now() });
  const refusing = await openMailbox(quiet_port, true);
  assert.equal((await report(leak(key.plain), { on: first })).status, 200);
  await until(() => first.logged.some((line) => line.includes("leak.mail_failed")));
  await refusing.close();
  await first.service.drain(1_000);
  await first.service.close();
  // The next try is due a minute after the first; a clock that is ahead comes there at once.
  const working = await openMailbox(quiet_port);
  const ahead = Date.now() + 61_000;
  const start = Date.now();
  const later = await startTestService({
    env,
    data: first.data,
    clock: {
      now: () => ahead + Date.now() - start,
      after: first.service.clock.after,
    },
  });
  const mail = await until(() => working.mails[0]);
  assert.deepEqual(mail.to, ["late@example.com"]);
  assert.equal(mail.from, "tonwerk@127.0.0.1");
  await later.stop();
  await first.stop();
  await working.close();
});

test("keys that are none stop the start by name, and the next start still makes the first account", async () => {
  const ed25519 = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
  for (const wrong of ["x", "{}", "[]", '{"a":"b"}', '{"a":1}', JSON.stringify({ a: ed25519 })])
    assert.throws(() => leakKeysOf({ leak_keys: wrong }), /TONWERK_LEAK_KEYS must be JSON of PEM public keys on P-256/);
  assert.deepEqual([...(leakKeysOf({ leak_keys: JSON.stringify({ a: pem }) }) ?? []).keys()], ["a"]);
  const data = await mkdtemp(join(tmpdir(), "tonwerk-leaks-"));
  const start = (keys: string) => startTestService({ data, env: { TONWERK_ROLE: "api", TONWERK_LEAK_KEYS: keys } });
  await assert.rejects(start("{}"), /TONWERK_LEAK_KEYS must be JSON/);
  const right = await start(LEAK_KEYS);
  assert.equal(right.service.first?.credits, 1000);
  await right.stop();
  await rm(data, { recursive: true, force: true });
});

test("without keys every report is refused, and without mail reports are recorded all the same", async () => {
  const bare = await startTestService({ env: { TONWERK_ROLE: "api" } });
  const mute = await startTestService({ env: { TONWERK_ROLE: "api", TONWERK_LEAK_KEYS: LEAK_KEYS } });
  try {
    assert.equal((await report(leak(bare.key), { on: bare })).status, 403);
    assert.equal((await report(leak(mute.key), { on: mute })).body[0].label, "true_positive");
    const [account] = await mute.service.store.accounts({ limit: 1 });
    assert.equal((await mute.service.store.leaks(account?.id ?? "", { limit: 9 })).length, 1);
    assert.deepEqual(await mute.service.store.claimLeakMails(Date.now(), 1_000, 9), []);
    assert.equal(sessionsOf(mute.service).can_mail, false);
    assert.equal(sessionsOf(tonwerk.service).can_mail, true);
  } finally {
    await bare.stop();
    await mute.stop();
  }
});

test("a mail server that hangs up is an error, not a hang", async () => {
  const { createMailer } = await import("../../plugins/dashboard/people/mail.ts");
  const rude = createServer((socket) => void socket.on("error", () => undefined).destroy());
  await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
  const address = rude.address();
  assert.ok(typeof address === "object" && address !== null);
  const mailer = createMailer({
    smtp_url: `smtp://127.0.0.1:${address.port}`,
    mail_from: null,
    base_url: "http://127.0.0.1:1",
  });
  await assert.rejects(mailer!.send({ to: ["a@example.com"], subject: "x", text: "x" }));
  await new Promise((resolve) => rude.close(resolve));
});

test("a sender that is no address stops the start, with or without a mail server", async () => {
  for (const TONWERK_MAIL_FROM of ["me", "a@b@c.de", "Ada <a@b.de>"])
    for (const TONWERK_SMTP_URL of ["", "smtp://127.0.0.1:9"])
      await assert.rejects(
        startTestService({ env: { TONWERK_MAIL_FROM, TONWERK_SMTP_URL } }),
        /TONWERK_MAIL_FROM must be an e-mail address/u,
      );
});

async function callWith(key: string): Promise<Response> {
  return tonwerk.service.app(
    new Request("http://127.0.0.1/v1/account", { headers: { authorization: `Bearer ${key}` } }),
    { address: "192.0.2.1" },
  );
}
