/** `PUT` and `GET` of every action, under `/v1/` and, as another name of the same, under `/rpc/`. */
import { Type } from "@sinclair/typebox";
import { limitHeaders } from "../../accounts/limits.ts";
import type { Registered } from "../../actions/registry.ts";
import { admitAccount, authenticate } from "../admission.ts";
import { readJsonBytes } from "../body.ts";
import {
  asSchema,
  type Detail,
  jsonResponse,
  NOT_FOUND,
  queryParameters,
  READ_ERRORS,
  sharedResponse,
  WRITE_ERRORS,
} from "../openapi/details.ts";
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
      { method: "PUT", path: `/v1/${name}`, detail: submitDetail(registered), answer: submit },
      { method: "GET", path: `/v1/${name}`, detail: readDetail(registered), answer: read },
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

// -------------------------------------------------------------------------------------------------------------- details

const DryRun = Type.Object({ cost: Type.Integer(), balance: Type.Integer(), sufficient: Type.Boolean() });

const KEY_EXAMPLE = "3f2b8c1e-9d4a-4c6b-8e57-0a1b2c3d4e5f";

function submitDetail({ action, schema }: Registered): Detail {
  const id = camelCase(action.name);
  const examples = Object.fromEntries(
    action.examples.map((example, index) => [
      `example ${index + 1}`,
      { value: { idempotency_key: KEY_EXAMPLE, ...example } },
    ]),
  );
  return {
    operationId: `${id}Submit`,
    tags: [groupOf(action.name)],
    summary: action.summary,
    description: "Returns at once with `status: processing`; poll the GET of the same path or take the webhook.",
    parameters: queryParameters(submitQuery),
    requestBody: { required: true, content: { "application/json": { schema: asSchema(schema.request), examples } } },
    responses: {
      "200": {
        ...jsonResponse(
          "The first snapshot of the operation; in a dry run what it would cost",
          Type.Union([schema.response, DryRun]),
        ),
        headers: { "Idempotent-Replayed": { description: "true on a replay", schema: { type: "string" } } },
        links: {
          read: {
            operationId: `${id}Read`,
            parameters: { id: `$response.body#/${action.wrapper}/id` },
            description: "The operation's current state",
          },
        },
      },
      "402": sharedResponse("InsufficientCredits"),
      ...WRITE_ERRORS,
    },
  };
}

function readDetail({ action, schema }: Registered): Detail {
  return {
    operationId: `${camelCase(action.name)}Read`,
    tags: [groupOf(action.name)],
    summary: `State of ${action.name}`,
    parameters: queryParameters(readQuery),
    responses: { "200": jsonResponse("The operation", schema.response), ...NOT_FOUND, ...READ_ERRORS },
  };
}

const groupOf = (name: string): string => name.slice(0, name.indexOf("."));

/** `create.new_song` -> `createNewSong`. */
const camelCase = (name: string): string =>
  name.replace(/[._]([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
