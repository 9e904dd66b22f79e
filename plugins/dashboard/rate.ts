import { refuse } from "../../core/surface.ts";
import type { DashboardServices } from "./context.ts";

/** A person's, and the prices that a page asks for while they type. */
const FORMS_PER_MINUTE = 120;

/** Counts a form of somebody who is signed in, before anything of it is read. Refuses with 429. */
export async function takeForm({ limits }: Pick<DashboardServices, "limits">, user_id: string): Promise<void> {
  const verdict = await limits.take(`forms ${user_id}`, "put", FORMS_PER_MINUTE);
  if (!verdict.ok) throw refuse.tooManyRequests(verdict.retry_seconds);
}
