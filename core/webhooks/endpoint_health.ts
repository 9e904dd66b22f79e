/**
 * When an endpoint is given up: who sends to nobody for days holds places that others need, and its account should
 * know.
 */
import type { Audit } from "../accounts/audit.ts";
import { SERVICE } from "../accounts/audit.ts";
import { liveAccountOf } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import { type AuditStore, DAY_MS, type DisabledWhy, type Endpoint, type EndpointsStore } from "../ports/mod.ts";

/** Longer than a weekend. */
const FAILING_MS = 3 * DAY_MS;
/** Who is told little has not failed often by then. */
const FAILURES_MIN = 10;
/** "Gone", with which a receiver says that it wants nothing more (Standard Webhooks 1.0). */
const GONE = 410;

export interface EndpointHealthServices {
  readonly store: Pick<EndpointsStore, "endpoint"> & Pick<AuditStore, "audited">;
  readonly audit: Pick<Audit, "entry">;
  readonly log: Log;
}

/**
 * Called when a delivery to it was given up, `status` being its last answer: disables an endpoint that is not worth
 * more attempts.
 */
export async function disableIfWorn(
  { store, audit, log }: EndpointHealthServices,
  id: string,
  status: number | null,
  now: number,
): Promise<void> {
  const endpoint = await store.endpoint(id);
  if (endpoint === undefined || endpoint.disabled_at !== null || endpoint.failing_since === null) return;
  const why = whyDisable(endpoint, status, now);
  if (why === undefined) return;
  const { url, failing_since, failures } = endpoint;
  const account_id = liveAccountOf(endpoint.account_id);
  const details = { why, url, failures, failing_since: new Date(failing_since).toISOString() };
  const entry = audit.entry(SERVICE, "endpoint.disabled", { account_id, target: id, details });
  if (await store.audited(entry, "disableEndpoint", id, failing_since, why, now))
    log("endpoint.disabled", { account: account_id, endpoint: id, why, failures });
}

function whyDisable(
  { failing_since, failures }: Endpoint,
  status: number | null,
  now: number,
): DisabledWhy | undefined {
  if (status === GONE) return "gone";
  const is_worn = failing_since !== null && now - failing_since >= FAILING_MS && failures >= FAILURES_MIN;
  return is_worn ? "failures" : undefined;
}
