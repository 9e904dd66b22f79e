/** The dashboard's main flows in Firefox: what one engine allows, another may not. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort, type ServiceProcess, startProcess } from "../process.ts";
import { type Firefox, type FirefoxPage, launchFirefox, withFirefox } from "./firefox.ts";

const SONG = fileURLToPath(new URL("../../examples/song.flac", import.meta.url));

withFirefox("the dashboard in Firefox", () => {
  let service: ServiceProcess;
  let firefox: Firefox;
  let page: FirefoxPage;
  let folder: string;
  const go = (path: string) => page.goto(`${service.url}/dashboard${path}`);
  const says = (text: string) =>
    page.until(`document.querySelector("main").innerText.includes(${JSON.stringify(text)})`);

  /** Where there is no sound device, Firefox waits for one, and the player says so. */
  const sounds = async (players: string) => {
    const clock = `${players}.querySelector("[data-clock]").textContent`;
    await page.until(`Number(${players}.dataset.time) > 0.1 || ${clock}.startsWith("The browser finds nothing")`);
    if (await page.evaluate<boolean>(`${players}.matches(".playing")`))
      await page.until(`${players}.querySelector("[data-level] i").offsetWidth > 5`);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tonwerk-firefox-"));
    [service, firefox] = await Promise.all([startProcess({ TONWERK_DATA: folder }, await freePort()), launchFirefox()]);
    page = firefox.page;
  });
  after(async () => {
    await firefox?.close();
    service?.kill("SIGTERM");
    await service?.exited;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  test("from the first link to a first sound that is heard", async () => {
    await page.goto(/http:\S+\/dashboard\/link\?token=\S+/u.exec(service.output())![0]);
    await page.fill("#email", "owner@example.com");
    await page.fill("#password", "a violin in the rain");
    await page.click("main button.primary");
    await page.click("button[value=run]");
    await page.click("[data-play]");
    await sounds("document.querySelector('.players')");
    assert.ok(await page.evaluate("document.fonts.check('16px Inter')"), "the font is there");
  });

  test("a source that is seen, a result beside the form, and stems in step", async () => {
    await go("/playground/adapt.separate_stems");
    await page.choose("input[type=file]", SONG);
    await page.until("document.querySelector('.drop canvas')?.getAttribute('role') === 'img'");
    await says("Costs 3 credits");
    await page.click("button[value=run]");
    await page.until("document.querySelectorAll('[data-pane] [data-track]').length >= 5");
    await page.click("[data-pane] [data-play]");
    await sounds("document.querySelector('[data-pane] .players')");
    await page.click("[data-pane] [data-track] [data-solo]");
    const heard = "document.querySelectorAll('[data-pane] [data-track]:not(.silenced)').length";
    assert.equal(await page.evaluate(heard), 1);
    await page.click("[data-pane] [data-reset]");
    assert.equal(await page.evaluate(heard), 4);
  });

  test("operations by words and keys", async () => {
    await go("/operations?find=wood");
    await page.press("j");
    await page.until("document.activeElement.matches('tbody th a')");
    await page.press(" ");
    await page.until("document.querySelector('.hear.playing')");
    await page.press("\uE007");
    await page.until("document.querySelector('h1')?.innerText.startsWith('Sound effect')");
  });

  test("no page is too wide on a phone, and nothing was complained of", async () => {
    await page.resize(390, 844);
    for (const path of ["/", "/operations", "/playground/create.new_song", "/usage", "/members", "/settings"]) {
      await go(path);
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path);
    }
    assert.deepEqual(firefox.page.complaints, []);
  });
});
