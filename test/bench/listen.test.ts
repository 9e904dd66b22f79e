/** The blind page: its order, what it keeps, what that comes to, and the page itself in a browser. */
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { drawOrder, type Key, type Side, writeBlindPage } from "../../bench/listen/blind.ts";
import { binomialP, type Choice, describeTally, openChoices, readChoices, tally } from "../../bench/listen/choices.ts";
import { missing, placeOf, REQUESTS, readRendered, render } from "../../bench/listen/render.ts";
import { servePage } from "../../bench/listen/serve.ts";
import { HERE, isInstalled } from "../../bench/measure.ts";
import { inFolder, music, wav } from "../audio.ts";
import { launchBrowser, violations, withBrowser } from "../e2e/browser.ts";

const LISTENER = "0123456789abcdef";
const XSS = `<img src=x onerror="document.title='broken'">`;

/** Two pairs of short pieces; the first side of each lasts 3 s, the second 2 s. */
async function writeExample(folder: string): Promise<Key> {
  await mkdir(folder, { recursive: true });
  const side = async (seed: number, seconds: number): Promise<Side> => {
    const file = `${folder}/source-${seed}.wav`;
    await writeFile(file, wav(music(seed, seconds)));
    const sections = [
      { start: 0, end: 1, kind: "intro", label: "intro", energy: 0.3 },
      { start: 1, end: seconds, kind: "theme", label: "verse", energy: 0.8 },
    ];
    const report = { composed: { tempo_bpm: 120, metre: "4/4", sections } };
    return { file, seconds, report, lufs: -14 - seed, facts: [`Fact ${seed}`] };
  };
  await writeBlindPage(folder, { title: "Which one?", sides: ["before", "after"], seed: 1, count: 2 }, [
    {
      prompt: `Folk ${XSS}`,
      lyrics: XSS,
      sides: [await side(1, 3), await side(2, 2)],
      differs: "the second is shorter",
    },
    { prompt: "House", sides: [await side(3, 3), await side(4, 2)] },
  ]);
  return JSON.parse(await readFile(`${folder}/key.json`, "utf8")) as Key;
}

const lines = async (folder: string): Promise<readonly Choice[]> =>
  (await readFile(`${folder}/choices.jsonl`, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Choice);

test("twenty requests ask for twenty genres, and remixes name one that is there", () => {
  const genres = new Set(REQUESTS.map(({ genre }) => genre));
  assert.equal(genres.size, 20);
  for (const { source, action, lyrics } of REQUESTS) {
    assert.ok(source === undefined || genres.has(source));
    assert.equal(source !== undefined, action.startsWith("create.remix_"));
    assert.equal(lyrics !== undefined, action.endsWith("_song"));
  }
});

const NO_FFMPEG = (await isInstalled("ffmpeg")) ? false : "ffmpeg is not installed, which writes Opus";

test("render() keeps what a service delivers, and missing() has nothing made twice", { skip: NO_FFMPEG }, () =>
  inFolder(async (path) => {
    const request = { genre: "a door", action: "create.new_fx", prompt: "three knocks on a wooden door" };
    const order = { requests: [request], folder: path("rendered"), sources: path("rendered"), seed: 5 };
    assert.deepEqual(await missing("abc", order), [request]);
    await render({ name: "abc", folder: HERE }, order);
    assert.deepEqual(await missing("abc", order), []);
    assert.deepEqual(await missing("abc-dirty", order), [request], "its name does not say what it is");
    assert.deepEqual(await missing("abc", { ...order, seed: 6 }), [request]);
    const place = placeOf(order.folder, request);
    const { output, cpu_s, heard } = (await readRendered(place))!;
    assert.ok(cpu_s > 0 && Math.abs(heard.seconds - output.duration) < 0.01);
    assert.equal((await readFile(`${place}.flac`)).length, output.bytes);
    assert.equal((await readFile(`${place}.opus`)).subarray(0, 4).toString(), "OggS");
  }),
);

test("drawOrder() swaps half of the pieces, other ones for another seed", () => {
  for (const count of [1, 2, 7, 20]) {
    for (let seed = 0; seed < 20; seed++) {
      const swapped = drawOrder(count, seed).filter(Boolean).length;
      assert.ok(Math.abs(swapped - count / 2) <= 0.5, `${swapped} of ${count}`);
    }
  }
  const orders = new Set(Array.from({ length: 50 }, (_, seed) => drawOrder(20, seed).join()));
  assert.ok(orders.size > 45, `${orders.size} different orders`);
  // No place of the page is always the same side.
  for (let index = 0; index < 20; index++) {
    const swapped = Array.from({ length: 200 }, (_, seed) => drawOrder(20, seed)[index]).filter(Boolean).length;
    assert.ok(swapped > 60 && swapped < 140, `piece ${index}: ${swapped} of 200`);
  }
});

test("binomialP() is the exact two-sided test", () => {
  assert.equal(binomialP(0, 0), 1);
  assert.equal(binomialP(5, 5), 1);
  // By hand: 2 * (1 + 10) / 2^10; 2 / 2^10.
  assert.ok(Math.abs(binomialP(1, 9) - 22 / 1024) < 1e-12);
  assert.ok(Math.abs(binomialP(10, 0) - 2 / 1024) < 1e-12);
  // As R's binom.test(15, 20) says.
  assert.ok(Math.abs(binomialP(15, 5) - 0.04138947) < 1e-8);
  assert.ok(binomialP(1_500, 1_000) > 0 && binomialP(1_500, 1_000) < 1e-20);
});

test("a page says nowhere which side is which, and turns the louder one down", () =>
  inFolder(async (path) => {
    const key = await writeExample(path("page"));
    const page = await readFile(path("page/index.html"), "utf8");
    assert.doesNotMatch(page.slice(page.indexOf("<main"), page.indexOf("</main>")), /before|after|Fact \d|shorter/u);
    assert.ok(!page.includes(XSS), "what is written is escaped");
    assert.match(page, />theme, verse</u, "the map tells what is played from what is sung");
    const { a } = key.pieces["01"]!;
    assert.ok(a === "before" || a === "after");
    const [, first, second] = /data-volume="([\d.]+)".*?data-volume="([\d.]+)"/su.exec(page)!;
    // The first side is 1 dB louder.
    assert.deepEqual([first, second].map(Number), a === "before" ? [0.891, 1] : [1, 0.891]);
    assert.notEqual(key.pieces["01"]!.a, key.pieces["02"]!.a, "one of two is swapped");
  }));

test("a choice is kept once, by the server and in the file", () =>
  inFolder(async (path) => {
    const key = await writeExample(path("page"));
    const server = await servePage(path("page"), 0);
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/choices`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    const good = { piece: "01", listener: LISTENER, chosen: "a", comment: 'Warmer\n"voice"' };
    try {
      // At once, as a page may that was opened twice.
      const answers = await Promise.all([post(good), post(good), post(good)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 201]);
      assert.equal((await post({ ...good, chosen: "b" })).status, 409, "one knows by then");
      assert.equal((await post({ ...good, listener: `${LISTENER}2`, chosen: "same" })).status, 201);
      for (const [body, status] of [
        ["{", 400],
        ["[]", 422],
        [{ ...good, piece: "03" }, 422],
        [{ ...good, piece: "__proto__" }, 422],
        [{ ...good, chosen: "before" }, 422],
        [{ ...good, listener: "../../x" }, 422],
        [{ ...good, comment: 1 }, 422],
        [{ ...good, comment: "x".repeat(2_001) }, 422],
        [{ ...good, side: "after" }, 422],
        ["x".repeat(40_000), 413],
      ] as const)
        assert.equal((await post(body)).status, status, JSON.stringify(body).slice(0, 100));
      assert.equal((await post(good, { "content-type": "text/plain" })).status, 415);
      assert.equal((await post(good, { origin: "https://example.com" })).status, 403);
      assert.equal((await fetch(`${server.url}/choices`)).status, 405);
      for (const file of ["/choices.jsonl", "/key.json", "/audio/../../etc/passwd", "/nothing.html", "/audio/%00.flac"])
        assert.equal((await fetch(server.url + file)).status, 404, file);
      const part = await fetch(`${server.url}/audio/01-a.wav`, { headers: { range: "bytes=4-11" } });
      assert.equal(part.status, 206);
      assert.equal((await part.bytes()).length, 8);
    } finally {
      await server.stop();
    }
    const kept = await lines(path("page"));
    assert.equal(kept.length, 2);
    assert.deepEqual({ ...kept[0], when: "" }, { ...good, side: key.pieces["01"]!.a, when: "" });
    assert.equal(kept[1]!.side, null);

    // After a restart it is still known, and goes on in the same file.
    const again = await openChoices(path("page"), key);
    assert.equal((await again.record({ ...good, chosen: "a" })).outcome, "repeated");
    assert.equal((await again.record({ ...good, piece: "02", chosen: "b" })).outcome, "recorded");
    const read = await readChoices(path("page/choices.jsonl"), key);
    assert.equal(read.length, 3);
    const { wins, same } = tally(read, key);
    assert.deepEqual([wins[0] + wins[1], same], [2, 1]);
    assert.equal(wins[0], read.filter(({ side }) => side === "before").length);
    assert.match(
      describeTally(read, key),
      /3 choices by 2 listeners of 2 pieces: before \d, after \d, no difference 1/u,
    );

    await writeFile(path("page/choices.jsonl"), '{"piece":"01","lis');
    await assert.rejects(openChoices(path("page"), key), /line 1 .*not JSON/u);
  }));

withBrowser("the blind page in a browser", () => {
  const heard = (page: Page, letter: string) =>
    page.waitForFunction((name) => {
      const track = document.querySelector(`[data-current] [data-track="${name}"] audio`) as HTMLAudioElement;
      return !track.paused && track.currentTime > 0.05;
    }, letter);

  test("keys play one side at a time, and a choice lands in the file", () =>
    inFolder(async (path) => {
      const key = await writeExample(path("page"));
      const server = await servePage(path("page"), 0);
      const browser = await launchBrowser();
      try {
        const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
        const broken: string[] = [];
        page.on("pageerror", ({ message }) => broken.push(message));
        page.on("console", (message) => message.type() === "error" && broken.push(message.text()));
        await page.goto(server.url);
        assert.deepEqual(await violations(page), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "fits a phone");

        await page.keyboard.press("1");
        assert.equal(await page.textContent("[data-kept]"), "Hear both first");
        await page.keyboard.press("a");
        await heard(page, "A");
        await page.keyboard.press("b");
        await heard(page, "B");
        const playing = await page.$$eval(
          "audio",
          (all) => all.filter((one) => !(one as HTMLAudioElement).paused).length,
        );
        assert.equal(playing, 1);
        await page.waitForSelector('[data-current] [data-choose="b"]:enabled');
        await page.keyboard.press("c");
        await page.keyboard.type("b 1 = louder");
        await page.keyboard.press("Escape");
        await page.keyboard.press("2");
        await page.waitForSelector(`text=You chose ${key.pieces["01"]!.b}.`);
        await page.waitForSelector("text=Kept in the folder");
        assert.match((await page.textContent(".told")) ?? "", /the second is shorter.*Fact/su);
        // Afterwards one knows.
        await page.keyboard.press("1");
        await page.reload();
        await page.waitForSelector(`text=You chose ${key.pieces["01"]!.b}.`);
        const kept = await lines(path("page"));
        assert.deepEqual(
          kept.map(({ piece, chosen, side, comment }) => ({ piece, chosen, side, comment })),
          [{ piece: "01", chosen: "b", side: key.pieces["01"]!.b, comment: "b 1 = louder" }],
        );
        assert.deepEqual(broken, []);
      } finally {
        await browser.close();
        await server.stop();
      }
    }));

  test("without a server choices stay in the browser and can be downloaded, and be counted", () =>
    inFolder(async (path) => {
      const key = await writeExample(path("page"));
      const browser = await launchBrowser();
      try {
        const page = await (await browser.newContext({ colorScheme: "dark" })).newPage();
        await page.goto(pathToFileURL(path("page/index.html")).href);
        assert.deepEqual(await violations(page, ["color-contrast"]), []);
        await page.keyboard.press("n");
        for (const letter of ["A", "B"]) {
          await page.keyboard.press(letter.toLowerCase());
          await heard(page, letter);
        }
        await page.waitForSelector('[data-current] [data-choose="same"]:enabled');
        await page.keyboard.press("=");
        await page.waitForSelector("text=You found no difference.");
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download choices")]);
        await download.saveAs(path("choices.jsonl"));
        const [choice] = await readChoices(path("choices.jsonl"), key);
        assert.deepEqual([choice?.piece, choice?.chosen, choice?.side], ["02", "same", null]);
      } finally {
        await browser.close();
      }
    }));
});
