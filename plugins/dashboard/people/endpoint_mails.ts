/** Tells owners by mail that a webhook endpoint of theirs was disabled. */
import type { Endpoint, EndpointsStore } from "../../../core/surface.ts";
import type { News } from "./owner_mails.ts";

export function endpointNews(
  store: Pick<EndpointsStore, "claimEndpointNotices" | "recordEndpointNotice">,
  base_url: string,
): News<Endpoint> {
  return {
    about: "endpoint",
    claim: async (now, lease_ms, limit) =>
      (await store.claimEndpointNotices(now, lease_ms, limit)).map(({ endpoint: item, attempts }) => ({
        item,
        attempts,
      })),
    settle: (id, next_at) => store.recordEndpointNotice(id, next_at),
    async write(_, name, endpoints) {
      const lines = endpoints.map(({ id, host, disabled_why, last_failure_status }) => {
        const why = disabled_why === "gone" ? "it answered 410, Gone" : "nothing got through for three days";
        const last = last_failure_status === null ? "no answer" : `status ${last_failure_status}`;
        return `- ${id} at ${host}: ${why}; the last attempt got ${last}`;
      });
      return {
        subject: `A webhook endpoint of ${name} was disabled`,
        text: `Webhook endpoints of the account "${name}" at ${base_url} were disabled and are told nothing more:\n\n${lines.join("\n")}\n\nMend the receiver, enable the endpoint again, and send what failed again:\n\n${base_url}/dashboard/webhooks\n`,
      };
    },
  };
}
