import assert from "node:assert/strict";
import { test } from "node:test";
import type { FormRefused } from "../../plugins/dashboard/people/members.ts";
import { until } from "../until.ts";
import { entered, PASSWORD, tokenIn, visit, why, withSessions } from "./sessions_harness.ts";

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
