/** sdk/typescript as it is published, in a page of another origin in a real browser. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { serve } from "../../core/adapters/runtime/runtime.ts";
import { Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { freePort } from "../process.ts";
import { KEY, SECRET, SONG, startTestServer } from "../sdk/tonwerk.ts";
import { launchBrowser, withBrowser } from "./browser.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** An origin with a page, the package's modules and the song. */
async function startPages(modules: string) {
  const answer = async (request: Request): Promise<Response> => {
    const name = basename(new URL(request.url).pathname);
    if (name === "") return new Response("<!doctype html><title>Page</title>", { headers: typeOf("text/html") });
    if (name === "song.flac") return new Response(await readFile(SONG));
    if (!name.endsWith(".js")) return new Response(null, { status: 404 });
    return new Response(await readFile(join(modules, name)), { headers: typeOf("text/javascript") });
  };
  return serve({ hostname: "localhost", port: await freePort(), fetch: answer });
}
const typeOf = (type: string) => ({ "content-type": type });

withBrowser("sdk/typescript in a browser", () => {
  test("a page uploads with a token or a key, submits, follows, downloads and verifies", async () => {
    const modules = await mkdtemp(join(tmpdir(), "tonwerk-sdk-browser-"));
    await promisify(execFile)(join(root, "node_modules/.bin/tsc"), [
      "-p",
      join(root, "sdk/typescript"),
      "--outDir",
      modules,
    ]);
    const pages = await startPages(modules);
    const origin = `http://localhost:${pages.port}`;
    const server = await startTestServer({ TONWERK_CORS_ORIGINS: origin });
    const browser = await launchBrowser();
    try {
      const { token } = await new Tonwerk({ baseUrl: server.url, apiKey: KEY }).uploadTokens.create({ origin });
      const page = await browser.newPage();
      await page.goto(origin);
      // Once the upload's answer is lost, once a download breaks off in its middle.
      const faults = { upload: 0, download: 0 };
      server.disturb = (request) => {
        if (request.method === "PUT" && request.url?.startsWith("/v1/files") === true)
          return faults.upload++ === 0 ? "lose" : false;
        const is_download = request.method === "GET" && request.url?.startsWith("/audio/op/") === true;
        return is_download && faults.download++ === 0 ? "cut" : false;
      };
      const sent_at = new Date();
      const body = '{"sample":{"id":"op_1","status":"ready"}}';
      const told = await page.evaluate(
        async ({ baseUrl, token, key, secret, delivery }) => {
          const path = "/mod.js";
          const sdk = (await import(path)) as typeof import("../../sdk/typescript/src/mod.ts");
          const song = await (await fetch("/song.flac")).blob();

          const uploader = new sdk.Tonwerk({ baseUrl, apiKey: token });
          const { url } = await uploader.files.upload(song, { name: "song.flac" });
          const refused = await uploader.account().catch((error) => error.code);

          const tonwerk = new sdk.Tonwerk({ baseUrl, apiKey: key });
          const uploads: string[] = [];
          for await (const file of tonwerk.files.list()) uploads.push(file.url.split("?")[0]!);
          const seen: number[] = [];
          const cut = await tonwerk.cuts
            .create({ source: url, target_duration: 6, metadata: { page: "1" } })
            .wait({ onProgress: ({ progress }) => void seen.push(progress) });
          const file = await cut.output.blob();
          const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
          const preview = await cut.output.blob({ format: "wav", bits: 16, preview: true });
          const peaks = await cut.output.peaks(20);
          const path_refused = await cut.output.download("cut.flac").catch((error) => error.name);

          const aborted = new AbortController();
          const stems = await tonwerk.stems.create({ source: url });
          const waiting = stems.wait({ signal: aborted.signal }).catch((error) => error.message);
          aborted.abort(new Error("enough"));
          await waiting;
          const canceled = await stems.wait().catch((error) => error.code);

          const event = await sdk.verifyWebhook(delivery.body, new Headers(delivery.headers), { secret });
          const changed = await sdk
            .verifyWebhook(`${delivery.body} `, delivery.headers, { secret })
            .catch((error) => error.name);
          return {
            refused,
            uploads: uploads.filter((one) => one === url.split("?")[0]).length,
            all: uploads.length,
            progress: seen.length > 0 && seen.every((progress) => progress >= 0 && progress <= 1),
            is_whole: Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") === cut.output.sha256,
            type: file.type,
            preview: [preview.type, await preview.slice(0, 4).text()],
            peaks: peaks.min.length,
            path_refused,
            canceled,
            event: event.type,
            changed,
          };
        },
        {
          baseUrl: server.url,
          token,
          key: KEY,
          secret: SECRET,
          delivery: {
            body,
            headers: {
              "webhook-id": "msg_1",
              "webhook-timestamp": String(Math.floor(sent_at.getTime() / 1000)),
              "webhook-signature": new Webhook(SECRET).sign("msg_1", sent_at, body),
              "webhook-type": "create.new_sample.ready",
            },
          },
        },
      );
      assert.deepEqual(told, {
        refused: "upload_token_forbidden",
        uploads: 1,
        all: 1,
        progress: true,
        is_whole: true,
        type: "audio/flac",
        preview: ["audio/wav", "RIFF"],
        peaks: 20,
        path_refused: "TonwerkError",
        canceled: "canceled",
        event: "create.new_sample.ready",
        changed: "WebhookVerificationError",
      });
      assert.ok(faults.upload === 2 && faults.download >= 2, JSON.stringify(faults));
    } finally {
      await browser.close();
      await server.stop();
      await pages.stop();
      await rm(modules, { recursive: true, force: true });
    }
  });
});
