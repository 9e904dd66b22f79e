/** Client of a Tonwerk server, for Node, Bun, Deno and browsers, without dependencies. */
export { Tonwerk, type TonwerkOptions } from "./client.ts";
export type { DownloadOptions } from "./download.ts";
export * from "./errors.ts";
export type { EventOptions } from "./events.ts";
export type { Uploadable, UploadOptions } from "./files.ts";
export type * from "./generated.ts";
export type { AnyOperation, Operation, OperationEvent, Progress, Ready, WaitOptions } from "./operation.ts";
export type { OperationsByIds } from "./operations.ts";
export type { AnyOutput, Downloads, Output } from "./output.ts";
export type { BatchEntry, BatchResult, Body, CallOptions, Resource, Source, Submission } from "./resource.ts";
export type { Fetch, RequestOptions } from "./transport.ts";
export { type VerifyOptions, verifyWebhook, type WebhookEvent } from "./webhooks.ts";
