/** What the document says of actions: how each is submitted and read, and the routes that take operations of any. */
import { Type } from "@sinclair/typebox";
import { type AnswerSchemas, describeAnswers } from "../../actions/answers.ts";
import { commandOf, named, resourceOf, typeOf } from "../../actions/names.ts";
import type { Registered } from "../../actions/registry.ts";
import { OPERATION_ID } from "../../base/ids.ts";
import { listQuery, operationBody, readQuery, submitQuery, waitQuery } from "../requests.ts";
import {
  asSchema,
  type Described,
  type Detail,
  jsonContent,
  jsonResponse,
  NOT_FOUND,
  queryParameters,
  READ_ERRORS,
  REPLAYED,
  sharedResponse,
  WRITE_ERRORS,
} from "./details.ts";
import { exampleKey, makeExamples } from "./examples.ts";

export function describeActions(actions: readonly Registered[], base_url: string): readonly Described[] {
  const examples = actions.map((registered) => makeExamples(registered, base_url));
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
      operations: Type.Array(Listed, { description: "Newest first; with `ids` in their order" }),
      next_cursor: Type.Union([Type.String(), Type.Null()], { description: "For the next page; null on the last" }),
      missing: Type.Optional(Type.Array(Type.String(), { description: "Of `ids`: unknown, foreign or expired" })),
    }),
  );
  const canceled = examples[0]?.failed ?? { value: {} };
  const entry = examples[0]?.listed;
  const body = (verb: string) => ({
    required: true,
    content: jsonContent(operationBody.schema, {
      example: { value: { idempotency_key: exampleKey(verb), id: entry?.id } },
    }),
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
    ...actions.flatMap((registered, index) => describeAction(registered, answers[index]!, examples[index]!)),
    {
      method: "GET",
      path: "/v1/operations",
      detail: {
        operationId: "operations_list",
        tags: ["operations"],
        summary: "The account's operations, newest first",
        description:
          "Of all actions, or of some; their outputs without reports, unless they are asked for. With `ids` those that are named.",
        parameters: queryParameters(listQuery),
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
        parameters: [ID_IN_PATH, ...queryParameters(waitQuery)],
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
        requestBody: body("cancel"),
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
        requestBody: body("redeliver"),
        ...change,
      },
    },
    DOWNLOAD,
  ];
}

/** Not called with these parts: the URL of an output is used as it is. */
const DOWNLOAD: Described = {
  method: "GET",
  path: "/audio/op/{operation}/{attempt}/{file}",
  detail: {
    operationId: "outputs_download",
    tags: ["outputs"],
    summary: "The audio of an output",
    description: "What the signed `url` of an output names. Whole, or by one byte range; needs no key.",
    security: [],
    parameters: [
      ...["operation", "attempt", "file"].map((name) => part("path", name, `Of the output's \`url\``)),
      part("query", "expires", "Seconds since 1970; the URL stops working then"),
      part("query", "signature", "Of path and query"),
      { ...part("header", "Range", "One range: `bytes=0-1023`"), required: false },
    ],
    responses: {
      "200": { description: "The file", content: { "audio/flac": { schema: { type: "string", format: "binary" } } } },
      "206": { description: "The range", content: { "audio/flac": { schema: { type: "string", format: "binary" } } } },
      "302": { description: "The file is at `Location`, an address of the bucket's own" },
      "403": sharedResponse("Forbidden"),
      "416": sharedResponse("RangeNotSatisfiable"),
      ...NOT_FOUND,
    },
  },
};
function part(place: string, name: string, description: string) {
  return { name, in: place, required: true, description, schema: { type: "string" as const } };
}
const PREFER = {
  name: "Prefer",
  in: "header",
  required: false,
  description:
    "`wait=10`: answer when it has ended, after so many seconds (20 at most) at the latest. `Preference-Applied` says so",
  schema: { type: "string" as const },
};
const ID_IN_PATH = {
  name: "id",
  in: "path",
  required: true,
  description: "Operation id",
  schema: asSchema(Type.String({ pattern: OPERATION_ID.source })),
};

function describeAction(
  { action, schema }: Registered,
  { answer, submission }: AnswerSchemas,
  { requests, processing, dry_run, ready, failed }: ReturnType<typeof makeExamples>,
): readonly Described[] {
  const { name, wrapper, summary } = action;
  const resource = resourceOf(action);
  const common = { tags: [resource], "x-tonwerk": { action: name, resource, wrapper, command: commandOf(action) } };
  const submit: Detail = {
    ...common,
    operationId: `${resource}_create`,
    summary,
    description: "Returns at once with `status: processing`; poll the GET of the same path or take the webhook.",
    parameters: [...queryParameters(submitQuery), PREFER],
    requestBody: {
      required: true,
      content: jsonContent(schema.request, requests),
    },
    responses: {
      "200": {
        ...jsonResponse("The first snapshot of the operation; in a dry run what it would cost", submission, {
          processing,
          dry_run,
        }),
        headers: REPLAYED,
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
    responses: {
      "200": jsonResponse("The operation", answer, { processing, ready, failed }),
      ...NOT_FOUND,
      ...READ_ERRORS,
    },
  };
  return [
    { method: "PUT", path: `/v1/${name}`, detail: submit },
    { method: "GET", path: `/v1/${name}`, detail: read },
  ];
}
