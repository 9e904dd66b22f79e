/** `GET /v1/account`: the credits and limits of the key's account, and what the key itself may do. */
import { readBudget } from "../../accounts/key_rights.ts";
import type { Principal } from "../../accounts/keyring.ts";
import { isoTime } from "../../actions/render.ts";
import { liveAccountOf } from "../../base/ids.ts";
import { limitsOf } from "../admission.ts";
import type { AccountRoute } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function accountRoutes(services: HttpServices): readonly AccountRoute[] {
  return [{ method: "GET", path: "/v1/account", answer: (account) => describeAccount(services, account) }];
}

async function describeAccount({ config, store, clock, free_work }: HttpServices, account: Principal): Promise<object> {
  const id = liveAccountOf(account.id);
  const { webhook_body: body, webhook_long_retries: long_retries, key } = account;
  const [now, kept, budget] = await Promise.all([
    store.account(id),
    store.keptUploads(account.id),
    key?.budget ? readBudget(store, key.id, key.budget, clock.now()) : null,
  ]);
  const { resets_at, ...free } = free_work.of(key?.test ? account : (now ?? account));
  const limits = {
    ...limitsOf(account, config),
    upload_bytes: { limit: account.upload_bytes ?? config.upload_bytes, used: kept.bytes },
    free_seconds: { ...free, resets_at: isoTime(resets_at) },
  };
  return {
    account: { id, credits: now?.credits ?? 0, limits, webhooks: { body, long_retries }, key: { ...key, budget } },
  };
}
