/**
 * What core needs from the outside, in core's own verbs. Adapters own connections, transactions and clients;
 * nothing of those appears here. Times are whole milliseconds since 1970 UTC and come from the caller's `Clock`
 * unless a verb says that it uses the store's. Conformance suites in test/adapters run against every adapter.
 */

export * from "../base/basics.ts";
export * from "./accounts.ts";
export * from "./audit.ts";
export * from "./bucket.ts";
export * from "./endpoints.ts";
export * from "./engines.ts";
export * from "./files.ts";
export * from "./jobs.ts";
export * from "./keys.ts";
export * from "./operations.ts";
export * from "./outbound.ts";
export * from "./people.ts";
export * from "./pool.ts";
export * from "./queue.ts";
export * from "./store.ts";
export * from "./studio.ts";
export * from "./webhooks.ts";
