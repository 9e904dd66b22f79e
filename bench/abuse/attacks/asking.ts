/** What is cheap to ask: tokens, preflights, batches, streams, endpoints, and lists that search. */
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { openTestLink } from "../../../test/services/postgres.ts";
import { ATTACKER_FROM, type Attack, PAGE_ORIGIN } from "../attack.ts";
import { shortWav } from "../bombs.ts";
import { ask, open } from "../wire.ts";

const NORMALISE = "adapt.normalise_loudness";

export const ASKING: readonly Attack[] = [
  {
    name: "forged-tokens",
    finding: "own",
    what: "200 uploads of 100 KB a second with upload tokens that nobody signed",
    async prepare(attacker) {
      const { port } = attacker.orders;
      const token = `tonwerk_upload_${"A".repeat(900)}.${"B".repeat(43)}`;
      const head = { method: "PUT", path: "/v1/files", headers: { authorization: `Bearer ${token}` } };
      const body = Buffer.alloc(100_000, "R");
      return () =>
        attacker.atRate(200, async () => {
          const ms_max = 10_000;
          const answer = await ask({ ...head, port, from: ATTACKER_FROM, body, ms_max, signal: attacker.over });
          attacker.count(answer.status);
        });
    },
  },
  {
    name: "preflights",
    finding: "own",
    what: "150 preflights a second of an origin that may call, and as many of one that may not: as many as looks at /health",
    needs: "page",
    async prepare(attacker) {
      const { port } = attacker.orders;
      return () =>
        attacker.atRate(300, async (index) => {
          const origin = index % 2 === 0 ? PAGE_ORIGIN : "https://elsewhere.example.com";
          const headers = { origin, "access-control-request-method": "PUT" };
          const asked = { port, from: ATTACKER_FROM, method: "OPTIONS", path: "/v1/files", headers, ms_max: 10_000 };
          attacker.count((await ask({ ...asked, signal: attacker.over })).status);
        });
    },
  },
  {
    name: "refused-batches",
    finding: "own",
    what: "batches of 100 submissions that are refused, 4 at a time: long lyrics, unknown actions, wrong fields",
    async prepare(attacker) {
      const lyrics = `${"la ".repeat(1_400)}${"x".repeat(800)}`;
      const kinds = [
        () => ({ action: "create.new_song", request: { lyrics, prompt: "", unknown: 1 } }),
        () => ({ action: "adapt.normalize_loudnesss", request: {} }),
        () => ({
          action: NORMALISE,
          request: { idempotency_key: randomUUID(), source: { url: "https://127.0.0.1/x" } },
        }),
      ];
      return () =>
        attacker.inParallel(4, async () => {
          const submissions = Array.from({ length: 100 }, (_, n) => kinds[n % kinds.length]!());
          const { status, text } = await attacker.api("POST", "/v1/batches", { submissions });
          if (status !== 200) return;
          const { submissions: answered } = JSON.parse(text) as { submissions: readonly { readonly status: number }[] };
          for (const one of answered) attacker.count(one.status);
        });
    },
  },
  {
    name: "open-streams",
    finding: "own",
    what: "300 streams of events of the account, from its first end on, of which nothing is read, while 4 operations a second end",
    async prepare(attacker) {
      const { port, attacker: account } = attacker.orders;
      const url = await attacker.upload(shortWav());
      const submit = () => attacker.submit(NORMALISE, { source: { url } });
      for (const id of await Promise.all(Array.from({ length: 50 }, submit)))
        if (id !== undefined) await attacker.ended(NORMALISE, id);
      const head = `GET /v1/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${account.key}\r\nlast-event-id: 1\r\n\r\n`;
      return async () => {
        const sockets = Array.from({ length: 300 }, () => {
          const socket = open(port, ATTACKER_FROM);
          socket.once("data", (piece) => {
            attacker.count(Number(/^HTTP\/1\.1 (\d{3})/u.exec(String(piece))?.[1] ?? 0));
            socket.pause();
          });
          socket.write(head);
          return socket;
        });
        await attacker.atRate(4, submit);
        for (const socket of sockets) socket.destroy();
      };
    },
  },
  {
    name: "silent-endpoints",
    finding: "own",
    what: "16 webhook endpoints on names whose resolver never answers, told of 20 refunded operations at once, then of 4 a second, and pinged",
    needs: "silent_resolver",
    async prepare(attacker) {
      const url = await attacker.upload(shortWav());
      const ids: string[] = [];
      for (let n = 0; n < 16; n++) {
        const asked = { url: `https://${randomUUID()}.example.net/hook` };
        const { status, text } = await attacker.api("POST", "/v1/webhook_endpoints", asked);
        if (status === 200) ids.push((JSON.parse(text) as { webhook_endpoint: { id: string } }).webhook_endpoint.id);
      }
      if (ids.length < 16) attacker.notes.push(`${ids.length} endpoints`);
      const submit = () => attacker.submit(NORMALISE, { source: { url } });
      return async () => {
        await Promise.all(Array.from({ length: 20 }, submit));
        await Promise.all([
          attacker.atRate(4, submit),
          attacker.atRate(4, (index) => attacker.api("POST", `/v1/webhook_endpoints/${ids[index % ids.length]}/ping`)),
        ]);
      };
    },
  },
  {
    name: "wide-lists",
    finding: "own",
    what: "lists by two pairs of metadata, of which 50,000 operations have the first and none the second, 20 a second",
    async prepare(attacker) {
      const url = await attacker.upload(shortWav());
      const metadata = { wide: "1", other: "1" };
      const id = await attacker.submit(NORMALISE, { source: { url }, metadata });
      if (id === undefined) throw new Error("Nothing is taken");
      await attacker.ended(NORMALISE, id);
      await copyOperation(attacker.orders.database, id);
      return () =>
        attacker.atRate(20, () => attacker.api("GET", "/v1/operations?metadata[wide]=1&metadata[other]=2&limit=100"));
    },
  },
];

const COPIES = 50_000;

/** So many of it, with its metadata, older than it: to submit them would take hours of the account's limits. */
async function copyOperation(database: string, id: string): Promise<void> {
  const is_postgres = database.startsWith("postgres");
  const numbered = is_postgres ? "lpad(n::text, 26, '0')" : "printf('%026d', n)";
  const numbers = is_postgres
    ? `generate_series(1, ${COPIES}) AS numbers (n)`
    : `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${COPIES}) SELECT n FROM s) AS numbers`;
  const fields =
    "account_id, action, work, status, fingerprint, cost, request, response, created_at, completed_at, expires_at, outputs, outputs_listed";
  const more = is_postgres ? ", sources" : "";
  // The running node counts rows itself: none above what it has may be taken.
  const row = is_postgres ? "" : "row, ";
  const key = is_postgres ? "gen_random_uuid()" : "'copy-' || n";
  const script = `
    INSERT INTO operations (${row}id, idempotency_key, ${fields}${more})
      SELECT ${row === "" ? "" : "-n, "}'op_' || ${numbered}, ${key}, ${fields}${more} FROM operations, ${numbers} WHERE id = '${id}';
    INSERT INTO operation_metadata (account_id, key, value, operation_id)
      SELECT account_id, key, value, 'op_' || ${numbered} FROM operation_metadata, ${numbers} WHERE operation_id = '${id}';`;
  if (is_postgres) {
    const link = await openTestLink(database);
    await link.script(script);
    return link.close();
  }
  const store = new DatabaseSync(database);
  store.exec("PRAGMA busy_timeout = 10000");
  store.exec(`BEGIN; ${script} COMMIT`);
  store.close();
}
