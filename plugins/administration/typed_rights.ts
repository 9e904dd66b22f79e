/** What people type of a key's rights, in the dashboard and to `tonwerk keys create`, and how both show them. */
import { issue, type KeyRights, refuse } from "../../core/surface.ts";
import { CREDITS_MAX, checkedWhole } from "./checks.ts";

/** An action by name, or all of a group. */
const ACTIONS = /^[a-z][a-z0-9_]*\.(?:\*|[a-z][a-z0-9_]*)$/;
/** More would be a list that nobody reads. */
const ACTIONS_MAX = 100;

export interface TypedRights {
  /** `test`: a key that costs nothing and works on nothing; empty or `live`: a usual one. */
  readonly mode?: string | undefined;
  /** `read`, names of actions and groups such as `adapt.*`, with commas or blanks between them; empty: everything. */
  readonly scopes?: string | undefined;
  /** `500/month` or `20/day`; empty: none. */
  readonly budget?: string | undefined;
}

/** Null: all that the account may. Refuses with 422 what cannot be read. */
export function readRights({ mode = "", scopes = "", budget = "" }: TypedRights): KeyRights | null {
  const names = [...new Set(scopes.split(/[\s,]+/).filter((name) => name !== ""))];
  const actions = names.filter((name) => name !== "read");
  const wrong = actions.find((name) => !ACTIONS.test(name));
  if (wrong !== undefined)
    throw mistake(
      "scopes",
      `"${wrong}" is neither read nor an action such as create.new_song nor a group such as adapt.*`,
    );
  if (actions.length > ACTIONS_MAX) throw mistake("scopes", `Must name at most ${ACTIONS_MAX} actions`);
  if (!["", "live", "test"].includes(mode)) throw mistake("mode", "Must be live or test");
  const rights: KeyRights = {
    test: mode === "test",
    read_only: names.includes("read"),
    actions: actions.length === 0 ? null : actions,
    budget: readBudgetText(budget.trim()),
  };
  const is_usual = !rights.test && scopesText(rights) === ALL && rights.budget === null;
  return is_usual ? null : rights;
}

function readBudgetText(text: string): KeyRights["budget"] {
  if (text === "") return null;
  const [, credits, period] = /^(\d{1,13})\s*(?:\/|a|per)\s*(day|month)$/.exec(text) ?? [];
  if (credits === undefined) throw mistake("budget", "Must be credits a day or month, such as 20/day or 500/month");
  return { credits: checkedWhole("budget", Number(credits), 0, CREDITS_MAX), period: period as "day" | "month" };
}

function mistake(field: string, why: string): Error {
  return refuse.invalid([issue(["body", field], "value_error", why)]);
}

const ALL = "all";

export function scopesText(rights: KeyRights | null): string {
  const { read_only = false, actions = null } = rights ?? {};
  return [...(read_only ? ["read"] : []), ...(actions ?? [])].join(", ") || ALL;
}

export function budgetText(rights: KeyRights | null): string {
  return rights?.budget == null ? "-" : `${rights.budget.credits}/${rights.budget.period}`;
}
