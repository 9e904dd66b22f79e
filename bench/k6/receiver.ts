/** Takes webhooks for the life-cycle scenario: `POST /` any event, `GET /<operation id>` answers its body once it has come. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** As long as a long-poll. */
const WAIT_MS = 20_000;

export async function startReceiver(): Promise<Receiver> {
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Cannot tell the port of the receiver");
  return {
    url: `http://127.0.0.1:${address.port}`,
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
