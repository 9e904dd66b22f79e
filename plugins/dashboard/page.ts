/** The frame around every page: head, navigation, and the answer with its headers. */

import { SECURITY_HEADERS } from "../administration/page_headers.ts";
import type { AssetName } from "./assets.ts";
import { compressed, takesGzip } from "./compression.ts";
import type { Call, Links, Visit } from "./context.ts";
import { plural } from "./format.ts";
import { attributes, type Html, html, type Value } from "./html.ts";
import { may, type Permission } from "./people/roles.ts";

export interface Page {
  readonly title: string;
  /** Path of the entry in the navigation that this page belongs to. */
  readonly at?: string;
  readonly body: Value;
  readonly scripts?: readonly AssetName[];
  /** Seconds after which a browser without script looks again. */
  readonly refresh_seconds?: number;
  readonly status?: number;
  readonly cookies?: readonly string[];
  /**
   * Sent compressed. Only for pages that repeat nothing of what the request brings: whoever could choose text beside
   * the form's token would learn it from the length.
   */
  readonly is_compressed?: boolean;
}

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly needs?: Permission;
}

const NAVIGATION: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: "Work",
    entries: [
      { path: "/", name: "Overview" },
      { path: "/playground", name: "Playground" },
      { path: "/operations", name: "Operations" },
      { path: "/usage", name: "Credits and usage" },
    ],
  },
  {
    title: "Developer",
    entries: [
      { path: "/keys", name: "API keys" },
      { path: "/webhooks", name: "Webhooks" },
      { path: "/deliveries", name: "Webhook deliveries" },
      { path: "/secrets", name: "Webhook signing secrets" },
      { path: "/leaks", name: "Leak notices" },
    ],
  },
  {
    title: "Account",
    entries: [
      { path: "/members", name: "Members", needs: "members" },
      { path: "/settings", name: "Settings", needs: "settings" },
      { path: "/audit", name: "Audit log", needs: "audit" },
      { path: "/profile", name: "Your password" },
    ],
  },
  {
    title: "Operator",
    entries: [
      { path: "/operator", name: "Health", needs: "operate" },
      { path: "/operator/accounts", name: "Accounts", needs: "operate" },
      { path: "/operator/audit", name: "Audit of all", needs: "operate" },
    ],
  },
];

/** A page of the account. */
export function answerPage(visit: Visit, page: Page): Response {
  const gzip = page.is_compressed === true && takesGzip(visit.request);
  return respondHtml(documentOf(visit, page, framed(visit, page)), page, gzip);
}

/** A page for who is not signed in: one column in the middle. */
export function answerAlone(links: Links, page: Page): Response {
  const body = html`<div class="alone"><main id="main">${brand(links)}${page.body}</main></div>`;
  return respondHtml(documentOf(links, page, body), page);
}

export function redirect(call: Call, path: string, cookies: readonly string[] = []): Response {
  const response = new Response(null, {
    status: 303,
    headers: { ...SECURITY_HEADERS, location: call.to(path), "cache-control": "no-store" },
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

function respondHtml(document: Html, { status = 200, cookies = [] }: Page, gzip = false): Response {
  const response = new Response(gzip ? compressed(document.text) : document.text, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      ...(gzip ? { "content-encoding": "gzip" } : {}),
    },
  });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** What every page is set in. It is shown where it is there at once, so that nothing jumps. */
const FONTS = ["inter-english-400.woff2", "inter-english-600.woff2"] as const;

function documentOf(links: Links, { title, scripts = [], refresh_seconds }: Page, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Tonwerk</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh_seconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refresh_seconds}"></noscript>`}
<link rel="stylesheet" href="${links.asset("style.css")}">
${FONTS.map((name) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${links.asset(name)}">`)}
<link rel="icon" type="image/svg+xml" href="${links.asset("icon.svg")}">
${(["page.mjs", ...scripts] as const).map((name) => html`<script type="module" src="${links.asset(name)}"></script>`)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${body}
</body>
</html>
`;
}

function brand(links: Links): Html {
  return html`<a class="brand" href="${links.to("/")}"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="currentColor"></rect><g stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M7 13v6M12.5 8v16M18 11v10M23.5 6v20"></path></g></svg>Tonwerk</a>`;
}

function framed(visit: Visit, page: Page): Html {
  const inside = html`${navigation(visit, page.at)}${foot(visit)}`;
  return html`<div class="frame">
<header class="side">${brand(visit)}
<div class="menu wide">${inside}</div>
<details class="menu"><summary>Menu</summary>${inside}</details>
</header>
<main id="main" tabindex="-1">${page.body}</main>
<p class="visually-hidden" role="status" data-announce></p>
</div>`;
}

function navigation(visit: Visit, at: string | undefined): Html {
  return html`<nav aria-label="Main">${NAVIGATION.map(({ title, entries }) => {
    const { user, operates } = visit.by;
    const mayOpen = (needs: Permission): boolean => (needs === "operate" ? operates : may(user.role, needs));
    const open = entries.filter(({ needs }) => needs === undefined || mayOpen(needs));
    if (open.length === 0) return null;
    return html`<div><h2>${title}</h2><ul>${open.map(
      ({ path, name }) =>
        html`<li><a ${attributes({ href: visit.to(path), "aria-current": at === path ? "page" : null })}>${name}</a></li>`,
    )}</ul></div>`;
  })}</nav>`;
}

function foot(visit: Visit): Html {
  const { account, user, csrf } = visit.by;
  return html`<div class="side-foot">
<p><b dir="auto">${account.name}</b>${plural(account.credits, "credit")}</p>
<p><small>${user.email}<br>${user.role}</small></p>
<form method="post" action="${visit.to("/sign-out")}"><input type="hidden" name="csrf" value="${csrf}"><button class="small">Sign out</button></form>
</div>`;
}
