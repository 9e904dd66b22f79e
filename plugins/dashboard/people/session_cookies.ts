/**
 * The cookies of the dashboard. Behind https, and on loopback, they are `__Host-` cookies: Secure, for this host and
 * all of its paths alone, so that no other host of the domain and no plain http can set or read them. (Chromium and
 * Firefox keep Secure cookies of http://localhost and http://127.0.0.1; Safari does not.) Plain http elsewhere cannot
 * have them: there they go without prefix and Secure.
 */

export interface SessionCookies {
  /** The values in the request's Cookie header; undefined: absent. */
  read(request: Request): {
    readonly session: string | undefined;
    readonly visitor: string | undefined;
    readonly device: string | undefined;
  };
  /** Set-Cookie values. */
  session(value: string, seconds: number): string;
  visitor(value: string): string;
  /** Stays when somebody signs out: it says that they signed in here before. */
  device(value: string): string;
  /** Takes session and visitor away. */
  clear(): readonly string[];
  /** False: anybody on the way can read what is sent. */
  readonly safe: boolean;
}

export function createSessionCookies(base_url: string): SessionCookies {
  const { protocol, hostname } = new URL(base_url);
  const safe = protocol === "https:" || isLoopback(hostname);
  const prefix = safe ? "__Host-" : "";
  const names = {
    session: `${prefix}tonwerk_session`,
    visitor: `${prefix}tonwerk_visitor`,
    device: `${prefix}tonwerk_device`,
  };
  // Lax, not Strict: a link in a mail must find its reader signed in. Every POST is checked by form_tokens.ts besides.
  const attributes = `Path=/; ${safe ? "Secure; " : ""}HttpOnly; SameSite=Lax`;
  const set = (name: string, value: string, more = ""): string => `${name}=${value}; ${attributes}${more}`;
  return {
    safe,
    read(request) {
      const found = new Map<string, string>();
      for (const part of (request.headers.get("cookie") ?? "").split(";")) {
        const equals = part.indexOf("=");
        const name = part.slice(0, equals).trim();
        // The first counts: browsers send the one with the longer path, set by whoever, first only where there is no
        // __Host- prefix.
        if (equals > 0 && !found.has(name)) found.set(name, part.slice(equals + 1).trim());
      }
      return {
        session: token(found.get(names.session)),
        visitor: token(found.get(names.visitor)),
        device: found.get(names.device),
      };
    },
    session: (value, seconds) => set(names.session, value, `; Max-Age=${seconds}`),
    visitor: (value) => set(names.visitor, value),
    device: (value) => set(names.device, value, `; Max-Age=${DEVICE_SECONDS}`),
    clear: () => [names.session, names.visitor].map((name) => set(name, "", "; Max-Age=0")),
  };
}

/** Browsers keep no cookie for longer than 400 days. */
const DEVICE_SECONDS = 400 * 86_400;

/** `localhost`, 127.0.0.0/8 or ::1, as a URL spells it. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** 32 bytes in base64url, as all our tokens are; anything else is not worth a look-up. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/;

function token(value: string | undefined): string | undefined {
  return value !== undefined && TOKEN.test(value) ? value : undefined;
}
