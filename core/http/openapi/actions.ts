/** What the document says of actions: how each is submitted and read, and the routes that take operations of any. */
import { Type } from "@sinclair/typebox";
import { describeAnswers } from "../../actions/answers.ts";
import { commandOf, named, resourceOf, typeOf } from "../../actions/names.ts";
import type { Registered } from "../../actions/registry.ts";
import { listQuery, operationBody, readQuery, submitQuery } from "../requests.ts";
import {
  type Described,
  type Detail,
  jsonContent,
  jsonResponse,
  NOT_FOUND,
  queryParameters,
  READ_ERRORS,
  sharedResponse,
  WRITE_ERRORS,
} from "./details.ts";

export function describeActions(actions: readonly Registered[]): readonly Described[] {
  const answers = actions.map(({ action }) => describeAnswers(action));
  const listed = answers.map((answer) => answer.listed);
  const any = named("OperationAnswer", Type.Unsafe({ oneOf: answers.map(({ answer }) => answer) }));
  const mapping = Object.fromEntries(
    actions.map(({ action }) => [action.name, `#/components/schemas/Listed${typeOf(action)}`]),
  );
  const Listed = named(
    "ListedOperation",
    Type.Unsafe({ oneOf: listed, discriminator: { propertyName: "action", mapping }, description: "By its action" }),
  );
  const Page = named(
    "OperationPage",
    Type.Object({
      operations: Type.Array(Listed, { description: "Newest first" }),
      next_cursor: Type.Union([Type.String(), Type.Null()], { description: "For the next page; null on the last" }),
    }),
  );
  const change = {
    tags: ["operations"],
    requestBody: { required: true, content: jsonContent(operationBody.schema) },
    responses: { "200": jsonResponse("The operation", any), ...NOT_FOUND, ...WRITE_ERRORS },
  };
  return [
    ...actions.flatMap((registered, index) => describeAction(registered, answers[index]!)),
    {
      method: "GET",
      path: "/v1/operations",
      detail: {
        operationId: "operations_list",
        tags: ["operations"],
        summary: "The account's operations, newest first",
        description: "Of all actions, or of one; their outputs without reports, unless they are asked for.",
        parameters: queryParameters(listQuery),
        responses: { "200": jsonResponse("A page", Page), ...READ_ERRORS },
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.cancel",
      detail: {
        operationId: "operations_cancel",
        summary: "Cancel an operation; credits come back while no work has begun",
        description: "What has ended already is answered unchanged.",
        ...change,
      },
    },
    {
      method: "PUT",
      path: "/v1/operations.redeliver",
      detail: {
        operationId: "operations_redeliver",
        summary: "Send the webhook of an operation that has ended again",
        description:
          "Same webhook-id and body, a fresh timestamp, and a new schedule of retries. 422 where the operation has no webhook; 429 after ten times, then once every six minutes.",
        ...change,
      },
    },
  ];
}

const KEY_EXAMPLE = "3f2b8c1e-9d4a-4c6b-8e57-0a1b2c3d4e5f";

function describeAction(
  { action, schema }: Registered,
  { answer, submission }: ReturnType<typeof describeAnswers>,
): readonly Described[] {
  const { name, wrapper, summary } = action;
  const resource = resourceOf(action);
  const examples = Object.fromEntries(
    action.examples.map((example, index) => [
      `example ${index + 1}`,
      { value: { idempotency_key: KEY_EXAMPLE, ...example } },
    ]),
  );
  const common = { tags: [resource], "x-tonwerk": { action: name, resource, wrapper, command: commandOf(action) } };
  const submit: Detail = {
    ...common,
    operationId: `${resource}_create`,
    summary,
    description: "Returns at once with `status: processing`; poll the GET of the same path or take the webhook.",
    parameters: queryParameters(submitQuery),
    requestBody: {
      required: true,
      content: { "application/json": { ...jsonContent(schema.request)["application/json"], examples } },
    },
    responses: {
      "200": {
        ...jsonResponse("The first snapshot of the operation; in a dry run what it would cost", submission),
        headers: { "Idempotent-Replayed": { description: "true on a replay", schema: { type: "string" } } },
        links: {
          read: {
            operationId: `${resource}_read`,
            parameters: { id: `$response.body#/${wrapper}/id` },
            description: "The operation's current state",
          },
        },
      },
      "402": sharedResponse("InsufficientCredits"),
      ...WRITE_ERRORS,
    },
  };
  const read: Detail = {
    ...common,
    operationId: `${resource}_read`,
    summary: `State of ${name}`,
    description: "Answers at once, or with `wait=true` when it has ended, after 20 seconds at the latest.",
    parameters: queryParameters(readQuery),
    responses: { "200": jsonResponse("The operation", answer), ...NOT_FOUND, ...READ_ERRORS },
  };
  return [
    { method: "PUT", path: `/v1/${name}`, detail: submit },
    { method: "GET", path: `/v1/${name}`, detail: read },
  ];
}
