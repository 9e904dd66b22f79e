/** Operations of any action: list, cancel, redeliver. */
import type { Principal } from "../../accounts/keyring.ts";
import { renderListed } from "../../actions/render.ts";
import type { Status } from "../../ports/mod.ts";
import { admitAccount } from "../admission.ts";
import { readJson } from "../body.ts";
import { checkBody, operationBody, parseListQuery } from "../requests.ts";
import { respond, respondText } from "../respond.ts";
import type { Exchange, Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function operationRoutes(services: HttpServices): readonly Route[] {
  const change = (verb: "cancel" | "redeliver") => async (exchange: Exchange) => {
    const account = await admitAccount(services, exchange, "put");
    const { id } = checkBody(await readJson(exchange.request), operationBody);
    const { operations } = services;
    return respondText(operations.text(await operations[verb](account, id)));
  };
  return [
    {
      method: "GET",
      path: "/v1/operations",
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "get");
        return respond(await listOperations(services, account, exchange.query));
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.cancel",
      answer: change("cancel"),
    },
    {
      method: "PUT",
      path: "/v1/operations.redeliver",
      answer: change("redeliver"),
    },
  ];
}

async function listOperations(
  { store, registry, operations }: HttpServices,
  account: Principal,
  query: string,
): Promise<object> {
  const { cursor, limit, action, status, expand } = parseListQuery(query);
  const reports = expand === "report";
  const filter = {
    reports,
    ...(cursor === undefined ? {} : { before: cursor }),
    ...(action === undefined ? {} : { action }),
    ...(status === undefined ? {} : { status: status as Status }),
  };
  // One more than the page holds, which shows whether there is a next page.
  const found = await store.list(account.id, { ...filter, limit: limit + 1 });
  const page = found.slice(0, limit);
  const entries = page.flatMap((operation) => {
    const registered = registry.actions.get(operation.action);
    return registered === undefined ? [] : [renderListed(registered.action, operation, operations.sign, reports)];
  });
  return { operations: entries, next_cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null };
}
