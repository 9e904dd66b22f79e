/** What needs no key. */
import { ATTACKER_FROM, type Attack, type Attacker } from "../attack.ts";
import { ask, exchange, open } from "../wire.ts";

/** Bytes of a form once the chunks are joined: what a form may have where it was found. */
const FORM_BYTES = 131_000;
/** What no answer may hold: a path of this machine, a line of a stack, the name of a runtime with a version. */
const TELLING =
  /(?:\/work\/|\/home\/|\/root\/|\/usr\/|node_modules|file:\/\/|\n\s+at \S|bun v?\d|deno v?\d|Bun\.serve)/iu;

export const KEYLESS: readonly Attack[] = [
  {
    name: "form-in-bytes",
    finding: "4",
    what: "the sign-in form, 786 KB in chunks of one byte, 8 at a time",
    async prepare(attacker) {
      const { port } = attacker.orders;
      const head = `POST /dashboard/sign-in HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n`;
      const bytes = Buffer.from(`${head}${"1\r\na\r\n".repeat(FORM_BYTES)}0\r\n\r\n`);
      return () => attacker.inParallel(8, () => send(attacker, bytes));
    },
  },
  {
    name: "malformed",
    finding: "4a",
    what: "malformed requests of 20 kinds, 200 a second",
    async prepare(attacker) {
      return () =>
        attacker.atRate(200, async (index) => {
          const bytes = MALFORMED[index % MALFORMED.length]!;
          const answer = await send(attacker, bytes.replaceAll("HOST", `127.0.0.1:${attacker.orders.port}`));
          const text = `${[...answer.headers].map((header) => header.join(": ")).join("\n")}\n${answer.text}`;
          if (answer.status >= 500) attacker.faults.push(`${answer.status} to ${JSON.stringify(bytes.slice(0, 40))}`);
          if (TELLING.test(text))
            attacker.faults.push(`tells of itself when asked ${JSON.stringify(bytes.slice(0, 40))}`);
        });
    },
  },
  {
    name: "health",
    finding: "low",
    what: "300 looks at /health a second",
    async prepare(attacker) {
      const { port } = attacker.orders;
      return () =>
        attacker.atRate(300, async () =>
          attacker.count((await ask({ port, from: ATTACKER_FROM, path: "/health", ms_max: 10_000 })).status),
        );
    },
  },
  {
    name: "slow-readers",
    finding: "own",
    what: "300 connections that ask for the documentation's script, 1.4 MB, 16 times each, and read nothing",
    async prepare(attacker) {
      const { port } = attacker.orders;
      const request = `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
      return async () => {
        const sockets = Array.from({ length: 300 }, () => {
          const socket = open(port, ATTACKER_FROM);
          socket.pause();
          socket.write(request.repeat(16));
          return socket;
        });
        while (!attacker.isOver) await attacker.pause(50);
        for (const socket of sockets) socket.destroy();
      };
    },
  },
];

async function send(attacker: Attacker, bytes: string | Uint8Array) {
  const { port } = attacker.orders;
  const answer = await exchange({ port, from: ATTACKER_FROM, ms_max: 10_000, signal: attacker.over }, bytes);
  attacker.count(answer.status);
  return answer;
}

const GET = "GET /health HTTP/1.1\r\n";
const END = "connection: close\r\n\r\n";
/** HOST stands for the node's. */
const MALFORMED: readonly string[] = [
  `${GET}host: \r\n${END}`,
  `${GET}host: a b\r\n${END}`,
  `${GET}host: HOST\r\nhost: other\r\n${END}`,
  `${GET}host: [\r\n${END}`,
  `${GET}host: a@b:99999\r\n${END}`,
  `GET /health HTTP/1.0\r\n\r\n`,
  `GET /dashboard/sign-in HTTP/1.0\r\nhost: \r\n\r\n`,
  `GET //[ HTTP/1.1\r\nhost: HOST\r\n${END}`,
  `GET http://[ HTTP/1.1\r\nhost: HOST\r\n${END}`,
  `GET /%00%ff%fe HTTP/1.1\r\nhost: HOST\r\n${END}`,
  `GET /dashboard/%zz HTTP/1.1\r\nhost: HOST\r\n${END}`,
  `GET /audio/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nhost: HOST\r\n${END}`,
  `PUT /v1/files HTTP/1.1\r\nhost: HOST\r\ncontent-length: -1\r\n${END}`,
  `PUT /v1/files HTTP/1.1\r\nhost: HOST\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n${END}zz\r\n`,
  `POST /dashboard/sign-in HTTP/1.1\r\nhost: HOST\r\ncontent-type: multipart/form-data\r\ncontent-length: 3\r\n${END}abc`,
  `POST /leaks HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 2\r\n${END}{{`,
  `${GET}host: HOST\r\ncookie: ${"a=b;".repeat(4_000)}\r\n${END}`,
  `${GET}host: HOST\r\nno colon here\r\n${END}`,
  "\u0000\u0001\u0002\r\n\r\n",
  `OPTIONS * HTTP/1.1\r\nhost: HOST\r\n${END}`,
];
