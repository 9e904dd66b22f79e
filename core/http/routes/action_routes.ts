/** `PUT` and `GET` of every action, under `/v1/` and, as another name of the same, under `/rpc/`. */
import { limitHeaders } from "../../accounts/limits.ts";
import type { Registered } from "../../actions/registry.ts";
import { admitAccount, authenticate } from "../admission.ts";
import { readJsonBytes } from "../body.ts";
import { parseQuery, readQuery, submitQuery } from "../requests.ts";
import { respondSubmitted, respondText } from "../respond.ts";
import type { Exchange, Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function actionRoutes(services: HttpServices): readonly Route[] {
  return [...services.registry.actions.values()].flatMap((registered) => {
    const { name } = registered.action;
    const submit: Route["answer"] = (exchange) => submitAction(services, registered, exchange);
    const read: Route["answer"] = (exchange) => readAction(services, registered, exchange);
    return [
      { method: "PUT", path: `/v1/${name}`, answer: submit },
      { method: "GET", path: `/v1/${name}`, answer: read },
      { method: "PUT", path: `/rpc/${name}`, answer: submit },
      { method: "GET", path: `/rpc/${name}`, answer: read },
    ] satisfies readonly Route[];
  });
}

async function submitAction(services: HttpServices, to: Registered, exchange: Exchange): Promise<Response> {
  const found = authenticate(services, exchange);
  const submitted = await services.operations.submit({
    account: found instanceof Promise ? await found : found,
    to,
    onCounted: (taken) => {
      exchange.limit_headers = limitHeaders("put", taken);
    },
    isDryRun: () => parseQuery(exchange.query, submitQuery).dry_run === true,
    read: () => readJsonBytes(exchange.request),
  });
  return respondSubmitted(submitted);
}

async function readAction(services: HttpServices, { action }: Registered, exchange: Exchange): Promise<Response> {
  const { operations } = services;
  const admitted = admitAccount(services, exchange, "get");
  const account = admitted instanceof Promise ? await admitted : admitted;
  const { id, wait } = parseQuery(exchange.query, readQuery);
  const found =
    wait === true
      ? operations.wait(account, action.name, id, exchange.request.signal)
      : operations.read(account, action.name, id);
  return respondText(operations.text(await found));
}
