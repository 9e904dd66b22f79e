/**
 * What Schemathesis holds for a fault and is none: rules that no OpenAPI document can say, each with its reason. Whatever fits none of these, in
 * all that it says, is a fault.
 */

/** One check of one case that failed. */
export interface Failed {
  readonly check: string;
  readonly operation: string;
  readonly url: string;
  readonly sent: string;
  readonly status: number;
  readonly answered: string;
  readonly content_type: string;
  /** What Schemathesis says of it. */
  readonly message: string;
}

interface Beyond {
  readonly check: string;
  readonly reason: string;
  fits(failed: Failed): boolean;
}

interface Refused {
  readonly code?: string;
  readonly detail?: readonly { readonly type: string; readonly msg: string }[] | string;
}

/** Of a 422 to a request that fits the document: entries that say another rule than the schema's. */
const RULES: readonly (readonly [reason: string, is: RegExp])[] = [
  ["a key stands for one request", /^idempotency_key_reused /u],
  ["bytes that are no audio", /^audio_invalid /u],
  [
    "fields that go together, or not",
    /^\w+ .*(?:Must (?:not )?be sent with|with 'expand'|Comes alone|Goes with|Give |Must be given)/u,
  ],
  ["two sources that are one", /^same_source /u],
  ["URLs of one's own server and of private addresses", /^url_\w+ /u],
  ["text that is no text: NUL", /^string_text /u],
  ["names that are installed, not written", /^value_error No (?:action|endpoint) /u],
  ["lyrics without a letter", /^value_error No line has /u],
  ["an order of two times", /^value_error Must be (?:before|after|later) /u],
  ["what there is nothing of to send again, or not yet", /^value_error This operation has (?:no webhook|not ended)/u],
  ["live keys", /^value_error Only test keys /u],
];

export const BEYOND: readonly Beyond[] = [
  {
    check: "positive_data_acceptance",
    reason: "a rule between fields, or of what there is",
    fits({ status, answered }) {
      if (status !== 422) return false;
      const { detail } = JSON.parse(answered) as Refused;
      const isRule = ({ type, msg }: { type: string; msg: string }) =>
        RULES.some(([, is]) => is.test(`${type} ${msg}`));
      return Array.isArray(detail) && detail.length > 0 && detail.every(isRule);
    },
  },
  {
    check: "negative_data_rejection",
    reason: "refused by size or time, before it is read",
    fits: ({ status }) => [408, 413, 431].includes(status),
  },
  {
    check: "status_code_conformance",
    reason: "the runtime's HTTP server refuses heads over 16 KB itself, whatever the path",
    fits: ({ status, answered }) => status === 431 && answered === "",
  },
  {
    check: "negative_data_rejection",
    reason: "a price needs no idempotency key",
    fits: ({ url, message }) => /[?&]dry_run=true/u.test(url) && /idempotency_key\b/u.test(message),
  },
  {
    check: "negative_data_rejection",
    reason: "each submission of a batch has an answer of its own",
    fits: ({ operation, answered, message }) =>
      operation === "POST /v1/batches" && message.includes("/submissions") && answered.includes('"status":4'),
  },
  {
    check: "negative_data_rejection",
    reason: "null equals absent, whatever the field",
    fits: ({ message, sent }) => /`additionalProperties`/u.test(message) && Object.values(parse(sent)).includes(null),
  },
  {
    check: "response_schema_conformance",
    reason: "OpenAPI 3.1 describes a stream of events as one text, and Schemathesis takes that for each event",
    fits: ({ content_type, message }) => content_type.startsWith("text/event-stream") && message.startsWith("Event #"),
  },
];

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
