/**
 * The contract of a surface: what answers people, programs or an operator, by HTTP or by anything else. The HTTP API is
 * core's own; the others are folders beside the actions, `plugins/<name>/surface.ts`, whose default export is a
 * SurfaceFactory. A surface imports this file and nothing else of core, so each can be taken out by taking its folder
 * away.
 */

import type { Registered, Registry } from "./actions/registered.ts";

export type { Registered } from "./actions/registered.ts";

import type { Static, TObject } from "@sinclair/typebox";
import type { Limits as SourceLimits } from "../contract/mod.ts";
import type { FirstAccount } from "./accounts/first_account.ts";
import type { FreeWork } from "./accounts/free_work.ts";
import type { Caller, Keyring, Principal } from "./accounts/keyring.ts";
import type { Limits } from "./accounts/limits.ts";
import type { Validator } from "./actions/validator.ts";
import type { Administration } from "./administration.ts";
import type { Peer } from "./base/basics.ts";
import type { UrlProblem } from "./base/web_address.ts";
import type { AccountRoute, ApiRoute, Download, SurfaceRoute } from "./http/route.ts";
import type { Operations } from "./operations/operations.ts";
import type {
  Bucket,
  Codec,
  Engines,
  Pool,
  Queue,
  Runners,
  Snapshot,
  SoundsInUse,
  SourceFacts,
  Tallies,
} from "./ports/mod.ts";
import type { WorkOn } from "./work/work_on.ts";

export interface Surface {
  /** Of its folder. */
  readonly name: string;
  /**
   * Whether it answers this path; the request says more where the path does not. What nobody owns is the API's, as is
   * `/v1/`. Absent, as is `answer`, where it is not asked by HTTP.
   */
  owns?(path: string, request: Request): boolean;
  answer?(request: Request, peer: Peer): Promise<Response>;
  /** What the HTTP API answers, counts and describes for it. */
  readonly routes?: readonly SurfaceRoute[];
  /**
   * Answers a signed download that is more than an object as it is; undefined: it is another's. What is thrown as a
   * Refusal is answered as one.
   */
  deliver?(request: Request, download: Download): Promise<Response> | undefined;
  /**
   * What the description of downloads says of it: more `parameters` and `responses` of an Operation Object of OpenAPI.
   */
  readonly download_detail?: object;
  readonly account_routes?: readonly AccountRoute[];
  readonly uploads?: Uploads;
  /** Lines that a start prints; `first`: the account that this start made. */
  greet?(first: FirstAccount | undefined): Promise<readonly string[]>;
  /** The node is going away: lets go of whoever waits. */
  drain?(): void;
  /** Begins nothing more; resolves when what it has begun is done. */
  stop?(): Promise<void>;
}

/** What a surface that takes uploads does for the others, whose accounts are known and counted already. */
export interface Uploads {
  /** Stores a file that actions take as a source; `name`: as its owner calls it. 408, 413, 422, 429, 503, 507. */
  upload(account: Principal, body: Pick<Request, "headers" | "body" | "signal">, name?: string): Promise<Uploaded>;
  /** An upload of the account, signed anew. 404. */
  file(account: Principal, id: string): Promise<Uploaded>;
}

interface Uploaded {
  /** `duration` in seconds. */
  readonly file: { readonly id: string; readonly name: string | null; readonly url: string; readonly duration: number };
}

/** Called once at each start, before anything is answered. What it throws stops the start. */
export type SurfaceFactory = (facade: Facade) => Surface | Promise<Surface>;

/**
 * What a surface may ask of the service. What is refused is thrown as a Refusal, in every case as the HTTP API would
 * answer it.
 */
export interface Facade
  extends Administration,
    Uploads,
    Pick<
      Operations,
      "submit" | "price" | "read" | "list" | "cancel" | "redeliver" | "once" | "render" | "sign" | "actionOf"
    > {
  /** By name. */
  readonly actions: ReadonlyMap<string, Registered>;
  /** Where actions could not be loaded from, though they may be missing. */
  readonly failed: Registry["failed"];
  readonly engines: Pick<Engines, "models">;
  /** Threads and processes of this node. */
  readonly pool: Pick<Pool, "stats" | "residents">;
  /** Recordings that instruments are played with. */
  readonly sounds: readonly SoundsInUse[];
  /** Asks a thread of the pool what decodes and encodes here. */
  askCodec(): Promise<Codec>;
  /** What the HTTP API answers, surfaces' routes included. Empty until all surfaces have started. */
  listRoutes(): readonly ApiRoute[];
  /** Of requests a minute, counted by all nodes together. */
  readonly limits: Limits;
  /** For limits of one's own: what the nodes count together, where they do. */
  readonly tallies: Tallies | undefined;
  /** Audio, and what a surface keeps beside it: what nothing in the store names is swept after a day. */
  readonly bucket: Bucket;
  /** For wishes that a node which runs no jobs has of one that does. */
  readonly queue: Queue;
  /** Whether other processes work on the same store. */
  readonly shared: boolean;
  /** Whether this node runs jobs; heavy work for surfaces is done on nodes that do. */
  readonly runs_jobs: boolean;
  /** Folder for files in flight, of this process alone. */
  readonly scratch: string;

  /** Whose key it is; no promise where that is known. 401. */
  authenticate(caller: Caller): Principal | Promise<Principal>;
  /** Whom a key of the account stands for, asked for by something else than the key; undefined: it was revoked. 401. */
  readonly admitKey: Keyring["admitKey"];
  /**
   * Counts a request against the account's limit; `submit` does so itself. 429; 403 where a key that only reads would
   * change something (put).
   */
  admit(account: Principal, kind: "put" | "get"): Promise<void>;

  /** As `read`; where it is still processing, waits for its end for up to 20 s. 404, 429. */
  wait(account: Principal, action: string, id: string, signal: AbortSignal): Promise<Snapshot>;

  /** Why events are not to be sent to this URL, which a schema has found to be one. */
  receiverProblem(url: string): UrlProblem | undefined;

  /**
   * Looks at a file of a client, on the account's free work, and rejects with a `Failure` for what is no source within
   * `limits`.
   */
  probe(account_id: string, path: string, limits: SourceLimits, signal: AbortSignal): Promise<SourceFacts>;
  /** Deletes what nothing in the store names any more, with what surfaces keep beside it. */
  deleteObjects(objects: readonly string[]): Promise<void>;
  /**
   * Answers with an object of the bucket, whole or by range, or with an address of the bucket's own that works for
   * `redirect_seconds`. Whether somebody may have it is for the caller to know. 404, 416.
   */
  serve(request: Request, key: string, disposition: string, redirect_seconds?: number): Promise<Response>;
  /** Runs work on stored audio, on this node. 503. */
  readonly workOn: WorkOn;
  /** What there is to run. */
  readonly runners: Pick<Runners, "picture" | "convert">;
  readonly free_work: Pick<FreeWork, "of" | "check">;

  /** The modules of this name in the folders of all surfaces. */
  findModules(file: string): Promise<readonly PluginModule[]>;
  /** Reads queries by a schema. 422. */
  queryReader<T extends TObject>(schema: T): (query: string) => Static<T>;
  /** Reads bodies by a schema, with the entries of a 422. */
  validator(schema: object): Validator;
  /** True once the node is going away: nothing new is accepted. */
  isDraining(): boolean;
}

export interface PluginModule {
  load(): Promise<unknown>;
  /** Whether it may fail: its origin has a leading `?`. */
  readonly tolerated: boolean;
}

export type { AnyAction, Issue, Limits as SourceLimits } from "../contract/mod.ts";
// What surfaces are made with. All of it loads fast: a command waits for it.
export { type Actor, type Audit, OPERATOR, SERVICE } from "./accounts/audit.ts";
export { type FirstAccount, type Made, newKeyRow, newSecretRow } from "./accounts/first_account.ts";
export { maySee, readBudget } from "./accounts/key_rights.ts";
export type { Principal } from "./accounts/keyring.ts";
export { createLimits, type LimitServices, type Limits } from "./accounts/limits.ts";
export { failureCodes } from "./actions/failure_codes.ts";
export { priceOf } from "./actions/faults.ts";
export { named, nameOf, resourceOf, typeOf } from "./actions/names.ts";
export { kindsOf, shapeOf } from "./actions/outputs.ts";
export {
  audioOf,
  isoTime,
  NEW_STATE,
  refundOf,
  renderListed,
  renderOperation,
  type SignDownload,
  type StoredError,
  type StoredOutput,
  type StoredReport,
  type StoredRequest,
  withoutReport,
} from "./actions/render.ts";
export { WEBHOOK_EVENTS } from "./actions/request_options.ts";
export type { Administration, SurfaceConfig, SurfaceStore } from "./administration.ts";
export { clientAddress, household, normalRange } from "./base/addresses.ts";
export type { Peer } from "./base/basics.ts";
export { CLIENT_REASONS } from "./base/client_reasons.ts";
export { type ErrorCode, FAILURES, REFUSALS } from "./base/error_codes.ts";
export { issue, Refusal, refuse } from "./base/errors.ts";
export { canonicalUuid, idBound, liveAccountOf, newId, OPERATION_ID, testAccountOf } from "./base/ids.ts";
export { parseBody, parseJson } from "./base/json.ts";
export { checkApiKey, hashApiKey, UPLOAD_TOKEN_PREFIX } from "./base/keys.ts";
export { describeError, type Log } from "./base/log.ts";
export { findMisspelt } from "./base/nearest.ts";
export { createRouter } from "./base/router.ts";
export type { RotatingKeys, Secrets } from "./base/secrets.ts";
export { createSigner } from "./base/signer.ts";
export { every, pause } from "./base/timers.ts";
export { API_VERSION } from "./base/version.ts";
export { Collector, countedBody, JSON_BYTES_MAX, type Pace, readBytes, readJson, readJsonBytes } from "./http/body.ts";
export { ERRORS_PATH, respondError, respondSubmitted } from "./http/respond.ts";
export type { AccountRoute, ApiRoute, Download, SurfaceRoute } from "./http/route.ts";
export type * from "./ports/mod.ts";
export { auditText, contentTypeOf, DAY_MS, FILE_MS, keyOf, PING, StoreUnavailable, WORKS } from "./ports/mod.ts";
export type { StoredAudio } from "./work/work_on.ts";
