/** Bulk redelivery: failed deliveries of a time span, an endpoint or an action are sent again, some at a call. */
import { type Delivery, type Facade, idBound, issue, maySee, type Principal, refuse } from "../../core/surface.ts";

export interface Asked {
  readonly since?: string;
  readonly until?: string;
  readonly endpoint?: string;
  readonly action?: string;
  readonly cursor?: string;
}

/** Of one call. */
const REDELIVERED_MAX = 1_000;
/** Failed deliveries that one call looks at; others are for the next. */
const LOOKED_MAX = 10_000;
const PAGE = 500;

/** The newest first, as lists go. */
export async function redeliverFailed(
  { store, clock }: Pick<Facade, "store" | "clock">,
  account: Principal,
  asked: Asked,
): Promise<{ readonly redelivered: number; readonly next_cursor: string | null }> {
  const { endpoint, action, cursor } = asked;
  const since = boundOf("since", asked.since) ?? "";
  const bounds = [boundOf("until", asked.until), cursor].filter((one) => one !== undefined);
  let before = bounds.sort()[0];
  const enabled = new Set<string | null>([null]);
  for (const { id, disabled_at } of await store.endpoints(account.id)) if (disabled_at === null) enabled.add(id);

  const isWanted = ({ endpoint_id, operation_id, type }: Delivery): boolean => {
    const of = type.slice(0, type.lastIndexOf("."));
    if (operation_id === null || !enabled.has(endpoint_id)) return false;
    if (endpoint !== undefined && endpoint !== endpoint_id) return false;
    return (action === undefined || action === of) && maySee(account.key, of);
  };

  const ids: string[] = [];
  let looked = 0;
  let is_end = false;
  while (!is_end && ids.length < REDELIVERED_MAX && looked < LOOKED_MAX) {
    const filter = { state: "failed", limit: PAGE, ...(before === undefined ? {} : { before }) } as const;
    const page = await store.deliveries(account.id, filter);
    is_end = page.length < PAGE;
    for (const delivery of page) {
      if (delivery.id < since) {
        is_end = true;
        break;
      }
      before = delivery.id;
      looked++;
      if (isWanted(delivery) && ids.push(delivery.id) === REDELIVERED_MAX) {
        is_end &&= delivery === page.at(-1);
        break;
      }
    }
  }
  const redelivered = await store.redeliverFailed(account.id, ids, clock.now());
  return { redelivered, next_cursor: is_end ? null : (before ?? null) };
}

/** The first id of an event at this time. */
function boundOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return idBound("evt_", ms);
  throw refuse.invalid([issue(["body", name], "value_error", "Must be a date and time such as 2026-11-23T12:00:00Z")]);
}
