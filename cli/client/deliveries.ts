/** Deliveries to a local address, signed as the server signs them, with a secret of this machine. */
import { newSigningSecret, signingKey } from "../../core/base/secrets.ts";
import { signWebhook } from "../../core/webhooks/signature.ts";
import { UsageError } from "./exit_codes.ts";
import { readSettings, writeSettings } from "./settings.ts";

export interface Delivery {
  /** `webhook-id`: the same for the same event, however often it is sent. */
  readonly id: string;
  /** `create.new_song.ready` */
  readonly type: string;
  readonly body: object;
}

export interface Forward {
  readonly secret: string;
  readonly url: string;
}

/** A receiver that takes longer than the server would wait. */
const ANSWER_MS = 15_000;

/** The receiver's status. Rejects where there was no answer. */
export async function sendDelivery({ id, type, body: value }: Delivery, { secret, url }: Forward): Promise<number> {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const timestamp = Math.floor(Date.now() / 1000);
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "tonwerk-listen",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook([signingKey(secret)!], { id, timestamp, body }),
      "webhook-type": type,
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await response.body?.cancel();
  return response.status;
}

/** The secret of this machine, made at its first use, so that a receiver keeps it in its configuration. */
export function listenSecret(): string {
  const settings = readSettings();
  if (settings.listen !== undefined) return settings.listen.secret;
  const secret = newSigningSecret();
  writeSettings({ ...settings, listen: { secret } });
  return secret;
}

/** The address that was asked for, or the last one. @throws UsageError */
export function chooseForward(asked: string | undefined): Forward {
  const secret = listenSecret();
  const settings = readSettings();
  const url = asked ?? settings.listen?.forward;
  if (url === undefined) throw new UsageError("Where to? Say --forward http://localhost:3000/hook");
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? "")) throw new UsageError(`--forward must be a URL, not "${url}"`);
  if (url !== settings.listen?.forward) writeSettings({ ...settings, listen: { secret, forward: url } });
  return { secret, url };
}
