import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newSigningSecret, signingKey } from "../../core/base/secrets.ts";
import { signWebhook } from "../../core/webhooks/signature.ts";

const keyOf = (secret: string): Uint8Array => signingKey(secret) ?? assert.fail("not a secret");
const BODY = new TextEncoder().encode('{"song":{"id":"op_1","prompt":"Grüße, 𝄞"}}');
const nowSeconds = () => Math.floor(Date.now() / 1000);
const headersOf = (id: string, timestamp: number, signature: string) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signature,
});

test("signWebhook() answers the vector of the official libraries' own tests", () => {
  const key = keyOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const body = new TextEncoder().encode('{"test": 2432232314}');
  const signature = signWebhook([key], { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body });
  assert.equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("signWebhook() is HMAC-SHA-256 as Web Crypto computes it", async () => {
  const key = randomBytes(40);
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = Buffer.concat([Buffer.from("evt_1.1767225600."), BODY]);
  const expected = Buffer.from(await crypto.subtle.sign("HMAC", imported, text)).toString("base64");
  assert.equal(signWebhook([key], { id: "evt_1", timestamp: 1767225600, body: BODY }), `v1,${expected}`);
});

test("signWebhook() verifies with the official library, by each of the secrets", () => {
  const secrets = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
  const timestamp = nowSeconds();
  const signature = signWebhook(secrets.map(keyOf), { id: "evt_1", timestamp, body: BODY });
  const headers = headersOf("evt_1", timestamp, signature);
  for (const secret of secrets) {
    assert.deepEqual(new Webhook(secret).verify(Buffer.from(BODY), headers), JSON.parse(Buffer.from(BODY).toString()));
  }
  assert.throws(() => new Webhook(newSigningSecret()).verify(Buffer.from(BODY), headers), /No matching signature/);
});

test("the official library refuses another body, another id and a stale timestamp", () => {
  const secret = newSigningSecret();
  const timestamp = nowSeconds();
  const headers = headersOf("evt_1", timestamp, signWebhook([keyOf(secret)], { id: "evt_1", timestamp, body: BODY }));
  const receiver = new Webhook(secret);
  const tampered = Buffer.from(BODY);
  tampered[10]! ^= 1;
  assert.throws(() => receiver.verify(tampered, headers), /No matching signature/);
  assert.throws(
    () => receiver.verify(Buffer.from(BODY), { ...headers, "webhook-id": "evt_2" }),
    /No matching signature/,
  );
  const stale = timestamp - 301;
  const signature = signWebhook([keyOf(secret)], { id: "evt_1", timestamp: stale, body: BODY });
  assert.throws(() => receiver.verify(Buffer.from(BODY), headersOf("evt_1", stale, signature)), /too old/);
});
