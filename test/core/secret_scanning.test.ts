import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { checkApiKey, newApiKey } from "../../core/base/keys.ts";

/** The regex of the rule file. Go's and JavaScript's read it alike: letters, digits, a class, a count and `\b`. */
async function rule(): Promise<RegExp> {
  const text = await readFile(new URL("../../docs/secret-scanning.toml", import.meta.url), "utf8");
  const [, source] = /^regex = '''(.+)'''$/m.exec(text) ?? [];
  assert.ok(source !== undefined && /^[\w[\]{}\\-]+$/.test(source), "a plain pattern");
  for (const keyword of /^keywords = \[(.+)\]$/m.exec(text)?.[1]?.split(",") ?? []) {
    assert.ok(
      newApiKey().includes(JSON.parse(keyword) as string),
      "scanners look at the regex only where a keyword is",
    );
  }
  return new RegExp(source, "g");
}

test("the scanner's rule finds every key that we make, in what people commit", async () => {
  const regex = await rule();
  const places = [
    (key: string) => key,
    (key: string) => `TONWERK_KEY=${key}\n`,
    (key: string) => `curl -H "Authorization: Bearer ${key}" https://x/`,
    (key: string) => `{"key":"${key}","b":1}`,
    (key: string) => `key: '${key}' # mine`,
    (key: string) => `https://x/?key=${key}&b`,
    (key: string) => `<a>${key}</a>`,
    (key: string) => `one ${key}, two`,
  ];
  for (let i = 0; i < 200; i++) {
    const key = newApiKey();
    for (const place of places) assert.deepEqual(place(key).match(regex), [key]);
  }
});

test("it passes over what is longer, shorter or otherwise made", async () => {
  const regex = await rule();
  const key = newApiKey();
  for (const text of [
    `${key}x`,
    `x${key}`,
    key.slice(0, -1),
    key.replace("tonwerk_", "tonwerk-"),
    "tonwerk_…",
    `_${key}`,
  ]) {
    assert.equal(text.match(regex), null, text);
  }
});

test("the checksum refuses what only looks like a key", async () => {
  const regex = await rule();
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const fakes = [`tonwerk_${"x".repeat(36)}`, `tonwerk_${alphabet.slice(0, 36)}`];
  const key = newApiKey();
  // Every single mistyped character, at every place.
  for (let i = 8; i < key.length; i++) {
    const other = alphabet[(alphabet.indexOf(key[i]!) + 1 + (i % 60)) % 62]!;
    fakes.push(key.slice(0, i) + other + key.slice(i + 1));
  }
  for (const fake of fakes) {
    assert.deepEqual(fake.match(regex), [fake], "the rule alone takes it");
    assert.equal(checkApiKey(fake), false, fake);
  }
  assert.equal(checkApiKey(key), true);
});
