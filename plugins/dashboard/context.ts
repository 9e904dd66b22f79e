/** What pages are made of and from: the services they ask, and the visit they answer. */
import type { AccountAdmin } from "../../core/accounts/admin.ts";
import type { Limits } from "../../core/accounts/limits.ts";
import type { Registry } from "../../core/actions/registry.ts";
import type { Config } from "../../core/base/config.ts";
import type { Log } from "../../core/base/log.ts";
import type { Peer } from "../../core/base/runtime.ts";
import type { FileServices } from "../../core/http/files.ts";
import type { Operations } from "../../core/operations/operations.ts";
import type { UrlSigner } from "../../core/operations/urls.ts";
import type { Bucket, Clock, Pool, Store } from "../../core/ports/mod.ts";
import type { AssetName } from "./assets.ts";
import type { Permission } from "./people/roles.ts";
import type { Sessions, SignedIn } from "./people/sessions.ts";
import type { PictureCache } from "./pictures.ts";

export interface DashboardServices {
  readonly config: Config;
  readonly store: Store;
  readonly bucket: Bucket;
  readonly clock: Clock;
  readonly pool: Pool;
  readonly registry: Registry;
  readonly operations: Operations;
  readonly signer: UrlSigner;
  readonly limits: Limits;
  readonly log: Log;
  readonly sessions: Sessions;
  readonly admin: AccountAdmin;
  readonly files: FileServices;
  readonly pictures: PictureCache;
  isDraining(): boolean;
}

/** Addresses of pages. `path` begins with a slash and stands below the dashboard's root. */
export interface Links {
  to(path: string): string;
  asset(name: AssetName): string;
}

export interface Call extends Links {
  readonly request: Request;
  readonly peer: Peer;
  /** Parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly now: number;
}

/** A call of somebody who is signed in. */
export interface Visit extends Call {
  readonly by: SignedIn;
}

/** `path`: segments with a colon are named. `POST` is a form, `PUT` an upload; both carry the session's form token. */
interface RouteOf<Access, Given> {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly access: Access;
  readonly answer: (call: Given) => Promise<Response> | Response;
}

/** `public`: also for who is not signed in. */
export type Route = RouteOf<"public", Call> | RouteOf<Permission, Visit>;

export type Pages = (services: DashboardServices) => readonly Route[];
