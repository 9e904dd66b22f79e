/**
 * API keys: `tonwerk_`, 30 random base62 characters (178 bits) and 6 more, the CRC-32 (IEEE) of those 30 in ASCII, in
 * base62 left-padded with `0`. Those of test mode begin with `tonwerk_test_`. The checksum lets secret scanners tell a
 * key from noise and lets a mistyped one be refused without a look-up. Only the SHA-256 of a key is kept: with 178
 * random bits a slow hash would add nothing.
 */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** A fresh key. It is shown once; afterwards only `hashApiKey` and `lastFour` of it are known. */
export function newApiKey(is_test = false): string {
  const random = randomCharacters(RANDOM_LENGTH);
  return (is_test ? TEST_PREFIX : PREFIX) + random + checksum(random);
}

/** True for a text that is formed like a key and whose checksum fits. Says nothing about whether the key exists. */
export function checkApiKey(text: string): boolean {
  const [, random, sum] = API_KEY.exec(text) ?? [];
  return random !== undefined && sum === checksum(random);
}

/** Lower-case hexadecimal SHA-256 of the key in ASCII. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key, "ascii").digest("hex");
}

/** What the dashboard shows of a key. */
export function lastFour(key: string): string {
  return key.slice(-4);
}

/** Before what is no key: see plugins/files/tokens.ts. */
export const UPLOAD_TOKEN_PREFIX = "tonwerk_upload_";

const PREFIX = "tonwerk_";
const TEST_PREFIX = "tonwerk_test_";
const RANDOM_LENGTH = 30;
const API_KEY = /^tonwerk_(?:test_)?([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 62^6 is above 2^32, so that six characters always suffice. */
function checksum(random: string): string {
  let rest = crc32(random);
  let text = "";
  for (let i = 0; i < 6; i++) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomCharacters(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is four times 62: the bytes above it would make the first eight characters likelier.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
