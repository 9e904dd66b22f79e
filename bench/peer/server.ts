/**
 * What a good engineer would write first: Fastify, JSON Schema, node:sqlite, one transaction for each request. The same checks and the same
 * promise (answered means on disk) as the kernel's `PUT` and `GET` of one action, and no more. Environment: PORT, KEYS, and DATA (folder of the
 * SQLite database) or DATABASE_URL and REDIS_URL: then Postgres by `pg`, and BullMQ.
 */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { join } from "node:path";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { openPostgresPeerStore } from "./postgres_store.ts";
import { openPeerStore, type PeerStore, type StoredOperation } from "./store.ts";

interface Body {
  readonly idempotency_key: string;
  readonly source: { readonly url: string };
  readonly loudness?: { readonly preset?: string; readonly target_lufs?: number; readonly allow_compression: boolean };
  readonly callback_url?: string;
}

const PATH = "/v1/adapt.normalise_loudness";
const COST = 1;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const keys = (process.env.KEYS ?? "").split(",");
const { DATABASE_URL, REDIS_URL } = process.env;
const store: PeerStore =
  DATABASE_URL === undefined
    ? openPeerStore(join(process.env.DATA ?? ".", "peer.db"), keys.map(sha256))
    : await openPostgresPeerStore(DATABASE_URL, REDIS_URL ?? "", keys.map(sha256));
const app = Fastify({
  bodyLimit: 65_536,
  // As the kernel does: unknown fields are refused, types are not converted.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
});

const url = { type: "string", format: "uri", minLength: 1, maxLength: 2048 } as const;
const body = {
  type: "object",
  additionalProperties: false,
  required: ["idempotency_key", "source"],
  properties: {
    idempotency_key: { type: "string", format: "uuid" },
    source: { type: "object", additionalProperties: false, required: ["url"], properties: { url } },
    loudness: {
      type: "object",
      additionalProperties: false,
      properties: {
        preset: { enum: ["streaming", "podcast", "broadcast"] },
        target_lufs: { type: "number", minimum: -36, maximum: -6 },
        allow_compression: { type: "boolean", default: true },
      },
    },
    callback_url: url,
  },
} as const;
const query = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: { id: { type: "string", pattern: "^op_[0-9a-f]{32}$" } },
} as const;

app.get("/health", () => ({ status: "ok" }));

app.put<{ Body: Body }>(PATH, { schema: { body } }, async (request, reply) => {
  const account_id = await accountOf(request);
  if (account_id === undefined) return refuse(reply, 401, "Unknown API key");
  const { idempotency_key, source, loudness, callback_url } = request.body;
  if (!isPublic(source.url)) return refuse(reply, 422, "source.url must be a public HTTPS URL");
  if (callback_url !== undefined && !isPublic(callback_url)) {
    return refuse(reply, 422, "callback_url must be a public HTTPS URL");
  }
  const created_at = Date.now();
  const id = newId(created_at);
  const stored = JSON.stringify({ source, loudness, callback_url, seed: randomInt(2 ** 32) });
  const response = render({
    id,
    status: "processing",
    created_at,
    idempotency_key,
    request: stored,
    cost: COST,
    job: "queued",
    queue_position: null,
  });
  const answer = await store.submit({
    id,
    account_id,
    idempotency_key,
    fingerprint: sha256(JSON.stringify([source, loudness ?? null, callback_url ?? null])),
    cost: COST,
    request: stored,
    response,
    created_at,
  });
  reply.type("application/json");
  switch (answer.kind) {
    case "accepted":
      return reply.send(response);
    case "replayed":
      return reply.header("idempotent-replayed", "true").send(answer.response);
    case "key_reused":
      return refuse(reply, 422, "idempotency_key belongs to another request");
    case "insufficient_credits":
      return refuse(reply, 402, "Not enough credits");
  }
});

app.get<{ Querystring: { id: string } }>(PATH, { schema: { querystring: query } }, async (request, reply) => {
  const account_id = await accountOf(request);
  if (account_id === undefined) return refuse(reply, 401, "Unknown API key");
  const operation = await store.operation(account_id, request.query.id);
  if (operation === undefined) return refuse(reply, 404, "No such operation");
  return reply.type("application/json").send(render(operation));
});

function render({ request, created_at, ...row }: StoredOperation): string {
  const { source, loudness, seed } = JSON.parse(request);
  return JSON.stringify({
    normalised_audio: {
      id: row.id,
      status: row.status,
      created_at: new Date(created_at).toISOString(),
      idempotency_key: row.idempotency_key,
      source,
      loudness: loudness ?? { target_lufs: -14, allow_compression: true },
      seed,
      output: null,
      error: null,
      progress: 0,
      stage: null,
      queue_position: row.queue_position,
      started_at: null,
      completed_at: null,
      cost: row.cost,
    },
  });
}

/** Sorts by time, so that the primary key grows at its end. */
function newId(now: number): string {
  return `op_${now.toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`;
}

async function accountOf(request: FastifyRequest): Promise<string | undefined> {
  const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return key === undefined ? undefined : store.accountOf(sha256(key));
}

function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.code(status).type("application/json").send(JSON.stringify({ detail }));
}

const forbidden = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  forbidden.addSubnet(network, prefix);
}

function isPublic(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" && hostname !== "localhost" && !(isIP(hostname) === 4 && forbidden.check(hostname));
}

process.once("SIGTERM", async () => {
  await app.close();
  await store.close();
  process.exit(0);
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
