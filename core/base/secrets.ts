/**
 * What is derived from the installation's one secret (TONWERK_SECRET): keys for a purpose, such as signing download
 * URLs, and the key that seals webhook signing secrets at rest. During a rotation the previous secret still verifies
 * and opens; only the current one signs and seals.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Secrets {
  /** Keys of 32 bytes, others for each purpose. */
  keysFor(purpose: string): RotatingKeys;
  /** `context` says where the text belongs (an id): sealed text moved elsewhere does not open. */
  seal(plain: string, context: string): string;
  /** Throws where neither secret opens it, or `context` is another. */
  open(sealed: string, context: string): string;
  /**
   * Sealed anew under the current secret what the previous one alone opens. `current`: there is no need to. `lost`:
   * neither opens it.
   */
  reseal(sealed: string, context: string): { readonly sealed: string } | "current" | "lost";
}

export interface RotatingKeys {
  readonly current: Uint8Array;
  readonly previous?: Uint8Array;
}

/** Both as `decodeSecret` reads them; anything else is a RangeError. */
export function createSecrets(config: { readonly secret: string; readonly previous?: string | undefined }): Secrets {
  const current = rootKey(config.secret);
  const previous = config.previous === undefined ? undefined : rootKey(config.previous);
  const keysFor = (purpose: string): RotatingKeys => ({
    current: derive(current, purpose),
    ...(previous === undefined ? {} : { previous: derive(previous, purpose) }),
  });
  const sealing = keysFor("sealing");
  const openPrevious = (sealed: string, context: string): string | undefined =>
    sealing.previous === undefined ? undefined : unseal(sealing.previous, sealed, context);
  return {
    keysFor,
    seal: (plain, context) => seal(sealing.current, plain, context),
    open: (sealed, context) => {
      const plain = unseal(sealing.current, sealed, context) ?? openPrevious(sealed, context);
      if (plain !== undefined) return plain;
      throw new Error(
        `Cannot open the sealed secret of "${context}": it was changed, or sealed under another TONWERK_SECRET`,
      );
    },
    reseal(sealed, context) {
      if (unseal(sealing.current, sealed, context) !== undefined) return "current";
      const plain = openPrevious(sealed, context);
      return plain === undefined ? "lost" : { sealed: seal(sealing.current, plain, context) };
    },
  };
}

/**
 * At least 32 bytes in base64 or base64url, padded or not; a hexadecimal text of 64 characters is one too. Undefined:
 * it is not.
 */
export function decodeSecret(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length >= SECRET_BYTES_MIN ? new Uint8Array(bytes) : undefined;
}

/** A webhook signing secret: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return SIGNING_PREFIX + randomBytes(32).toString("base64");
}

/** The HMAC key in a `whsec_` secret: 24 to 64 bytes of padded standard base64. Undefined: it is not one. */
export function signingKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(SIGNING_PREFIX)) return undefined;
  const text = secret.slice(SIGNING_PREFIX.length);
  const bytes = Buffer.from(text, "base64");
  // Only the one canonical text of the bytes: libraries differ in what else they let pass.
  if (bytes.toString("base64") !== text || bytes.length < 24 || bytes.length > 64) return undefined;
  return new Uint8Array(bytes);
}

const SIGNING_PREFIX = "whsec_";
export const SECRET_BYTES_MIN = 32;

function rootKey(text: string): Uint8Array {
  const bytes = decodeSecret(text);
  if (bytes === undefined) throw new RangeError("Cannot use the secret: it must be base64 of at least 32 bytes");
  return bytes;
}

/** HKDF-SHA-256 (RFC 5869), no salt: the input is uniformly random already. */
function derive(root: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", root, new Uint8Array(0), `tonwerk 1 ${purpose}`, 32));
}

// Sealed: `v1.` and the base64url of nonce (12 bytes), ciphertext, tag (16 bytes). AES-256-GCM with the context as
// additional data.
const VERSION = "v1.";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Uint8Array, plain: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(VERSION + context, "utf8"));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return VERSION + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

function unseal(key: Uint8Array, sealed: string, context: string): string | undefined {
  if (!sealed.startsWith(VERSION)) return undefined;
  const text = sealed.slice(VERSION.length);
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const body_end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(VERSION + context, "utf8"));
  decipher.setAuthTag(bytes.subarray(body_end));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES, body_end));
  try {
    return Buffer.concat([plain, decipher.final()]).toString("utf8");
  } catch {
    // `final` throws for a wrong tag and for nothing else: another key may still fit.
    return undefined;
  }
}
