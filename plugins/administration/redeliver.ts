/** Deliveries of a time span, an endpoint or an action: found some at a time, and those that failed sent again. */
import {
  type Delivery,
  type Facade,
  idBound,
  issue,
  maySee,
  type Principal,
  refuse,
  type WebhookState,
} from "../../core/surface.ts";

export interface Asked {
  readonly since?: string;
  readonly until?: string;
  readonly endpoint?: string;
  readonly action?: string;
  readonly cursor?: string;
}

export interface DeliveryQuery {
  readonly state?: WebhookState | undefined;
  /** Id of an endpoint. */
  readonly endpoint?: string | undefined;
  readonly action?: string | undefined;
  /** Ids of events: no older than this one, and older than that one. */
  readonly since?: string | undefined;
  readonly before?: string | undefined;
}

/** Of one call. */
export const REDELIVERED_MAX = 1_000;
/** Deliveries that one call looks at; others are for the next. */
const LOOKED_MAX = 10_000;
const PAGE = 500;

/** Up to `limit`, the newest first. `next`: where to go on, the id of an event; null: these were all. */
export async function findDeliveries(
  { store }: Pick<Facade, "store">,
  account_id: string,
  { state, endpoint, action, since = "", before }: DeliveryQuery,
  limit: number,
  isWanted: (delivery: Delivery) => boolean = () => true,
): Promise<{ readonly found: readonly Delivery[]; readonly next: string | null }> {
  const found: Delivery[] = [];
  let next = before;
  for (let looked = 0; looked < LOOKED_MAX; ) {
    const filter = { ...(state === undefined ? {} : { state }), ...(next === undefined ? {} : { before: next }) };
    const page = await store.deliveries(account_id, { ...filter, limit: PAGE });
    for (const [index, delivery] of page.entries()) {
      if (delivery.id < since) return { found, next: null };
      next = delivery.id;
      looked++;
      if (endpoint !== undefined && delivery.endpoint_id !== endpoint) continue;
      if (action !== undefined && actionOf(delivery) !== action) continue;
      if (!isWanted(delivery) || found.push(delivery) < limit) continue;
      const is_end = page.length < PAGE && index === page.length - 1;
      return { found, next: is_end ? null : next };
    }
    if (page.length < PAGE) return { found, next: null };
  }
  return { found, next: next ?? null };
}

/** Whether it can be sent again: a test event is not, nor is what goes to an endpoint that takes nothing. */
export async function createSendable({ store }: Pick<Facade, "store">, account: Principal) {
  const enabled = new Set<string | null>([null]);
  for (const { id, disabled_at } of await store.endpoints(account.id)) if (disabled_at === null) enabled.add(id);
  return (delivery: Pick<Delivery, "operation_id" | "endpoint_id" | "type">): boolean =>
    delivery.operation_id !== null && enabled.has(delivery.endpoint_id) && maySee(account.key, actionOf(delivery));
}

/** The newest first, as lists go. */
export async function redeliverFailed(
  { store, clock }: Pick<Facade, "store" | "clock">,
  account: Principal,
  { endpoint, action, cursor, ...asked }: Asked,
): Promise<{ readonly redelivered: number; readonly next_cursor: string | null }> {
  const since = boundOf("since", asked.since);
  const [before] = [boundOf("until", asked.until), cursor].filter((one) => one !== undefined).sort();
  const query = { state: "failed", endpoint, action, since, before } as const;
  const isSendable = await createSendable({ store }, account);
  const { found, next } = await findDeliveries({ store }, account.id, query, REDELIVERED_MAX, isSendable);
  const ids = found.map(({ id }) => id);
  return { redelivered: await store.resend(account.id, ids, ["failed"], clock.now()), next_cursor: next };
}

export const actionOf = ({ type }: Pick<Delivery, "type">): string => type.slice(0, type.lastIndexOf("."));

/** The first id of an event at this time. */
function boundOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return idBound("evt_", ms);
  throw refuse.invalid([issue(["body", name], "value_error", "Must be a date and time such as 2026-11-23T12:00:00Z")]);
}
