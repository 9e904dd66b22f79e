/** Serves a page's folder on the loopback interface, and keeps what is chosen there. */
import { readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { type Server, serve } from "../../core/adapters/runtime/runtime.ts";
import { openChoices, readChosen, readKey } from "./choices.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".flac": "audio/flac",
  ".wav": "audio/wav",
  ".opus": "audio/ogg",
};
/** More than the longest comment takes, every character written as an escape. */
const BODY_BYTES_MAX = 32_768;
const STATUS = { recorded: 201, repeated: 200, conflict: 409 } as const;

/** `port` 0 is any that is free. */
export async function servePage(folder: string, port: number): Promise<Server> {
  const root = await realpath(folder);
  const key = await readKey(root);
  const choices = await openChoices(root, key);
  const refuse = (status: number, error: string): Response => Response.json({ error }, { status });

  async function keep(request: Request): Promise<Response> {
    // Pages of other origins may not choose here.
    const { origin, host } = new URL(request.url);
    const from = request.headers.get("origin");
    if (from !== null && from !== origin) return refuse(403, `Choices come from ${host}`);
    if (!/^application\/json\b/u.test(request.headers.get("content-type") ?? "")) return refuse(415, "Send JSON");
    const text = await request.text();
    if (text.length > BODY_BYTES_MAX) return refuse(413, "A choice is shorter");
    let sent: unknown;
    try {
      sent = JSON.parse(text);
    } catch {
      return refuse(400, "This is not JSON");
    }
    const chosen = readChosen(sent, key);
    if (typeof chosen === "string") return refuse(422, chosen);
    const { outcome, choice } = await choices.record(chosen);
    return Response.json({ outcome, choice }, { status: STATUS[outcome] });
  }

  async function send(request: Request, path: string): Promise<Response> {
    const type = TYPES[extname(path)];
    // Links out of the folder are not followed.
    const file = type === undefined ? undefined : await realpath(join(root, path)).catch(() => undefined);
    if (type === undefined || file === undefined || !file.startsWith(root + sep))
      return refuse(404, "There is nothing");
    const bytes = await readFile(file);
    const headers = { "content-type": type, "accept-ranges": "bytes", "cache-control": "no-cache" };
    // Browsers seek in audio by ranges.
    const [, first, last = ""] = /^bytes=(\d+)-(\d*)$/u.exec(request.headers.get("range") ?? "") ?? [];
    if (first === undefined) return new Response(bytes, { headers });
    const [from, to] = [Number(first), Math.min(bytes.length, last === "" ? bytes.length : Number(last) + 1)];
    if (from >= to) return new Response(null, { status: 416, headers: { "content-range": `bytes */${bytes.length}` } });
    return new Response(bytes.subarray(from, to), {
      status: 206,
      headers: { ...headers, "content-range": `bytes ${from}-${to - 1}/${bytes.length}` },
    });
  }

  return serve({
    hostname: "127.0.0.1",
    port,
    body_bytes_max: 2 * BODY_BYTES_MAX,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/choices") return request.method === "POST" ? keep(request) : refuse(405, "Choices are posted");
      if (request.method !== "GET") return refuse(405, "Pages are read");
      return send(request, pathname === "/" ? "index.html" : pathname);
    },
  });
}
