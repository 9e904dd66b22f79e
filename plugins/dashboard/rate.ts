import { countRequest } from "../../core/accounts/limits.ts";
import { refuse } from "../../core/base/errors.ts";
import type { DashboardServices, Visit } from "./context.ts";

/** What is submitted here counts like what programs submit: one limit for the account. Refuses with 429. */
export async function takeFromLimit(
  services: Pick<DashboardServices, "limits" | "config">,
  { by }: Visit,
): Promise<void> {
  await countRequest(services, by.account, "put");
}

/** A person's, and the prices that a page asks for while they type. */
const FORMS_PER_MINUTE = 120;

/** Counts a form of somebody who is signed in, before anything of it is read. Refuses with 429. */
export async function takeForm({ limits }: Pick<DashboardServices, "limits">, user_id: string): Promise<void> {
  const verdict = await limits.take(`forms ${user_id}`, "put", FORMS_PER_MINUTE);
  if (!verdict.ok) throw refuse.tooManyRequests(verdict.retry_seconds);
}
