/** The dashboard as a person meets it: a service that was just started, and a browser. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { wav } from "../audio.ts";
import { freePort, runFile, type ServiceProcess, startProcess } from "../process.ts";
import { until } from "../until.ts";
import { LOOKS, launchBrowser, violations, withBrowser } from "./browser.ts";
import { difference, recordPages } from "./recorded.ts";

const SONG = fileURLToPath(new URL("../../examples/song.flac", import.meta.url));
const [EMAIL, PASSWORD] = ["owner@example.com", "a violin in the rain"];
/** What a browser makes of a page's looks; test/dashboard has the pages on both runtimes. */
const IS_TOLD = "Deno" in globalThis && "the run on Bun tells it";
const XSS = `"><img src=x onerror="window.__xss=1"><script>window.__xss=2</script>'`;

/** Rises from `hz` by three octaves, with a beat of clicks: something of every stem. */
function chirp(seconds: number, hz: number, level: number): Float32Array {
  return Float32Array.from({ length: seconds * 44_100 }, (_, index) => {
    const time = index / 44_100;
    const click = index % 11_025 < 400 ? (((index * 7919) % 1000) / 500 - 1) * 0.3 : 0;
    return level * Math.sin(2 * Math.PI * hz * time * (1 + 3 * time)) + click;
  });
}

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

withBrowser("the dashboard in a browser", () => {
  let service: ServiceProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let folder: string;
  let receiver: Server;
  let callback: string;
  let api_key: string;
  /** Of the operation that was made in the playground. */
  let operation: string;
  const received: Received[] = [];
  const complaints: string[] = [];

  const at = (path: string): string => `${service.url}/dashboard${path}`;
  const go = (path: string) => page.goto(at(path));
  const call = (path: string, headers: Record<string, string>) =>
    fetch(service.url + path, { headers, redirect: "manual" });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  /** That the first start printed. */
  const key = () => /tonwerk_[0-9A-Za-z]{36}/u.exec(service.output())?.[0] ?? "";

  const send = async (path: string, body: object | Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(`${service.url}/v1/${path}`, {
      method: "PUT",
      headers: { ...bearer(key()), ...(body instanceof Uint8Array ? {} : { "content-type": "application/json" }) },
      body: body instanceof Uint8Array ? body : JSON.stringify({ idempotency_key: randomUUID(), ...body }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return Object.values((await answer.json()) as Record<string, { id: string; url: string }>)[0]!;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tonwerk-dashboard-"));
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Uint8Array) => {
        body += Buffer.from(chunk).toString("utf8");
      });
      request.on("end", () => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    callback = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/hook`;
    [service, browser] = await Promise.all([
      startProcess({ TONWERK_DATA: folder, TONWERK_PRIVATE_HOSTS: "127.0.0.1" }, await freePort()),
      launchBrowser(),
    ]);
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(90_000);
    // What the policy of the pages forbids, and what breaks in a script.
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of 4\d\d/u.test(message.text()))
        complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on("dialog", (dialog) => {
      complaints.push(`${page.url()}: dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
  });

  after(async () => {
    await browser?.close();
    receiver?.closeAllConnections();
    receiver?.close();
    service?.kill("SIGTERM");
    await service?.exited;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  test("from the first start over link, password and key to a track that plays", async () => {
    const link = /http:\S+\/dashboard\/link\?token=\S+/u.exec(service.output())?.[0];
    assert.ok(link !== undefined, "the first start prints a link");
    await page.goto(link);
    await page.fill("#email", EMAIL);
    await page.fill("#password", PASSWORD);
    await page.click("text=Open the dashboard");
    await page.waitForSelector("h1:has-text('Overview')");
    // An empty account is one click away from its first sound.
    await page.click("button:has-text('Make it')");
    await page.waitForSelector("h1:has-text('Sound effect'):has-text('ready')");
    await page.waitForSelector(".players [data-play]");
    // Who points at a part is told what it is and how long; magnified, the picture scrolls in its place.
    const part = await page.locator(".strip").evaluate((strip) => {
      const [, from, to] = /^([\d.]+)(?:-([\d.]+))? ./u.exec((strip as SVGElement).dataset.spans!)!;
      const { width } = strip.getBoundingClientRect();
      const { seconds } = strip.closest<HTMLElement>("[data-track]")!.dataset;
      return (width * (Number(from) + Number(to ?? seconds))) / 2 / Number(seconds);
    });
    await page.locator(".strip").hover({ position: { x: part, y: 12 } });
    const told = await page.locator(".view").getAttribute("title");
    assert.match(told ?? "", /^Sound .+, 0:\d\d\.\d to 0:\d\d\.\d$/u);
    await page.getByLabel("Magnify").selectOption("8");
    const shares = await page.locator(".axis-box").evaluate((box) => box.scrollWidth / box.clientWidth);
    assert.ok(Math.abs(shares - 8) < 0.1, String(shares));
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    // Once only.
    assert.equal((await call(link.slice(service.url.length), {})).status, 410);

    await go("/keys");
    await page.fill("#label", "My laptop");
    await page.click("text=Create key");
    api_key = (await page.locator(".secret code").textContent()) ?? "";
    assert.equal((await call("/v1/account", bearer(api_key))).status, 200);
    await go("/keys");
    assert.ok(!(await page.content()).includes(api_key), "a key is shown once");

    await go("/playground");
    await page.click("text=adapt.normalise_loudness");
    await page.setInputFiles("input[type=file]", SONG);
    await page.waitForSelector("text=0:12.0, uploaded");
    await page.click("summary:has-text('More')");
    await page.fill("[name='f.callback_url']", callback);
    await page.waitForSelector("button:has-text('Run for 1 credit')");
    await page.click("button:has-text('Run for 1 credit')");
    // The result is beside the form, and the form stays as it was.
    await page.waitForSelector("[data-pane] .players");
    assert.equal(new URL(page.url()).pathname, "/dashboard/playground/adapt.normalise_loudness");
    assert.equal(await page.locator("[data-announce]").textContent(), "Loudness is ready");
    assert.equal(await page.inputValue("[name='f.callback_url']"), callback);
    await page.click("text=Report, request and code of this result");
    operation = new URL(page.url()).pathname.split("/").at(-1)!;
    await page.waitForSelector("h1:has-text('ready')");
    await page.waitForSelector("text=-14 LUFS");
    const downloading = page.waitForEvent("download");
    await page.click("a:has-text('Download')");
    assert.equal((await downloading).suggestedFilename(), "song_normalised.flac");

    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => Number(document.querySelector<HTMLElement>(".players")?.dataset.time) > 0.3);
    await page.waitForFunction(() => document.querySelector<HTMLElement>("[data-level] i")!.offsetWidth > 10);
    await page.getByRole("button", { name: "Pause" }).click();

    // Pictures are there, in the size that fits.
    const picture = page.locator(".wave img").first();
    await picture.scrollIntoViewIfNeeded();
    assert.ok(
      await picture.evaluate(async (image) => {
        await (image as HTMLImageElement).decode();
        return (image as HTMLImageElement).naturalWidth > 0;
      }),
    );
  });

  test("source and result run in step, and one is heard at a time, by pointer and by key", async () => {
    await go(`/operations/${operation}`);
    const group = page.locator("[data-players=choose]");
    await group.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>("[data-players=choose]")?.dataset.time) > 0.3,
    );
    const heard = () =>
      group.locator("[data-track]").evaluateAll((all) => all.map((one) => !one.classList.contains("silenced")));
    assert.deepEqual(await heard(), [true, false]);
    await group.getByRole("radio", { name: "Hear Source" }).check();
    assert.deepEqual(await heard(), [false, true]);
    await page.keyboard.press("1");
    assert.deepEqual(await heard(), [true, false]);
    // Nothing is chosen off: one is always heard.
    await page.keyboard.press("1");
    assert.deepEqual(await heard(), [true, false]);
    await group.getByRole("button", { name: "Pause" }).click();
    const time = async () => Number(await group.getAttribute("data-time"));
    const before_key = await time();
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await time()) - before_key - 5) < 0.01);
    await page.keyboard.press("Shift+ArrowLeft");
    assert.ok(Math.abs((await time()) - before_key - 4) < 0.01);
    const said = await group.locator("[data-clock]").textContent();
    assert.match(said ?? "", /^0:0\d\.\d \/ 0:12\.0$/u);

    // A part that is dragged over with shift is looped, until somebody wants no loop.
    const box = (await group.locator(".view").nth(1).boundingBox())!;
    const at_second = (second: number) => [box.x + (box.width * second) / 12, box.y + 20] as const;
    await page.keyboard.down("Shift");
    await page.mouse.move(...at_second(4));
    await page.mouse.down();
    await page.mouse.move(...at_second(4.5));
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await group.getByRole("button", { name: "Play" }).click();
    const times: number[] = [];
    while (times.length < 3 || times.at(-1)! >= times.at(-2)!) times.push(await time());
    assert.ok(
      times.slice(1).every((one) => one > 3.95 && one < 4.6),
      times.join(),
    );
    await page.keyboard.press("l");
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>("[data-players=choose]")?.dataset.time) > 4.8,
    );
    // Other speeds keep the pitch.
    await group.getByLabel("Speed").selectOption("1.5");
    await page.waitForFunction(() =>
      [...document.querySelectorAll("audio")].every((one) => one.playbackRate > 1.4 && one.preservesPitch),
    );
    await group.getByRole("button", { name: "Pause" }).click();
  });

  test("a click before there is sound says so, and a picture that did not come is asked for again", async () => {
    const tab = await context.newPage();
    tab.setDefaultTimeout(90_000);
    let pictures = 0;
    await tab.route("**/pictures/**", (route) => (pictures++ === 0 ? route.abort() : route.continue()));
    const released = Promise.withResolvers<void>();
    await tab.route("**/audio", async (route) => {
      await released.promise;
      await route.continue();
    });
    await tab.goto(at(`/operations/${operation}`));
    const group = tab.locator("[data-players=choose]");
    await group
      .locator(".view")
      .first()
      .click({ position: { x: 200, y: 40 } });
    await tab.waitForSelector(".players.loading");
    assert.equal(await group.locator("[data-clock]").textContent(), "Loading 0 of 2");
    assert.ok(await group.locator(".playhead").first().isVisible(), "where it will play from");
    released.resolve();
    await tab.waitForSelector(".players:not(.loading)");
    await tab.waitForFunction(() => Number(document.querySelector<HTMLElement>(".players")?.dataset.time) > 1);
    await tab.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>(".wave img")].every(({ naturalWidth }) => naturalWidth > 0),
    );
    assert.ok(pictures > 1);
    await tab.close();
  });

  test("what is heard of stems is the source, and of alternatives the chosen one to the last bit", async () => {
    const tab = await context.newPage();
    tab.setDefaultTimeout(90_000);
    await recordPages(tab, 12.2);
    const source = wav([chirp(2, 80, 0.4), chirp(2, 300, 0.3)]);
    const { url } = await send("files", new Uint8Array(source));
    const stems = await send("adapt.separate_stems", { source: { url } });
    const listen = async (id: string) => {
      await tab.goto(at(`/operations/${id}`));
      await tab.waitForSelector("h1:has-text('ready')");
    };
    const play = async () => {
      await tab.getByRole("button", { name: "Play" }).click();
      await tab.waitForSelector(".players.playing");
    };

    await listen(stems.id);
    await play();
    const mix = await difference(tab, at(`/operations/${stems.id}/sources/source/audio`));
    assert.ok(mix.db < -90, `the mix is ${mix.db.toFixed(1)} dB off the source`);

    // Solo, mute, and both at once; reset brings the source back.
    await listen(stems.id);
    const track = (name: string) => tab.getByRole("group", { name, exact: true });
    const silent = () =>
      tab.locator("[data-track].silenced").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    assert.deepEqual(await silent(), ["Instrumental", "Source"]);
    await track("Drums").getByRole("button", { name: "Solo" }).click();
    assert.equal((await silent()).length, 5);
    // What is pressed is seen in forced colours, too.
    await tab.emulateMedia({ forcedColors: "active" });
    const colour = (name: string) =>
      track(name)
        .getByRole("button", { name: "Solo" })
        .evaluate((one) => getComputedStyle(one).backgroundColor);
    assert.notEqual(await colour("Drums"), await colour("Bass"));
    await tab.emulateMedia({ forcedColors: null });
    await track("Drums").getByRole("button", { name: "Mute" }).click();
    assert.equal((await silent()).length, 6, "a solo that is muted is silent");
    await track("Source").getByRole("button", { name: "Solo" }).click();
    assert.ok(!(await silent()).includes("Source"), "a solo lifts the mute that was there before");
    await track("Bass").getByLabel("Gain").fill("-6");
    await track("Bass").getByLabel("Pan").fill("0.5");
    await play();
    await tab.getByRole("button", { name: "Reset the mix" }).click();
    assert.deepEqual(await silent(), ["Instrumental", "Source"]);
    // Switches that were turned while it plays take 10 ms, so that they do not click.
    const again = await difference(tab, at(`/operations/${stems.id}/sources/source/audio`), 0.1);
    assert.ok(again.db < -90, `after a reset the mix is ${again.db.toFixed(1)} dB off the source`);

    for (const [name, of_it] of [
      ["Source", "sources/source"],
      ["Result", "outputs/0"],
    ] as const) {
      await listen(operation);
      await tab.getByRole("radio", { name: `Hear ${name}` }).check();
      await play();
      const chosen = await difference(tab, at(`/operations/${operation}/${of_it}/audio`));
      assert.equal(chosen.most, 0, name);
    }
    await tab.close();
  });

  test("the code beside a form does what the form does", async () => {
    await go(`/playground?use=${operation}:0`);
    await page.click("text=adapt.auto_cut_down");
    await page.fill("[name='f.target_duration']", "8");
    await page.waitForFunction(() =>
      document.querySelector("[data-snippet=curl]")?.textContent?.includes('_duration": 8'),
    );
    const code = async (name: string) => (await page.locator(`[data-snippet=${name}]`).textContent()) ?? "";
    const place = await mkdtemp(join(tmpdir(), "tonwerk-code-"));
    const root = fileURLToPath(new URL("../../", import.meta.url));
    const env = { ...process.env, TONWERK_URL: service.url, TONWERK_KEY: key(), HOME: place };
    const run = promisify(execFile);
    const sdk = join(root, "sdk/typescript/src/mod.ts");
    await writeFile(join(place, "code.ts"), (await code("TypeScript")).replace('"@tonwerk/sdk"', JSON.stringify(sdk)));
    await run(process.execPath, [...runFile(join(place, "code.ts"))], { env, cwd: place });
    // `tonwerk` as it is installed.
    const shell = [process.execPath, ...runFile(join(root, "cli/tonwerk.ts"))].map((word) => `'${word}'`).join(" ");
    await run("sh", ["-c", `tonwerk() { ${shell} "$@"; }\n${await code("tonwerk")}`], { env, cwd: place });
    for (const name of ["auto_cut_down.flac", "source-cut.flac"])
      assert.equal((await readFile(join(place, name))).subarray(0, 4).toString(), "fLaC", name);
    assert.match(await code("Python"), /target_duration=8,\n\)\.wait\(\)/u);
    assert.ok(![await code("curl"), await code("Python")].join().includes("signature="), "no URL that expires");

    await go("/playground/create.new_fx");
    await page.fill("[name='f.prompt']", "it's a click");
    await page.fill("[name='f.duration']", "0.3");
    await page.waitForFunction(() =>
      document.querySelector("[data-snippet=curl]")?.textContent?.includes('duration": 0.3'),
    );
    const { stdout } = await run("sh", ["-c", await code("curl")], { env, cwd: place });
    assert.equal(Object.values(JSON.parse(stdout) as Record<string, { prompt: string }>)[0]!.prompt, "it's a click");
    await rm(place, { recursive: true, force: true });
  });

  test("an operation that ends while somebody looks keeps what is open, the focus, and says so", async () => {
    const { id } = await send("create.new_instrumental", { prompt: "slow ambient", duration: 300 });
    await go(`/operations/${id}`);
    await page.waitForSelector("h1:has-text('processing')");
    await page.click("nav >> text=Request");
    const fold = page.locator("summary:has-text('Request as JSON')");
    await fold.click();
    await send("operations.cancel", { id });
    await page.waitForSelector("h1:has-text('canceled')");
    assert.ok(await fold.evaluate((one) => (one.parentElement as HTMLDetailsElement).open));
    assert.ok(await fold.evaluate((one) => one === document.activeElement));
    assert.equal(await page.locator("[data-announce]").textContent(), "Instrumental was cancelled", "it is read out");
  });

  test("on a phone the menu's button stays where it is, and a bar hides nothing that has the focus", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await go("/playground/create.new_song");
    const menu = page.locator("details.menu summary");
    const place = await menu.boundingBox();
    await menu.click();
    await page.locator("details.menu").getByText("Members").waitFor();
    assert.deepEqual(await menu.boundingBox(), place);
    await menu.click();
    const more = page.locator("summary:has-text('More')");
    await page.locator("[name='f.n_variations']").focus();
    await page.keyboard.press("Tab");
    assert.ok(await more.evaluate((one) => one === document.activeElement));
    const [below, bar] = [await more.boundingBox(), await page.locator(".bar").boundingBox()];
    assert.ok(below!.y + below!.height <= bar!.y + 1, `${below!.y} + ${below!.height} is behind ${bar!.y}`);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("deliveries verify through a rotation of secrets, and one can be sent again", async () => {
    await go("/secrets");
    assert.equal(await page.locator("text=the last one stays").count(), 1);
    await page.fill("#label", "Second");
    await page.click("button:has-text('Create secret')");
    const second = (await page.locator(".secret code").textContent()) ?? "";
    const first = /whsec_\S+/u.exec(service.output())?.[0] ?? "";

    const sendAgain = async (): Promise<Received> => {
      const before_count = received.length;
      await go(`/deliveries/${operation}`);
      await page.click("button:has-text('Send again')");
      await page.waitForSelector("text=It is sent again now");
      await page.waitForSelector(".badge.good:has-text('204')");
      while (received.length === before_count) await new Promise((resolve) => setTimeout(resolve, 20));
      return received.at(-1)!;
    };
    const verifies = (secret: string, { body, headers }: Received): boolean => {
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch {
        return false;
      }
    };
    const both = await sendAgain();
    assert.deepEqual([verifies(first, both), verifies(second, both)], [true, true]);
    assert.equal(JSON.parse(both.body).normalised_audio.id, operation);

    await go("/secrets");
    await page.click("a:has-text('Retire'):has-text('First secret')");
    await page.click("button:has-text('Retire the secret')");
    await page.waitForSelector("text=The secret is retired");
    const one = await sendAgain();
    assert.deepEqual([verifies(first, one), verifies(second, one)], [false, true]);
    assert.ok((await page.locator(".attempt").count()) >= 2, "every attempt is listed");
    // The receiver has it a moment before the store knows, and the page says what the store knew.
    await until(async () => {
      await go("/deliveries");
      return (await page.locator(".badge:has-text('delivered')").count()) > 0;
    }, 100);
  });

  test("a revoked key is refused at once", async () => {
    await go("/keys");
    await page.click("a:has-text('Revoke'):has-text('My laptop')");
    await page.waitForSelector("h1:has-text('Revoke this key?')");
    assert.equal((await call("/v1/account", bearer(api_key))).status, 200, "asking is not yet revoking");
    await page.click("button:has-text('Revoke the key')");
    await page.waitForSelector("text=The key is revoked");
    assert.equal((await call("/v1/account", bearer(api_key))).status, 401);
  });

  test("a session opens no API route, a key no page, and no other host either", async () => {
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    assert.equal((await call("/dashboard/keys", { cookie: cookies })).status, 200);
    assert.equal((await call("/v1/account", { cookie: cookies })).status, 401);
    assert.equal((await call("/v1/account", bearer(key()))).status, 200);
    assert.equal((await call("/dashboard/keys", bearer(key()))).status, 303);
    assert.match((await call("/dashboard/keys", bearer(key()))).headers.get("location") ?? "", /\/sign-in/u);
    const policy = (await call("/dashboard/keys", { cookie: cookies })).headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/u);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/u);
    // A form without the session's token changes nothing.
    const forged = await fetch(at("/keys"), {
      method: "POST",
      headers: { cookie: cookies },
      body: new URLSearchParams({ label: "forged" }),
    });
    assert.equal(forged.status, 403);
  });

  test("text stays text: labels, names, prompts, lyrics and file names", async () => {
    for (const path of ["/keys", "/secrets"]) {
      await go(path);
      await page.fill("#label", XSS.slice(0, 90));
      await page.click("main button.primary");
      await page.waitForSelector(".secret code");
    }
    await go("/settings");
    await page.fill("#name", XSS.slice(0, 90));
    await page.click("main button.primary");
    await page.waitForSelector("text=Saved.");

    // A file's name, both where the script writes it and where the server does.
    await go("/playground/create.remix_song");
    const [head, tail] = [Buffer.from("RIFF no audio"), await readFile(SONG)];
    await page.setInputFiles("input[type=file]", { name: `${XSS}.flac`, mimeType: "audio/flac", buffer: tail });
    await page.waitForSelector("[data-brought] b");
    assert.ok((await page.locator("[data-brought] b").textContent())?.includes("<script>"));
    await page.fill("[name='f.lyrics']", `${XSS}\n\n[Verse]`);
    await page.fill("[name='f.prompt']", XSS.repeat(16));
    await page.evaluate(() =>
      document.querySelectorAll("[maxlength]").forEach((element) => void element.removeAttribute("maxlength")),
    );
    await page.click("button[value=run]");
    await page.waitForSelector("text=to look at");
    assert.ok((await page.locator("[data-brought] b").textContent())?.includes("<script>"), "the upload is not lost");
    await page.setInputFiles("input[type=file]", { name: "broken.flac", mimeType: "audio/flac", buffer: head });
    await page.waitForSelector("[data-brought] .problem");

    await go("/playground/create.new_fx");
    await page.fill("[name='f.prompt']", `a click ${XSS}`);
    await page.fill("[name='f.duration']", "0.3");
    await page.click("button[value=run]");
    await page.waitForSelector("[data-pane] .players");
    await page.click("text=Report, request and code of this result");
    await page.waitForSelector("h1:has-text('ready')");
    assert.ok((await page.textContent("main"))?.includes(XSS));
    for (const path of [
      "/",
      "/operations",
      "/keys",
      "/secrets",
      "/settings",
      `/operations?action=${encodeURIComponent(XSS)}`,
      `/sign-in?to=${encodeURIComponent(XSS)}`,
      `/playground/${encodeURIComponent(XSS)}`,
      `/link?token=${encodeURIComponent(XSS)}`,
    ]) {
      await go(path);
      const injected = await page.evaluate(() => [
        (window as unknown as { __xss?: number }).__xss,
        document.querySelectorAll("img[src=x], script:not([src])").length,
      ]);
      assert.deepEqual(injected, [undefined, 0], path);
    }
  });

  test("operations are found by words and metadata, gone through by keys, and heard in their row", async () => {
    const ids: string[] = [];
    for (const [prompt, take] of [
      ["a Gehölz of woodblocks", "1"],
      ["a gehölz of bells", "2"],
      ["a plain click", "3"],
    ]) {
      const { id } = await send("create.new_fx", { prompt, duration: 0.5, metadata: { take } });
      ids.push(id);
    }
    const [first, second, third] = ids;
    for (const id of ids) await call(`/v1/create.new_fx?id=${id}&wait=true`, bearer(key()));
    const shown = async (query: object) => {
      await go(`/operations?${new URLSearchParams({ ...query })}`);
      const links = await page.locator("tbody th a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
      return links.map((link) => link?.split("/").at(-1));
    };
    assert.deepEqual(await shown({ find: "GEHÖLZ of" }), [second, first]);
    assert.deepEqual(await shown({ find: "gehölz woodblocks" }), [first]);
    assert.deepEqual(await shown({ find: "prompt" }), [], "names of fields are no words");
    assert.deepEqual(await shown({ find: "gehölz", status: "failed" }), []);
    assert.deepEqual((await shown({ find: "song.flac" })).length, 0);
    assert.deepEqual(await shown({ find: "take=3" }), [third]);
    await page.click("tbody .pairs a");
    assert.equal(await page.inputValue("#find"), "take=3");

    assert.deepEqual(await shown({ find: "gehölz" }), [second, first]);
    const at = () => page.evaluate(() => (document.activeElement as HTMLAnchorElement).href?.split("/").at(-1));
    const keys: [string, string][] = [
      ["j", second!],
      ["j", first!],
      ["ArrowDown", first!],
      ["k", second!],
      ["ArrowDown", first!],
      // Keys that mean nothing here.
      ["x", first!],
      ["Delete", first!],
      ["m", first!],
    ];
    for (const [pressed, there] of keys) {
      await page.keyboard.press(pressed);
      assert.equal(await at(), there, pressed);
    }
    await page.keyboard.press("Space");
    await page.waitForSelector("tbody tr:last-child .hear.playing");
    await page.getByRole("button", { name: "Stop Sound effect" }).waitFor();
    await page.waitForSelector(".hear:not(.playing) >> nth=1");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('Sound effect')");
    assert.ok(page.url().endsWith(first!));
    // A letter that is typed is a letter.
    await shown({});
    await page.locator("#find").pressSequentially("jk j");
    assert.equal(await page.inputValue("#find"), "jk j");
  });

  test("a source is seen and heard before it is sent: a file of one's own, or a result of before", async () => {
    await go("/playground/adapt.auto_duck");
    const source = page.getByRole("group", { name: /^Voice/u });
    await source.locator("input[type=file]").setInputFiles(SONG);
    const wave = source.getByRole("img", { name: "Waveform of song.flac" });
    await wave.waitFor();
    const inked = () =>
      wave.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, index) => index % 4 === 3 && value > 0).length;
      });
    while ((await inked()) < 5000) await new Promise((resolve) => setTimeout(resolve, 50));
    // A player of our own: it plays from where the waveform is clicked, and its place is a slider for the keyboard.
    assert.equal(await source.locator("audio").count(), 0);
    await wave.click({ position: { x: 200, y: 30 } });
    const stop = source.getByRole("button", { name: "Stop song.flac" });
    await stop.waitFor();
    const place = source.getByRole("slider", { name: "Position in song.flac" });
    const second = async () => Number(await place.inputValue());
    assert.ok((await second()) > 3);
    await stop.click();
    await source.getByRole("button", { name: "Play song.flac" }).waitFor();
    await place.focus();
    await page.keyboard.press("Home");
    await stop.waitFor();
    assert.ok((await second()) < 3);
    await stop.click();

    // What is chosen last counts.
    await source.locator("summary").click();
    const result = source.locator(".offered").first();
    await result.getByRole("button", { name: /^Play/u }).click();
    await result.locator(".hear.playing").waitFor();
    await result.getByRole("radio").check();
    assert.equal(await wave.count(), 0);
    assert.equal(await page.inputValue("[name='f.voice.upload']"), "");
    await source.locator("input[type=file]").setInputFiles(SONG);
    await wave.waitFor();
    assert.ok(await source.getByRole("radio", { name: "None" }).isChecked());
  });

  test("metadata are rows of names and values", async () => {
    await go("/playground/create.new_fx");
    await page.click("summary:has-text('More')");
    await page.getByLabel("Metadata, name 1").fill("project");
    await page.getByLabel("Metadata, value 1").fill("night");
    await page.getByRole("button", { name: "Another pair" }).click();
    assert.equal(
      await page.evaluate(() => document.activeElement?.ariaLabel),
      "Metadata, name 3",
      "a new row has the focus",
    );
    await page.keyboard.type("take");
    await page.keyboard.press("Tab");
    await page.keyboard.type("7");
    await page.waitForFunction(() => /"take": "7"/u.test(document.querySelector("[data-snippet=curl]")!.textContent!));
    const code = (await page.locator("[data-snippet=curl]").textContent()) ?? "";
    assert.match(code, /"metadata": \{\s+"project": "night",\s+"take": "7"\s+\}/u);
  });

  test("what the words will be heard as is shown while they are typed", async () => {
    await go("/playground/create.new_fx");
    const prompt = page.locator("[name='f.prompt']");
    const heard = page.locator("[data-heard]");
    assert.ok(await heard.isHidden());
    await prompt.pressSequentially("two knocks on a wooden door, no rain");
    await page.waitForSelector("[data-heard] dd:has-text('knock, material wood, count 2')");
    await page.waitForSelector("[data-heard] dd .bad:has-text('rain')");
    await prompt.fill("");
    await heard.waitFor({ state: "hidden" });
  });

  test("no page has a violation or is too wide, folds open, light or dark, desktop or phone", {
    skip: IS_TOLD,
  }, async () => {
    const fx = await page
      .evaluate(() => fetch("/dashboard/operations").then((response) => response.text()))
      .then((text) => /operations\/(op_[0-9a-z]{26})/u.exec(text)![1]!);
    // An endpoint, and the right to see the operator's pages, as the shell gives it.
    await go("/webhooks");
    await page.fill("#url", `${callback}?endpoint`);
    await page.click("text=Add the endpoint");
    await page.waitForSelector(".secret code");
    const endpoint = /hook_[0-9a-z]{26}/u.exec(await page.content())![0];
    const cli = fileURLToPath(new URL("../../cli/tonwerk.ts", import.meta.url));
    const env = { ...process.env, TONWERK_DATA: folder };
    await promisify(execFile)(process.execPath, [...runFile(cli), "users", "operator", EMAIL, "yes"], { env });
    await go("/settings");
    const account = /acc_[0-9a-z]{26}/u.exec(await page.content())![0];
    const paths = [
      "/",
      "/playground",
      "/playground/create.new_song",
      "/playground/adapt.auto_duck",
      "/operations",
      `/operations/${operation}`,
      `/operations/${fx}`,
      "/usage",
      "/keys",
      "/secrets",
      "/webhooks",
      `/webhooks/${endpoint}`,
      "/deliveries",
      `/deliveries/${operation}`,
      "/deliveries/resend?action=create.new_song",
      "/leaks",
      "/members",
      "/settings",
      "/audit",
      "/operator",
      "/operator/accounts",
      `/operator/accounts/${account}`,
      "/operator/audit",
      "/profile",
      "/nothing",
    ];
    const found: string[] = [];
    const look = async (path: string, scheme: "light" | "dark", width: number) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll("main details")) (fold as HTMLDetailsElement).open = true;
        for (const tab of document.querySelectorAll(".tab")) (tab as HTMLElement).hidden = false;
        for (const select of document.querySelectorAll<HTMLSelectElement>("[data-magnify]")) {
          select.value = "4";
          select.dispatchEvent(new Event("change"));
        }
      });
      for (const line of await violations(page, scheme === "light" && width === 1280 ? null : LOOKS))
        found.push(`${path} ${scheme} ${width}: ${line}`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wider > 0) found.push(`${path} is ${wider} px wider than ${width}`);
    };
    for (const path of paths) {
      await go(path);
      const bytes = await page.evaluate(() => {
        const all = performance.getEntries().filter((entry) => "encodedBodySize" in entry);
        const code = (all as PerformanceResourceTiming[]).filter(({ name }) => !/\/(?:pictures|audio)\b/u.test(name));
        return code.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      });
      if (bytes > 60_000 || bytes < 5_000) found.push(`${path} weighs ${bytes} bytes`);
      await look(path, "light", 1280);
      await look(path, "dark", 390);
      // What differs by both at once is in the frame, which is the same everywhere.
      if (path !== "/keys" && !path.startsWith("/operations/")) continue;
      await look(path, "dark", 1280);
      await look(path, "light", 390);
    }
    await page.evaluate(() => document.querySelector("main")?.insertAdjacentHTML("beforeend", "<img src='/x'>"));
    assert.match((await violations(page)).join(), /image-alt/u, "the check notices what it should");
    assert.deepEqual(found, []);
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("pages of those who are not signed in have no violation either, nor what is wrong on them", {
    skip: IS_TOLD,
  }, async () => {
    const alone = await browser.newContext();
    const stranger = await alone.newPage();
    stranger.setDefaultTimeout(90_000);
    const found: string[] = [];
    const look = async (what: string) => {
      for (const scheme of ["light", "dark"] as const) {
        await stranger.emulateMedia({ colorScheme: scheme });
        for (const width of [1280, 390]) {
          await stranger.setViewportSize({ width, height: 800 });
          const rules = scheme === "light" && width === 1280 ? null : LOOKS;
          for (const line of await violations(stranger, rules)) found.push(`${what} ${scheme} ${width}: ${line}`);
        }
      }
    };
    const send = async (password: string) => {
      for (const [field, text] of Object.entries({ "#email": "nobody@example.com", "#password": password }))
        if ((await stranger.locator(field).count()) > 0) await stranger.fill(field, text);
      await stranger.evaluate(() => void document.querySelector("#password")?.removeAttribute("minlength"));
      await stranger.click("main button.primary");
    };
    const link = async (click: string) => {
      await page.click(click);
      return (await page.locator(".secret code").textContent()) ?? "";
    };
    await go("/members");
    await page.fill("#email", "invited@example.com");
    const invitation = await link("main button.primary");
    for (const address of [at("/sign-in"), at("/forgotten"), invitation]) {
      await stranger.goto(address);
      await look(address);
      await send("short");
      await stranger.waitForSelector("[role=alert], [role=status], .problem");
      await look(`${address}, refused,`);
    }
    await stranger.goto(at("/link?token=gone"));
    await look("a link that is gone");
    await stranger.goto(invitation);
    await send("a cello in the sun");
    await stranger.waitForSelector("h1:has-text('Overview')");
    await go("/members");
    await stranger.goto(await link("tr:has-text('invited@example.com') button:has-text('link')"));
    await stranger.waitForSelector("h1:has-text('Choose a new password')");
    await look("another password");
    await alone.close();
    assert.deepEqual(found, []);
  });

  test("everything works without script", async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const tab = await plain.newPage();
    await tab.goto(at("/playground/adapt.auto_cut_down"));
    assert.match(tab.url(), /\/sign-in\?to=/u);
    await tab.fill("#email", EMAIL);
    await tab.fill("#password", "wrong password here");
    await tab.click("button.primary");
    await tab.waitForSelector("[role=alert]");
    await tab.fill("#password", PASSWORD);
    await tab.click("button.primary");
    await tab.waitForSelector("h1:has-text('Cut to a length')");
    await tab.fill("[name='f.target_duration']", "8");
    await tab.setInputFiles("input[type=file]", SONG);
    await tab.click("text=Check the cost");
    await tab.waitForSelector("text=This costs 1 credit");
    // The file came with that form already.
    await tab.waitForSelector("text=song.flac");
    await tab.click("button[value=run]");
    await tab.waitForURL(/\/operations\/op_/u);
    await tab.waitForSelector("h1:has-text('ready')");
    assert.equal(await tab.locator("audio[controls]").count(), 2);
    await tab.click("text=Sign out");
    await tab.waitForSelector("h1:has-text('Sign in')");
    await plain.close();
  });

  test("nothing broke in the browser, and its policy was never crossed", () => {
    assert.deepEqual(complaints, []);
  });
});
