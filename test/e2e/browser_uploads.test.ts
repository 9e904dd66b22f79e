/** A page of another origin in a real browser: it uploads with a token, and a page of an origin that is not named cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { serve } from "../../core/adapters/runtime/runtime.ts";
import { noise } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { freePort } from "../process.ts";
import { startTestService } from "../service.ts";
import { launchBrowser, withBrowser } from "./browser.ts";

interface Sent {
  readonly api: string;
  readonly token: string;
  readonly key: string;
  /** Of the file. */
  readonly bytes: readonly number[];
}

/** What a page's script would do: the file to the API, and back. */
function uploadFrom(page: Page, sent: Sent) {
  return page.evaluate(async ({ api, token, key, bytes }) => {
    const authorization = `Bearer ${token}`;
    try {
      const response = await fetch(`${api}/v1/files?name=take.wav`, {
        method: "PUT",
        headers: { authorization, "idempotency-key": key },
        body: new Blob([new Uint8Array(bytes)]),
      });
      const { file, code } = await response.json();
      const told = ["x-request-id", "ratelimit", "idempotent-replayed"].map((name) => response.headers.get(name));
      if (file === undefined) return { status: response.status, code, told };
      const range = await fetch(file.url, { headers: { range: "bytes=0-3" } });
      const part = { status: range.status, text: await range.text(), range: range.headers.get("content-range") };
      const other = await fetch(`${api}/v1/account`, { headers: { authorization } });
      return { status: response.status, id: file.id, told, part, other: (await other.json()).code };
    } catch (error) {
      return { refused: (error as Error).name };
    }
  }, sent);
}

withBrowser("pages of other origins", () => {
  test("a page uploads with a token and reads its upload; a page of another origin reads nothing", async () => {
    const html = () => new Response("<!doctype html><title>Page</title>", { headers: { "content-type": "text/html" } });
    const pages = await Promise.all(
      [1, 2].map(async () => serve({ hostname: "localhost", port: await freePort(), fetch: async () => html() })),
    );
    const [named, foreign] = pages.map(({ port }) => `http://localhost:${port}`) as [string, string];
    const port = await freePort();
    const api = `http://127.0.0.1:${port}`;
    const tonwerk = await startTestService({
      env: { PORT: String(port), TONWERK_BASE_URL: api, TONWERK_CORS_ORIGINS: named },
    });
    const server = await serve({ hostname: "127.0.0.1", port, fetch: tonwerk.service.app });
    const browser = await launchBrowser();
    try {
      const makeToken = async (terms: object) =>
        (await tonwerk.json("POST", "/v1/upload_tokens", terms)).body.upload_token.token as string;
      const bytes = [...wav(noise(0.1).channels)];
      const page = await browser.newPage();

      await page.goto(foreign);
      const free = await makeToken({ uploads: 9 });
      const denied = await uploadFrom(page, { api, token: free, key: crypto.randomUUID(), bytes });
      assert.deepEqual(denied, { refused: "TypeError" });
      assert.deepEqual((await tonwerk.json("GET", "/v1/files")).body.files, [], "the preflight stopped it");

      await page.goto(named);
      const token = await makeToken({ origin: named });
      const sent = { api, token, key: crypto.randomUUID(), bytes };
      const first = await uploadFrom(page, sent);
      assert.equal(first.status, 200, JSON.stringify(first));
      assert.ok(first.told?.[0] && first.told[1], "request id and rate limit can be read");
      assert.deepEqual(first.part, { status: 206, text: "RIFF", range: `bytes 0-3/${bytes.length}` });
      assert.equal(first.other, "upload_token_forbidden");
      const again = await uploadFrom(page, sent);
      assert.deepEqual([again.id, again.told?.[2]], [first.id, "true"]);
      const spent = await uploadFrom(page, { ...sent, key: crypto.randomUUID() });
      assert.deepEqual([spent.status, spent.code], [403, "upload_token_spent"]);
      const { files } = (await tonwerk.json("GET", "/v1/files")).body;
      assert.deepEqual(
        files.map(({ id, name }: { id: string; name: string }) => [id, name]),
        [[first.id, "take.wav"]],
      );
    } finally {
      await browser.close();
      for (const one of [server, ...pages]) await one.stop();
      await tonwerk.stop();
    }
  });
});
