import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyAudit } from "../../plugins/administration/audit_chain.ts";
import type { FormRefused } from "../../plugins/dashboard/people/members.ts";
import { PERMISSIONS, type Permission } from "../../plugins/dashboard/people/roles.ts";
import { entered, ownerOf, PASSWORD, status, tokenIn, tokenOf, visit, why, withSessions } from "./sessions_harness.ts";

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
