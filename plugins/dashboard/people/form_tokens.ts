/**
 * Whether a form was sent from our own page: the browser's word for it (`Sec-Fetch-Site`, `Origin`) and a token that
 * only our page could know, an HMAC of the sender's cookie. Nothing is stored; a token lasts as long as its cookie.
 */
import { createSigner, type RotatingKeys } from "../../../core/surface.ts";
import { foreignForm, misdirected } from "../refusals.ts";
import { isLoopback } from "./session_cookies.ts";

export interface FormTokens {
  /** `cookie` is the value of the session's cookie, or of the visitor's before there is a session. */
  issue(cookie: string): string;
  check(cookie: string, token: string): boolean;
}

export function createFormTokens(keys: RotatingKeys): FormTokens {
  const { sign, verifies } = createSigner(keys);
  return { issue: sign, check: verifies };
}

/** Who may be asked for the dashboard, and from where its forms come. */
export interface OwnSite {
  /**
   * Throws a Refusal, 421, for another Host: a name that was made to resolve here (DNS rebinding) must not get pages.
   */
  checkHost(request: Request): void;
  /** Throws a Refusal, 403, for a POST that a page of another site made. */
  checkOrigin(request: Request): void;
}

export function createOwnSite(base_url: string): OwnSite {
  const base = new URL(base_url);
  /**
   * Loopback names stand for one another, with any port: whoever can name them is on this machine, or tunnels to it.
   */
  const isOwn = (url: URL): boolean =>
    url.protocol === base.protocol &&
    (url.host === base.host || (isLoopback(base.hostname) && isLoopback(url.hostname)));
  return {
    checkHost(request) {
      const host = request.headers.get("host") ?? new URL(request.url).host;
      const url = URL.parse(`${base.protocol}//${host}`);
      if (url === null || url.pathname !== "/" || !isOwn(url)) throw misdirected(base_url);
    },
    checkOrigin(request) {
      const site = request.headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin") throw foreignForm();
      const origin = request.headers.get("origin");
      // `null` is what a browser says under a referrer policy of its page that hides it; Sec-Fetch-Site has judged
      // then.
      if (origin === null || (origin === "null" && site !== null)) return;
      const url = URL.parse(origin);
      if (url === null || !isOwn(url)) throw foreignForm();
    },
  };
}
