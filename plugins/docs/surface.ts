/**
 * The description of the API: `/openapi.json` for programs, `/docs` for people, by Swagger UI, and `/docs/errors`,
 * every code with cause and cure. Files of this folder and of its package, read once; nothing from elsewhere.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Facade, Surface, SurfaceRoute } from "../../core/surface.ts";
import { SECURITY_HEADERS } from "../administration/page_headers.ts";
import { describeChangelog, readChangelog } from "./changelog.ts";
import { writeErrorsPage } from "./errors_page.ts";
import { writeFirstSteps } from "./first_steps.ts";

const { resolve } = createRequire(import.meta.url);
const here = (name: string): URL => new URL(name, import.meta.url);

const FILES: Readonly<Record<string, { readonly type: string; readonly file: string | URL }>> = {
  "/docs": { type: "text/html; charset=utf-8", file: here("page.html") },
  "/docs/page.css": { type: "text/css; charset=utf-8", file: here("page.css") },
  "/docs/page.js": { type: "text/javascript; charset=utf-8", file: here("page.js") },
  "/docs/swagger-ui.css": { type: "text/css; charset=utf-8", file: resolve("swagger-ui-dist/swagger-ui.css") },
  "/docs/swagger-ui-bundle.js": {
    type: "text/javascript; charset=utf-8",
    file: resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  },
};

export default function docs(facade: Facade): Surface {
  const { config, actions } = facade;
  const headers = { ...SECURITY_HEADERS, "content-security-policy": contentSecurityPolicy(config.base_url) };
  const routes = Object.entries(FILES).map(([path, { type, file }]): SurfaceRoute => {
    let read: Promise<Uint8Array> | undefined;
    const cached = path === "/docs" ? "no-cache" : "public, max-age=86400";
    return {
      method: "GET",
      path,
      async answer() {
        read ??= readFile(file);
        return respondInPieces(await read, { ...headers, "content-type": type, "cache-control": cached });
      },
    };
  });
  // Written at the first request: it is long, and loading what writes it takes 40 ms of a start.
  routes.push(
    jsonRoute("/openapi.json", async () => (await import("./document/write.ts")).writeDocument(facade)),
    jsonRoute("/v1/changelog", writeChangelog, describeChangelog),
  );
  const page = new TextEncoder().encode(writeErrorsPage(actions));
  routes.push({
    method: "GET",
    path: "/docs/errors",
    answer: async () =>
      respondInPieces(page, { ...headers, "content-type": FILES["/docs"]!.type, "cache-control": "no-cache" }),
  });
  return {
    name: "docs",
    routes,
    greet: async (first) => [`API description ${config.base_url}/docs`, writeFirstSteps(config.base_url, first)],
  };
}

const PIECE_BYTES = 65_536;

/**
 * The same memory for every answer, handed on as the client reads. A slow reader, who needs no key, would hold a copy
 * of bytes and, on Deno, of a Blob.
 */
function respondInPieces(bytes: Uint8Array, headers: Readonly<Record<string, string>>): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { ...headers, "content-length": String(bytes.length) } });
}

/** JSON that stays as it is once it was written. */
function jsonRoute(path: string, write: () => Promise<string>, detail?: object): SurfaceRoute {
  let written: Promise<{ readonly bytes: Uint8Array; readonly etag: string }> | undefined;
  const keep = async () => {
    const bytes = new TextEncoder().encode(await write());
    return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url")}"` };
  };
  return {
    method: "GET",
    path,
    ...(detail && { detail }),
    is_uncounted: true,
    async answer(request) {
      written ??= keep();
      const { bytes, etag } = await written;
      const headers = { etag, "cache-control": "no-cache" };
      if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
      const type = { "content-type": "application/json", "x-content-type-options": "nosniff" };
      return respondInPieces(bytes, { ...headers, ...type });
    },
  };
}

const writeChangelog = async (): Promise<string> =>
  JSON.stringify({ changes: readChangelog(await readFile(here("../../CHANGELOG.md"), "utf8")) });

/** As the dashboard's; Swagger UI brings its icons as data and fetches from the API (`base_url`, for "Try it out"). */
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
