import assert from "node:assert/strict";
import { test } from "node:test";
import { hashToken, newToken } from "../../plugins/dashboard/people/sign_in_links.ts";
import { cookieOf, DAY_MS, entered, ownerOf, PASSWORD, status, visit, why, withSessions } from "./sessions_harness.ts";

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
