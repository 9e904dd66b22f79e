/** Idempotency keys. A submission binds its own; here is what else may, and what a key was used for. */

export interface KeysStore {
  /** What the account used this key for: a submission, or a `KeyedCall`. */
  keyUse(account_id: string, idempotency_key: string): Promise<KeyUse | undefined>;
  /**
   * Binds the key where it is free, and adds the response to an earlier use by the same request that has none yet.
   * Resolves to the use that counts, whosever it is.
   */
  useKey(call: KeyedCall): Promise<KeyUse>;
}

export interface KeyUse {
  /** Tells a replay from another request, as a submission's. */
  readonly fingerprint: string;
  /** What a replay answers; null: it was begun, and perhaps not done. */
  readonly response: string | null;
}

/** A request under a key that submits nothing: one of `operations.*`. */
export interface KeyedCall extends KeyUse {
  readonly account_id: string;
  /** Canonical lower-case UUID; unique for the account, submissions included. */
  readonly idempotency_key: string;
  /** When the key is forgotten. */
  readonly expires_at: number;
}
