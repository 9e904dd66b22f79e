/**
 * `bun bench/paint.ts [runs=7]`: when a person sees something of each main page of the dashboard. Chromium's Paint Timing (first contentful
 * paint, from the start of the navigation), a new browser context with an empty cache each time, over loopback; medians, and the wait for the
 * first byte within them. An empty page beside them tells what of it is the browser, which a busy machine makes slow; the processor time of the
 * page's main thread, in all and for style and layout, is what can be compared there. The service is a process of its own that has made a song
 * of three variations.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { args, exit, runtime } from "../core/adapters/runtime/runtime.ts";
import { launchBrowser } from "../test/e2e/browser.ts";
import { freePort, startProcess } from "../test/process.ts";

const [runs_text = "7"] = args;
const RUNS = Number(runs_text);
const LYRICS =
  "[Verse]\nThe lamps go out along the quay\nand nobody is left but me\n\n[Chorus]\nOh carry me home\nover the foam\n";

/** What the browser itself takes, on the machine of now. */
const EMPTY = "data:text/html,<p>nothing";

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

const data = await mkdtemp(join(tmpdir(), "tonwerk-paint-"));
const service = await startProcess({ TONWERK_DATA: data }, await freePort());
const browser = await launchBrowser();
try {
  const found = (what: RegExp): string => what.exec(service.output())![0];
  const key = found(/tonwerk_[0-9A-Za-z]{36}/u);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${service.url}/v1/${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify({ idempotency_key: randomUUID(), ...body }) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return Object.values((await answer.json()) as Record<string, { id: string; status: string }>)[0]!;
  };
  const { id } = await call("PUT", "create.new_song", { prompt: "a folk song", lyrics: LYRICS, n_variations: 3 });
  while ((await call("GET", `create.new_song?id=${id}&wait=true`)).status === "processing");

  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(found(/http:\S+\/dashboard\/link\?token=\S+/u));
  await page.fill("#email", "owner@example.com");
  await page.fill("#password", "a violin in the rain");
  await page.click("text=Open the dashboard");
  await page.waitForSelector("h1:has-text('Overview')");
  // Its pictures are drawn when somebody looks first.
  await page.goto(`${service.url}/dashboard/operations/${id}`, { waitUntil: "networkidle" });
  const storageState = await first.storageState();

  const paths = [EMPTY, "/", "/playground", "/playground/create.new_song", "/operations", `/operations/${id}`];
  paths.push("/usage", "/webhooks", "/deliveries", "/audit", "/members", "/keys");
  console.log(`${runtime.name} ${runtime.version}, ${RUNS} runs, load average ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    "| page | first byte, ms | first paint, ms | slowest | main thread, ms of processor | style and layout |",
  );
  console.log("|---|---|---|---|---|---|");
  for (const path of paths) {
    const [bytes, paints, worked, laid]: number[][] = [[], [], [], []];
    for (let run = 0; run < RUNS; run++) {
      const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
      const tab = await context.newPage();
      const devtools = await context.newCDPSession(tab);
      await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
      await tab.goto(path === EMPTY ? EMPTY : `${service.url}/dashboard${path === "/" ? "" : path}`);
      await tab.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
      const [byte, paint] = await tab.evaluate(() => [
        (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).responseStart,
        performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
      ]);
      const { metrics } = await devtools.send("Performance.getMetrics");
      const ms = (...names: string[]) =>
        1000 * metrics.reduce((sum, { name, value }) => sum + (names.includes(name) ? value : 0), 0);
      bytes!.push(byte!);
      paints!.push(paint!);
      worked!.push(ms("TaskDuration"));
      laid!.push(ms("RecalcStyleDuration", "LayoutDuration"));
      await context.close();
    }
    const shown = [bytes, paints].map((list) => median(list!));
    shown.push(Math.max(...paints!), median(worked!), median(laid!));
    const texts = shown.map((ms) => ms.toFixed(0));
    console.log(`| \`${path.replace(id, "op_…")}\` | ${texts.join(" | ")} |`);
  }
} finally {
  await browser.close();
  service.kill("SIGTERM");
  await service.exited;
  await rm(data, { recursive: true, force: true });
}
exit(0);
