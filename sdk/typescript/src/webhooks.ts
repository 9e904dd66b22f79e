/** Checks of deliveries: Standard Webhooks 1.0, signature `v1`, with the Web Crypto that every runtime has. */
import { WebhookVerificationError } from "./errors.ts";
import type { AnyOperation } from "./operation.ts";

type OperationEventType = `${string}.${"started" | "ready" | "failed"}`;

/** A delivery whose sender and age are certain. `ping` is what an endpoint gets for a test. */
export type WebhookEvent = {
  /** The same on every attempt: drop what you have seen. */
  readonly id: string;
} & (
  | {
      readonly type: OperationEventType;
      readonly action: string;
      /** As the matching `GET` answered then. URLs in a late delivery may have expired. */
      readonly operation: AnyOperation;
    }
  | { readonly type: "ping"; readonly endpointId: string }
);

export interface VerifyOptions {
  /** The account's `whsec_…`; several while one replaces another. */
  readonly secret: string | readonly string[];
  /** Seconds that the delivery's clock and this one may differ; 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; now. */
  readonly now?: number;
}

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a delivery. `body` is the request's body as it came, before any parsing.
 *
 * @throws WebhookVerificationError where the signature does not fit, a header is missing, or the delivery is older than the tolerance.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  options: VerifyOptions,
): Promise<WebhookEvent> {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing`);
    return value;
  };
  const [id, timestamp, signatures] = [read("webhook-id"), read("webhook-timestamp"), read("webhook-signature")];
  const age = Math.abs((options.now ?? Date.now()) / 1000 - Number(timestamp));
  if (!(age <= (options.toleranceSeconds ?? 300)))
    throw new WebhookVerificationError("The delivery is too old, or a clock is wrong");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const secrets = typeof options.secret === "string" ? [options.secret] : options.secret;
  if (!(await fitsAny(secrets, signatures, signed))) throw new WebhookVerificationError("The signature does not fit");
  const type = read("webhook-type");
  const parsed = JSON.parse(text) as Record<string, unknown>;
  // Accounts may choose the older envelope.
  const data = (typeof parsed.type === "string" && "data" in parsed ? parsed.data : parsed) as Record<string, unknown>;
  const told = Object.values(data)[0];
  if (type === "ping") return { id, type, endpointId: (told as { readonly id: string }).id };
  const action = type.slice(0, type.lastIndexOf("."));
  return { id, type: type as OperationEventType, action, operation: told as AnyOperation };
}

async function fitsAny(
  secrets: readonly string[],
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const given = signatures
    .split(" ")
    .flatMap((entry) => (entry.startsWith("v1,") ? [decodeBase64(entry.slice(3))] : []));
  for (const secret of secrets) {
    const raw = decodeBase64(secret.replace(/^whsec_/u, ""));
    if (raw === undefined) throw new WebhookVerificationError("The secret is not base64 after whsec_");
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of given) {
      // Compares in constant time.
      if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed))) return true;
    }
  }
  return false;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
