/** Client of a Tonwerk server, for Node, Bun, Deno and browsers, without dependencies. */
export {
  type Body,
  type CallOptions,
  type ListOptions,
  type Resource,
  type Source,
  type Submission,
  Tonwerk,
  type TonwerkOptions,
} from "./client.ts";
export type { DownloadOptions } from "./download.ts";
export * from "./errors.ts";
export { Files, type Uploadable, type UploadedFile, type UploadOptions } from "./files.ts";
export type * from "./generated.ts";
export type {
  AnyOperation,
  AnyOutput,
  Downloads,
  Operation,
  Output,
  Progress,
  Ready,
  WaitOptions,
} from "./operation.ts";
export type { Fetch } from "./transport.ts";
export { type VerifyOptions, verifyWebhook, type WebhookEvent } from "./webhooks.ts";
