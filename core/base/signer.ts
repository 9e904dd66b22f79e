/**
 * What this service signs to read it again: HMAC-SHA-256 in base64url. The current key signs; the previous one still
 * verifies.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { RotatingKeys } from "./secrets.ts";

export interface Signer {
  sign(text: string): string;
  /** Whether `signature` is that of `text`, under either key. */
  verifies(text: string, signature: string): boolean;
}

/** `prefix` keeps these signatures apart from whatever else is signed under the same keys. */
export function createSigner({ current, previous }: RotatingKeys, prefix = ""): Signer {
  const keys = previous === undefined ? [current] : [current, previous];
  const mac = (key: Uint8Array, text: string): string =>
    createHmac("sha256", key)
      .update(prefix + text)
      .digest("base64url");
  return {
    sign: (text) => mac(current, text),
    // Compared as text, for several base64url texts decode to the same bytes.
    verifies: (text, signature) => keys.some((key) => isSame(mac(key, text), signature)),
  };
}

/** Takes equally long wherever two texts of one length differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
