import assert from "node:assert/strict";
import type { NewInvitation, Session, SignInLink } from "../../../core/ports/mod.ts";
import { addUser, type NewUser } from "../../add_user.ts";
import { addAccount, type Check, isMistake, nextId, type StoreHarness } from "./fixtures.ts";

/** Users, sessions, links and invitations. */
export function peopleChecks(check: Check): void {
  check("redeemInvitation() keeps one user of an address in the whole installation", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const user = newUser(h, one);
    assert.equal(await addUser(h.store, user), "redeemed");
    assert.equal(await addUser(h.store, newUser(h, other, { email: user.email })), "taken");
    assert.equal(await addUser(h.store, newUser(h, one, { email: user.email })), "taken");
    const whole = { ...user, disabled_at: null };
    assert.deepEqual(await h.store.user(user.id), whole);
    assert.deepEqual(await h.store.findUser(user.email), whole);
    assert.equal(await h.store.user("usr_nobody"), undefined);
    assert.equal(await h.store.findUser("nobody@example.com"), undefined);
    await assert.rejects(addUser(h.store, newUser(h, "acc_nobody")), isMistake);
    const accounts = [one, other, await addAccount(h)];
    const races = accounts.map((id) => addUser(h.store, newUser(h, id, { email: "race@example.com" })));
    assert.deepEqual((await Promise.all(races)).sort(), ["redeemed", "taken", "taken"]);
  });

  check("users() lists the account's own, oldest first", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const made = [newUser(h, one), newUser(h, other), newUser(h, one, { role: "member" })];
    for (const user of made) await addUser(h.store, user);
    assert.deepEqual(
      (await h.store.users(one)).map(({ id }) => id),
      [made[0]?.id, made[2]?.id],
    );
  });

  check("updateUser() changes what is named, of the account's own users only", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const user = newUser(h, one, { role: "member" });
    await addUser(h.store, user);
    assert.equal(await h.store.updateUser(other, user.id, { role: "owner" }), "unknown");
    assert.equal(await h.store.updateUser(one, "usr_nobody", { role: "owner" }), "unknown");
    assert.equal(await h.store.updateUser(one, user.id, { role: "owner" }), "updated");
    assert.deepEqual(await h.store.user(user.id), { ...user, role: "owner", disabled_at: null });
  });

  check("updateUser() and removeUser() leave an account its last owner who can sign in", async (h) => {
    const account_id = await addAccount(h);
    const [first, member] = [newUser(h, account_id), newUser(h, account_id, { role: "member" })];
    for (const user of [first, member]) await addUser(h.store, user);
    const { store } = h;
    for (const changes of [{ role: "member" }, { disabled_at: 5 }] as const) {
      assert.equal(await store.updateUser(account_id, first.id, changes), "last_owner", JSON.stringify(changes));
    }
    assert.equal(await store.removeUser(account_id, first.id), "last_owner");
    assert.deepEqual(await store.user(first.id), { ...first, disabled_at: null });
    // A member may go.
    assert.equal(await store.updateUser(account_id, member.id, { disabled_at: 5 }), "updated");
    assert.equal(await store.updateUser(account_id, member.id, { role: "owner", disabled_at: null }), "updated");
    // Both at once: one of them is the last.
    const answers = await Promise.all([first, member].map(({ id }) => store.removeUser(account_id, id)));
    assert.deepEqual(answers.sort(), ["last_owner", "removed"]);
    assert.equal(await store.removeUser(account_id, "usr_nobody"), "unknown");
  });

  check("removeUser() refuses other accounts' users and takes sessions and links along", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const user = newUser(h, one, { role: "member" });
    await addUser(h.store, user);
    const [session, link] = [newSession(h, user.id), newLink(h, one, user.id)];
    await h.store.createSession(session, "secret");
    await h.store.createLink(link, 5);
    assert.equal(await h.store.removeUser(other, user.id), "unknown");
    assert.equal(await h.store.removeUser(one, user.id), "removed");
    assert.equal(await h.store.user(user.id), undefined);
    assert.equal(await h.store.findSession(session.sha256), undefined);
    assert.equal(await h.store.findLink(link.sha256), undefined);
  });

  check("createSession() wants the password that was checked, and a user who is not disabled", async (h) => {
    const account_id = await addAccount(h);
    const user = newUser(h, account_id, { role: "member" });
    await addUser(h.store, user);
    const session = newSession(h, user.id);
    assert.equal(await h.store.createSession(session, "another"), false);
    assert.equal(await h.store.createSession({ ...session, user_id: "usr_nobody" }, "secret"), false);
    assert.equal(await h.store.findSession(session.sha256), undefined);
    assert.equal(await h.store.createSession(session, "secret"), true);
    const found = await h.store.findSession(session.sha256);
    assert.deepEqual(found?.session, session);
    assert.deepEqual(found?.user, { ...user, disabled_at: null });
    assert.deepEqual(found?.account, await h.store.account(account_id));
    await h.store.updateUser(account_id, user.id, { disabled_at: h.now() });
    assert.equal(await h.store.createSession(newSession(h, user.id), "secret"), false);
  });

  check("setOperator() gives and takes a right that goes with the user", async (h) => {
    const account_id = await addAccount(h);
    const user = newUser(h, account_id, { role: "member" });
    await addUser(h.store, user);
    const session = newSession(h, user.id);
    await h.store.createSession(session, "secret");
    const operates = async () => (await h.store.findSession(session.sha256))?.operates;
    assert.equal(await operates(), false);
    assert.equal(await h.store.setOperator("usr_nobody", 7), false);
    assert.deepEqual([await h.store.setOperator(user.id, 7), await h.store.setOperator(user.id, 8)], [true, false]);
    assert.deepEqual(await h.store.operators(), [{ user_id: user.id, since: 7 }]);
    assert.equal(await operates(), true);
    assert.deepEqual(
      [await h.store.setOperator(user.id, null), await h.store.setOperator(user.id, null)],
      [true, false],
    );
    assert.equal(await operates(), false);
    await h.store.setOperator(user.id, 9);
    assert.equal(await h.store.removeUser(account_id, user.id), "removed");
    assert.deepEqual(await h.store.operators(), []);
  });

  check("findSession() finds none of a disabled user, and again none once enabled", async (h) => {
    const account_id = await addAccount(h);
    const user = newUser(h, account_id, { role: "member" });
    await addUser(h.store, user);
    const session = newSession(h, user.id);
    await h.store.createSession(session, "secret");
    await h.store.updateUser(account_id, user.id, { disabled_at: h.now() });
    assert.equal(await h.store.findSession(session.sha256), undefined);
    await h.store.updateUser(account_id, user.id, { disabled_at: null });
    assert.equal(await h.store.findSession(session.sha256), undefined, "it was ended, not hidden");
  });

  check(
    "updateUser() ends sessions and links with a new password, all but one, and with no other change",
    async (h) => {
      const account_id = await addAccount(h);
      const user = newUser(h, account_id);
      await addUser(h.store, user);
      const [kept, ended] = [newSession(h, user.id), newSession(h, user.id)];
      for (const session of [kept, ended]) await h.store.createSession(session, "secret");
      const link = newLink(h, account_id, user.id);
      await h.store.createLink(link, 5);
      await h.store.updateUser(account_id, user.id, { role: "owner", disabled_at: null });
      assert.ok(await h.store.findSession(ended.sha256));
      assert.ok(await h.store.findLink(link.sha256));
      assert.equal(await h.store.updateUser(account_id, user.id, { password: "new" }, kept.sha256), "updated");
      assert.ok(await h.store.findSession(kept.sha256));
      assert.equal(await h.store.findSession(ended.sha256), undefined);
      assert.equal(await h.store.findLink(link.sha256), undefined);
    },
  );

  check("touchSession() moves forward only; endSessions() ends one, or all of a user but one", async (h) => {
    const account_id = await addAccount(h);
    const [user, other] = [newUser(h, account_id), newUser(h, account_id)];
    const sessions = [user, user, user, other].map(({ id }) => newSession(h, id));
    for (const one of [user, other]) await addUser(h.store, one);
    for (const session of sessions) await h.store.createSession(session, "secret");
    const [a, b, c, d] = sessions.map(({ sha256 }) => sha256) as [string, string, string, string];
    await h.store.touchSession(a, h.now() + 50);
    await h.store.touchSession(a, h.now() + 20);
    assert.equal((await h.store.findSession(a))?.session.seen_at, h.now() + 50);
    await h.store.touchSession("0".repeat(64), h.now());
    assert.equal(await h.store.endSessions({ sha256: a }), 1);
    assert.equal(await h.store.endSessions({ sha256: a }), 0);
    assert.equal(await h.store.endSessions({ user_id: user.id, keep: b }), 1);
    assert.ok(await h.store.findSession(b));
    assert.equal(await h.store.findSession(c), undefined);
    assert.equal(await h.store.endSessions({ user_id: user.id }), 1);
    assert.ok(await h.store.findSession(d), "another user's stays");
  });

  check("createLink() keeps the newest of the same user, or of the account's newcomer", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const user = newUser(h, one);
    await addUser(h.store, user);
    const made = (account_id: string, user_id: string | null, count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...newLink(h, account_id, user_id), created_at: h.now() + n }));
    const [of_user, of_nobody, elsewhere] = [made(one, user.id, 4), made(one, null, 4), made(other, null, 1)];
    for (const link of [...elsewhere, ...of_user, ...of_nobody]) await h.store.createLink(link, 3);
    for (const links of [of_user, of_nobody]) {
      assert.equal(await h.store.findLink(links[0]!.sha256), undefined, "the oldest made room");
      for (const link of links.slice(1)) assert.deepEqual(await h.store.findLink(link.sha256), link);
    }
    assert.ok(await h.store.findLink(elsewhere[0]!.sha256), "another account's stays");
    const { user_id: _, ...session } = newSession(h, "");
    const entrant = { id: nextId("usr"), email: "one@example.com", password: "chosen" };
    assert.equal(await h.store.redeemLink(of_nobody[2]!.sha256, h.now(), entrant, session), "redeemed");
    for (const link of of_nobody) assert.equal(await h.store.findLink(link.sha256), undefined, "using one ends them");
    for (const link of of_user.slice(1)) assert.ok(await h.store.findLink(link.sha256));
    const again = { ...session, sha256: hash() };
    assert.equal(await h.store.redeemLink(of_user[1]!.sha256, h.now(), entrant, again), "redeemed");
    for (const link of of_user) assert.equal(await h.store.findLink(link.sha256), undefined);
    assert.ok(await h.store.findLink(elsewhere[0]!.sha256));
  });

  check("redeemLink() makes a newcomer an owner, once, before its end", async (h) => {
    const account_id = await addAccount(h);
    const link = newLink(h, account_id, null);
    await h.store.createLink(link, 5);
    const { store } = h;
    const entrant = { id: nextId("usr"), email: "new@example.com", password: "chosen" };
    const { user_id: _, ...session } = newSession(h, "");
    assert.equal(await store.redeemLink(link.sha256, link.expires_at, entrant, session), "unknown");
    assert.equal(await store.redeemLink("0".repeat(64), h.now(), entrant, session), "unknown");
    const at = link.expires_at - 1;
    const races = ["usr_x", "usr_y"].map((id) =>
      store.redeemLink(link.sha256, at, { ...entrant, id, email: `${id}@example.com` }, { ...session, sha256: hash() }),
    );
    assert.deepEqual((await Promise.all(races)).sort(), ["redeemed", "unknown"]);
    const users = await store.users(account_id);
    assert.equal(users.length, 1);
    const { id, email, ...rest } = users[0]!;
    assert.equal(email, `${id}@example.com`);
    assert.deepEqual(rest, { account_id, role: "owner", password: "chosen", created_at: at, disabled_at: null });
    assert.equal(await store.findLink(link.sha256), undefined);
  });

  check("redeemLink() opens the session, and leaves link and address alone where the address is taken", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const present = newUser(h, other);
    await addUser(h.store, present);
    const link = newLink(h, one, null);
    await h.store.createLink(link, 5);
    const { user_id: _, ...session } = newSession(h, "");
    const entrant = { id: nextId("usr"), email: present.email, password: "chosen" };
    assert.equal(await h.store.redeemLink(link.sha256, h.now(), entrant, session), "taken");
    assert.deepEqual(await h.store.users(one), []);
    assert.equal(await h.store.findSession(session.sha256), undefined);
    const free = { ...entrant, email: "free@example.com" };
    assert.equal(await h.store.redeemLink(link.sha256, h.now(), free, session), "redeemed");
    const found = await h.store.findSession(session.sha256);
    assert.equal(found?.user.email, "free@example.com");
    assert.equal(found?.account.id, one);
  });

  check("redeemLink() gives a link's own user the password and ends the other sessions", async (h) => {
    const account_id = await addAccount(h);
    const user = newUser(h, account_id, { role: "member" });
    await addUser(h.store, user);
    const before = newSession(h, user.id);
    await h.store.createSession(before, "secret");
    const link = newLink(h, account_id, user.id);
    await h.store.createLink(link, 5);
    const { user_id: _, ...session } = newSession(h, "");
    const entrant = { id: "usr_ignored", email: "ignored@example.com", password: "next" };
    assert.equal(await h.store.redeemLink(link.sha256, h.now(), entrant, session), "redeemed");
    assert.deepEqual(await h.store.user(user.id), { ...user, password: "next", disabled_at: null });
    assert.equal(await h.store.findUser("ignored@example.com"), undefined);
    assert.equal(await h.store.findSession(before.sha256), undefined);
    assert.equal((await h.store.findSession(session.sha256))?.user.id, user.id);
    const late = newLink(h, account_id, user.id);
    await h.store.updateUser(account_id, user.id, { disabled_at: 5 });
    await h.store.createLink(late, 5);
    assert.equal(await h.store.redeemLink(late.sha256, h.now(), entrant, { ...session, sha256: hash() }), "unknown");
  });

  check("invite() keeps one invitation of an address in an account, and a number of open ones", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const { store } = h;
    const first = newInvitation(h, one);
    assert.equal(await store.invite(first, 2), "invited");
    assert.equal(await store.invite(newInvitation(h, other, { email: first.email }), 2), "invited", "of each account");
    const { sha256: _, ...shown } = first;
    assert.deepEqual(await store.invitations(one), [shown]);
    assert.deepEqual(await store.findInvitation(first.sha256), shown);
    const later = { sent_at: h.now() + 5, expires_at: h.now() + 2_000, role: "owner", invited_by: "operator" } as const;
    const again = newInvitation(h, one, { email: first.email, ...later });
    assert.equal(await store.invite(again, 1), "invited", "no further one");
    assert.deepEqual(await store.invitations(one), [{ ...shown, ...later }]);
    assert.equal(await store.findInvitation(first.sha256), undefined);
    assert.equal((await store.findInvitation(again.sha256))?.id, first.id);
    const second = newInvitation(h, one);
    assert.equal(await store.invite(second, 2), "invited");
    const third = newInvitation(h, one);
    assert.equal(await store.invite(third, 2), "full");
    assert.equal(await store.findInvitation(third.sha256), undefined);
    const late = { sent_at: second.expires_at, created_at: second.expires_at, expires_at: second.expires_at + 9 };
    assert.equal(await store.invite({ ...third, ...late }, 2), "invited", "one whose time is over counts no more");
    assert.equal(await store.withdrawInvitation(other, second.id), false);
    assert.equal(await store.withdrawInvitation(one, second.id), true);
    assert.equal(await store.withdrawInvitation(one, second.id), false);
    assert.equal(await store.findInvitation(second.sha256), undefined);
    const races = [1, 2, 3].map(() => store.invite(newInvitation(h, one), 4));
    assert.deepEqual((await Promise.all(races)).sort(), ["full", "invited", "invited"]);
    await assert.rejects(store.invite(newInvitation(h, "acc_nobody"), 9), isMistake);
  });

  check("redeemInvitation() makes the user once, before its end, where the address is free", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const { store } = h;
    const made = newInvitation(h, one, { role: "owner" });
    const rival = newInvitation(h, other, { email: made.email });
    for (const each of [made, rival]) await store.invite(each, 9);
    const { user_id: _, ...session } = newSession(h, "");
    const entrant = { id: nextId("usr"), password: "chosen" };
    assert.equal(await store.redeemInvitation(made.sha256, made.expires_at, entrant, session), "unknown");
    assert.equal(await store.redeemInvitation("0".repeat(64), h.now(), entrant, session), "unknown");
    const at = made.expires_at - 1;
    const races = ["a", "b"].map((letter) =>
      store.redeemInvitation(made.sha256, at, { ...entrant, id: entrant.id + letter }, { ...session, sha256: hash() }),
    );
    assert.deepEqual((await Promise.all(races)).sort(), ["redeemed", "unknown"]);
    const [user] = await store.users(one);
    assert.deepEqual(user, { ...user, email: made.email, role: "owner", password: "chosen", created_at: at });
    assert.deepEqual([user?.account_id, user?.disabled_at], [one, null]);
    assert.deepEqual(await store.invitations(one), []);
    assert.equal(await store.redeemInvitation(rival.sha256, at, entrant, session), "taken");
    assert.equal((await store.invitations(other)).length, 1, "nothing was used up");
    assert.equal(await store.findSession(session.sha256), undefined);
  });

  check("expire() forgets sessions, links and invitations whose time is over", async (h) => {
    const account_id = await addAccount(h);
    const user = newUser(h, account_id);
    await addUser(h.store, user);
    const [session, link] = [newSession(h, user.id), newLink(h, account_id, user.id)];
    await h.store.createSession(session, "secret");
    await h.store.createLink(link, 5);
    const invitation = newInvitation(h, account_id);
    await h.store.invite(invitation, 9);
    await h.store.expire(session.expires_at - 1, 10);
    assert.ok(await h.store.findInvitation(invitation.sha256));
    assert.ok(await h.store.findSession(session.sha256));
    assert.ok(await h.store.findLink(link.sha256));
    await h.store.expire(session.expires_at, 10);
    assert.equal(await h.store.findInvitation(invitation.sha256), undefined);
    assert.equal(await h.store.findSession(session.sha256), undefined);
    assert.equal(await h.store.findLink(link.sha256), undefined);
  });
}

function newUser(h: StoreHarness, account_id: string, changes: Partial<NewUser> = {}): NewUser {
  const id = nextId("usr");
  const email = `${id}@example.com`;
  return { id, account_id, email, role: "owner", password: "secret", created_at: h.now(), ...changes };
}

const hash = (): string => (crypto.randomUUID() + crypto.randomUUID()).replaceAll("-", "");

function newSession(h: StoreHarness, user_id: string): Session {
  return { sha256: hash(), user_id, created_at: h.now(), expires_at: h.now() + 1_000, seen_at: h.now() };
}

function newLink(h: StoreHarness, account_id: string, user_id: string | null): SignInLink {
  return { sha256: hash(), account_id, user_id, created_at: h.now(), expires_at: h.now() + 1_000 };
}

function newInvitation(h: StoreHarness, account_id: string, changes: Partial<NewInvitation> = {}): NewInvitation {
  const id = nextId("inv");
  const at = { created_at: h.now(), sent_at: h.now(), expires_at: h.now() + 1_000 };
  return {
    id,
    account_id,
    email: `${id}@example.com`,
    role: "member",
    invited_by: "usr_1",
    sha256: hash(),
    ...at,
    ...changes,
  };
}
