/**
 * What a request costs: told in dry runs, debited at its submission. Where its action is priced by sources, as far as
 * they are measured.
 */
import { budgetOf } from "../accounts/key_rights.ts";
import type { Principal } from "../accounts/keyring.ts";
import type { Asking, FaultServices } from "../actions/fault_reports.ts";
import { atMost, measureSources } from "../actions/measured.ts";
import type { Registered } from "../actions/registered.ts";
import { audioOf } from "../actions/render.ts";
import type { Submittable } from "../actions/schema.ts";
import { liveAccountOf } from "../base/ids.ts";
import type { AccountsStore, Clock, FilesStore, OperationsStore, SourceBinding } from "../ports/mod.ts";
import { bindSources, fileOf, type NamedSource, outputOf } from "./sources.ts";
import type { Understand } from "./understand.ts";

export interface PriceServices extends FaultServices {
  readonly store: Pick<AccountsStore, "account" | "keySpending"> &
    Pick<FilesStore, "owned" | "file"> &
    Pick<OperationsStore, "snapshot">;
  readonly clock: Clock;
  readonly understand: Understand;
}

/** What is debited, and also as `cost_max` where less may be due once the sources are measured. */
export interface Quote {
  readonly cost: number;
  readonly cost_max?: number;
}

export interface Price extends Quote {
  readonly balance: number;
  readonly sufficient: boolean;
  /** What its words are taken to ask for; absent where the action tells nothing, null where it cannot be told now. */
  readonly understood?: object | null;
}

/** A request that passed validation. */
export interface Checked {
  readonly request: Submittable;
  readonly named: readonly NamedSource[];
}

export function createPricing({ store, clock, understand }: PriceServices, ask: Pick<Asking, "price">) {
  /** Seconds of what the account stored here, which was measured when it came; of anything else undefined. */
  const secondsOf = async ({ object }: SourceBinding): Promise<number | undefined> => {
    if (object === null) return undefined;
    const file = fileOf(object);
    if (file !== undefined) return (await store.file(file))?.seconds;
    const operation = outputOf(object);
    if (operation === undefined) return undefined;
    const outputs = audioOf((await store.snapshot(operation))?.outputs);
    return outputs.find((output) => output.object === object)?.duration;
  };

  const quoteBySources = async (
    to: Registered,
    fields: Submittable["fields"],
    sources: readonly SourceBinding[],
  ): Promise<Quote> => {
    const lengths = new Map(
      await Promise.all(sources.map(async (source) => [source.name, await secondsOf(source)] as const)),
    );
    const { action } = to;
    const cost_max = ask.price(
      to,
      fields,
      measureSources(action, fields, (name, limits) => {
        const most = atMost(name, limits);
        return { ...most, seconds: lengths.get(name) ?? most.seconds };
      }),
    );
    if ([...lengths.values()].includes(undefined)) return { cost: cost_max, cost_max };
    // How many channels there are is not kept: known is what does not hang on that.
    const least = ask.price(
      to,
      fields,
      measureSources(action, fields, (name) => ({ seconds: lengths.get(name)!, channels: 1 })),
    );
    return least === cost_max ? { cost: cost_max } : { cost: cost_max, cost_max };
  };

  /** Without a promise where nothing has to be looked up. */
  const quote = (
    account: Principal,
    to: Registered,
    fields: Submittable["fields"],
    sources: readonly SourceBinding[],
  ): Quote | Promise<Quote> => {
    if (account.key?.test === true) return FREE;
    return to.action.priced_by === undefined ? { cost: ask.price(to, fields) } : quoteBySources(to, fields, sources);
  };

  return {
    quote,

    async tell(account: Principal, to: Registered, { request: { fields }, named }: Checked): Promise<Price> {
      const understanding = understand(account, to, fields);
      const sources = to.action.priced_by === undefined ? [] : await bindSources(named, account.id, store);
      const { cost, ...most } = await quote(account, to, fields, sources);
      const balance = (await store.account(liveAccountOf(account.id)))?.credits ?? 0;
      const budget = budgetOf(account, clock.now());
      const left =
        budget === undefined ? balance : budget.credits - (await store.keySpending(budget.key_id, budget.since));
      const price = { cost, ...most, balance, sufficient: Math.min(balance, left) >= cost };
      const understood = await understanding;
      return understood === undefined ? price : { ...price, understood };
    },
  };
}

const FREE: Quote = { cost: 0 };
