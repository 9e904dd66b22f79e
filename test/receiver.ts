/** A receiver of webhooks on loopback. */
import { createServer, type IncomingHttpHeaders } from "node:http";

export interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver that notes what comes, and answers as `play` says. */
export async function listen(play: (delivery: Delivery) => Promise<number> | number = () => 200) {
  const seen: Delivery[] = [];
  const server = createServer((request, response) => {
    const pieces: Uint8Array[] = [];
    request.on("data", (piece: Uint8Array) => pieces.push(piece));
    request.on("end", async () => {
      const delivery = { headers: plain(request.headers), body: Buffer.concat(pieces).toString() };
      seen.push(delivery);
      response.writeHead(await play(delivery)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    seen,
    url: `http://127.0.0.1:${address.port}/hook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
