import { accountChecks } from "./store/accounts.ts";
import { auditChecks } from "./store/audit.ts";
import { endpointChecks } from "./store/endpoints.ts";
import { fileChecks } from "./store/files.ts";
import { checksOn, type StoreHarness } from "./store/fixtures.ts";
import { jobChecks } from "./store/jobs.ts";
import { keyChecks } from "./store/keys.ts";
import { leakChecks } from "./store/leaks.ts";
import { operationChecks } from "./store/operations.ts";
import { peopleChecks } from "./store/people.ts";
import { rebateChecks } from "./store/rebates.ts";
import { webhookChecks } from "./store/webhooks.ts";

/** What core/ports/mod.ts promises of a Store, as tests; `open` gives each an empty store of its own. */
export function storeSuite(name: string, open: () => Promise<StoreHarness>): void {
  const check = checksOn(name, open);
  accountChecks(check);
  operationChecks(check);
  jobChecks(check);
  rebateChecks(check);
  fileChecks(check);
  keyChecks(check);
  webhookChecks(check);
  endpointChecks(check);
  peopleChecks(check);
  leakChecks(check);
  auditChecks(check);
}
