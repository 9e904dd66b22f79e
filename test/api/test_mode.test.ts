/** Keys of test mode: nothing is worked on, charged or mixed with what is live, and everything else is as ever. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { Webhook as Receiver } from "standardwebhooks";
import { failureCodes } from "../../core/actions/failure_codes.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";
import { typeOf } from "../../core/surface.ts";
import { readRights } from "../../plugins/administration/typed_rights.ts";
import { entered } from "../dashboard/visitor.ts";
import { decodedFlac } from "../flac.ts";
import { copyExample } from "../plugin_folder.ts";
import { adminOf, ownerLink, startTestService, type TestService } from "../service.ts";

const SECRET = newSigningSecret();
let examples: string;
let tonwerk: TestService;
let plain: string;
before(async () => {
  examples = await mkdtemp(join(tmpdir(), "tonwerk-test-mode-"));
  tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: `./plugins,${await copyExample(examples, "tremolo")}`,
      ...{ TONWERK_WORKERS: "1", TONWERK_PUT_PER_MINUTE: "0", TONWERK_GET_PER_MINUTE: "0", TONWERK_LONG_POLLS: "0" },
      ...{ TONWERK_FIRST_SECRET: SECRET, TONWERK_PRIVATE_HOSTS: "127.0.0.1", TONWERK_FIRST_CREDITS: "10" },
    },
  });
  plain = await makeKey("test");
});
after(async () => {
  await tonwerk.stop();
  await rm(examples, { recursive: true, force: true });
});

async function makeKey(mode: string): Promise<string> {
  const { account_id } = tonwerk.service.first!;
  return (await adminOf(tonwerk.service).createKey(account_id, mode, readRights({ mode }))).plain;
}

// biome-ignore lint/suspicious/noExplicitAny: as the tests' own `json`, whose bodies are read field by field.
type Body = any;
const ask = (method: string, path: string, body?: Body, headers: Readonly<Record<string, string>> = {}) =>
  tonwerk.json(method, path, body, { authorization: `Bearer ${plain}`, ...headers });

/** Submits with the test key and waits for the end. */
async function endOf(action: string, request: object, outcome?: string): Promise<Body> {
  const headers = outcome === undefined ? {} : { "test-outcome": outcome };
  const body = { idempotency_key: randomUUID(), ...request };
  const { wrapper } = tonwerk.service.registry.actions.get(action)!.action;
  const sent = await ask("PUT", `/v1/${action}`, body, headers);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.deepEqual([sent.body[wrapper].status, sent.body[wrapper].test], ["processing", true]);
  const { status, body: ended } = await ask("GET", `/v1/${action}?id=${sent.body[wrapper].id}&wait=true`);
  assert.equal(status, 200);
  return ended[wrapper];
}

const accountOf = async (headers = {}) => (await tonwerk.json("GET", "/v1/account", undefined, headers)).body.account;

test("a test key is known by its beginning, and by what /v1/account says", async () => {
  assert.match(plain, /^tonwerk_test_[0-9A-Za-z]{36}$/u);
  const own = await accountOf({ authorization: `Bearer ${plain}` });
  const live = await accountOf();
  assert.deepEqual([own.key.test, live.key.test], [true, false]);
  assert.deepEqual([own.id, own.credits], [live.id, live.credits]);
  const broken = `${plain.slice(0, -1)}${plain.endsWith("0") ? "1" : "0"}`;
  assert.equal(
    (await tonwerk.call("GET", "/v1/account", undefined, { authorization: `Bearer ${broken}` })).status,
    401,
  );
  // The checksum alone tells nothing: a live key is not a test key's other spelling.
  const spelt = plain.replace("test_", "");
  assert.equal((await tonwerk.call("GET", "/v1/account", undefined, { authorization: `Bearer ${spelt}` })).status, 401);
});

test("every action answers each of its examples with audio of its shape, as the document says", async () => {
  const { body: document } = await tonwerk.json("GET", "/openapi.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false, discriminator: false });
  ajv.addSchema({ $id: "doc", components: document.components });
  const { actions } = tonwerk.service.registry;
  assert.ok(actions.size >= 11, "the example plugin's action too");
  for (const [name, { action }] of actions) {
    const validate = ajv.getSchema(`doc#/components/schemas/${typeOf(action)}Operation`)!;
    for (const example of action.examples as readonly Body[]) {
      const ended = await endOf(name, example);
      assert.equal(ended.status, "ready", `${name} ${JSON.stringify(ended.error)}`);
      assert.ok(validate(ended), `${name}: ${JSON.stringify(validate.errors)}`);
      assert.deepEqual([ended.cost, ended.refunded, ended.test], [0, 0, true]);
      if (action.output === "report") {
        assert.deepEqual([ended.report, ended.engine], [action.report!.examples[0], "test"]);
        continue;
      }
      const outputs: Body[] = ended.outputs ?? [ended.output];
      const count: Record<string, number> = {
        single: action.outputs_of === undefined ? 1 : (example[String(action.outputs_of)]?.length ?? 1),
        variations: example.n_variations ?? 1,
        stems: example.stems?.length ?? 5,
      };
      assert.equal(outputs.length, count[String(action.output)], name);
      if (action.output === "variations")
        assert.deepEqual(
          outputs.map(({ seed }) => seed),
          outputs.map((_, index) => (ended.seed + index) % 2 ** 32),
        );
      for (const output of outputs) {
        assert.deepEqual([output.duration, output.engine, output.report], [2, "test", { test: true }]);
        assert.ok(output.bytes < 500_000, `${output.bytes}`);
      }
      const file = await tonwerk.call("GET", outputs.at(-1).url);
      const channels = decodedFlac(new Uint8Array(await file.arrayBuffer()));
      assert.deepEqual(
        channels.map(({ length }) => length),
        [88_200, 88_200],
      );
      assert.ok(channels[0]!.some((sample) => Math.abs(sample) > 0.05));
    }
  }
});

test("every code that an action can fail with comes on demand, and no other", async () => {
  for (const [name, { action }] of tonwerk.service.registry.actions) {
    const [example] = action.examples;
    for (const code of failureCodes(action)) {
      const { status, error, cost } = await endOf(name, example!, code);
      assert.deepEqual([status, error.code, cost], ["failed", code, 0], name);
      // Of a request with one source there is nothing to name.
      const sent = Object.keys(action.sources).filter((source) => example![source as never] !== undefined);
      assert.equal(error.source !== undefined, code.startsWith("source_") && sent.length > 1);
    }
  }
  const body = { idempotency_key: randomUUID(), prompt: "x" };
  const unknown = await ask("PUT", "/v1/create.new_fx", body, { "test-outcome": "source_silent" });
  assert.equal(unknown.status, 422);
  assert.deepEqual(unknown.body.detail[0].loc, ["header", "test-outcome"]);
  assert.match(unknown.body.detail[0].msg, /ready, .*tos_violation/u);
  const live = await tonwerk.json("PUT", "/v1/create.new_fx", body, { "test-outcome": "ready" });
  assert.equal(live.status, 422);
  assert.match(live.body.detail[0].msg, /Only test keys/u);
});

test("validation, idempotency and the content policy are those of live keys", async () => {
  const path = "/v1/create.new_fx";
  const body = { idempotency_key: randomUUID(), prompt: "a door" };
  assert.equal((await ask("PUT", path, { ...body, duration: 99 })).status, 422);
  const first = await ask("PUT", path, body);
  const again = await ask("PUT", path, body, { "test-outcome": "internal_error" });
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.equal((await ask("PUT", path, { ...body, prompt: "b" })).body.code, "idempotency_key_reused");
  assert.equal(
    (await ask("PUT", "/v1/adapt.auto_cut_down", { idempotency_key: randomUUID(), target_duration: 9 })).status,
    422,
  );
  const dry = await ask("PUT", `${path}?dry_run=true`, { prompt: "x" });
  assert.deepEqual([dry.body.cost, dry.body.sufficient], [0, true]);
});

test("test and live operations know nothing of each other, and tests cost nothing", async () => {
  const before = await accountOf();
  const { account_id } = tonwerk.service.first!;
  const usage = () => tonwerk.service.store.usage(account_id, 0, Number.MAX_SAFE_INTEGER);
  const used = await usage();
  const tested = await endOf("create.new_fx", { prompt: "a test" });
  // The same idempotency key is another one there.
  const body = { idempotency_key: tested.idempotency_key, source: { url: "https://example.invalid/a.wav" } };
  const live = await tonwerk.json("PUT", "/v1/adapt.normalise_loudness", body);
  assert.equal(live.status, 200);
  const { id, ...shown } = live.body.normalised_audio;
  assert.equal("test" in shown, false);
  await tonwerk.json("GET", `/v1/operations/${id}?wait=true`);
  assert.equal((await ask("GET", `/v1/operations/${id}`)).status, 404);
  assert.equal((await tonwerk.json("GET", `/v1/operations/${tested.id}`)).status, 404);
  const idsOf = ({ body }: Body) => body.operations.map((one: Body) => one.id);
  const [lives, tests] = [await tonwerk.json("GET", "/v1/operations"), await ask("GET", "/v1/operations?limit=100")];
  assert.ok(idsOf(lives).includes(id) && !idsOf(lives).includes(tested.id));
  assert.ok(idsOf(tests).includes(tested.id) && !idsOf(tests).includes(id));
  assert.ok(tests.body.operations.every((one: Body) => one.test === true));
  assert.ok(lives.body.operations.every((one: Body) => !("test" in one)));
  assert.equal((await accountOf()).credits, before.credits);
  const since = (days: readonly Body[]) => days.reduce((sum, { operations }) => sum + operations, 0);
  assert.equal(since(await usage()) - since(used), 1);
  // Whoever lists accounts sees those that people have.
  const listed = await tonwerk.service.store.accounts({ limit: 100 });
  assert.deepEqual(
    listed.map((one) => one.id),
    [account_id],
  );
  assert.equal(await tonwerk.service.store.countAccounts(), 1);
});

test("an account without credits can test", async () => {
  const { account } = await adminOf(tonwerk.service).createAccount({ name: "Poor", credits: 0 });
  const key = await adminOf(tonwerk.service).createKey(account.id, "", readRights({ mode: "test" }));
  const headers = { authorization: `Bearer ${key.plain}` };
  const body = { idempotency_key: randomUUID(), prompt: "x", lyrics: "la la" };
  assert.equal((await tonwerk.json("PUT", "/v1/create.new_song", body, headers)).status, 200);
});

test("webhooks of tests are signed and sent as live ones", async () => {
  const seen: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Uint8Array) => {
      body += piece.toString();
    });
    request.on("end", () => {
      seen.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    const request = { prompt: "x", callback_url: `http://127.0.0.1:${port}/hook` };
    const ended = await endOf("create.new_fx", request, "tos_violation");
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const told = new Receiver(SECRET).verify(seen[0]!.body, seen[0]!.headers) as Body;
    assert.deepEqual([told.fx.id, told.fx.test, told.fx.error.code], [ended.id, true, "tos_violation"]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("scopes hold for test keys, and a revoked one is refused at once", async () => {
  const admin = adminOf(tonwerk.service);
  const { account_id } = tonwerk.service.first!;
  const key = await admin.createKey(account_id, "", readRights({ mode: "test", scopes: "adapt.*" }));
  const headers = { authorization: `Bearer ${key.plain}` };
  const body = { idempotency_key: randomUUID(), prompt: "x" };
  assert.equal((await tonwerk.json("PUT", "/v1/create.new_fx", body, headers)).body.code, "key_scope_missing");
  assert.equal((await tonwerk.json("GET", "/v1/operations", undefined, headers)).status, 200);
  await admin.revokeKey(account_id, key.id);
  assert.equal((await tonwerk.json("GET", "/v1/operations", undefined, headers)).status, 401);
});

test("the dashboard makes test keys and shows what they submitted, apart", async () => {
  const owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
  const page = await (await owner.post("/keys", { label: "trial", mode: "test" })).text();
  assert.match(page, /tonwerk_test_[0-9A-Za-z]{36}/u);
  const tested = await endOf("create.new_fx", { prompt: "seen at the dashboard" });
  assert.ok(!(await owner.text("/operations")).includes(tested.id));
  assert.ok((await owner.text("/operations?mode=test")).includes(tested.id));
  assert.match(await owner.text(`/operations/${tested.id}`), /seen at the dashboard/u);
});

test("what a page uploads with a test key's token is the test key's", async () => {
  const made = await ask("POST", "/v1/upload_tokens", {});
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const song = new Uint8Array(await readFile(new URL("../../examples/song.flac", import.meta.url)));
  const { token } = made.body.upload_token;
  const sent = await tonwerk.json("PUT", "/v1/files", song, { authorization: `Bearer ${token}` });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.equal((await ask("GET", `/v1/files?id=${sent.body.file.id}`)).status, 200);
  assert.equal((await tonwerk.json("GET", `/v1/files?id=${sent.body.file.id}`)).status, 404);
});
