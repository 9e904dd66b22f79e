/** One attempt at a webhook: a signed POST, and what came of it. */

import { describeError, type Log } from "../base/log.ts";
import { type Secrets, signingKey } from "../base/secrets.ts";
import { type AccountsStore, type Outbound, OutboundError, type PostAnswer, type Webhook } from "../ports/mod.ts";
import { timestampOf } from "./schedule.ts";
import { signWebhook } from "./signature.ts";

export interface SendServices {
  readonly store: Pick<AccountsStore, "secrets">;
  readonly outbound: Pick<Outbound, "post">;
  readonly secrets: Pick<Secrets, "open">;
  readonly log: Log;
}

/** `status` is null if no answer came. */
export interface SendResult extends Omit<PostAnswer, "status"> {
  /** `refused` ends the schedule, `retried` and `interrupted` go on with it. */
  readonly outcome: "delivered" | "retried" | "refused" | "interrupted";
  readonly status: number | null;
}

/** Never rejects: what goes wrong is a result. Aborting `signal` makes it `interrupted`. */
export async function sendWebhook(
  webhook: Webhook,
  started_at: number,
  { store, outbound, secrets, log }: SendServices,
  user_agent: string,
  signal: AbortSignal,
): Promise<SendResult> {
  const { id, account_id, type, url } = webhook;
  try {
    const body = Buffer.from(webhook.body, "utf8");
    const timestamp = timestampOf(webhook.first_attempt_at ?? started_at, started_at);
    const headers = {
      "content-type": "application/json",
      "user-agent": user_agent,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook(await openKeys(account_id, store, secrets), { id, timestamp, body }),
      "webhook-type": type,
    };
    const answer = await outbound.post(url, { account_id, headers, body, signal });
    return { ...answer, outcome: outcomeOf(answer.status) };
  } catch (error) {
    const none = { status: null, retry_after_seconds: null };
    if (!(error instanceof OutboundError)) {
      log("webhook.error", { id, error: describeError(error) });
      return { ...none, outcome: "retried", detail: "Internal failure" };
    }
    if (error.code === "aborted") return { ...none, outcome: "interrupted", detail: "The service was shutting down" };
    return { ...none, outcome: error.code === "forbidden_address" ? "refused" : "retried", detail: error.message };
  }
}

/** Keys of all live secrets. Throws if one does not open: some receivers could not verify the delivery. */
async function openKeys(
  account_id: string,
  store: SendServices["store"],
  secrets: SendServices["secrets"],
): Promise<readonly Uint8Array[]> {
  const live = (await store.secrets(account_id)).filter(({ retired_at }) => retired_at === null);
  const keys = live.map(({ id, sealed }) => signingKey(secrets.open(sealed, id)));
  if (keys.length === 0 || keys.includes(undefined)) {
    throw new Error(`Cannot sign for account "${account_id}": it has no usable signing secret`);
  }
  return keys as readonly Uint8Array[];
}

/** 2xx counts. Trouble of the receiver or the network passes; any other status would come again. */
function outcomeOf(status: number): SendResult["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 429 || status >= 500 ? "retried" : "refused";
}
