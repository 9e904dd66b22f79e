/** Everything that the HTTP API is made of. Its files take the whole, or name the few parts that they need. */
import type { FreeWork } from "../accounts/free_work.ts";
import type { Keyring } from "../accounts/keyring.ts";
import type { Limits } from "../accounts/limits.ts";
import type { Registry } from "../actions/registered.ts";
import type { Config } from "../base/config.ts";
import type { Log } from "../base/log.ts";
import type { Operations } from "../operations/operations.ts";
import type { UrlSigner } from "../operations/urls.ts";
import type { Bucket, Clock, Store } from "../ports/mod.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { Download } from "./route.ts";

export interface HttpServices {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly store: Store;
  readonly bucket: Bucket;
  readonly registry: Registry;
  readonly operations: Operations;
  readonly signer: UrlSigner;
  readonly keyring: Keyring;
  readonly limits: Limits;
  readonly free_work: FreeWork;
  /** What answers downloads that are more than an object as it is, for `/audio/`; absent: nothing does. */
  readonly deliver?: (request: Request, download: Download) => Promise<Response> | undefined;
  /** Folder for files in flight. */
  readonly scratch: string;
  /** Part of a file as a body that the server sends with its length; undefined where it does so with any stream. */
  fileBody(path: string, start: number, length: number): Blob | undefined;
  /** True once the node is going away: nothing new is accepted. */
  isDraining(): boolean;
}
