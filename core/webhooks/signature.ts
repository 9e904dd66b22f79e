/** Signatures of Standard Webhooks 1.0 (symmetric, `v1`), as its official libraries verify them. */
import { createHmac } from "node:crypto";

export interface Signed {
  /** `webhook-id`: without a dot, which separates the signed parts. */
  readonly id: string;
  /** `webhook-timestamp`, whole seconds since 1970 UTC. */
  readonly timestamp: number;
  /** The bytes that are sent. */
  readonly body: Uint8Array;
}

/**
 * The value of `webhook-signature`: one signature for each key, space-separated, so that a receiver that knows any of
 * the secrets accepts it. Keys are the decoded bytes of `whsec_` secrets (secrets.ts).
 */
export function signWebhook(keys: readonly Uint8Array[], { id, timestamp, body }: Signed): string {
  return keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`)
    .join(" ");
}
