/**
 * What core needs from the outside, in core's own verbs. Adapters own connections, transactions and clients;
 * nothing of those appears here. Times are whole milliseconds since 1970 UTC and come from the caller's `Clock`
 * unless a verb says that it uses the store's. Conformance suites in test/adapters run against every adapter.
 */
export * from "./ports/accounts.ts";
export * from "./ports/audit.ts";
export * from "./ports/basics.ts";
export * from "./ports/bucket.ts";
export * from "./ports/engines.ts";
export * from "./ports/operations.ts";
export * from "./ports/pool.ts";
export * from "./ports/queue.ts";
export * from "./ports/store.ts";
export * from "./ports/studio.ts";
export * from "./ports/webhooks.ts";
