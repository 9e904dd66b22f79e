import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { FetchRequest } from "@tonwerk/plugin";
import { checkAction, runAction, tone } from "@tonwerk/plugin/testing";
import words from "./action.ts";

const source = { url: "https://example.com/song.wav" };
const asked: { readonly url: string; readonly token: string; readonly bytes: number; readonly format: string }[] = [];
/** How the service answers, one after another. */
let answers: ((response: ServerResponse) => void)[] = [];
let server: Server;
let address: string;

before(async () => {
  server = createServer(async (request: IncomingMessage, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { url = "", headers } = request;
    asked.push({
      url,
      token: String(headers.authorization),
      bytes: body.length,
      format: body.toString("latin1", 0, 4),
    });
    answers.shift()?.(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();
const heard = (text: string) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ text, language: "en" }));

/** Through to the service of this test; a server goes its own guarded way. */
async function throughTo(url: string, { method, headers, body }: FetchRequest, signal: AbortSignal) {
  const sent = body as Uint8Array<ArrayBuffer>;
  const answer = await fetch(url, { method: method!, headers: headers!, body: sent, signal });
  const read = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: read };
}

function run(how: (typeof answers)[number][], signal?: AbortSignal) {
  answers = how;
  asked.length = 0;
  const request = { source, language: "en" };
  const given = { request, sources: { source: tone(440, 1) }, config: { address, token: "t0k3n" }, fetch: throughTo };
  return runAction(words, signal === undefined ? given : { ...given, signal });
}

test("acme.words takes a language by its two letters", () =>
  checkAction(words, { refuses: [[{ source, language: "english" }, [["language", "string_too_long"]]]] }));

test("the service gets the track as WAV, with the operator's token, and its words are the report", async () => {
  const { reports, cost } = await run([heard("Morning on the river")]);
  assert.deepEqual([reports[0]!.report, cost], [{ text: "Morning on the river", language: "en" }, 2]);
  assert.deepEqual(asked, [{ url: "/v1/hear?language=en", token: "Bearer t0k3n", bytes: 44 + 88_200, format: "RIFF" }]);
});

test("a busy service is asked again, and after the third time it is a failure", async () => {
  const busy = status(503, { "retry-after": "0" });
  assert.equal((await run([busy, busy, heard("x")])).reports[0]!.report.text, "x");
  await assert.rejects(run([busy, busy, busy]), { code: "service_busy" });
  assert.equal(asked.length, 3);
});

test("no words are a failure, a refused token is a bug that names no token", async () => {
  await assert.rejects(run([status(422)]), { code: "no_words" });
  await assert.rejects(run([status(401)]), (error: Error) => {
    assert.match(error.message, /The service answered 401/u);
    return !error.message.includes("t0k3n");
  });
  await assert.rejects(run([(response) => void response.end("{}")]), /without a text/u);
});

test("who cancels waits for no answer", async () => {
  const controller = new AbortController();
  const running = run([() => controller.abort(new Error("enough"))], controller.signal);
  await assert.rejects(running, /enough/u);
});
