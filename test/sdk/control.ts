/** A port by which programs in other languages ask for what `TestServer` does: disturb requests, kill the server, receive a webhook. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { KEY, LONG, requestsOf, SECRET, SONG, startTestServer, type TestServer, voiceWav } from "./tonwerk.ts";

/** What becomes of the next requests. */
interface Rule {
  /** `answer`: with the status and headers given. `kill`: requests are lost, and the server dies once and starts again. */
  readonly how: "lose" | "cut" | "answer" | "kill";
  /** As many are disturbed; those behind them pass. */
  readonly times: number;
  /** `signed`: only requests without a key, which are downloads. `events`: only streams of events. */
  readonly only?: "PUT" | "signed" | "events";
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Control {
  readonly url: string;
  stop(): Promise<void>;
}

export interface Setting {
  /** Of programs that are to be clients of the server. */
  readonly env: Record<string, string | undefined>;
  stop(): Promise<void>;
}

/** What a program in another language is tried against: a server with two uploads, and a port that disturbs it. */
export async function startSetting(): Promise<Setting> {
  const server = await startTestServer();
  const control = await startControl(server);
  const tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  const song = (await tonwerk.files.upload(SONG)).url;
  const voice = (await tonwerk.files.upload(voiceWav())).url;
  const asked = {
    REQUESTS: JSON.stringify(requestsOf(song, voice)),
    LONG: LONG.join(),
    TEST_KEY: await server.makeTestKey(),
  };
  return {
    env: { ...process.env, ...asked, TONWERK_URL: server.url, TONWERK_KEY: KEY, CONTROL: control.url, SONG, SECRET },
    async stop() {
      await control.stop();
      await server.stop();
    },
  };
}

async function startControl(server: TestServer): Promise<Control> {
  /** Requests that the rule saw, those that passed included. */
  let seen: { readonly ms: number; readonly range: string | null; readonly path: string }[] = [];
  let restarted: Promise<void> = Promise.resolve();
  let delivery = Promise.withResolvers<{ readonly headers: object; readonly body: string }>();

  const disturb = ({ how, times, only, status = 503, headers = {}, body = "{}" }: Rule) => {
    seen = [];
    server.disturb = (request, response) => {
      if (only === "PUT" && request.method !== "PUT") return false;
      if (only === "signed" && request.headers.authorization !== undefined) return false;
      if (only === "events" && request.url?.endsWith("/events") !== true) return false;
      seen.push({ ms: performance.now(), range: request.headers.range ?? null, path: request.url ?? "" });
      if (seen.length > times) return false;
      if (how === "answer") {
        response.writeHead(status, headers).end(body);
        return true;
      }
      if (how !== "kill") return how;
      // The server has taken the first requests by then, and no client has an answer yet.
      if (seen.length === 1)
        restarted = new Promise<void>((resolve) => setTimeout(resolve, 30))
          .then(() => server.kill())
          .then(() => server.start());
      return "lose";
    };
    return {};
  };
  const calm = async () => {
    server.disturb = undefined;
    await restarted;
    return { seen };
  };
  const verbs: Readonly<Record<string, (body: string, request: IncomingMessage) => object | Promise<object>>> = {
    "/disturb": (body) => disturb(JSON.parse(body) as Rule),
    "/calm": calm,
    "/hook": (body, { headers }) => {
      delivery.resolve({ headers, body });
      return {};
    },
    "/delivery": async () => {
      const arrived = await delivery.promise;
      delivery = Promise.withResolvers();
      return arrived;
    },
  };
  const control = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    response.end(JSON.stringify(await verbs[request.url ?? ""]!(body, request)));
  });
  await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    async stop() {
      control.closeAllConnections();
      await new Promise((resolve) => control.close(resolve));
    },
  };
}
