/** Somebody at the dashboard of a test service, with cookies and forms but without a browser. */
import assert from "node:assert/strict";
import type { TestService } from "../service.ts";

export interface Visitor {
  readonly cookies: ReadonlyMap<string, string>;
  /** Path and query below `/dashboard`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  text(path: string): Promise<string>;
  /** A form as the page at `from` sends it: with its token. */
  post(path: string, values: Readonly<Record<string, string>>, from?: string): Promise<Response>;
  /** The body as it is, without a token. */
  raw(
    method: string,
    path: string,
    body: BodyInit | null,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

export function visitor({ service }: TestService): Visitor {
  const cookies = new Map<string, string>();
  const send = async (
    method: string,
    path: string,
    body: BodyInit | null,
    headers: Readonly<Record<string, string>>,
  ) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const { base_url } = service.config;
    const sent = new Request(`${base_url}/dashboard${path}`, {
      method,
      headers: { host: new URL(base_url).host, ...(cookie === "" ? {} : { cookie }), ...headers },
      ...(body === null ? {} : { body }),
    });
    const response = await service.app(sent, { address: "127.0.0.1" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (value === "" || /max-age=0/iu.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const get: Visitor["get"] = (path, headers = {}) => send("GET", path, null, headers);
  const text: Visitor["text"] = async (path) => (await get(path)).text();
  return {
    cookies,
    get,
    text,
    async post(path, values, from = path) {
      const csrf = /name="csrf" value="([^"]+)"/u.exec(await text(from))?.[1] ?? "";
      return send("POST", path, new URLSearchParams({ csrf, ...values }), {});
    },
    raw: (method, path, body, headers = {}) => send(method, path, body, headers),
  };
}

/** Enters by a one-time link and chooses a password. */
export async function entered(tonwerk: TestService, link: string, email?: string): Promise<Visitor> {
  const who = visitor(tonwerk);
  const { pathname, search, searchParams } = new URL(link);
  const form = {
    token: searchParams.get("token") ?? "",
    password: "a violin in the rain",
    ...(email === undefined ? {} : { email }),
  };
  const response = await who.post("/link", form, pathname.replace("/dashboard", "") + search);
  assert.equal(response.status, 303, await response.text());
  return who;
}
