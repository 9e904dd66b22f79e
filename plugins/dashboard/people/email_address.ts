/** Addresses of people. */

/**
 * The one text of an address that is stored and compared: lower case, no spaces around it. ASCII, a plain local part
 * (RFC 5321's dot-string) and a domain with a dot or `localhost`; no quotes, comments or address literals, which nobody
 * has and mail headers suffer from. Undefined: it is none.
 */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  // RFC 5321: 64 before the sign, 254 in all.
  if (email.length > 254 || email.indexOf("@") > 64) return undefined;
  return EMAIL.test(email) ? email : undefined;
}

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:localhost|(?:${LABEL}\\.)+${LABEL})$`);
