/**
 * Takes webhooks: `POST /` any event; `arrived` resolves once the one of an operation has come, and `GET /<operation
 * id>` answers its body then (for k6).
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface Receiver {
  readonly url: string;
  /** Resolves to the body; a later call for the same operation waits anew. */
  arrived(id: string): Promise<string>;
  close(): Promise<void>;
}

/** As long as a long-poll. */
const WAIT_MS = 20_000;

export async function startReceiver(hostname = "127.0.0.1", port = 0): Promise<Receiver> {
  const events = new Map<string, PromiseWithResolvers<string>>();
  const eventOf = (id: string): PromiseWithResolvers<string> => {
    const event = events.get(id) ?? Promise.withResolvers<string>();
    events.set(id, event);
    return event;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "POST") {
      const body = await text(request);
      const [operation] = Object.values(JSON.parse(body) as Record<string, { id: string }>);
      if (operation !== undefined) eventOf(operation.id).resolve(body);
      response.writeHead(204).end();
      return;
    }
    const body = await Promise.race([eventOf((request.url ?? "").slice(1)).promise, after(WAIT_MS)]);
    response.writeHead(body === undefined ? 504 : 200, { "content-type": "application/json" }).end(body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the receiver");
  return {
    url: `http://${hostname}:${address.port}`,
    async arrived(id) {
      const body = await eventOf(id).promise;
      events.delete(id);
      return body;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
