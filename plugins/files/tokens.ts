/**
 * Short-lived tokens for uploads, for pages that must not have a key: `tonwerk_upload_<what it allows>.<signature>`.
 * They are signed, not stored, so that forged ones cost no look-up; what was uploaded with one is counted in the store,
 * with each file. One is worth as much as the key that made it: its account and its key are looked up each time.
 */
import { hash } from "node:crypto";
import {
  type AccountRoute,
  clientAddress,
  createSigner,
  type Facade,
  household,
  newId,
  type Principal,
  refuse,
  UPLOAD_TOKEN_PREFIX,
} from "../../core/surface.ts";
import { tokenOfOrigin } from "./refusals.ts";

/** What a token allows, in all. */
export interface UploadToken {
  readonly id: string;
  readonly account_id: string;
  /** The key that made it. */
  readonly key_id: string;
  readonly expires_at: number;
  readonly uploads: number;
  readonly bytes: number;
  /** The one from which it may be used; null: any, and where there is none. */
  readonly origin: string | null;
}

export interface UploadTokens {
  /** The text of a new one. */
  make(terms: Omit<UploadToken, "id">): string;
  /** Of a route that pages may ask with a token. Refuses with 401, 403 and 429. */
  readonly authenticate: NonNullable<AccountRoute["authenticate"]>;
  /** The token that this very principal was authenticated by; undefined: it has a key. */
  of(account: Principal): UploadToken | undefined;
}

/** Uploads with one token: far above what a page needs, and each may cost seconds of the account's free work. */
const TOKEN_PER_MINUTE = 30;
/** Tokens of an address that are none, as with unknown keys. */
const FORGED_PER_MINUTE = 300;
const SENT = new RegExp(`^Bearer (${UPLOAD_TOKEN_PREFIX}[\\w.-]{1,1000})$`, "i");
const PARTS = /^([\w-]+)\.([\w-]{43})$/u;

export function createUploadTokens({ admitKey, clock, config, limits, secrets }: Facade): UploadTokens {
  const signer = createSigner(secrets.keysFor("upload tokens"), "tonwerk upload token 1\n");
  const used = new WeakMap<Principal, UploadToken>();

  /** Undefined: we did not sign it, or its time is over. */
  const read = (text: string): UploadToken | undefined => {
    const [, payload = "", signature = ""] = PARTS.exec(text.slice(UPLOAD_TOKEN_PREFIX.length)) ?? [];
    if (!signer.verifies(payload, signature)) return undefined;
    // What we signed ourselves is as we wrote it.
    const [id, account_id, key_id, expires_at, uploads, bytes, origin] = JSON.parse(
      Buffer.from(payload, "base64url").toString(),
    ) as [string, string, string, number, number, number, string | null];
    if (clock.now() >= expires_at) return undefined;
    return { id, account_id, key_id, expires_at, uploads, bytes, origin };
  };

  const count = async (name: string, per_minute: number): Promise<void> => {
    const { ok, retry_seconds } = await limits.take(name, "put", per_minute);
    if (!ok) throw refuse.tooManyRequests(retry_seconds);
  };

  return {
    make(terms) {
      const { account_id, key_id, expires_at, uploads, bytes, origin } = terms;
      const fields = JSON.stringify([newId("", clock.now()), account_id, key_id, expires_at, uploads, bytes, origin]);
      const payload = Buffer.from(fields).toString("base64url");
      return `${UPLOAD_TOKEN_PREFIX}${payload}.${signer.sign(payload)}`;
    },

    async authenticate({ request: { headers }, peer }) {
      const sent = SENT.exec(headers.get("authorization") ?? "")?.[1];
      if (sent === undefined) return undefined;
      const forwarded_for = headers.get("x-forwarded-for");
      const token = read(sent);
      if (token === undefined) {
        const address = household(clientAddress(peer.address, forwarded_for, config.trusted_proxies));
        await count(`forger:${hash("sha256", address, "base64url")}`, FORGED_PER_MINUTE);
        throw refuse.unauthorized("upload_token_invalid");
      }
      if (token.origin !== null && token.origin !== headers.get("origin")) throw tokenOfOrigin();
      await count(`token:${token.id}`, TOKEN_PER_MINUTE);
      const account = await admitKey(token.account_id, token.key_id, { forwarded_for, peer });
      if (account === undefined) throw refuse.unauthorized("upload_token_invalid");
      used.set(account, token);
      return account;
    },

    of: (account) => used.get(account),
  };
}
