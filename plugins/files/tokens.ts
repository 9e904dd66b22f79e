/**
 * Short-lived tokens for uploads, for pages that must not have a key: `tonwerk_upload_<what it allows>.<signature>`.
 * They are signed, not stored, so that forged ones cost no look-up; what was uploaded with one is counted in the store,
 * with each file. One is worth as much as the key that made it: its account and its key are looked up each time.
 */
import { refuse } from "../base/errors.ts";
import { newId } from "../base/ids.ts";
import { UPLOAD_TOKEN_PREFIX } from "../base/keys.ts";
import type { RotatingKeys } from "../base/secrets.ts";
import { createSigner } from "../base/signer.ts";
import type { AccountsStore, Clock } from "../ports/mod.ts";
import { type Principal, principalOf } from "./keyring.ts";

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
  make(terms: Omit<UploadToken, "id">): { readonly text: string; readonly token: UploadToken };
  /** Undefined: we did not sign it, or its time is over. */
  read(text: string): UploadToken | undefined;
  /** Refuses with 401 where its key was revoked. */
  accountOf(token: UploadToken): Promise<Principal>;
}

/** The token of an Authorization header; undefined: it has none, and perhaps a key. */
export function uploadTokenIn(authorization: string | null): string | undefined {
  return TOKEN.exec(authorization ?? "")?.[1];
}

const TOKEN = new RegExp(`^Bearer (${UPLOAD_TOKEN_PREFIX}[\\w.-]{1,1000})$`, "i");

export function createUploadTokens({
  store,
  clock,
  keys,
}: {
  readonly store: Pick<AccountsStore, "account" | "keys">;
  readonly clock: Pick<Clock, "now">;
  readonly keys: RotatingKeys;
}): UploadTokens {
  const signer = createSigner(keys, "tonwerk upload token 1\n");
  return {
    make(terms) {
      const token: UploadToken = { id: newId("", clock.now()), ...terms };
      const { id, account_id, key_id, expires_at, uploads, bytes, origin } = token;
      const fields = JSON.stringify([id, account_id, key_id, expires_at, uploads, bytes, origin]);
      const payload = Buffer.from(fields).toString("base64url");
      return { text: `${UPLOAD_TOKEN_PREFIX}${payload}.${signer.sign(payload)}`, token };
    },

    read(text) {
      const [, payload = "", signature = ""] = PARTS.exec(text.slice(UPLOAD_TOKEN_PREFIX.length)) ?? [];
      if (!signer.verifies(payload, signature)) return undefined;
      // What we signed ourselves is as we wrote it.
      const [id, account_id, key_id, expires_at, uploads, bytes, origin] = JSON.parse(
        Buffer.from(payload, "base64url").toString(),
      ) as [string, string, string, number, number, number, string | null];
      if (clock.now() >= expires_at) return undefined;
      return { id, account_id, key_id, expires_at, uploads, bytes, origin };
    },

    async accountOf({ account_id, key_id }) {
      const [account, known] = await Promise.all([store.account(account_id), store.keys(account_id)]);
      const key = known.find(({ id, revoked_at }) => id === key_id && revoked_at === null);
      if (account === undefined || key === undefined) throw refuse.unauthorized("upload_token_invalid");
      return principalOf(store, key, account);
    },
  };
}

const PARTS = /^([\w-]+)\.([\w-]{43})$/u;
