/**
 * Sends webhooks of a real service to receivers that verify with the official Standard Webhooks libraries from npm, PyPI and Go, and
 * things that they must refuse. Needs `python3` and `go`; installs the libraries in a temporary folder. Exits with 1 where one errs.
 *
 *     bun bench/verify_webhooks.ts
 *     deno run -A bench/verify_webhooks.ts
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadOrCreateSecret } from "../core/adapters/files/secret_file.ts";
import { createSecrets, newSigningSecret, signingKey } from "../core/base/secrets.ts";
import { signWebhook } from "../core/webhooks/signature.ts";
import { addAction, pluginFolder } from "../test/plugin_folder.ts";
import { startTestService, type TestService } from "../test/service.ts";

const PYPI = "standardwebhooks==1.1.0";
const GO = "github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1";
const file = (name: string): string => fileURLToPath(new URL(`../test/verify/${name}`, import.meta.url));

interface Receiver {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Command and arguments that run each language's receiver. */
type Commands = Readonly<Record<string, readonly [string, ...string[]]>>;

async function install(folder: string): Promise<Commands> {
  const python = join(folder, "venv", "bin", "python");
  execFileSync("python3", ["-m", "venv", join(folder, "venv")]);
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYPI]);
  const go = join(folder, "go");
  await mkdir(go);
  await cp(file("receiver.go"), join(go, "main.go"));
  execFileSync("go", ["mod", "init", "receiver"], { cwd: go, stdio: "ignore" });
  execFileSync("go", ["get", GO], { cwd: go, stdio: "ignore" });
  execFileSync("go", ["build", "-o", "receiver", "."], { cwd: go });
  const run = "Deno" in globalThis ? ["run", "-A"] : ["run"];
  return {
    npm: [process.execPath, ...run, file("receiver.mjs")],
    PyPI: [python, file("receiver.py")],
    Go: [join(go, "receiver")],
  };
}

async function start([command, ...rest]: readonly [string, ...string[]], secret: string): Promise<Receiver> {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", SECRET: secret };
  const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<string>((resolve, reject) => {
    let printed = "";
    child.stdout.on("data", (piece: Uint8Array) => {
      printed += Buffer.from(piece).toString();
      const found = /^port (\d+)$/mu.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("close", () => reject(new Error(`${command} ended`)));
  });
  return { url: `http://127.0.0.1:${port}/`, child };
}

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Operations of the service, told to `url`; resolves to what the delivery log says of each: the receiver's status. */
async function deliver(tonwerk: TestService, action: string, url: string): Promise<number | null> {
  const request = { idempotency_key: randomUUID(), callback_url: url, note: "Grüße, 𝄞 \u2028" };
  const answer = await tonwerk.json("PUT", `/v1/${action}`, request);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { store } = tonwerk.service;
  for (;;) {
    const [row] = await store.webhooks(answer.body[action.replace(".", "_")].id);
    const [attempt] = row === undefined ? [] : await store.webhookAttempts(row.id);
    if (attempt !== undefined) return attempt.status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** One delivery as it is on the wire. */
async function capture(tonwerk: TestService): Promise<Delivery> {
  const came = Promise.withResolvers<Delivery>();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", () => {
      response.writeHead(204, { connection: "close" }).end();
      came.resolve({ headers: webhookHeaders(request.headers), body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  await deliver(tonwerk, "test.tone", `http://127.0.0.1:${address.port}/`);
  server.close();
  return came.promise;
}

const webhookHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith("webhook-"))
      .map(([name, value]) => [name, String(value)]),
  );

async function post(url: string, { headers, body }: Delivery): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  await response.text();
  return response.status;
}

/** The same delivery, as if it had been signed `seconds` ago. */
function aged({ headers, body }: Delivery, secret: string, seconds: number): Delivery {
  const timestamp = Math.floor(Date.now() / 1000) - seconds;
  const key = signingKey(secret);
  if (key === undefined) throw new Error("Not a secret");
  const id = headers["webhook-id"] ?? "";
  const signature = signWebhook([key], { id, timestamp, body: Buffer.from(body) });
  return { body, headers: { ...headers, "webhook-timestamp": String(timestamp), "webhook-signature": signature } };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-verify-"));
  const plugins = await pluginFolder();
  const plain = {
    request: "Type.Object({ note: Type.String({ maxLength: 20 }) })",
    sources: "{}",
    examples: '[{ note: "a" }]',
  };
  const tone = "Float32Array.from({ length: 4410 }, (_, at) => 0.1 * Math.sin(at / 20))";
  await addAction(plugins, "test.tone", {
    ...plain,
    process: `() => ({ audio: { sample_rate: 44100, channels: [${tone}] }, engine: "sine" })`,
  });
  await addAction(plugins, "test.refusal", {
    ...plain,
    failures: '["not_today"]',
    process: `({ fail }) => fail("not_today", "Closed")`,
  });
  const first = newSigningSecret();
  const second = newSigningSecret();
  const tonwerk = await startTestService({
    env: { TONWERK_PLUGINS: plugins, TONWERK_FIRST_SECRET: first, TONWERK_PRIVATE_HOSTS: "127.0.0.1" },
  });
  const receivers: Receiver[] = [];
  let wrong = 0;
  const check = (library: string, what: string, got: number | null, wanted: number): void => {
    if (got !== wanted) wrong++;
    console.log(`${got === wanted ? "ok   " : "WRONG"} ${library.padEnd(5)} ${what}: ${got}`);
  };
  try {
    const commands = await install(folder);
    for (const [library, command] of Object.entries(commands)) {
      const [one, two, stranger] = await Promise.all([first, second, newSigningSecret()].map((s) => start(command, s)));
      if (one === undefined || two === undefined || stranger === undefined) throw new Error("No receiver");
      receivers.push(one, two, stranger);

      check(library, "ready, one secret", await deliver(tonwerk, "test.tone", one.url), 204);
      check(library, "failed, one secret", await deliver(tonwerk, "test.refusal", one.url), 204);
      check(library, "another account's secret", await deliver(tonwerk, "test.tone", stranger.url), 400);
      const done = await rotate(tonwerk, second);
      check(library, "rotation, the older secret", await deliver(tonwerk, "test.tone", one.url), 204);
      check(library, "rotation, the newer secret", await deliver(tonwerk, "test.tone", two.url), 204);
      const delivery = await capture(tonwerk);
      await done();
      check(library, "the newer secret, retired", await deliver(tonwerk, "test.tone", two.url), 400);

      check(library, "as it came", await post(one.url, delivery), 204);
      const tampered = { ...delivery, body: delivery.body.replace('"ready"', '"error"') };
      check(library, "tampered body", await post(one.url, tampered), 400);
      const reformatted = { ...delivery, body: JSON.stringify(JSON.parse(delivery.body), null, 1) };
      check(library, "reformatted body", await post(one.url, reformatted), 400);
      const renamed = { ...delivery, headers: { ...delivery.headers, "webhook-id": "evt_another" } };
      check(library, "another id", await post(one.url, renamed), 400);
      check(library, "295 s old", await post(one.url, aged(delivery, first, 295)), 204);
      check(library, "305 s old", await post(one.url, aged(delivery, first, 305)), 400);
    }
  } finally {
    for (const { child } of receivers) child.kill("SIGKILL");
    await tonwerk.stop();
    await rm(plugins, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
  console.log(wrong === 0 ? "all as it should be" : `${wrong} wrong`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

/** Adds a second live secret; the returned function retires it. */
async function rotate({ service: { store }, data, json }: TestService, secret: string): Promise<() => Promise<void>> {
  const account_id: string = (await json("GET", "/v1/account")).body.account.id;
  const id = `sec_${randomUUID()}`;
  const sealed = createSecrets({ secret: await loadOrCreateSecret(data) }).seal(secret, id);
  await store.createSecret({ id, account_id, label: "", sealed, created_at: Date.now() });
  return async () => {
    await store.retireSecret(account_id, id, Date.now());
  };
}

await main();
