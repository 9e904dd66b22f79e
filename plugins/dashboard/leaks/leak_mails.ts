/** Tells owners by mail that keys of theirs were reported. */
import type { AccountsStore, LeakReport, LeaksStore } from "../../../core/surface.ts";
import type { News } from "../people/owner_mails.ts";

/** Places that one mail lists. */
const LISTED_MAX = 20;

export function leakNews(
  store: Pick<LeaksStore, "claimLeakMails" | "recordLeakMail"> & Pick<AccountsStore, "keys">,
  base_url: string,
): News<LeakReport> {
  return {
    about: "leak",
    claim: async (now, lease_ms, limit) =>
      (await store.claimLeakMails(now, lease_ms, limit)).map(({ report: item, attempts }) => ({ item, attempts })),
    settle: (id, next_at) => store.recordLeakMail(id, next_at),
    async write(account_id, name, reports) {
      const keys = new Map((await store.keys(account_id)).map((key) => [key.id, key]));
      const lines = reports.slice(0, LISTED_MAX).map(({ key_id, url, source, revoked }) => {
        const key = keys.get(key_id);
        const label = `"${key?.label ?? ""}", ending in ${key?.last_four ?? "?"}`;
        const state = key?.revoked_at != null || revoked ? "revoked" : "still valid";
        return `- ${label} (${state}), found in ${url === "" ? "a place that was not named" : url}${source === "" ? "" : ` (${source})`}`;
      });
      if (reports.length > LISTED_MAX) lines.push(`- and ${reports.length - LISTED_MAX} more places`);
      const all_revoked = reports.every(({ key_id, revoked }) => revoked || keys.get(key_id)?.revoked_at != null);
      const advice = all_revoked
        ? "The keys were revoked, as your account has chosen. Replace them where they were in use."
        : "Whoever finds a key can spend your credits and read your operations. Create a new key, replace the old one where it is in use, and revoke it:";
      return {
        subject: `An API key of ${name} was found in public`,
        text: `API keys of the account "${name}" at ${base_url} were reported as found in public:\n\n${lines.join("\n")}\n\n${advice}\n\n${base_url}/dashboard\n`,
      };
    },
  };
}
