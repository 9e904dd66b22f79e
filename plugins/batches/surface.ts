/**
 * `POST /v1/batches`: up to 100 submissions of any actions in one call, each with its own idempotency key and each
 * answered as its own PUT would be. What travels together is not bound together: one that is refused stops no other,
 * and sent again all are replays.
 */
import {
  type AccountRoute,
  ERRORS_PATH,
  type Facade,
  findMisspelt,
  issue,
  type Principal,
  parseBody,
  readJsonBytes,
  refuse,
  respondError,
  respondSubmitted,
  type Surface,
} from "../../core/surface.ts";
import { BATCH, BYTES_MAX, describeBatches, SUBMISSION } from "./document.ts";

/** What a submission was answered. */
interface Answered {
  readonly status: number;
  /** A replay. */
  readonly replayed: boolean;
  /** JSON, as the PUT of its action answers. */
  readonly text: string;
  /** Seconds, of 429 and 503. */
  readonly retry_after: string | null;
}

export default function batches(facade: Facade): Surface {
  const { actions, config, log, submit } = facade;
  const validateBatch = facade.validator(BATCH);
  const validateSubmission = facade.validator(SUBMISSION);
  const errors_url = config.base_url + ERRORS_PATH;

  const submitOne = async (account: Principal, sent: unknown, index: number): Promise<Answered> => {
    try {
      const checked = validateSubmission(sent);
      if (!checked.ok)
        throw refuse.invalid(checked.issues.map((one) => ({ ...one, loc: within(one.loc, "submissions", index) })));
      const { action, request } = checked.value as { action: string; request: Readonly<Record<string, unknown>> };
      const to = actions.get(action);
      if (to === undefined) throw refuse.notFound(findMisspelt(action, [...actions.keys()], EDITS_MAX));
      const { body: text, replayed } = await submit({ account, to, read: () => request });
      return { status: 200, replayed, text, retry_after: null };
    } catch (error) {
      const response = respondError(error, log, errors_url);
      const retry_after = response.headers.get("retry-after");
      return { status: response.status, replayed: false, text: await response.text(), retry_after };
    }
  };

  const answer: AccountRoute["answer"] = async (account, { request, query }) => {
    const unknown = [...new URLSearchParams(query).keys()];
    if (unknown.length > 0)
      throw refuse.invalid(unknown.map((name) => issue(["query", name], "extra_forbidden", "Is not expected here")));
    const checked = validateBatch(parseBody(await readJsonBytes(request, BYTES_MAX)));
    if (!checked.ok) throw refuse.invalid(checked.issues);
    const { submissions } = checked.value as { submissions: readonly unknown[] };
    // At the same moment: those that are accepted share a commit.
    const answered = await Promise.all(submissions.map((sent, index) => submitOne(account, sent, index)));
    return respondSubmitted({ body: `{"submissions":[${answered.map(writeAnswer).join(",")}]}`, replayed: false });
  };

  return {
    name: "batches",
    account_routes: [{ method: "POST", path: "/v1/batches", detail: describeBatches(actions.values()), answer }],
  };
}

/** More than so many make another word of a name. */
const EDITS_MAX = 3;

/** `loc` of an entry of the batch, as of the whole body. */
const within = ([body, ...rest]: readonly (string | number)[], ...path: readonly (string | number)[]) => [
  body!,
  ...path,
  ...rest,
];

/** `text` is JSON already: of an operation, the bytes that a replay repeats. */
function writeAnswer({ status, replayed, text, retry_after }: Answered): string {
  const retry = retry_after === null ? "" : `,"retry_after":${Number(retry_after)}`;
  return `{"status":${status},"replayed":${replayed}${retry},"body":${text}}`;
}
