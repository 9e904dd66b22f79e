/** What fetching a source turns the faults of a download into. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../core/base/errors.ts";
import type { UrlSigner } from "../../core/operations/urls.ts";
import { type Bucket, type Outbound, OutboundError, type OutboundFault } from "../../core/ports/mod.ts";
import { fetchSource } from "../../core/work/fetch_source.ts";

const signal = new AbortController().signal;
const limits = { seconds_min: 0, seconds_max: 1, bytes_max: 1234 };
const source = { name: "voice", object: null, url: "https://audio.example.test:444/a.wav" };
const unused = new Proxy({}, { get: () => assert.fail("The bucket must not be asked") }) as Bucket;
const signer = (verdict: ReturnType<UrlSigner["recognise"]>) => ({ recognise: () => verdict }) as unknown as UrlSigner;

function failing(error: Error): Outbound {
  return {
    download: () => Promise.reject(error),
    post: () => assert.fail("It must not post"),
    call: () => assert.fail("It must not call"),
  };
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
    call: () => assert.fail("It must not call"),
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
