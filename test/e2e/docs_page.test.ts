/** The description of the API in a real browser, under the headers that every page of ours has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runtime, serve } from "../../core/adapters/runtime/runtime.ts";
import { freePort } from "../process.ts";
import { startTestService } from "../service.ts";
import { launchBrowser, withBrowser } from "./browser.ts";

test("/docs and what belongs to it have the dashboard's headers, and all else says what it is", async () => {
  const tonwerk = await startTestService();
  try {
    const headersOf = async (path: string): Promise<Headers> => (await tonwerk.call("GET", path)).headers;
    const dashboard = await headersOf("/dashboard/sign-in");
    for (const path of [
      "/docs",
      "/docs/page.js",
      "/docs/page.css",
      "/docs/swagger-ui.css",
      "/docs/swagger-ui-bundle.js",
    ]) {
      const headers = await headersOf(path);
      for (const name of ["x-content-type-options", "x-frame-options", "referrer-policy", "permissions-policy"]) {
        assert.ok(headers.get(name), `${name} of ${path}`);
        assert.equal(headers.get(name), dashboard.get(name), `${name} of ${path}`);
      }
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/u, path);
      assert.doesNotMatch(policy, /unsafe/u);
    }
    for (const path of ["/openapi.json", "/health", "/nowhere", "/v1/account", "/audio/x", "/leaks"]) {
      assert.equal((await headersOf(path)).get("x-content-type-options"), "nosniff", path);
    }
  } finally {
    await tonwerk.stop();
  }
});

test("the files of /docs, of 1.4 MB without a key, are limited by address", async () => {
  const tonwerk = await startTestService();
  try {
    const { status, body } = await tonwerk.call("GET", "/docs/swagger-ui-bundle.js");
    assert.equal(status, 200);
    const bytes = await new Response(body).arrayBuffer();
    assert.ok(bytes.byteLength > 1_000_000);
    for (let n = 1; n < 60; n++) assert.equal((await tonwerk.call("GET", "/docs/page.css")).status, 200);
    const refused = await tonwerk.json("GET", "/docs/swagger-ui-bundle.js");
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/u);
  } finally {
    await tonwerk.stop();
  }
});

test("readers of /docs share its memory, whole and of a known length", async () => {
  const tonwerk = await startTestService();
  try {
    const path = "/docs/swagger-ui-bundle.js";
    const first = await tonwerk.call("GET", path);
    const whole = new Uint8Array(await new Response(first.body).arrayBuffer());
    assert.equal(first.headers.get("content-length"), String(whole.length));
    const memory = new Set<unknown>();
    let at = 0;
    for (let reader = 0; reader < 3; reader++) {
      at = 0;
      const { body } = await tonwerk.call("GET", path);
      for await (const piece of body ?? []) {
        memory.add(piece.buffer);
        assert.equal(Buffer.compare(piece, whole.subarray(at, at + piece.length)), 0);
        at += piece.length;
      }
    }
    assert.equal(at, whole.length);
    assert.equal(memory.size, 1);
  } finally {
    await tonwerk.stop();
  }
});

withBrowser("/docs in a browser", () => {
  test("/docs lists the actions and tries one out, and its policy keeps nothing from it", {
    timeout: 120_000,
  }, async () => {
    const port = await freePort();
    const base_url = `http://127.0.0.1:${port}`;
    const tonwerk = await startTestService({ env: { PORT: String(port), TONWERK_BASE_URL: base_url } });
    const server = await serve({ hostname: "127.0.0.1", port, fetch: tonwerk.service.app });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(`${base_url}/docs`);
      await page.waitForSelector(".opblock");
      const { actions } = (await tonwerk.json("GET", "/v1/capabilities")).body as {
        actions: readonly { name: string }[];
      };
      const listed = await page.locator(".opblock-summary-path").allTextContents();
      for (const { name } of actions) {
        assert.ok(
          listed.some((path) => path.replaceAll("\u200b", "") === `/v1/${name}`),
          name,
        );
      }
      const health = page.locator(".opblock", { hasText: "/health" });
      await health.locator(".opblock-summary-control").click();
      await health.getByRole("button", { name: "Try it out" }).click();
      await health.getByRole("button", { name: "Execute" }).click();
      await health.locator(".live-responses-table", { hasText: "200" }).waitFor();
      assert.deepEqual(complaints, []);
      const shots = process.env.TONWERK_TEST_SHOTS;
      if (shots !== undefined) await page.screenshot({ path: `${shots}/docs-${runtime.name}.png` });
    } finally {
      await browser.close();
      await server.stop();
      await tonwerk.stop();
    }
  });
});
