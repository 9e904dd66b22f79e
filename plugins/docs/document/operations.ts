/** Operations of any action. */
import { Type } from "@sinclair/typebox";
import { named, OPERATION_ID, type Registered, typeOf } from "../../../core/surface.ts";
import { describeAnswers } from "./answers.ts";
import { asSchema, type Described, jsonResponse, NOT_FOUND, READ_ERRORS, REPLAYED, WRITE_ERRORS } from "./details.ts";
import { exampleKey, makeExamples } from "./examples.ts";

export function describeOperations(actions: readonly Registered[], base_url: string): readonly Described[] {
  const examples = actions.map((registered) => makeExamples(registered, base_url));
  const answers = actions.map(describeAnswers);
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
      operations: Type.Array(Listed, { description: "Newest first; with `ids` in their order" }),
      next_cursor: Type.Union([Type.String(), Type.Null()], { description: "For the next page; null on the last" }),
      missing: Type.Optional(Type.Array(Type.String(), { description: "Of `ids`: unknown, foreign or expired" })),
    }),
  );
  const canceled = examples[0]?.failed ?? { value: {} };
  const entry = examples[0]?.listed;
  const exampleOf = (verb: string) => ({
    example: { value: { idempotency_key: exampleKey(verb), id: entry?.id } },
  });
  const One = named("AnyOperation", Type.Object({ operation: Listed }, { description: "Whatever its action" }));
  const change = {
    tags: ["operations"],
    responses: {
      "200": { ...jsonResponse("The operation", any, { canceled }), headers: REPLAYED },
      ...NOT_FOUND,
      ...WRITE_ERRORS,
    },
  };
  return [
    {
      method: "GET",
      path: "/v1/operations",
      detail: {
        operationId: "operations_list",
        tags: ["operations"],
        summary: "The account's operations, newest first",
        description:
          "Of all actions, or of some; their outputs without reports, unless they are asked for. With `ids` those that are named.",
        responses: {
          "200": jsonResponse("A page", Page, { page: { value: { operations: [entry], next_cursor: null } } }),
          ...READ_ERRORS,
        },
      },
    },
    {
      method: "GET",
      path: "/v1/operations/{id}",
      detail: {
        operationId: "operations_read",
        tags: ["operations"],
        summary: "State of an operation of any action",
        description: "Answers at once, or with `wait=true` when it has ended, after 20 seconds at the latest.",
        parameters: [ID_IN_PATH],
        responses: {
          "200": jsonResponse("The operation", One, { ready: { value: { operation: entry } } }),
          ...NOT_FOUND,
          ...READ_ERRORS,
        },
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
      examples: exampleOf("cancel"),
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
      examples: exampleOf("redeliver"),
    },
  ];
}

const ID_IN_PATH = {
  name: "id",
  in: "path",
  required: true,
  description: "Operation id",
  schema: asSchema(Type.String({ pattern: OPERATION_ID.source })),
};
