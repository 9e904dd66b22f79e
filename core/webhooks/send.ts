/** One attempt at a webhook: a signed POST, and what came of it. */

import { liveAccountOf } from "../base/ids.ts";
import { describeError, type Log } from "../base/log.ts";
import { type Secrets, signingKey } from "../base/secrets.ts";
import {
  type AccountsStore,
  type Endpoint,
  type EndpointsStore,
  type Exchange,
  type Outbound,
  OutboundError,
  PING,
  type PostAnswer,
  type SigningSecret,
  type Webhook,
} from "../ports/mod.ts";
import { describeExchange } from "./exchange.ts";
import { timestampOf } from "./schedule.ts";
import { signWebhook } from "./signature.ts";

export interface SendServices {
  readonly store: Pick<AccountsStore, "secrets"> & Pick<EndpointsStore, "endpoint" | "endpointSecrets">;
  readonly outbound: Pick<Outbound, "post">;
  readonly secrets: Pick<Secrets, "open">;
  readonly log: Log;
}

/** `status` is null if no answer came. */
export interface SendResult extends Omit<PostAnswer, "status" | "headers"> {
  /** `refused` ends the schedule, `retried` and `interrupted` go on with it. */
  readonly outcome: "delivered" | "retried" | "refused" | "interrupted";
  readonly status: number | null;
  /** Null: nothing was sent. */
  readonly exchange: Exchange | null;
  /** Nobody was asked, for the endpoint is disabled or gone. */
  readonly unwanted?: true;
}

/** Never rejects: what goes wrong is a result. Aborting `signal` makes it `interrupted`. */
export async function sendWebhook(
  webhook: Webhook,
  started_at: number,
  services: SendServices,
  user_agent: string,
  signal: AbortSignal,
): Promise<SendResult> {
  const { outbound, log } = services;
  const { id, account_id, type } = webhook;
  const none = { status: null, retry_after_seconds: null };
  let exchange: Exchange | null = null;
  try {
    const endpoint = await findEndpoint(webhook, services);
    if (typeof endpoint === "string")
      return { ...none, exchange, outcome: "refused", detail: endpoint, unwanted: true };
    const body = Buffer.from(webhook.body, "utf8");
    const timestamp = timestampOf(webhook.first_attempt_at ?? started_at, started_at);
    const { keys, signed_by } = await openKeys(webhook, started_at, services);
    const headers = {
      "content-type": "application/json",
      "user-agent": user_agent,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook(keys, { id, timestamp, body }),
      "webhook-type": type,
    };
    // An endpoint that has moved is found where it is now.
    const url = endpoint?.url ?? webhook.url;
    exchange = describeExchange(url, headers, signed_by, null);
    const { headers: came_back, ...answer } = await outbound.post(url, { account_id, headers, body, signal });
    exchange = describeExchange(url, headers, signed_by, came_back);
    return { ...answer, exchange, outcome: outcomeOf(answer.status) };
  } catch (error) {
    if (!(error instanceof OutboundError)) {
      log("webhook.error", { id, error: describeError(error) });
      return { ...none, exchange, outcome: "retried", detail: "Internal failure" };
    }
    if (error.code === "aborted")
      return { ...none, exchange, outcome: "interrupted", detail: "The service was shutting down" };
    // Nothing left this machine.
    if (error.code === "forbidden_address") exchange = null;
    return {
      ...none,
      exchange,
      outcome: error.code === "forbidden_address" ? "refused" : "retried",
      detail: error.message,
    };
  }
}

/** Undefined: the webhook goes to a callback. A text: why it is not to be sent. */
async function findEndpoint(
  { endpoint_id, type }: Webhook,
  { store }: Pick<SendServices, "store">,
): Promise<Endpoint | string | undefined> {
  if (endpoint_id === null) return undefined;
  const endpoint = await store.endpoint(endpoint_id);
  if (endpoint === undefined) return "The endpoint was deleted";
  return endpoint.disabled_at === null || type === PING ? endpoint : "The endpoint is disabled";
}

/** Keys of all live secrets. Throws if one does not open: some receivers could not verify the delivery. */
async function openKeys(
  { account_id, endpoint_id }: Webhook,
  now: number,
  { store, secrets }: Pick<SendServices, "store" | "secrets">,
): Promise<{ readonly keys: readonly Uint8Array[]; readonly signed_by: readonly string[] }> {
  const isLive = ({ retired_at }: SigningSecret): boolean => retired_at === null;
  const live =
    endpoint_id === null
      ? (await store.secrets(liveAccountOf(account_id))).filter(isLive)
      : await store.endpointSecrets(endpoint_id, now);
  const keys = live.map(({ id, sealed }) => signingKey(secrets.open(sealed, id)));
  if (keys.length === 0 || keys.includes(undefined)) {
    throw new Error(`Cannot sign for "${endpoint_id ?? account_id}": it has no usable signing secret`);
  }
  return { keys: keys as readonly Uint8Array[], signed_by: live.map(({ id }) => id) };
}

/** 2xx counts. Trouble of the receiver or the network passes; any other status would come again. */
function outcomeOf(status: number): SendResult["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  return status === 429 || status >= 500 ? "retried" : "refused";
}
