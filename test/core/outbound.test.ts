/** What post() makes of an answer, where the service itself listens, and what fetching a source turns refusals into. */
import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { after, test } from "node:test";
import { Failure } from "../../core/base/errors.ts";
import type { UrlSigner } from "../../core/operations/urls.ts";
import { createOutbound, type Outbound, OutboundError, type OutboundFault } from "../../core/outbound/outbound.ts";
import { listensOn } from "../../core/outbound/own.ts";
import type { Bucket } from "../../core/ports/mod.ts";
import { fetchSource } from "../../core/work/fetch_source.ts";
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

test("post() keeps the beginning of the answer as text, 16 KiB at most and without control characters", async () => {
  const { result } = await post(answer("500 Oops", [], 'not\u0000 so\u001b[31m "gut" — ö\n'));
  assert.deepEqual(result, { status: 500, retry_after_seconds: null, detail: 'not\ufffd so\ufffd[31m "gut" — ö\n' });
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

const limits = { seconds_min: 0, seconds_max: 1, bytes_max: 1234 };
const source = { name: "voice", object: null, url: "https://audio.example.test:444/a.wav" };
const unused = new Proxy({}, { get: () => assert.fail("The bucket must not be asked") }) as Bucket;
const signer = (verdict: ReturnType<UrlSigner["recognise"]>) => ({ recognise: () => verdict }) as unknown as UrlSigner;

function failing(error: Error): Outbound {
  return { download: () => Promise.reject(error), post: () => assert.fail("It must not post") };
}

test("fetchSource() gives every fault its code, names the input and the host of the request", async () => {
  const codes: readonly (readonly [OutboundFault, string])[] = [
    ["forbidden_address", "source_forbidden_address"],
    ["unreachable", "source_unreachable"],
    ["timeout", "source_timeout"],
    ["too_large", "source_too_large"],
    ["bad_response", "source_unreachable"],
  ];
  for (const [fault, code] of codes) {
    const services = { bucket: unused, signer: signer(undefined), outbound: failing(new OutboundError(fault, "why")) };
    await assert.rejects(fetchSource(source, limits, services, "/nowhere", "acc_1", signal), (error) => {
      assert.ok(error instanceof Failure);
      assert.deepEqual([error.code, error.source], [code, "voice"]);
      assert.equal(error.message, 'Cannot fetch from "audio.example.test:444": why');
      return true;
    });
  }
});

test("fetchSource() passes on an abort and our own errors as they are", async () => {
  for (const error of [new OutboundError("aborted", "given up"), new Error("ENOSPC")]) {
    const services = { bucket: unused, signer: signer(undefined), outbound: failing(error) };
    await assert.rejects(
      fetchSource(source, limits, services, "/nowhere", "acc_1", signal),
      (thrown) => thrown === error,
    );
  }
});

test("fetchSource() asks for no more bytes than the source may have, and fetches no URL of our own", async () => {
  const asked: unknown[] = [];
  const outbound: Outbound = {
    async download(url, path, { account_id, bytes_max }) {
      asked.push([url, path, account_id, bytes_max]);
      return { bytes: 1 };
    },
    post: () => assert.fail("It must not post"),
  };
  const services = { bucket: unused, signer: signer(undefined), outbound };
  assert.equal(await fetchSource(source, limits, services, "/folder", "acc_1", signal), "/folder/source-voice");
  assert.deepEqual(asked, [[source.url, "/folder/source-voice", "acc_1", 1234]]);
  for (const why of ["expired", "invalid"] as const) {
    const own = { ...services, signer: signer({ ok: false, why }) };
    await assert.rejects(fetchSource(source, limits, own, "/folder", "acc_1", signal), { code: "source_unreachable" });
  }
  assert.equal(asked.length, 1);
});
