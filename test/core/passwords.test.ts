import assert from "node:assert/strict";
import { scryptSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Refusal } from "../../core/base/errors.ts";
import { createPasswords, passwordFault, SCRYPT_COST } from "../../plugins/dashboard/people/passwords.ts";

/** Cheap, so that tests are. */
const COST = { ln: 4, r: 8, p: 1 };

test("hash() writes what node's scrypt derives, with its parameters, and a salt of its own each time", async () => {
  const passwords = createPasswords(COST);
  const kept = await passwords.hash("correct horse battery");
  const [, name, parameters, salt = "", hash = ""] = kept.split("$");
  assert.deepEqual([name, parameters], ["scrypt", "ln=4,r=8,p=1"]);
  assert.equal(Buffer.from(salt, "base64").length, 16);
  const expected = scryptSync("correct horse battery", Buffer.from(salt, "base64"), 32, { N: 16, r: 8, p: 1 });
  assert.deepEqual(Buffer.from(hash, "base64"), expected);
  assert.notEqual(await passwords.hash("correct horse battery"), kept);
});

test("verify() accepts the password alone, in either Unicode form, and records of other parameters", async () => {
  const passwords = createPasswords(COST);
  const kept = await passwords.hash("Zwölf Gänse und ein Fuchs");
  assert.equal(await passwords.verify("Zwölf Gänse und ein Fuchs", kept), true);
  assert.equal(await passwords.verify("Zwölf Gänse und ein Fuchs".normalize("NFD"), kept), true);
  assert.equal(await createPasswords({ ln: 5, r: 4, p: 2 }).verify("Zwölf Gänse und ein Fuchs", kept), true);
  for (const wrong of ["", "zwölf gänse und ein fuchs", "Zwölf Gänse und ein Fuchs ", "x".repeat(100_000)]) {
    assert.equal(await passwords.verify(wrong, kept), false);
  }
});

test("verify() says no to a record that is absent, broken or unaffordable", async () => {
  const passwords = createPasswords(COST);
  const kept = await passwords.hash("correct horse battery");
  const records = [
    null,
    "",
    "correct horse battery",
    kept.slice(0, -4),
    kept.replace("ln=4", "ln=40"),
    kept.replace("p=1", "p=99"),
    kept.replace("$scrypt$", "$argon2id$"),
  ];
  for (const record of records)
    assert.equal(await passwords.verify("correct horse battery", record), false, String(record));
});

test("the default costs are OWASP's 2^15, 8, 3", () => {
  assert.deepEqual(SCRYPT_COST, { ln: 15, r: 8, p: 3 });
});

test("a crowd waits its turn, and one that is too large is refused with 503", async () => {
  const passwords = createPasswords({ ln: 10, r: 8, p: 1 });
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.verify("x", null)));
  const refused = outcomes.filter((one) => one.status === "rejected");
  assert.equal(refused.length, 50 - 1 - 32);
  for (const { reason } of refused) assert.ok(reason instanceof Refusal && reason.status === 503);
  // The places were given back.
  assert.equal(await passwords.verify("x", null), false);
});

test("whoever comes from a known device waits for no crowd of others", async () => {
  const passwords = createPasswords({ ln: 12, r: 8, p: 1 });
  const order: string[] = [];
  const crowd = Array.from({ length: 40 }, () =>
    passwords.verify("x", null).then(
      () => order.push("other"),
      () => order.push("refused"),
    ),
  );
  await passwords.verify("x", null, { known: true }).then(() => order.push("known"));
  await Promise.all(crowd);
  const answered = order.filter((who) => who !== "refused");
  assert.ok(answered.indexOf("known") <= 1, answered.join(" "));
});

test("an address that asks for many holds up no other one", async () => {
  const passwords = createPasswords({ ln: 12, r: 8, p: 1 });
  const order: string[] = [];
  const ask = (address: string) =>
    passwords.verify("x", null, { address }).then(
      () => void order.push(address),
      () => void order.push(`${address} refused`),
    );
  // More than may wait: these fill the line, and IPv6 addresses of one household are one.
  const crowd = Array.from({ length: 40 }, (_, n) => ask(`2001:db8::${n + 1}`));
  const others = ["192.0.2.1", "192.0.2.2"].map(ask);
  await Promise.all(others);
  const before = order.filter((who) => who.startsWith("2001") && !who.endsWith("refused"));
  assert.ok(before.length <= 3, order.join(" "));
  await Promise.all(crowd);
  assert.equal(order.filter((who) => who === "192.0.2.1" || who === "192.0.2.2").length, 2);
  assert.equal(order.filter((who) => who.endsWith("refused")).length, 40 + 2 - 1 - 32);
});

test("hashing takes none of the threads that read files", async () => {
  const passwords = createPasswords({ ln: 15, r: 8, p: 1 });
  let hashed = 0;
  const crowd = Array.from({ length: 8 }, () => passwords.hash("correct horse battery").then(() => hashed++));
  // Each of these would wait behind a hash.
  for (let n = 0; n < 40; n++) await readFile(new URL(import.meta.url));
  assert.ok(hashed < 8, "all files were read before the last hash was done");
  await Promise.all(crowd);
});

test("passwordFault() refuses what is short, long, common or the address", () => {
  const email = "ada.lovelace@example.com";
  const bad = [
    "",
    "elevenchars",
    "x".repeat(257),
    "aaaaaaaaaaaaaaaa",
    "abababababababab",
    "password1234",
    "Password123456!",
    "my-password",
    "qwertyuiop123",
    "123456789012345",
    "1234567890qwerty",
    "TonwerkTonwerk",
    "ada.lovelace@example.com",
    "Ada.Lovelace",
    "🎵".repeat(20),
  ];
  for (const password of bad) assert.equal(typeof passwordFault(password, email), "string", password);
  const good = [
    "correct horse battery",
    "kYq8#vLw2!tR",
    "Zwölf Gänse 12",
    "長い合言葉は覚えやすいものです",
    "passwords are a tiresome thing",
  ];
  for (const password of good) assert.equal(passwordFault(password, email), undefined, password);
});
