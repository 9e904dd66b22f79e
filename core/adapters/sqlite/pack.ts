/**
 * Calls as they cross the border to the writing thread. Submissions go as lines of one text, which is cloned as a whole: half of what their
 * strings cost one by one. Other calls are rare and go as they are.
 */
import type { SourceBinding, Submission, Work } from "../../ports/mod.ts";
import type { Call } from "./batch.ts";
import type { Verb } from "./verbs.ts";

export interface Packed {
  /** For each call its verb, its time and, where the verb is `LINES`, its submission. */
  readonly lines: string;
  /** Arguments of all other calls, in order. */
  readonly others: readonly (readonly unknown[])[];
}

/** Stands for `submit`, with its submission in the lines that follow. */
const LINES = "";
const END = "\n";

export function packCalls(calls: readonly Call[]): Packed {
  const lines: (string | number)[] = [];
  const others: (readonly unknown[])[] = [];
  for (const { verb, now, args } of calls) {
    const start = lines.length;
    lines.push(LINES, now);
    if (verb === "submit" && packSubmission(lines, args[0] as Submission)) continue;
    lines.length = start;
    lines.push(verb, now);
    others.push(args);
  }
  return { lines: lines.join(END), others };
}

/** What `packCalls` was given, in the same order. */
export function unpackCalls({ lines, others }: Packed): Call[] {
  const calls: Call[] = [];
  if (lines === "") return calls;
  const reader = createReader(lines.split(END));
  let other = 0;
  while (reader.more()) {
    const verb = reader.text();
    const now = reader.number();
    if (verb === LINES) calls.push({ verb: "submit", now, args: [unpackSubmission(reader)] });
    // The border lost the type; `packCalls` wrote it.
    else calls.push({ verb: verb as Verb, now, args: others[other++]! });
  }
  return calls;
}

/** False: one of its texts would break a line. JSON and URLs have none that does, so this is only for what is not foreseen. */
function packSubmission(lines: (string | number)[], s: Submission): boolean {
  const start = lines.length;
  lines.push(s.id, s.account_id, s.action, s.idempotency_key, s.fingerprint, s.cost, s.work, s.request);
  lines.push(s.callback_url ?? "", s.response, s.created_at, s.files_until, s.sources.length, s.files.length);
  for (const { name, object, url } of s.sources) lines.push(name, object ?? "", url);
  for (const file of s.files) lines.push(file);
  for (let i = start; i < lines.length; i++) {
    const line = lines[i];
    if (typeof line === "string" && line.includes(END)) return false;
  }
  return true;
}

function unpackSubmission({ text, number }: Reader): Submission {
  const [id, account_id, action, idempotency_key, fingerprint] = [text(), text(), text(), text(), text()];
  const cost = number();
  const work = text() as Work;
  const request = text();
  const callback_url = text() || null;
  const response = text();
  const created_at = number();
  const files_until = number();
  const sources_count = number();
  const files_count = number();
  const sources: SourceBinding[] = [];
  for (let i = 0; i < sources_count; i++) sources.push({ name: text(), object: text() || null, url: text() });
  const files: string[] = [];
  for (let i = 0; i < files_count; i++) files.push(text());
  return {
    id,
    account_id,
    action,
    idempotency_key,
    fingerprint,
    cost,
    work,
    request,
    sources,
    callback_url,
    response,
    created_at,
    files,
    files_until,
  };
}

interface Reader {
  readonly more: () => boolean;
  readonly text: () => string;
  readonly number: () => number;
}

function createReader(lines: readonly string[]): Reader {
  let at = 0;
  return { more: () => at < lines.length, text: () => lines[at++]!, number: () => Number(lines[at++]) };
}
