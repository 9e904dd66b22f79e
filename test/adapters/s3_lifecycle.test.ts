/**
 * What is asked of a server that has lifecycle rules: the request itself, as the S3 API reference wants it, for the server of the other tests has
 * none. (The same call was made once to moto's server, which checks and keeps such rules.)
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { createS3Client } from "../../core/adapters/s3/client.ts";
import { applyLifecycle } from "../../core/adapters/s3/lifecycle.ts";

const RULES = `<?xml version="1.0" encoding="UTF-8"?>
<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<Rule><ID>theirs</ID><Status>Enabled</Status><Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>3</Days></Expiration></Rule>
<Rule><ID>tonwerk-results</ID><Status>Enabled</Status><Filter><Prefix>op/</Prefix></Filter><Expiration><Days>99</Days></Expiration></Rule>
</LifecycleConfiguration>`;
const NONE = "<Error><Code>NoSuchLifecycleConfiguration</Code><Message>There is none</Message></Error>";

interface Put {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Applies rules of 30 days to a bucket that has `before` (status and body), and answers the PUT with `status`. */
async function applied(before: readonly [number, string], status = 200): Promise<{ why: string | null; puts: Put[] }> {
  const puts: Put[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.method === "GET") {
      response.writeHead(before[0], { "content-type": "application/xml" }).end(before[1]);
      return;
    }
    puts.push({ url: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) });
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(status === 200 ? "" : "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = createS3Client({
    bucket: "audio",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    public_endpoint: null,
    region: "eu-central-1",
    credentials: { access_key_id: "tonwerk", secret_access_key: "secret" },
    path_style: true,
  });
  try {
    return { why: await applyLifecycle(client, "audio", 30), puts };
  } finally {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const rulesOf = (body: Buffer): string[] => body.toString().match(/<Rule>.*?<\/Rule>/gsu) ?? [];

test("rules are put with the digest that S3 demands: results a week after their end, unfinished uploads after a day", async () => {
  const { why, puts } = await applied([404, NONE]);
  assert.equal(why, null);
  assert.equal(puts.length, 1);
  const { url, headers, body } = puts[0]!;
  assert.match(url, /^\/audio\/?\?lifecycle(=|$)/u);
  assert.match(String(headers.authorization), /^AWS4-HMAC-SHA256 Credential=tonwerk\/\d{8}\/eu-central-1\/s3\//u);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  const digests = {
    "content-md5": createHash("md5").update(body).digest("base64"),
    "x-amz-checksum-crc32": crc.toString("base64"),
    "x-amz-checksum-sha256": createHash("sha256").update(body).digest("base64"),
  };
  const sent = Object.entries(digests).filter(([name]) => headers[name] !== undefined);
  assert.ok(sent.length > 0, `one of ${Object.keys(digests)} is needed: ${Object.keys(headers)}`);
  for (const [name, digest] of sent) assert.equal(headers[name], digest, name);
  const text = body.toString();
  assert.ok(text.includes('<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'), text);
  const [results = "", unfinished = "", ...more] = rulesOf(body);
  assert.equal(more.length, 0);
  for (const part of ["<Prefix>op/</Prefix>", "<Days>37</Days>", "<Status>Enabled</Status>"])
    assert.ok(results.includes(part), `${part} in ${results}`);
  assert.ok(unfinished.includes("<DaysAfterInitiation>1</DaysAfterInitiation>"), unfinished);
  // An upload lives on with each use: nothing but results may expire by age.
  assert.equal(text.match(/<Expiration>/gu)?.length, 1);
});

test("rules of others stay, and own ones are replaced", async () => {
  const { why, puts } = await applied([200, RULES]);
  assert.equal(why, null);
  const rules = rulesOf(puts[0]!.body);
  assert.deepEqual(
    rules.map((rule) => /<ID>(.*?)<\/ID>/u.exec(rule)?.[1]),
    ["theirs", "tonwerk-results", "tonwerk-unfinished"],
  );
  assert.ok(rules[0]!.includes("<Prefix>logs/</Prefix>") && rules[0]!.includes("<Days>3</Days>"), rules[0]!);
  assert.ok(rules[1]!.includes("<Days>37</Days>"), rules[1]!);
});

test("rules that cannot be read are not overwritten, and a refusal is told", async () => {
  const denied = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
  const unread = await applied([403, denied]);
  assert.match(unread.why ?? "", /AccessDenied/u);
  assert.deepEqual(unread.puts, []);
  assert.match((await applied([404, NONE], 403)).why ?? "", /AccessDenied/u);
});
