/** `PUT` and `GET` of every action, under `/v1/` and, as another name of the same, under `/rpc/`. */
import type { Principal } from "../../accounts/keyring.ts";
import type { Registered } from "../../actions/registered.ts";
import { Refusal } from "../../base/errors.ts";
import type { Answer } from "../../operations/submit.ts";
import { admitAccount, authenticate } from "../admission.ts";
import { readJsonBytes } from "../body.ts";
import { identify } from "../request_id.ts";
import { parseQuery, readQuery, submitQuery } from "../requests.ts";
import { respondIdentified } from "../respond.ts";
import type { Exchange, Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function actionRoutes(services: HttpServices): readonly Route[] {
  return [...services.registry.actions.values()].flatMap((registered) => {
    const { action, schema } = registered;
    const { deprecated } = action;
    const taken = { query: submitQuery.schema, body: schema.request };
    const submit: Route["answer"] = (exchange) => submitAction(services, registered, exchange);
    const read: Route["answer"] = (exchange) => readAction(services, registered, exchange);
    return ["/v1", "/rpc"].flatMap(
      (base) =>
        [
          { method: "PUT", path: `${base}/${action.name}`, ...taken, deprecated, answer: submit },
          { method: "GET", path: `${base}/${action.name}`, query: readQuery.schema, deprecated, answer: read },
        ] satisfies readonly Route[],
    );
  });
}

async function submitAction(services: HttpServices, to: Registered, exchange: Exchange): Promise<Response> {
  const found = authenticate(services, exchange);
  const account = found instanceof Promise ? await found : found;
  const submitted = await services.operations.submit({
    account,
    to,
    counted: exchange,
    test_outcome: exchange.request.headers.get("test-outcome"),
    isDryRun: () => parseQuery(exchange.query, submitQuery).dry_run === true,
    read: () => readJsonBytes(exchange.request),
  });
  const response = respondIdentified(submitted.body, identifyAnswer(exchange), submitted.replayed);
  const prefer = exchange.request.headers.get("prefer");
  return prefer === null ? response : waitAsPreferred(services, to, exchange, { account, prefer, submitted, response });
}

/**
 * RFC 7240: one that cannot be honoured, for it says no time or the account waits too often already, leaves the answer
 * as it is.
 */
async function waitAsPreferred(
  { operations }: HttpServices,
  { action }: Registered,
  exchange: Exchange,
  asked: { account: Principal; prefer: string; submitted: Answer; response: Response },
): Promise<Response> {
  const { account, prefer, submitted, response } = asked;
  const said = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?=$|[,;\s])/iu.exec(prefer)?.[1];
  const seconds = Math.min(Number(said ?? 0), WAIT_SECONDS_MAX);
  const id = (JSON.parse(submitted.body) as Record<string, { id?: string } | undefined>)[action.wrapper]?.id;
  if (seconds === 0 || id === undefined) return response;
  try {
    const seen = await operations.wait(account, action.name, id, exchange.request.signal, seconds * 1000);
    const waited = respondIdentified(await operations.text(seen), identifyAnswer(exchange), submitted.replayed);
    waited.headers.set("preference-applied", `wait=${seconds}`);
    return waited;
  } catch (error) {
    if (error instanceof Refusal && error.code === "too_many_long_polls") return response;
    throw error;
  }
}

/** As a long-poll's. */
const WAIT_SECONDS_MAX = 20;

async function readAction(services: HttpServices, { action }: Registered, exchange: Exchange): Promise<Response> {
  const { operations } = services;
  const admitted = admitAccount(services, exchange, "get");
  const account = admitted instanceof Promise ? await admitted : admitted;
  const { id, wait } = parseQuery(exchange.query, readQuery);
  const found =
    wait === true
      ? operations.wait(account, action.name, id, exchange.request.signal)
      : operations.read(account, action.name, id);
  const text = operations.text(await found);
  // Each `await` is a turn of the microtask queue: none where nothing is waited for.
  return respondIdentified(text instanceof Promise ? await text : text, identifyAnswer(exchange));
}

/** The id that the answer gets where it is made. */
function identifyAnswer(exchange: Exchange): string {
  exchange.is_identified = true;
  return identify(exchange.request);
}
