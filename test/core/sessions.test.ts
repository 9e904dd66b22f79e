import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../core/base/errors.ts";
import { verifyAudit } from "../../plugins/administration/audit_chain.ts";
import type { FormRefused } from "../../plugins/dashboard/people/members.ts";
import { PERMISSIONS, type Permission } from "../../plugins/dashboard/people/roles.ts";
import type { Entered } from "../../plugins/dashboard/people/session_types.ts";
import { hashToken, newToken } from "../../plugins/dashboard/people/sign_in_links.ts";
import { until } from "../until.ts";
import { cookieOf, entered, openSessions, PASSWORD, type SessionsHarness, tokenOf, visit } from "./sessions_harness.ts";

async function withSessions(
  run: (h: SessionsHarness) => Promise<void>,
  options: { mail?: boolean } = {},
): Promise<void> {
  const h = await openSessions(options);
  try {
    await run(h);
  } finally {
    await h.close();
  }
}

const why = (outcome: Entered | FormRefused): string => (outcome.kind === "refused" ? outcome.why : outcome.kind);
const DAY_MS = 86_400_000;

async function status(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

test("a first link makes the owner, signs them in, and works once", () =>
  withSessions(async (h) => {
    await h.store.createAccount({ id: "acc_a", name: "Ada's", credits: 0, created_at: h.clock.now() });
    const token = await h.link("acc_a");
    const shown = { kind: "new_user", account_name: "Ada's", email: null, role: "owner" };
    assert.deepEqual(await h.sessions.invitation(token), shown);
    assert.deepEqual(await h.sessions.invitation(token), shown, "looking does not use it up");
    const redeem = (email: string, password: string) => h.sessions.redeem(visit(), token, { email, password });
    assert.equal(why(await redeem("no address", PASSWORD)), "email");
    assert.equal(why(await redeem("ada@example.com", "short")), "password");
    const outcome = await redeem(" Ada@Example.com ", PASSWORD);
    assert.ok(outcome.kind === "entered");
    assert.equal(outcome.user.email, "ada@example.com");
    assert.equal(outcome.user.role, "owner");
    const signed_in = await h.sessions.current(visit(entered(outcome)).request);
    assert.equal(signed_in?.user.id, outcome.user.id);
    assert.equal(signed_in?.account.id, "acc_a");
    assert.equal(await h.sessions.invitation(token), undefined);
    assert.equal(why(await redeem("eve@example.com", PASSWORD)), "gone");
    const stored = JSON.stringify([await h.store.users("acc_a"), signed_in]);
    assert.ok(!stored.includes(PASSWORD) && !stored.includes(token));
  }));

test("a link ends with its time, and unknown and malformed ones were never any", () =>
  withSessions(async (h) => {
    await h.store.createAccount({ id: "acc_a", name: "A", credits: 0, created_at: h.clock.now() });
    const token = await h.link("acc_a");
    h.clock.advance(3_600_000);
    for (const wrong of [token, newToken(), "", "x", "../..", "é".repeat(43)]) {
      assert.equal(await h.sessions.invitation(wrong), undefined, wrong);
      const outcome = await h.sessions.redeem(visit(), wrong, { email: "a@b.test", password: PASSWORD });
      assert.equal(why(outcome), "gone", wrong);
    }
    assert.deepEqual(await h.store.users("acc_a"), []);
  }));

test("signing in gives a fresh session each time, and ends the one that the browser brought", () =>
  withSessions(async (h) => {
    const { user_id } = await h.addUser("ada@example.com");
    const form = { email: "ADA@example.com", password: PASSWORD };
    // Fixation: a session that an attacker planted, of their own or made up, is never what the victim is signed in with.
    await h.addUser("eve@example.com");
    const planted = entered(await h.sessions.signIn(visit(), { email: "eve@example.com", password: PASSWORD }));
    const made_up = `__Host-tonwerk_session=${newToken()}`;
    for (const before of [planted, made_up]) {
      const outcome = await h.sessions.signIn(visit(before), form);
      const cookie = entered(outcome);
      assert.notEqual(cookie, before);
      assert.equal((await h.sessions.current(visit(cookie).request))?.user.id, user_id);
      assert.equal(await h.sessions.current(visit(before).request), undefined);
    }
    const [one, two] = [
      entered(await h.sessions.signIn(visit(), form)),
      entered(await h.sessions.signIn(visit(), form)),
    ];
    assert.notEqual(one, two);
    assert.ok(await h.sessions.current(visit(one).request), "another browser's session goes on");
  }));

test("the store has the hash of a session alone", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const cookie = entered(await h.sessions.signIn(visit(), { email: "ada@example.com", password: PASSWORD }));
    const value = /tonwerk_session=([^;]+)/u.exec(cookie)![1]!;
    assert.match(value, /^[A-Za-z0-9_-]{43}$/);
    assert.ok(await h.store.findSession(hashToken(value)));
    assert.equal(await h.sessions.current(visit(`__Host-tonwerk_session=${hashToken(value)}`).request), undefined);
    assert.ok(!h.logged.join().includes(value));
  }));

test("unknown, disabled, invited and wrong are one text, one status, one amount of work", () =>
  withSessions(async (h) => {
    const { account_id, user_id } = await h.addUser("disabled@example.com", "member");
    await h.store.updateUser(account_id, user_id, { disabled_at: h.clock.now() });
    await h.addUser("ada@example.com");
    const by = await ownerOf(h);
    await h.sessions.invite(by, { email: "invited@example.com", role: "member" });
    const tries = [
      ["nobody@example.com", PASSWORD],
      ["disabled@example.com", PASSWORD],
      ["invited@example.com", PASSWORD],
      ["invited@example.com", ""],
      ["ada@example.com", "wrong password here"],
      ["not an address", PASSWORD],
      ["ada@example.com", "x".repeat(10_000)],
    ] as const;
    const answers = new Set<string>();
    for (const [email, password] of tries) {
      const before = h.checks();
      answers.add(
        JSON.stringify(await h.sessions.signIn(visit("", `192.0.2.${answers.size + 1}`), { email, password })),
      );
      assert.equal(h.checks() - before, 1, email);
    }
    assert.equal(answers.size, 1, [...answers].join("\n"));
  }));

test("guessing is limited for each name, known or not, and for each address", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const attempt = (email: string, address: string, password = "wrong password here") =>
      h.sessions.signIn(visit("", address), { email, password });
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      for (let i = 0; i < 5; i++) assert.equal(why(await attempt(email, "192.0.2.1")), "credentials");
      const limited = await attempt(email, "192.0.2.1", PASSWORD);
      assert.ok(limited.kind === "refused" && limited.why === "limited", "also the right password");
      assert.equal(limited.retry_seconds, 120);
      // Three more addresses use up what a name has for all of them together.
      for (let i = 0; i < 15; i++) assert.equal(why(await attempt(email, `192.0.2.${2 + (i % 3)}`)), "credentials");
      const spent = await attempt(email, "192.0.2.99", PASSWORD);
      assert.ok(spent.kind === "refused" && spent.why === "limited");
      assert.equal(spent.retry_seconds, 30);
    }
    // The work is not done then: who guesses costs nothing.
    const before = h.checks();
    await attempt("ada@example.com", "192.0.2.98");
    assert.equal(h.checks(), before);
    h.clock.advance(30_000);
    assert.equal(why(await attempt("ada@example.com", "192.0.2.97", PASSWORD)), "entered");

    for (let i = 0; i < 20; i++) assert.equal(why(await attempt(`u${i}@example.com`, "2001:db8::1")), "credentials");
    assert.equal(why(await attempt("u20@example.com", "2001:db8::ffff")), "limited", "one /64 is one household");
    assert.equal(why(await attempt("u20@example.com", "2001:db8:0:1::1")), "credentials");
  }));

test("a stranger's wrong tries keep out nobody at another address", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const attempt = (address: string, password: string) =>
      h.sessions.signIn(visit("", address), { email: "ada@example.com", password });
    for (let i = 0; i < 50; i++) await attempt("203.0.113.9", "wrong password here");
    assert.equal(why(await attempt("203.0.113.9", PASSWORD)), "limited");
    assert.equal(why(await attempt("192.0.2.1", PASSWORD)), "entered");
  }));

test("a browser that signed in before is let in whatever strangers try, until the password changes", () =>
  withSessions(async (h) => {
    const { account_id, user_id } = await h.addUser("ada@example.com");
    await h.addUser("eve@example.com");
    const signIn = (cookie: string, email: string, password = PASSWORD, address = "192.0.2.1") =>
      h.sessions.signIn(visit(cookie, address), { email, password });
    const first = await signIn("", "ada@example.com");
    assert.ok(first.kind === "entered");
    const set = first.cookies.find((one) => one.includes("tonwerk_device"))!;
    assert.match(
      set,
      /^__Host-tonwerk_device=[\w-]{22}\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    );
    const device = cookieOf([set]);
    assert.ok(!(await h.sessions.signOut(visit(entered(first)))).join().includes("device"), "it stays");
    // Hundreds of addresses use up all that the name has, again and again.
    const attack = async () => {
      for (let i = 0; i < 300; i++) await signIn("", "ada@example.com", "wrong password here", `203.0.113.${i % 250}`);
    };
    await attack();
    assert.equal(why(await signIn("", "ada@example.com", PASSWORD, "192.0.2.2")), "limited");
    assert.equal(why(await signIn(device, "ada@example.com")), "entered");
    // It is worth something for its own user alone, and as it was made.
    const others = [
      entered(await signIn("", "eve@example.com", PASSWORD, "192.0.2.3")),
      device.replace(/=./u, (text) => (text === "=A" ? "=B" : "=A")),
      `${device}A`,
      device.slice(0, -1),
    ];
    for (const cookie of others)
      assert.equal(why(await signIn(cookie, "ada@example.com", PASSWORD, "192.0.2.4")), "limited", cookie);
    // A browser guesses no faster than a stranger, and costs nobody else a try.
    for (let i = 0; i < 9; i++) assert.equal(why(await signIn(device, "ada@example.com", "wrong here")), "credentials");
    assert.equal(why(await signIn(device, "ada@example.com", PASSWORD, "192.0.2.5")), "limited");
    h.clock.advance(600_000);
    await attack();
    assert.equal(why(await signIn(device, "ada@example.com")), "entered");
    await h.store.updateUser(account_id, user_id, { password: `${(await h.store.user(user_id))!.password}x` });
    assert.equal(why(await signIn(device, "ada@example.com", PASSWORD, "192.0.2.6")), "limited", "a new password");
  }));

test("a session ends after three days without a request, and after fourteen with them", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const signIn = async () =>
      entered(await h.sessions.signIn(visit(), { email: "ada@example.com", password: PASSWORD }));
    const idle = await signIn();
    h.clock.advance(3 * DAY_MS - 1);
    assert.ok(await h.sessions.current(visit(idle).request));
    const unused = await signIn();
    h.clock.advance(3 * DAY_MS);
    assert.equal(await h.sessions.current(visit(unused).request), undefined);
    const used = await signIn();
    for (let day = 0; day < 13; day++) {
      h.clock.advance(DAY_MS);
      assert.ok(await h.sessions.current(visit(used).request), `day ${day}`);
      // Written beside the answer: wait until it is.
      await h.store.health();
    }
    h.clock.advance(DAY_MS);
    assert.equal(await h.sessions.current(visit(used).request), undefined);
  }));

test("forms need the token of their session, or of their visitor before there is one", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    await h.addUser("eve@example.com");
    const of = async (email: string) => {
      const cookie = entered(await h.sessions.signIn(visit(), { email, password: PASSWORD }));
      const csrf = (await h.sessions.current(visit(cookie).request))?.csrf ?? "";
      return { cookie, csrf };
    };
    const [ada, eve] = [await of("ada@example.com"), await of("eve@example.com")];
    const visitor = await h.sessions.formToken(visit().request);
    const own = cookieOf(visitor.cookies);
    assert.deepEqual(await h.sessions.formToken(visit(own).request), { csrf: visitor.csrf, cookies: [] });
    assert.equal((await h.sessions.formToken(visit(ada.cookie).request)).csrf, ada.csrf);
    const table: readonly [cookie: string, token: string | null, status: number][] = [
      [ada.cookie, ada.csrf, 200],
      [ada.cookie, eve.csrf, 403],
      [ada.cookie, null, 403],
      [ada.cookie, "", 403],
      [ada.cookie, visitor.csrf, 403],
      [`${ada.cookie}; ${own}`, visitor.csrf, 403],
      [own, visitor.csrf, 200],
      [own, ada.csrf, 403],
      ["", visitor.csrf, 403],
      ["", null, 403],
    ];
    for (const [cookie, token, expected] of table) {
      assert.equal(await status(h.sessions.checkForm(visit(cookie).request, token)), expected, `${cookie} ${token}`);
    }
    const foreign = visit(ada.cookie, "192.0.2.1", { origin: "https://evil.example" }).request;
    assert.equal(await status(h.sessions.checkForm(foreign, ada.csrf)), 403);
    await h.sessions.signOut(visit(ada.cookie));
    assert.equal(await status(h.sessions.checkForm(visit(ada.cookie).request, ada.csrf)), 403);
  }));

test("signing out ends the session for good", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const cookie = entered(await h.sessions.signIn(visit(), { email: "ada@example.com", password: PASSWORD }));
    const cleared = await h.sessions.signOut(visit(cookie));
    assert.ok(cleared.length === 2 && cleared.every((one) => /=; .*Max-Age=0$/.test(one)));
    assert.equal(await h.sessions.current(visit(cookie).request), undefined);
    assert.equal(await status(h.sessions.require(visit(cookie).request, "read")), 401);
    assert.equal((await h.sessions.signOut(visit())).length, 2);
  }));

test("a role may exactly what its row says", () =>
  withSessions(async (h) => {
    const { account_id } = await h.addUser("owner@example.com", "owner");
    await h.addUser("member@example.com", "member", account_id);
    const rights: Readonly<Record<string, readonly Permission[]>> = {
      owner: ["read", "run", "keys", "secrets", "settings", "members", "audit"],
      member: ["read", "run"],
    };
    assert.deepEqual(PERMISSIONS, rights);
    for (const [role, granted] of Object.entries(rights)) {
      const cookie = entered(await h.sessions.signIn(visit(), { email: `${role}@example.com`, password: PASSWORD }));
      for (const permission of rights.owner ?? []) {
        const expected = granted.includes(permission) ? 200 : 403;
        assert.equal(
          await status(h.sessions.require(visit(cookie).request, permission)),
          expected,
          `${role} ${permission}`,
        );
      }
    }
    assert.equal(await status(h.sessions.require(visit().request, "read")), 401);
    // A change counts with the next request.
    const cookie = entered(await h.sessions.signIn(visit(), { email: "member@example.com", password: PASSWORD }));
    await h.store.updateUser(account_id, "usr_member@example.com", { role: "owner" });
    assert.equal(await status(h.sessions.require(visit(cookie).request, "keys")), 200);
  }));

test("members cannot invite, change or remove anybody, and owners nobody of another account", () =>
  withSessions(async (h) => {
    const { account_id } = await h.addUser("owner@example.com", "owner");
    await h.addUser("member@example.com", "member", account_id);
    const foreign = await h.addUser("foreign@example.com", "owner");
    const as = async (email: string) => {
      const cookie = entered(await h.sessions.signIn(visit(), { email, password: PASSWORD }));
      return (await h.sessions.current(visit(cookie).request))!;
    };
    const member = await as("member@example.com");
    const target = "usr_owner@example.com";
    for (const act of [
      () => h.sessions.invite(member, { email: "x@example.com", role: "owner" }),
      () => h.sessions.inviteAgain(member, "inv_x"),
      () => h.sessions.withdraw(member, "inv_x"),
      () => h.sessions.makePasswordLink(member, target),
      () => h.sessions.changeMember(member, target, { disabled: true }),
      () => h.sessions.removeMember(member, target),
    ]) {
      assert.equal(await status(act()), 403);
    }
    const owner = await as("owner@example.com");
    for (const act of [
      () => h.sessions.makePasswordLink(owner, foreign.user_id),
      () => h.sessions.changeMember(owner, foreign.user_id, { role: "member" }),
      () => h.sessions.removeMember(owner, foreign.user_id),
    ]) {
      assert.equal(why((await act()) as FormRefused), "unknown");
    }
    assert.deepEqual(
      (await h.sessions.members(owner)).map(({ email }) => email),
      ["member@example.com", "owner@example.com"],
    );
    assert.ok(!JSON.stringify(await h.sessions.members(owner)).includes("scrypt"));
    assert.equal(
      why((await h.sessions.changeMember(owner, owner.user.id, { role: "member" })) as FormRefused),
      "last_owner",
    );
    assert.equal(why((await h.sessions.removeMember(owner, owner.user.id)) as FormRefused), "last_owner");
  }));

async function ownerOf(h: SessionsHarness, email = "owner@example.com") {
  await h.addUser(email, "owner");
  const cookie = entered(await h.sessions.signIn(visit(), { email, password: PASSWORD }));
  return (await h.sessions.current(visit(cookie).request))!;
}

test("an invitation is mailed, lets its reader in once, and its user is who was invited", () =>
  withSessions(async (h) => {
    const owner = await ownerOf(h);
    const invite = (email: string) => h.sessions.invite(owner, { email, role: "member" });
    assert.equal(why((await invite("x")) as FormRefused), "email");
    assert.equal(why((await invite("owner@example.com")) as FormRefused), "taken", "of the own members");
    const invited = await invite("Bob@example.com");
    assert.ok(invited.kind === "invited" && invited.mailed);
    assert.equal(invited.url, null, "it is for who reads the mail");
    assert.deepEqual(h.mails[0]?.to, ["bob@example.com"]);
    assert.equal(await h.store.findUser("bob@example.com"), undefined, "nobody yet");
    const [first, open] = [tokenIn(h.mails[0]!), (await h.sessions.invitations(owner))[0]!];
    assert.deepEqual([open.email, open.role, open.invited_by], ["bob@example.com", "member", owner.user.id]);
    assert.deepEqual(await h.sessions.invitation(first), {
      kind: "new_user",
      account_name: owner.account.name,
      email: "bob@example.com",
      role: "member",
    });
    h.clock.advance(1_000);
    assert.equal((await h.sessions.inviteAgain(owner, open.id)).kind, "invited");
    assert.equal(await h.sessions.invitation(first), undefined, "the newer link replaced it");
    const token = tokenIn(h.mails[1]!);
    const form = { email: "eve@example.com", password: PASSWORD };
    const outcome = await h.sessions.redeem(visit(), token, form);
    assert.ok(outcome.kind === "entered");
    assert.deepEqual([outcome.user.email, outcome.user.role], ["bob@example.com", "member"]);
    assert.equal(why(await h.sessions.redeem(visit(), token, form)), "gone");
    assert.deepEqual(await h.sessions.invitations(owner), []);
    // Nobody else's name was made up on the way, and nothing of it is in the log.
    assert.equal(await h.store.findUser("eve@example.com"), undefined);
    assert.ok(!h.logged.join().includes(token));
  }));

test("who invites is not told who is a user, and sends no text of theirs", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const owner = await ownerOf(h);
    await h.store.label("account", owner.account.id, owner.account.id, "You won: http://evil.example/");
    const by = { ...owner, account: { ...owner.account, name: "You won: http://evil.example/" } };
    const answers = new Set<string>();
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      answers.add(JSON.stringify(await h.sessions.invite(by, { email, role: "owner" })));
    }
    assert.equal(answers.size, 1, [...answers].join("\n"));
    const plain = h.mails.map(({ subject, text }) => `${subject} ${text.replaceAll(/token=\S+/gu, "")}`);
    assert.equal(new Set(plain).size, 1, "nor does the mail say it");
    assert.ok(!/won|evil/u.test(JSON.stringify(h.mails)));
    const listed = (await h.sessions.invitations(by)).map(({ email }) => email);
    assert.deepEqual(listed.sort(), ["ada@example.com", "nobody@example.com"]);
    // Only who opens the link in the mailbox learns it.
    const token = tokenIn(h.mails[0]!);
    assert.equal((await h.sessions.invitation(token))?.kind, "taken");
    assert.equal(why(await h.sessions.redeem(visit(), token, { password: PASSWORD })), "taken");
    assert.equal((await h.sessions.invitation(tokenIn(h.mails[1]!)))?.kind, "new_user");
  }));

test("an invitation blocks nobody's address: several accounts may invite it, and the first that is opened counts", () =>
  withSessions(async (h) => {
    const [one, other] = [await ownerOf(h), await ownerOf(h, "other@example.com")];
    for (const by of [one, other]) {
      assert.equal((await h.sessions.invite(by, { email: "bob@example.com", role: "member" })).kind, "invited");
    }
    const [of_one, of_other] = h.mails.map(tokenIn);
    const bob = await h.sessions.redeem(visit(), of_other!, { password: PASSWORD });
    assert.ok(bob.kind === "entered" && bob.user.account_id === other.account.id);
    assert.equal(why(await h.sessions.redeem(visit(), of_one!, { password: PASSWORD })), "taken");
  }));

test("invitations are few: of an account, to an address, and open at a time", () =>
  withSessions(async (h) => {
    const owner = await ownerOf(h);
    const invite = (email: string) => h.sessions.invite(owner, { email, role: "member" });
    const answers: string[] = [];
    for (let i = 0; i < 60; i++) answers.push(why((await invite(`u${i}@example.com`)) as FormRefused));
    assert.equal(h.mails.length, 10);
    assert.deepEqual(new Set(answers.slice(10)), new Set(["limited"]));
    const open = (await h.sessions.invitations(owner))[0]!;
    assert.equal(why((await h.sessions.inviteAgain(owner, open.id)) as FormRefused), "limited", "sending again is one");
    h.clock.advance(3_600_000);
    for (let i = 0; i < 3; i++) await h.sessions.inviteAgain(owner, open.id);
    const again = await h.sessions.inviteAgain(owner, open.id);
    assert.ok(again.kind === "refused" && again.why === "limited" && again.retry_seconds === 1_200);
    assert.equal(h.mails.length, 13);
    for (let i = 0; i < 10; i++) {
      h.clock.advance(3_600_000);
      await invite(`v${i}@example.com`);
    }
    h.clock.advance(3_600_000);
    assert.equal(why((await invite("w@example.com")) as FormRefused), "full");
    assert.deepEqual(await h.sessions.withdraw(owner, open.id), { kind: "changed" });
    assert.equal(why((await h.sessions.withdraw(owner, open.id)) as FormRefused), "unknown");
    assert.equal((await invite("w@example.com")).kind, "invited");
    // Over an address all accounts share ten an hour, and no account can spend them alone.
    const others = await Promise.all(Array.from({ length: 4 }, (_, n) => ownerOf(h, `owner${n}@example.com`)));
    h.mails.length = 0;
    for (const by of others)
      for (let i = 0; i < 9; i++) await h.sessions.invite(by, { email: "victim@example.com", role: "member" });
    assert.equal(h.mails.length, 10);
  }));

test("without mail the link is shown, and a lost mail is said to be lost", () =>
  withSessions(
    async (h) => {
      const owner = await ownerOf(h);
      const invited = await h.sessions.invite(owner, { email: "bob@example.com", role: "owner" });
      assert.ok(invited.kind === "invited" && invited.url !== null && !invited.mailed);
      const bob = await h.sessions.redeem(visit(), tokenOf(invited.url), { password: PASSWORD });
      assert.ok(bob.kind === "entered" && bob.user.role === "owner");
      const link = await h.sessions.makePasswordLink(owner, bob.user.id);
      assert.ok(link.kind === "invited" && link.url !== null);
      assert.equal((await h.sessions.invitation(tokenOf(link.url)))?.kind, "new_password");
    },
    { mail: false },
  ));

test("a forgotten password is mailed to users alone, with one answer for all, and limited", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const ask = (email: string, address = "192.0.2.1") => h.sessions.forgotPassword(visit("", address), email);
    const asked = { kind: "asked" };
    for (const email of ["ada@example.com", "nobody@example.com", "no address"])
      assert.deepEqual(await ask(email), asked);
    const mail = await until(() => h.mails[0]);
    assert.deepEqual(mail.to, ["ada@example.com"]);
    const token = tokenIn(mail);
    const cookie = entered(await h.sessions.signIn(visit(), { email: "ada@example.com", password: PASSWORD }));
    assert.equal((await h.sessions.invitation(token))?.kind, "new_password");
    const outcome = await h.sessions.redeem(visit(), token, { password: "another long password" });
    assert.equal(why(outcome), "entered");
    assert.equal(await h.sessions.current(visit(cookie).request), undefined, "the sessions before it ended");
    assert.equal(
      why(await h.sessions.signIn(visit(), { email: "ada@example.com", password: PASSWORD })),
      "credentials",
    );
    assert.deepEqual(await ask("ada@example.com", "192.0.2.3"), asked);
    await h.settled();
    assert.equal(h.mails.length, 1, "one a minute");
    for (let i = 0; i < 20; i++) await ask("nobody@example.com", "198.51.100.1");
    assert.equal(why((await ask("nobody@example.com", "198.51.100.1")) as FormRefused), "limited");
  }));

test("asking for more links ends none that was mailed, and mails few", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const sent = new Map<string, number>();
    for (let minute = 0; minute < 180; minute++) {
      const answer = await h.sessions.forgotPassword(visit("", `203.0.113.${minute}`), "ada@example.com");
      assert.deepEqual(answer, { kind: "asked" });
      await h.settled();
      for (const mail of h.mails.splice(0)) sent.set(tokenIn(mail), h.clock.now());
      for (const [token, at] of sent) {
        const works = (await h.sessions.invitation(token)) !== undefined;
        assert.equal(works, h.clock.now() - at < 3_600_000, `after ${(h.clock.now() - at) / 60_000} min`);
      }
      h.clock.advance(60_000);
    }
    assert.equal(sent.size, 5 + 14, "five at once, then one in twelve minutes");
    const live = [...sent.keys()].slice(-3);
    const used = await h.sessions.redeem(visit(), live[0]!, { password: "another long password" });
    assert.equal(why(used), "entered");
    for (const token of live) assert.equal(await h.sessions.invitation(token), undefined, "using one ends the others");
  }));

test("a new password wants the current one, ends the other sessions and renames this one", () =>
  withSessions(async (h) => {
    await h.addUser("ada@example.com");
    const form = { email: "ada@example.com", password: PASSWORD };
    const [here, there] = [
      entered(await h.sessions.signIn(visit(), form)),
      entered(await h.sessions.signIn(visit(), form)),
    ];
    const by = (await h.sessions.current(visit(here).request))!;
    const link = await h.link(by.account.id, by.user.id);
    // Strangers who know the address take none of these tries.
    for (let i = 0; i < 30; i++) await h.sessions.signIn(visit("", `203.0.113.${i}`), { ...form, password: "wrong" });
    const set = (current: string, next: string) => h.sessions.setPassword(visit(here), by, { current, next });
    assert.equal(why(await set("wrong password here", "another long password")), "credentials");
    assert.equal(why(await set(PASSWORD, "short")), "password");
    const outcome = await set(PASSWORD, "another long password");
    const cookie = entered(outcome);
    assert.notEqual(cookie, here);
    for (const old of [here, there]) assert.equal(await h.sessions.current(visit(old).request), undefined);
    assert.equal(await h.sessions.invitation(link), undefined, "and the links");
    assert.ok(await h.sessions.current(visit(cookie).request));
    const next = { ...form, password: "another long password" };
    assert.equal(why(await h.sessions.signIn(visit(cookie), next)), "entered", "the browser stays a known one");
    for (let i = 0; i < 7; i++) await set("wrong password here", "another long password");
    assert.equal(why(await set("wrong password here", "another long password")), "limited");
  }));

test("what people do to get in, and to each other, is in the audit log, and no secret of theirs", () =>
  withSessions(async (h) => {
    const { account_id, user_id } = await h.addUser("owner@example.com");
    const form = { email: "owner@example.com", password: PASSWORD };
    await h.sessions.signIn(visit("", "203.0.113.9"), { ...form, password: "a wrong password" });
    await h.sessions.signIn(visit("", "203.0.113.9"), { email: "nobody@example.com", password: PASSWORD });
    await h.settled();
    const cookie = entered(await h.sessions.signIn(visit("", "2001:DB8::1"), form));
    const owner = { ...(await h.sessions.current(visit(cookie).request))!, address: "192.0.2.1" };
    await h.sessions.invite(owner, { email: "bob@example.com", role: "member" });
    const token = tokenIn(h.mails[0]!);
    const joined = await h.sessions.redeem(visit("", "192.0.2.7"), token, { password: PASSWORD });
    assert.ok(joined.kind === "entered");
    const bob = joined.user.id;
    await h.sessions.changeMember(owner, bob, { role: "owner" });
    await h.sessions.changeMember(owner, "usr_nobody", { role: "owner" });
    await h.sessions.makePasswordLink(owner, bob);
    await h.sessions.redeem(visit(), tokenIn(h.mails[1]!), { password: "another long password" });
    await h.sessions.removeMember(owner, bob);
    await h.sessions.invite(owner, { email: "carol@example.com", role: "member" });
    await h.sessions.withdraw(owner, (await h.sessions.invitations(owner))[0]!.id);
    await h.sessions.forgotPassword(visit(), "owner@example.com");
    await h.settled();
    const set = { current: PASSWORD, next: "another long password" };
    const next = entered(await h.sessions.setPassword(visit(cookie), owner, set));
    await h.sessions.signOut(visit(next));
    await h.sessions.signOut(visit(next));
    const all = (await h.store.auditEntries({ limit: 99 })).toReversed();
    assert.ok(all.every((one) => one.account_id === account_id));
    const who = (one: (typeof all)[number]) => one.actor_email ?? one.actor;
    const [ada, robert] = ["owner@example.com", "bob@example.com"];
    assert.deepEqual(
      all.map((one) => [one.action, who(one), one.address]),
      [
        ["session.refused", ada, "203.0.113.9"],
        ["session.opened", ada, "2001:db8::1"],
        ["member.invited", ada, "192.0.2.1"],
        ["member.joined", robert, "192.0.2.7"],
        ["member.changed", ada, "192.0.2.1"],
        ["member.link_made", ada, "192.0.2.1"],
        ["session.link_used", robert, "192.0.2.1"],
        ["member.removed", ada, "192.0.2.1"],
        ["member.invited", ada, "192.0.2.1"],
        ["member.withdrawn", ada, "192.0.2.1"],
        ["session.link_mailed", "service", "192.0.2.1"],
        ["session.password_changed", ada, "192.0.2.1"],
        ["session.closed", ada, "192.0.2.1"],
      ],
    );
    assert.equal(all[0]?.target, user_id);
    assert.deepEqual(JSON.parse(all[4]!.details), { email: robert, role: ["member", "owner"] });
    const text = JSON.stringify(all);
    for (const secret of [PASSWORD, "another long", "a wrong password", "scrypt", token])
      assert.ok(!text.includes(secret));
    assert.deepEqual((await verifyAudit(h.store)).faults, []);
  }));

test("a disabled member is out with the next request", () =>
  withSessions(
    async (h) => {
      const { account_id } = await h.addUser("owner@example.com");
      const { user_id } = await h.addUser("bob@example.com", "member", account_id);
      const cookie = entered(await h.sessions.signIn(visit(), { email: "bob@example.com", password: PASSWORD }));
      const owner = { account: { id: account_id, name: "A" }, user: { id: "operator", role: "owner" as const } };
      assert.deepEqual(await h.sessions.changeMember(owner, user_id, { disabled: true }), { kind: "changed" });
      assert.equal(await h.sessions.current(visit(cookie).request), undefined);
      const link = await h.link(account_id, user_id);
      assert.equal(await h.sessions.invitation(link), undefined);
    },
    { mail: false },
  ));

const tokenIn = ({ text }: { readonly text: string }): string => tokenOf(/https:\S+token=\S+/u.exec(text)![0]);
