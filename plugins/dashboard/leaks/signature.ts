/**
 * Signatures of leak reports, as secret-scanning partners make them: `Github-Public-Key-Identifier` names the key, and
 * `Github-Public-Key-Signature` is the base64 of a DER-encoded ECDSA signature on P-256 over the SHA-256 of the body as
 * it was sent.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Administration } from "../../../core/surface.ts";

export type LeakKeys = ReadonlyMap<string, KeyObject>;

/** Throws a message for the operator. Null: no keys are configured. */
export function leakKeysOf({ leak_keys }: Pick<Administration["config"], "leak_keys">): LeakKeys | null {
  if (leak_keys === null) return null;
  const keys = readLeakKeys(leak_keys);
  if (keys !== undefined) return keys;
  throw new Error(
    'Cannot start: TONWERK_LEAK_KEYS must be JSON of PEM public keys on P-256 by identifier, as in {"id": "-----BEGIN PUBLIC KEY-----\\n…"}',
  );
}

/**
 * `{ identifier: PEM }`, or GitHub's own answer `{ public_keys: [{ key_identifier, key }] }`. Undefined: neither, or a
 * key that is not on P-256.
 */
function readLeakKeys(text: string): LeakKeys | undefined {
  try {
    // Typed by the operator, so JSON.parse does.
    const value: unknown = JSON.parse(text);
    const pairs = pairsOf(value);
    if (pairs === undefined || pairs.length === 0) return undefined;
    const keys = new Map<string, KeyObject>();
    for (const [id, pem] of pairs) {
      const key = createPublicKey(pem);
      if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1") return undefined;
      keys.set(id, key);
    }
    return keys;
  } catch {
    return undefined;
  }
}

/** Whether the body was signed by the key of this name. */
export function verifyLeakSignature(keys: LeakKeys, key_id: string, signature: string, body: Uint8Array): boolean {
  const key = keys.get(key_id);
  if (key === undefined || !/^[A-Za-z0-9+/]{1,200}={0,2}$/.test(signature)) return false;
  try {
    return verify("sha256", body, key, Buffer.from(signature, "base64"));
  } catch {
    // Bytes that are no DER signature.
    return false;
  }
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const list = (value as { public_keys?: unknown }).public_keys;
  const pairs = Array.isArray(list)
    ? list.map((entry: unknown) => {
        const { key_identifier, key } = (entry ?? {}) as { key_identifier?: unknown; key?: unknown };
        return [key_identifier, key] as const;
      })
    : Object.entries(value);
  return pairs.every(([id, pem]) => typeof id === "string" && id !== "" && typeof pem === "string")
    ? (pairs as readonly (readonly [string, string])[])
    : undefined;
}
