/** Operations of any action: read, list, cancel, redeliver. */
import type { Principal } from "../../accounts/keyring.ts";
import { renderListed } from "../../actions/render.ts";
import type { OperationFilter, Snapshot } from "../../ports/mod.ts";
import { readJson } from "../body.ts";
import { checkBody, listQuery, operationBody, parseListQuery, parseQuery, waitQuery } from "../requests.ts";
import { respondSubmitted } from "../respond.ts";
import type { AccountRoute, Asked } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function operationRoutes(services: HttpServices): readonly AccountRoute[] {
  const { operations } = services;
  const change = (verb: "cancel" | "redeliver"): AccountRoute => ({
    method: "PUT",
    path: `/v1/operations.${verb}`,
    body: operationBody.schema,
    async answer(account, { request }) {
      const { id, idempotency_key } = checkBody(await readJson(request), operationBody);
      return respondSubmitted(await operations[verb](account, id, idempotency_key));
    },
  });
  return [
    {
      method: "GET",
      path: "/v1/operations",
      query: listQuery.schema,
      answer: (account, asked) => listOperations(services, account, asked),
    },
    {
      method: "GET",
      path: "/v1/operations/:id",
      query: waitQuery.schema,
      async answer(account, { query, params: { id = "" }, request }) {
        const { wait } = parseQuery(query, waitQuery);
        const found = await (wait === true
          ? operations.wait(account, undefined, id, request.signal)
          : operations.read(account, undefined, id));
        return { operation: { ...listed(services, found), webhook: await operations.fateOf(found) } };
      },
    },
    change("cancel"),
    change("redeliver"),
  ];
}

async function listOperations(services: HttpServices, account: Principal, { query, request }: Asked): Promise<object> {
  const { operations } = services;
  const { ids, wait, reports, filter } = parseListQuery(query);
  if (ids !== undefined) {
    const found = await (wait
      ? operations.waitAll(account, ids, reports, request.signal)
      : operations.readAll(account, ids, reports));
    const known = new Set(found.map(({ id }) => id));
    return {
      operations: found.map((operation) => listed(services, operation)),
      next_cursor: null,
      missing: ids.filter((id) => !known.has(id)),
    };
  }
  const looked = await boundSearch(services, account, filter);
  // One more than the page holds, which shows whether there is a next page.
  const found = await operations.list(account, { ...filter, ...looked, limit: filter.limit + 1 });
  const page = found.slice(0, filter.limit);
  const shown = page.filter((operation) => operations.actionOf(operation) !== undefined);
  return {
    operations: shown.map((operation) => listed(services, operation)),
    next_cursor: found.length > filter.limit ? (page.at(-1)?.id ?? null) : (looked?.last ?? null),
  };
}

/**
 * Of the operations that have the first pair so many are looked at for a page, which may have few of them or none: the
 * search goes on with the next.
 */
const LOOKED_MAX = 1_000;

/** Where the search for a page ends; undefined: with the list. `last` is looked at, `after` is not. */
async function boundSearch(
  { store }: HttpServices,
  account: Principal,
  { metadata = {}, before, after }: OperationFilter,
): Promise<{ readonly last: string; readonly after: string } | undefined> {
  const [pair] = Object.entries(metadata);
  if (pair === undefined) return undefined;
  const range = { before, after, skip: LOOKED_MAX - 1, limit: 2 };
  const [last, next] = await store.tagged(account.id, ...pair, range);
  return last === undefined || next === undefined ? undefined : { last, after: next };
}

/** Of an operation that was read. */
function listed({ operations }: HttpServices, operation: Snapshot): object {
  return renderListed(operations.actionOf(operation)!, operation, operations.sign);
}
