/** No secret lies in what git has, and the scanner that says so finds one of each kind. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { newApiKey } from "../../core/base/keys.ts";
import { findSecrets } from "./secret_scan.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Secrets that are no secrets: made for a test or an example, and nothing answers to them. Path, then hash. */
const KNOWN: ReadonlySet<string> = new Set([
  "test/core/keys.test.ts e80d0a1eb57b921d",
  "test/core/keys.test.ts a03554c7902167cf",
  "test/core/keys.test.ts 64c0c1acaa334904",
  "test/core/keys.test.ts 2095aad942b34420",
  "test/core/keys.test.ts 8c837e8cf5d91290",
  "test/core/secrets.test.ts 905f28def18eaac0",
  // The example of the Standard Webhooks specification.
  "test/core/secrets.test.ts 96ad2ccd81462a76",
  "test/core/webhook_signature.test.ts 96ad2ccd81462a76",
  "plugins/webhooks/document.ts 96ad2ccd81462a76",
  // Of the server on the loopback interface whose certificates test/hostile/certificates/make.sh makes.
  "test/hostile/certificates/server.key e9cea915543e6211",
]);

/** What git answers; undefined where this is no checkout, or there is no git. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", ["-c", "safe.directory=*", "-C", root, ...args], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
}

test("tracked files and commit messages hold no secret", (t) => {
  const names = git("ls-files", "-z")?.split("\0").filter(Boolean);
  if (names === undefined) return t.skip("this is no git checkout");
  assert.ok(names.length > 500);
  const found = names.flatMap((name) => {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(root, name));
    } catch {
      // Deleted and not committed yet, or a link to elsewhere.
      return [];
    }
    return bytes.includes(0) ? [] : findSecrets(name, bytes.toString("utf8"));
  });
  found.push(...findSecrets("commit messages", git("log", "--format=%B") ?? ""));
  const unknown = found.filter(({ path, hash }) => !KNOWN.has(`${path} ${hash}`));
  assert.deepEqual(
    unknown.map(({ path, line, rule, hash }) => `${path}:${line} ${rule} ${hash}`),
    [],
    "take it out and replace it where it is in use; what was only made for a test goes into KNOWN with its path and hash",
  );
  // A list that only grows hides what comes back.
  const seen = new Set(found.map(({ path, hash }) => `${path} ${hash}`));
  assert.deepEqual(
    [...KNOWN].filter((one) => !seen.has(one)),
    [],
  );
});

test("the scanner finds what it is for, and leaves prose and placeholders alone", () => {
  const base64 = (bytes: number) => randomBytes(bytes).toString("base64").replaceAll(/[+/=]/g, "7");
  const planted: Readonly<Record<string, string>> = {
    "tonwerk-api-key": `curl -H "Authorization: Bearer ${newApiKey()}"`,
    "webhook-signing-secret": `whsec_${randomBytes(32).toString("base64")}`,
    "private-key": ["-----BEGIN PRIVATE", `KEY-----\n${base64(48)}\n`].join(" "),
    "aws-access-key": `AKIA${"QWERTZ1234567890"}`,
    "github-token": `ghp_${base64(36).slice(0, 36)}`,
    "npm-token": `npm_${base64(36).slice(0, 36)}`,
    "assigned-secret": `POSTGRES_PASSWORD=${base64(30)}`,
    "password-in-url": `redis://:${base64(30)}@redis.example.com:6379`,
  };
  for (const [rule, text] of Object.entries(planted)) {
    const rules = findSecrets("x", `# a line\n${text}\n`).map((one) => one.rule);
    assert.ok(rules.includes(rule), `${rule} in "${text}": ${rules}`);
  }
  assert.equal(findSecrets("x", `REDIS_PASSWORD=${randomBytes(24).toString("hex")}`).length, 1);
  const harmless = [
    `tonwerk_${"A".repeat(36)}`,
    ["POSTGRES_PASSWORD=$", "{POSTGRES_PASSWORD:?set it in .env}"].join(""),
    "postgres://tonwerk:password@postgres.example.com:5432/tonwerk",
    "const token = readTheTokenOfTheSession(request)",
    "openssl rand -hex 24",
  ];
  for (const text of harmless) assert.deepEqual(findSecrets("x", text), [], text);
});
