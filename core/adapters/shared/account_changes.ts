/** Which verbs change what keys may do, or who is told of operations: those who remember that hear of it. */

/** The account that a call is about, by its first argument. */
const CHANGES: Readonly<Record<string, (first: unknown) => string>> = {
  updateSettings: (account_id) => account_id as string,
  revokeKey: (account_id) => account_id as string,
  reportLeak: (report) => (report as { readonly account_id: string }).account_id,
  createEndpoint: (endpoint) => (endpoint as { readonly account_id: string }).account_id,
  updateEndpoint: (account_id) => account_id as string,
  deleteEndpoint: (account_id) => account_id as string,
};

/**
 * Wraps a verb of that name so that `tell` is called before its caller goes on: see `onAccountChanged`. Also after a
 * failure, for what was lost on its way may have been committed. Verbs that change nothing of the kind are left as they
 * are.
 */
export function tellingOf(tell: (account_id: string) => void) {
  return <A extends readonly unknown[], R>(
    verb: string,
    call: (...args: A) => Promise<R>,
  ): ((...args: A) => Promise<R>) => {
    const accountOf = CHANGES[verb];
    if (accountOf === undefined) return call;
    return async (...args) => {
      try {
        return await call(...args);
      } finally {
        tell(accountOf(args[0]));
      }
    };
  };
}
