import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "../../core/base/errors.ts";
import { createFormTokens, createOwnSite } from "../../plugins/dashboard/people/form_tokens.ts";
import { createSessionCookies } from "../../plugins/dashboard/people/session_cookies.ts";
import { newToken } from "../../plugins/dashboard/people/sign_in_links.ts";

const key = (byte: number) => new Uint8Array(32).fill(byte);

test("a token is good for its cookie alone, and through a rotation of the secret", () => {
  const before = createFormTokens({ current: key(1) });
  const during = createFormTokens({ current: key(2), previous: key(1) });
  const after = createFormTokens({ current: key(2) });
  const [cookie, other] = [newToken(), newToken()];
  const token = before.issue(cookie);
  assert.equal(before.check(cookie, token), true);
  assert.equal(during.check(cookie, token), true);
  assert.equal(after.check(cookie, token), false);
  assert.equal(before.check(other, token), false);
  for (const wrong of ["", cookie, `${token}x`, token.slice(1), "ä".repeat(43)]) {
    assert.equal(before.check(cookie, wrong), false, wrong);
  }
});

function refusal(run: () => void): number {
  try {
    run();
    return 200;
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.status;
  }
}

const post = (headers: Readonly<Record<string, string>>): Request =>
  new Request("http://tonwerk.internal/dashboard", { method: "POST", headers });

test("checkOrigin() lets pass what the browser says is from here, or says nothing of", () => {
  const table: readonly [base: string, headers: Readonly<Record<string, string>>, status: number][] = [
    ["https://a.test", {}, 200],
    ["https://a.test", { origin: "https://a.test" }, 200],
    ["https://a.test/tonwerk", { origin: "https://a.test", "sec-fetch-site": "same-origin" }, 200],
    ["https://a.test", { origin: "null", "sec-fetch-site": "same-origin" }, 200],
    ["https://a.test", { origin: "null" }, 403],
    ["https://a.test", { origin: "http://a.test" }, 403],
    ["https://a.test", { origin: "https://a.test:8443" }, 403],
    ["https://a.test", { origin: "https://b.a.test" }, 403],
    ["https://a.test", { origin: "https://a.test.evil.example" }, 403],
    ["https://a.test", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, 403],
    ["https://a.test", { origin: "https://a.test", "sec-fetch-site": "cross-site" }, 403],
    ["https://a.test", { "sec-fetch-site": "same-site" }, 403],
    ["https://a.test", { "sec-fetch-site": "none" }, 403],
    ["https://a.test", { origin: "file://" }, 403],
    ["https://a.test", { origin: "http://127.0.0.1:8787" }, 403],
    ["http://127.0.0.1:8787", { origin: "http://localhost:8787" }, 200],
    ["http://localhost:8787", { origin: "http://[::1]:8787" }, 200],
    ["http://localhost:8787", { origin: "http://localhost.evil.example:8787" }, 403],
  ];
  for (const [base, headers, status] of table) {
    const site = createOwnSite(base);
    assert.equal(
      refusal(() => site.checkOrigin(post(headers))),
      status,
      `${base} ${JSON.stringify(headers)}`,
    );
  }
});

test("checkHost() answers for its own name, or for loopback where that is its name", () => {
  const table: readonly [base: string, host: string, status: number][] = [
    ["https://a.test", "a.test", 200],
    ["https://a.test", "A.test:443", 200],
    ["https://a.test", "b.test", 421],
    ["https://a.test", "a.test:80", 421],
    ["https://a.test", "127.0.0.1", 421],
    ["https://a.test", "a.test@evil.example", 421],
    ["https://a.test", "a.test/x", 421],
    ["http://127.0.0.1:8787", "localhost:8787", 200],
    ["http://127.0.0.1:8787", "127.0.0.1:9000", 200],
    ["http://127.0.0.1:8787", "[::1]:8787", 200],
    ["http://127.0.0.1:8787", "rebound.example:8787", 421],
    ["http://127.0.0.1:8787", "127.0.0.1.evil.example", 421],
    ["http://192.168.1.5:8787", "192.168.1.5:8787", 200],
    ["http://192.168.1.5:8787", "localhost:8787", 421],
  ];
  for (const [base, host, status] of table) {
    const site = createOwnSite(base);
    assert.equal(
      refusal(() => site.checkHost(post({ host }))),
      status,
      `${base} ${host}`,
    );
  }
});

test("cookies are __Host- behind https and on loopback, with every flag, and plain elsewhere", () => {
  const value = newToken();
  const cases: readonly [base: string, prefix: string, secure: string][] = [
    ["https://a.test/tonwerk", "__Host-", "Secure; "],
    ["http://localhost:8787", "__Host-", "Secure; "],
    ["http://127.0.0.1:8787", "__Host-", "Secure; "],
    ["http://[::1]:8787", "__Host-", "Secure; "],
    ["http://192.168.1.5:8787", "", ""],
    ["http://127.0.0.1.evil.example", "", ""],
  ];
  for (const [base, prefix, secure] of cases) {
    const cookies = createSessionCookies(base);
    assert.equal(cookies.safe, prefix !== "", base);
    const rest = `Path=/; ${secure}HttpOnly; SameSite=Lax`;
    assert.equal(cookies.session(value, 60), `${prefix}tonwerk_session=${value}; ${rest}; Max-Age=60`);
    assert.equal(cookies.visitor(value), `${prefix}tonwerk_visitor=${value}; ${rest}`);
    assert.deepEqual(cookies.clear(), [
      `${prefix}tonwerk_session=; ${rest}; Max-Age=0`,
      `${prefix}tonwerk_visitor=; ${rest}; Max-Age=0`,
    ]);
    const read = (cookie: string) => cookies.read(post({ cookie })).session;
    assert.equal(read(`a=b; ${prefix}tonwerk_session=${value}; c`), value);
    assert.equal(read(`${prefix}tonwerk_session=${value.slice(1)}`), undefined);
    assert.equal(read(`${prefix}tonwerk_session=${value}x`), undefined);
    assert.equal(read(`x${prefix}tonwerk_session=${value}`), undefined);
    assert.equal(read(""), undefined);
  }
});
