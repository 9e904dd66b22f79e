/** What post() makes of an answer, and where the service itself listens. */
import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { after, test } from "node:test";
import { createOutbound, listensOn } from "../../core/adapters/outbound/outbound.ts";
import { answer, type Behaviour, type HostileServer, repeat, startHostile } from "../hostile/server.ts";

const servers: HostileServer[] = [];
after(async () => {
  for (const server of servers) await server.stop();
});

const signal = new AbortController().signal;

async function post(behave: Behaviour) {
  const server = await startHostile({ address: "127.0.0.2", certificate: null, behave });
  servers.push(server);
  const headers = {
    "content-type": "application/json",
    "webhook-id": "evt_1",
    host: "elsewhere",
    "content-length": "1",
  };
  const body = new TextEncoder().encode('{"a":"é"}');
  const outbound = createOutbound({ private_hosts: (host) => host === "127.0.0.2" });
  const result = await outbound.post(`http://127.0.0.2:${server.port}/hook?a=b`, {
    account_id: "acc_1",
    headers,
    body,
    signal,
  });
  return { result, server };
}

test("post() sends the body as it is, with its own host and length", async () => {
  const { server } = await post(answer("204 No Content", []));
  const [head = ""] = server.heads;
  assert.match(head, /^POST \/hook\?a=b HTTP\/1\.1\r\n/u);
  assert.match(head, /\r\nwebhook-id: evt_1\r\n/iu);
  assert.deepEqual(
    head
      .match(/\r\n(?:host|content-length): [^\r]*/giu)
      ?.map((line) => line.trim().toLowerCase())
      .sort(),
    ["content-length: 10", `host: 127.0.0.2:${server.port}`],
  );
});

test("post() keeps the headers and the beginning of the answer as text, 16 KiB at most and without control characters", async () => {
  const { result } = await post(answer("500 Oops", ["X-Trace: 7"], 'not\u0000 so\u001b[31m "gut" — ö\n'));
  const detail = 'not\ufffd so\ufffd[31m "gut" — ö\n';
  assert.deepEqual(result, { status: 500, retry_after_seconds: null, headers: { "x-trace": "7" }, detail });
  const long = await post(answer("200 OK", [], "x".repeat(10_000_000)));
  assert.deepEqual([long.result.status, long.result.detail.length], [200, 16_384]);
  const endless = await post(repeat("HTTP/1.1 410 Gone\r\n\r\n", "x".repeat(1000), 0));
  assert.deepEqual([endless.result.status, endless.result.detail.length], [410, 16_384]);
});

test("post() reads Retry-After in seconds and as a date, and nothing else", async () => {
  const retry = async (value: string) =>
    (await post(answer("429 Slow Down", [`Retry-After: ${value}`]))).result.retry_after_seconds;
  assert.equal(await retry("0"), 0);
  assert.equal(await retry("120"), 120);
  const soon = await retry(new Date(Date.now() + 60_000).toUTCString());
  assert.ok(soon !== null && soon > 50 && soon <= 60, String(soon));
  assert.equal(await retry(new Date(Date.now() - 60_000).toUTCString()), 0);
  for (const value of ["-1", "1.5", "soon", "1e3", "2027-01-01", "9999999999", ""])
    assert.equal(await retry(value), null, value);
});

test("listensOn() knows the address and port of the service, and every interface's where it listens on all", () => {
  const fixed = listensOn("192.0.2.1", 8787);
  assert.equal(fixed("192.0.2.1", 8787), true);
  assert.equal(fixed("::ffff:192.0.2.1", 8787), true);
  assert.equal(fixed("192.0.2.1", 443), false);
  assert.equal(fixed("192.0.2.2", 8787), false);
  assert.equal(fixed("127.0.0.1", 8787), false);
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  assert.ok(addresses.length > 0);
  for (const host of ["0.0.0.0", "::", "tonwerk.internal"]) {
    const everywhere = listensOn(host, 8787);
    for (const { address } of addresses.filter(({ scopeid = 0 }) => scopeid === 0)) {
      assert.equal(everywhere(address, 8787), true, address);
      assert.equal(everywhere(address, 8788), false, address);
    }
    assert.equal(everywhere("198.51.100.1", 8787), false);
    assert.equal(everywhere("nonsense", 8787), false);
  }
});
