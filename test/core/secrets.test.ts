import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadOrCreateSecret } from "../../core/adapters/files/secret_file.ts";
import { createSecrets, decodeSecret, newSigningSecret, signingKey } from "../../core/base/secrets.ts";

// The bytes 0 to 31.
const SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER = Buffer.alloc(32, 7).toString("base64");
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-secrets-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("createSecrets() derives what Python's hmac derives by RFC 5869", () => {
  const url_keys = createSecrets({ secret: SECRET }).keysFor("url signing");
  assert.equal(hex(url_keys.current), "ccc38629d16b0bc5f5af207087c2911cee29656648ed1d030027fab3ad12484b");
  assert.equal(url_keys.previous, undefined);
});

test("open() opens what Python's cryptography package sealed", () => {
  const sealed = "v1.ZGVmZ2hpamtsbW5v6EBQDkE4nG_G6nWzNrZB55xcdPkFtTOYDw";
  assert.equal(createSecrets({ secret: SECRET }).open(sealed, "sec_1"), "whsec_abc");
});

test("seal() and open() carry any text and never the same way twice", () => {
  const secrets = createSecrets({ secret: SECRET });
  for (const plain of ["", "whsec_abc", "schön 🎵", "x".repeat(10_000)]) {
    const sealed = secrets.seal(plain, "sec_1");
    assert.match(sealed, /^v1\.[A-Za-z0-9_-]+$/);
    assert.notEqual(sealed, secrets.seal(plain, "sec_1"));
    assert.equal(secrets.open(sealed, "sec_1"), plain);
  }
});

test("open() refuses another context, another secret and every changed character", () => {
  const secrets = createSecrets({ secret: SECRET });
  const sealed = secrets.seal("whsec_abc", "sec_1");
  assert.throws(() => secrets.open(sealed, "sec_2"), /Cannot open the sealed secret of "sec_2"/);
  assert.throws(() => createSecrets({ secret: OTHER }).open(sealed, "sec_1"), /Cannot open/);
  for (let i = 0; i < sealed.length; i++) {
    const changed = sealed.slice(0, i) + (sealed[i] === "A" ? "B" : "A") + sealed.slice(i + 1);
    assert.throws(() => secrets.open(changed, "sec_1"), /Cannot open/, `character ${i}`);
  }
  for (const bad of [
    "",
    "v1.",
    "v1.AAAA",
    sealed.slice(0, -1),
    `${sealed}A`,
    `${sealed}=`,
    sealed.slice(3),
    "whsec_abc",
  ]) {
    assert.throws(() => secrets.open(bad, "sec_1"), /Cannot open/);
  }
});

test("createSecrets() still opens and verifies with the previous secret during a rotation", () => {
  const before = createSecrets({ secret: OTHER });
  const during = createSecrets({ secret: SECRET, previous: OTHER });
  const after = createSecrets({ secret: SECRET });
  const old = before.seal("whsec_abc", "sec_1");
  assert.equal(during.open(old, "sec_1"), "whsec_abc");
  assert.throws(() => after.open(old, "sec_1"), /Cannot open/);
  assert.equal(after.open(during.seal("whsec_abc", "sec_1"), "sec_1"), "whsec_abc");
  assert.deepEqual(during.keysFor("url signing").previous, before.keysFor("url signing").current);
  assert.deepEqual(during.keysFor("url signing").current, after.keysFor("url signing").current);
});

test("decodeSecret() takes base64 of at least 32 bytes in any of its alphabets", () => {
  const bytes = Buffer.alloc(33, 0xff);
  for (const text of [
    SECRET,
    SECRET.replace("=", ""),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    "ab".repeat(32),
  ]) {
    assert.ok((decodeSecret(text)?.length ?? 0) >= 32, text);
  }
  for (const bad of [
    "",
    "short",
    SECRET.slice(0, 40),
    `${SECRET}\n`,
    `${SECRET}===`,
    "pass word ".repeat(9),
    "ä".repeat(64),
  ]) {
    assert.equal(decodeSecret(bad), undefined, bad);
  }
  assert.throws(() => createSecrets({ secret: "short" }), RangeError);
});

test("newSigningSecret() is whsec_ and 32 bytes, new each time", () => {
  const one = newSigningSecret();
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(signingKey(one)?.length, 32);
  assert.notEqual(one, newSigningSecret());
});

test("signingKey() keys the HMAC of the Standard Webhooks specification's example", () => {
  const key = signingKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  assert.ok(key !== undefined);
  const signature = createHmac("sha256", key).update('msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}');
  assert.equal(signature.digest("base64"), "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("signingKey() accepts 24 to 64 bytes of canonical base64 and nothing else", () => {
  for (const length of [24, 25, 26, 63, 64]) {
    assert.equal(signingKey(`whsec_${Buffer.alloc(length, 0xfb).toString("base64")}`)?.length, length);
  }
  const good = Buffer.alloc(25, 0xfb).toString("base64");
  for (const bad of [
    "",
    "whsec_",
    good,
    `WHSEC_${good}`,
    `whsec_${good.replace("==", "")}`,
    `whsec_${Buffer.alloc(25, 0xfb).toString("base64url")}`,
    `whsec_${good}\n`,
    `whsec_ ${good}`,
    `whsec_${Buffer.alloc(23).toString("base64")}`,
    `whsec_${Buffer.alloc(65).toString("base64")}`,
  ]) {
    assert.equal(signingKey(bad), undefined, JSON.stringify(bad));
  }
});

test("loadOrCreateSecret() makes a secret of its owner's alone and reads it again", async () => {
  await withFolder(async (parent) => {
    const folder = join(parent, "new", "data");
    const secret = await loadOrCreateSecret(folder);
    assert.equal(decodeSecret(secret)?.length, 32);
    assert.deepEqual(await readdir(folder), ["secret"]);
    assert.equal((await readFile(join(folder, "secret"), "utf8")).trim(), secret);
    if (process.platform !== "win32") assert.equal((await stat(join(folder, "secret"))).mode & 0o777, 0o600);
    assert.equal(await loadOrCreateSecret(folder), secret);
  });
});

test("loadOrCreateSecret() gives all who race the same secret", async () => {
  await withFolder(async (folder) => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(folder)));
    assert.equal(new Set(secrets).size, 1);
    assert.deepEqual(await readdir(folder), ["secret"]);
  });
});

test("loadOrCreateSecret() refuses a file that others may read, and leaves it as it is", async (t) => {
  if (process.platform === "win32") return t.skip("no mode bits on Windows");
  await withFolder(async (folder) => {
    const path = join(folder, "secret");
    for (const mode of [0o644, 0o640, 0o602]) {
      await writeFile(path, SECRET);
      await chmod(path, mode);
      await assert.rejects(loadOrCreateSecret(folder), /others than its owner may use it.*chmod 600/);
      assert.equal((await stat(path)).mode & 0o777, mode);
    }
    await chmod(path, 0o400);
    assert.equal(await loadOrCreateSecret(folder), SECRET);
  });
});

test("loadOrCreateSecret() refuses what is no secret instead of replacing it", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "secret");
    for (const content of ["", "short", "not base64 ".repeat(9)]) {
      await writeFile(path, content, { mode: 0o600 });
      await assert.rejects(loadOrCreateSecret(folder), /must hold base64 of at least 32 bytes/);
      assert.equal(await readFile(path, "utf8"), content);
    }
    await rm(path);
    await writeFile(join(folder, "elsewhere"), SECRET, { mode: 0o600 });
    await symlink(join(folder, "elsewhere"), path);
    await assert.rejects(loadOrCreateSecret(folder), /Cannot read the secret/);
  });
});

test("reseal() seals anew what the previous secret alone opens, and nothing else", () => {
  const sealed = createSecrets({ secret: OTHER }).seal("whsec_abc", "sec_1");
  const during = createSecrets({ secret: SECRET, previous: OTHER });
  const anew = during.reseal(sealed, "sec_1");
  assert.ok(typeof anew === "object");
  assert.equal(createSecrets({ secret: SECRET }).open(anew.sealed, "sec_1"), "whsec_abc");
  assert.equal(during.reseal(anew.sealed, "sec_1"), "current");
  assert.equal(during.reseal(sealed, "sec_2"), "lost");
  assert.equal(createSecrets({ secret: SECRET }).reseal(sealed, "sec_1"), "lost");
});
