/** What uploads cost others: who waits for whom, how much an account may keep and open, and what free work is allowed. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { silentFlac } from "../audio.ts";
import { type Answer, startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_WORKERS: "1" } });
});
after(() => tonwerk.stop());

/** Another account of the service: uploads as it. */
async function another({ service, json }: TestService, name: string) {
  const { key, account } = await service.admin.createAccount({ name, credits: 100 });
  const headers = { authorization: `Bearer ${key.plain}` };
  return {
    id: account.id,
    call: (method: string, path: string, body?: unknown): Promise<Answer> => json(method, path, body, headers),
  };
}

/** A WAV of 8 bits and one channel at 8 kHz: short to send, and long to look at. */
function long(seconds: number): Uint8Array {
  const file = new Uint8Array(44 + seconds * 8_000).map((_, n) => 128 + ((n * n) % 64));
  const view = new DataView(file.buffer);
  const text = (at: number, value: string) => file.set(new TextEncoder().encode(value), at);
  text(0, "RIFF");
  view.setUint32(4, file.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 8_000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, seconds * 8_000, true);
  return file;
}

test("an upload behind five heavy ones of another account is looked at after one of them at most", async () => {
  const other = await another(tonwerk, "Other");
  // 40 KB that take long to look at.
  const heavy = silentFlac(590, 2, 192_000);
  let looked_at = 0;
  const uploads = Array.from({ length: 5 }, async () => {
    const { status } = await tonwerk.json("PUT", "/v1/files", heavy);
    assert.equal(status, 200);
    looked_at++;
  });
  // Until the pool is busy and the others wait.
  while (tonwerk.service.pool.stats().waiting < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const before_it = looked_at;
  const { status } = await other.call("PUT", "/v1/files", long(1));
  assert.equal(status, 200);
  assert.ok(looked_at - before_it <= 1, `${looked_at - before_it} were looked at first`);
  await Promise.all(uploads);
});

test("what is longer than any action takes is refused as an upload", async () => {
  const refused = await tonwerk.json("PUT", "/v1/files", long(601));
  assert.equal(refused.status, 422);
  assert.equal(refused.body.detail[0].type, "audio_invalid");
});
