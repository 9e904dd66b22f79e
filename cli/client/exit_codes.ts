/** How a command of a client ends. docs/cli.md lists these codes for scripts. */
import {
  ApiError,
  ChecksumError,
  ConnectionError,
  OperationFailedError,
  TonwerkError,
} from "../../sdk/typescript/src/mod.ts";

export const EXIT = {
  ok: 0,
  broken: 1,
  usage: 2,
  refused: 3,
  failed: 4,
  no_answer: 5,
  too_late: 6,
  missed: 7,
  interrupted: 130,
} as const;

/** The words that were typed make no command, or name a file that is not there. */
export class UsageError extends Error {}

/** What went wrong, as a script reads it. */
export interface Problem {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly doc_url?: string | undefined;
  readonly request_id?: string | undefined;
  readonly idempotency_key?: string | undefined;
}

export function problemOf(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return { exit: EXIT.usage, code: "usage", message };
  if (error instanceof OperationFailedError) return { exit: EXIT.failed, code: error.code, message };
  if (error instanceof ApiError) {
    const { status, code, docUrl: doc_url, requestId: request_id } = error;
    return { exit: status >= 500 ? EXIT.no_answer : EXIT.refused, code, message, doc_url, request_id };
  }
  if (error instanceof ConnectionError) {
    return { exit: EXIT.no_answer, code: "no_answer", message, idempotency_key: error.idempotencyKey };
  }
  if (error instanceof ChecksumError) return { exit: EXIT.no_answer, code: "wrong_checksum", message };
  // Everything else that the SDK throws says what is missing: a key, or a wait that was too long.
  if (error instanceof TonwerkError) return { exit: EXIT.usage, code: "usage", message };
  return { exit: EXIT.broken, code: "internal", message };
}
