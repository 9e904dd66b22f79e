/** `GET /v1/account`: the credits and limits of the key's account, and what the key itself may do. */
import { readBudget } from "../../accounts/key_rights.ts";
import type { Principal } from "../../accounts/keyring.ts";
import { isoTime } from "../../actions/render.ts";
import { liveAccountOf } from "../../base/ids.ts";
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
    // The account's own, and the installation's where it has none.
    put_per_minute: account.put_per_minute ?? config.put_per_minute,
    get_per_minute: account.get_per_minute ?? config.get_per_minute,
    long_polls: account.long_polls ?? config.long_polls,
    uploads_open: account.uploads_open ?? config.uploads_open,
    upload_bytes: { limit: account.upload_bytes ?? config.upload_bytes, used: kept.bytes },
    free_seconds: { ...free, resets_at: isoTime(resets_at) },
  };
  return {
    account: { id, credits: now?.credits ?? 0, limits, webhooks: { body, long_retries }, key: { ...key, budget } },
  };
}
