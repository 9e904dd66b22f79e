/** What pages are made of and from: the services they ask, and the visit they answer. */
import type { Facade, Peer } from "../../core/surface.ts";
import type { AccountAdmin } from "../administration/account_admin.ts";
import type { AssetName } from "./assets.ts";
import type { FormValues } from "./form_body.ts";
import type { Permission } from "./people/roles.ts";
import type { Sessions, SignedIn } from "./people/session_types.ts";
import type { PictureCache } from "./pictures.ts";

export interface DashboardServices extends Facade {
  readonly sessions: Sessions;
  /** Changes to accounts, in the name of who is signed in. */
  readonly adminOf: (by: SignedIn) => AccountAdmin;
  readonly pictures: PictureCache;
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
  /** Of a POST: it reads what was sent, and checks the token with it, itself. */
  readonly reads_itself?: true;
  /** `values`: of a POST, which came with its sender's token. */
  readonly answer: (call: Given, values: FormValues) => Promise<Response> | Response;
}

/** `public`: also for who is not signed in. */
export type Route = RouteOf<"public", Call> | RouteOf<Permission, Visit>;

export type Pages = (services: DashboardServices) => readonly Route[];
