/**
 * What a key may do beside what its account may: scopes and a budget. Checked where every surface passes:
 * `requireWrite` with the rate limit, `requireAction` in the use cases that know the action, budgets in the store with
 * the debit. Keys without rights of their own cost two comparisons.
 */
import { refuse } from "../base/errors.ts";
import { type AccountsStore, DAY_MS, type KeyBudget, type KeyRights, type SubmissionBudget } from "../ports/mod.ts";

/** The key behind a request. */
export interface CallingKey extends KeyRights {
  readonly id: string;
}

/** Who asks; without a key whoever is signed in to the account. */
interface Asking {
  readonly key?: CallingKey;
}

/** Of a key that may do everything that its account may. */
export const ALL_RIGHTS: KeyRights = Object.freeze({ test: false, read_only: false, actions: null, budget: null });

/** Refuses with 403 a key that only reads. */
export function requireWrite({ key }: Asking): void {
  if (key?.read_only === true) throw refuse.keyScopeMissing("write");
}

/** Refuses with 403 a key that may not use the action, nor see its operations. */
export function requireAction({ key }: Asking, action: string): void {
  if (key !== undefined && !maySee(key, action)) throw refuse.keyScopeMissing(action);
}

/** Whether the key may use the action, and see its operations. */
export function maySee(key: CallingKey | undefined, action: string): boolean {
  return key === undefined || key.actions === null || isNamed(key.actions, action);
}

/**
 * What a list of the key is restricted to: `actions`, or those of `all` that it may see; undefined: nothing. Refuses
 * with 403 one of `actions` that it may not see.
 */
export function visibleActions(
  asking: Asking,
  actions: readonly string[] | undefined,
  all: Iterable<string>,
): readonly string[] | undefined {
  const { key } = asking;
  if (key === undefined || key.actions === null) return actions;
  for (const action of actions ?? []) requireAction(asking, action);
  return actions ?? [...all].filter((action) => maySee(key, action));
}

/** `create.new_song` is named by itself and by `create.*`. */
function isNamed(patterns: readonly string[], action: string): boolean {
  return patterns.some((one) => (one.endsWith(".*") ? action.startsWith(one.slice(0, -1)) : one === action));
}

/** The period that `now` lies in, of the calendar in UTC. */
function periodOf(period: KeyBudget["period"], now: number): { readonly since: number; readonly until: number } {
  const since = now - (now % DAY_MS);
  if (period === "day") return { since, until: since + DAY_MS };
  const day = new Date(now);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { since: Date.UTC(year, month), until: Date.UTC(year, month + 1) };
}

/** What a submission counts against; undefined: the account's balance alone. */
export function budgetOf({ key }: Asking, now: number): SubmissionBudget | undefined {
  if (key === undefined || key.budget === null) return undefined;
  const { credits, period } = key.budget;
  return { key_id: key.id, credits, since: periodOf(period, now).since };
}

/** Refuses with 402 what the budget has not enough left for. */
export function refuseOverBudget({ key }: Asking, cost: number, left: number, now: number): never {
  const period = key?.budget?.period ?? "day";
  throw refuse.keyBudgetExceeded(cost, left, period, new Date(periodOf(period, now).until).toISOString());
}

/** How far the budget is used. */
export async function readBudget(
  store: Pick<AccountsStore, "keySpending">,
  key_id: string,
  budget: KeyBudget,
  now: number,
) {
  const { since, until } = periodOf(budget.period, now);
  const used = await store.keySpending(key_id, since);
  return { ...budget, used, resets_at: new Date(until).toISOString() };
}
