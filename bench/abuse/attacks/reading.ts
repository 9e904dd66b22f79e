/** What is asked for with a key or a session, and costs more to answer than to ask. */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { openTestLink } from "../../../test/services/postgres.ts";
import { ATTACKER_FROM, type Attack } from "../attack.ts";
import { secondOfMusic } from "../bombs.ts";
import { exchange, open } from "../wire.ts";

export const READING: readonly Attack[] = [
  {
    name: "long-lists",
    finding: "13",
    what: "50 operations with the report of a long song each, 126 KB, all on one page, 10 pages a second",
    async prepare(attacker) {
      const url = await attacker.upload(secondOfMusic());
      const ids = await Promise.all(Array.from({ length: 50 }, () => attacker.submit(NORMALISE, { source: { url } })));
      for (const id of ids) if (id !== undefined) await attacker.ended(NORMALISE, id);
      await writeReports(attacker.orders.database);
      let bytes = 0;
      let pages = 0;
      return async () => {
        await attacker.atRate(10, async () => {
          const { status, text } = await attacker.api("GET", "/v1/operations?limit=50");
          if (status !== 200) return;
          pages += 1;
          bytes += text.length;
        });
        attacker.notes.push(`${Math.round(bytes / Math.max(1, pages) / 1_000)} KB a page`);
      };
    },
  },
  {
    name: "flooded-polls",
    finding: "own",
    what: "4 long-polls with 300 MB behind each, which are no request yet",
    async prepare(attacker) {
      const { port, attacker: account } = attacker.orders;
      const url = `${attacker.orders.receiver}/hang/source.wav`;
      const id = await attacker.submit(NORMALISE, { source: { url } });
      const head = `GET /v1/${NORMALISE}?id=${id}&wait=true HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${account.key}\r\n\r\n`;
      const flood = Buffer.alloc(1_000_000, "a");
      return () =>
        attacker.inParallel(4, async () => {
          const socket = open(port, ATTACKER_FROM);
          socket.write(head);
          for (let megabytes = 0; megabytes < 300 && !attacker.isOver && !socket.destroyed; megabytes++)
            if (!socket.write(flood)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => 0);
          while (!attacker.isOver && !socket.destroyed) await attacker.pause(50);
          socket.destroy();
        });
    },
    needs: "receiver",
  },
  {
    name: "multipart-in-bytes",
    finding: "own",
    what: "the playground's form as multipart, 786 KB in chunks of one byte, 8 at a time, with a session",
    async prepare(attacker) {
      const { cookie } = await attacker.signedIn();
      const { port } = attacker.orders;
      const head = `POST /dashboard/playground/adapt.normalise_loudness HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n`;
      const part = '--b\r\ncontent-disposition: form-data; name="csrf"\r\n\r\n';
      const first = `${part.length.toString(16)}\r\n${part}\r\n`;
      const bytes = Buffer.from(`${head}${first}${"1\r\na\r\n".repeat(130_000)}0\r\n\r\n`);
      return () =>
        attacker.inParallel(8, async () => {
          const ask = { port, from: ATTACKER_FROM, ms_max: 10_000, signal: attacker.over };
          attacker.count((await exchange(ask, bytes)).status);
        });
    },
  },
];

const NORMALISE = "adapt.normalise_loudness";
const REPORT = JSON.stringify({
  cues: Array.from({ length: 2_000 }, (_, n) => ({ at: n / 7, text: `line ${n} of a long song`, bar: n })),
});

/** Into every operation that is ready: to make songs of this length would take the node minutes. */
async function writeReports(database: string): Promise<void> {
  if (database.startsWith("postgres")) {
    const link = await openTestLink(database);
    await link.script(
      `UPDATE operations SET outputs = jsonb_set(outputs::jsonb, '{0,report}', '${REPORT}')::text WHERE outputs IS NOT NULL`,
    );
    await link.close();
    return;
  }
  const store = new DatabaseSync(database);
  store.exec("PRAGMA busy_timeout = 10000");
  store
    .prepare("UPDATE operations SET outputs = json_set(outputs, '$[0].report', json(?)) WHERE outputs IS NOT NULL")
    .run(REPORT);
  store.close();
}
