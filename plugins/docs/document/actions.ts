/** How each action is submitted and read. */
import { failureCodes, type Registered, resourceOf } from "../../../core/surface.ts";
import { type AnswerSchemas, describeAnswers } from "./answers.ts";
import {
  type Described,
  type Detail,
  jsonResponse,
  NOT_FOUND,
  READ_ERRORS,
  REPLAYED,
  sharedResponse,
  WRITE_ERRORS,
} from "./details.ts";
import { makeExamples } from "./examples.ts";

export function describeActions(actions: readonly Registered[], base_url: string): readonly Described[] {
  return actions.flatMap((registered) =>
    describeAction(registered, describeAnswers(registered), makeExamples(registered, base_url)),
  );
}

/** What it is called in `tonwerk`: `tonwerk remix-song`. */
function commandOf({ name, command }: Registered["action"]): string {
  return command ?? name.slice(name.indexOf(".") + 1).replaceAll("_", "-");
}

const PREFER = {
  name: "Prefer",
  in: "header",
  required: false,
  description:
    "`wait=10`: answer when it has ended, after so many seconds (20 at most) at the latest. `Preference-Applied` says so",
  schema: { type: "string" as const },
};

const testOutcome = (action: Registered["action"]) => ({
  name: "Test-Outcome",
  in: "header",
  required: false,
  description: "Of test keys alone: how the operation is to end, `ready` or a code that it fails with",
  schema: { type: "string" as const, enum: ["ready", ...failureCodes(action)] },
});

function describeAction(
  { action }: Registered,
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
    parameters: [PREFER, testOutcome(action)],
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
    responses: {
      "200": jsonResponse("The operation", answer, { processing, ready, failed }),
      ...NOT_FOUND,
      ...READ_ERRORS,
    },
  };
  return [
    { method: "PUT", path: `/v1/${name}`, detail: submit, examples: requests },
    { method: "GET", path: `/v1/${name}`, detail: read },
  ];
}
