/** `/docs`: the description of the API for people, by Swagger UI. Files of this folder and of its package, read once; nothing from elsewhere. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { SECURITY_HEADERS } from "../headers.ts";

export const DOCS_PATH = "/docs";

const { resolve } = createRequire(import.meta.url);
const here = (name: string): URL => new URL(name, import.meta.url);

const FILES: Readonly<Record<string, { readonly type: string; readonly file: string | URL }>> = {
  [DOCS_PATH]: { type: "text/html; charset=utf-8", file: here("page.html") },
  [`${DOCS_PATH}/page.css`]: { type: "text/css; charset=utf-8", file: here("page.css") },
  [`${DOCS_PATH}/page.js`]: { type: "text/javascript; charset=utf-8", file: here("page.js") },
  [`${DOCS_PATH}/swagger-ui.css`]: { type: "text/css; charset=utf-8", file: resolve("swagger-ui-dist/swagger-ui.css") },
  [`${DOCS_PATH}/swagger-ui-bundle.js`]: {
    type: "text/javascript; charset=utf-8",
    file: resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  },
};

/** The paths and what each answers to GET. `base_url`: where "Try it out" sends to. */
export function docsPages(
  base_url: string,
): readonly { readonly path: string; readonly answer: () => Promise<Response> }[] {
  const headers = { ...SECURITY_HEADERS, "content-security-policy": contentSecurityPolicy(base_url) };
  return Object.entries(FILES).map(([path, { type, file }]) => {
    // Not bytes, of which every response would be a copy: who reads slowly holds it, and needs no key.
    let read: Promise<Blob> | undefined;
    const cached = path === DOCS_PATH ? "no-cache" : "public, max-age=86400";
    return {
      path,
      async answer() {
        read ??= readFile(file).then((bytes) => new Blob([bytes]));
        return new Response(await read, { headers: { ...headers, "content-type": type, "cache-control": cached } });
      },
    };
  });
}

/** As the dashboard's; Swagger UI brings its icons as data and fetches from the API. */
function contentSecurityPolicy(base_url: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(base_url).origin}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}
