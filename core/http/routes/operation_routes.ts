/** Operations of any action: list, cancel, redeliver. */
import { Type } from "@sinclair/typebox";
import type { Principal } from "../../accounts/keyring.ts";
import { renderListed } from "../../actions/render.ts";
import type { Status } from "../../ports/mod.ts";
import { admitAccount } from "../admission.ts";
import { readJson } from "../body.ts";
import {
  type Detail,
  jsonContent,
  jsonResponse,
  NOT_FOUND,
  queryParameters,
  READ_ERRORS,
  WRITE_ERRORS,
} from "../openapi/details.ts";
import { checkBody, listQuery, operationBody, parseListQuery } from "../requests.ts";
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
      detail: {
        operationId: "listOperations",
        tags: ["operations"],
        summary: "The account's operations, newest first",
        parameters: queryParameters(listQuery),
        responses: { "200": jsonResponse("A page", PageAnswer), ...READ_ERRORS },
      },
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "get");
        return respond(await listOperations(services, account, exchange.query));
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.cancel",
      detail: {
        operationId: "cancelOperation",
        tags: ["operations"],
        summary: "Cancel an operation; credits come back while no work has begun",
        description: "What has ended already is answered unchanged.",
        ...CHANGE,
      },
      answer: change("cancel"),
    },
    {
      method: "PUT",
      path: "/v1/operations.redeliver",
      detail: {
        operationId: "redeliverOperation",
        tags: ["operations"],
        summary: "Send the webhook of an operation that has ended again",
        description:
          "Same webhook-id and body, a fresh timestamp, and a new schedule of retries. 422 where the operation has no webhook; 429 after ten times, then once every six minutes.",
        ...CHANGE,
      },
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

// -------------------------------------------------------------------------------------------------------------- details

const PageAnswer = Type.Object({
  operations: Type.Array(Type.Object({ action: Type.String(), id: Type.String() }, { additionalProperties: true })),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
const AnyOperation = Type.Object(
  {},
  { additionalProperties: true, description: "The operation under its action's wrapper" },
);
const CHANGE = {
  requestBody: { required: true, content: jsonContent(operationBody.schema) },
  responses: { "200": jsonResponse("The operation", AnyOperation), ...NOT_FOUND, ...WRITE_ERRORS },
} satisfies Detail;
