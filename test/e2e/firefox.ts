/**
 * Debian's Firefox as it is, by its own WebDriver BiDi: no driver beside it, and no build of somebody else's. What our tests need of the
 * protocol, and no more.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenThere } from "../services/services.ts";

const PLACES = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];
const executable = PLACES.find((place) => existsSync(place));

const FIREFOX_MISSING: string | undefined =
  executable === undefined ? `no Firefox at ${PLACES.join(", ")} (Debian: apt-get install firefox-esr)` : undefined;

/** Registers tests that need Firefox; without one they show as skipped, or fail where `TONWERK_TEST_FIREFOX=required`. */
export function withFirefox(title: string, register: () => void): void {
  whenThere(title, FIREFOX_MISSING, register, "TONWERK_TEST_FIREFOX");
}

export interface FirefoxPage {
  goto(url: string): Promise<void>;
  /** The value of an expression in the page, once it is a promise's. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Until an expression is true. */
  until(expression: string): Promise<void>;
  /** Puts the text into the first element that fits, as somebody who types. */
  fill(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  press(key: string): Promise<void>;
  choose(selector: string, file: string): Promise<void>;
  /** A PNG. */
  screenshot(): Promise<Uint8Array>;
  resize(width: number, height: number): Promise<void>;
  /** What the console complained of. */
  readonly complaints: readonly string[];
}

export interface Firefox {
  readonly page: FirefoxPage;
  close(): Promise<void>;
}

type Message = Readonly<Record<string, unknown>>;

/** Commands have numbers, answers the same ones; events have none. */
async function connect(url: string, onEvent: (method: string, params: Message) => void) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, { resolve(result: Message): void; reject(error: Error): void }>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error, message, method, params } = JSON.parse(String(data));
    if (id === undefined || id === null) return onEvent(method, params);
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(`${error}: ${message}`));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("Cannot connect to Firefox")));
  });
  let count = 0;
  const send = (method: string, params: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { send, close: () => socket.close() };
}

/** Nothing asks, nothing is fetched from elsewhere, and sounds play without a finger on the screen. */
const PREFERENCES = [
  ["media.autoplay.default", 0],
  ["media.volume_scale", '"0.0"'],
  ["app.update.enabled", false],
  ["browser.shell.checkDefaultBrowser", false],
  ["datareporting.policy.dataSubmissionEnabled", false],
  ["network.connectivity-service.enabled", false],
  ["services.settings.server", '""'],
  ["remote.active-protocols", 1],
] as const;

export async function launchFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), "tonwerk-firefox-"));
  await writeFile(
    join(profile, "user.js"),
    PREFERENCES.map(([name, value]) => `user_pref("${name}", ${value});\n`).join(""),
  );
  const args = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile, "about:blank"];
  const browser = spawn(executable!, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile },
  });
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  const complaints: string[] = [];
  const { send, close } = await connect(`${await addressOf(browser)}/session`, (method, params) => {
    if (method === "log.entryAdded" && params.level === "error") complaints.push(String(params.text));
  });
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = (await send("browsingContext.getTree", {})) as { contexts: readonly { context: string }[] };
  const context = contexts[0]!.context;
  return {
    page: pageOf(send, context, complaints),
    async close() {
      await send("browser.close", {}).catch(() => undefined);
      close();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** It says where it listens once it does. */
function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    stderr!.on("data", (chunk) => {
      said += chunk;
      const found = /WebDriver BiDi listening on (ws:\S+)/u.exec(said);
      if (found !== null) resolve(found[1]!);
    });
    stderr!.on("end", () => reject(new Error(`Firefox ended: ${said}`)));
  });
}

type Send = (method: string, params: object) => Promise<Message>;

function pageOf(send: Send, context: string, complaints: readonly string[]): FirefoxPage {
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = (await send("script.evaluate", {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } };
    if (result === undefined) throw new Error(`${exceptionDetails?.text}: ${expression}`);
    return JSON.parse(result.value) as Value;
  };
  const until = async (expression: string): Promise<void> => {
    for (const end = Date.now() + 60_000; !(await evaluate<boolean>(`Boolean(${expression})`).catch(() => false)); ) {
      if (Date.now() > end) throw new Error(`Never true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  /** The first element that fits, once it is there and to be seen. */
  const find = async (selector: string): Promise<{ sharedId: string }> => {
    const found = `document.querySelector(${JSON.stringify(selector)})`;
    await until(`${found}?.checkVisibility() && !${found}.disabled`);
    await evaluate(`${found}.scrollIntoView({ block: "center" })`);
    const { nodes } = (await send("browsingContext.locateNodes", {
      context,
      locator: { type: "css", value: selector },
      maxNodeCount: 1,
    })) as { nodes: readonly { sharedId: string }[] };
    return nodes[0]!;
  };
  const perform = (...actions: readonly object[]) => send("input.performActions", { context, actions });
  const type = (keys: readonly string[]) =>
    perform({
      type: "key",
      id: "keyboard",
      actions: keys.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]),
    });
  const click = async (selector: string): Promise<void> => {
    const element = await find(selector);
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element } },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await perform({ type: "pointer", id: "mouse", actions });
  };
  return {
    complaints,
    evaluate,
    until,
    click,
    async goto(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async fill(selector, text) {
      await click(selector);
      await evaluate(`document.activeElement.select()`);
      await type([...text]);
    },
    async press(key) {
      await type([key]);
    },
    async choose(selector, file) {
      await send("input.setFiles", { context, element: await find(selector), files: [file] });
    },
    async screenshot() {
      const { data } = (await send("browsingContext.captureScreenshot", { context })) as { data: string };
      return Buffer.from(data, "base64");
    },
    async resize(width, height) {
      await send("browsingContext.setViewport", { context, viewport: { width, height } });
    },
  };
}
