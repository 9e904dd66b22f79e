/**
 * Proves compose.yaml where containers cannot run: starts its services as processes of this machine with the commands, environments and health
 * checks that stand in the file (and the Dockerfile's for the nodes), puts them to work through deploy/nginx.conf, and stops an API node while
 * clients submit.
 *
 *     bun bench/compose.ts
 *
 * What a process has not is replaced: names of the network by ports of the loopback interface, volumes by folders of a temporary one, nginx'
 * resolver by the addresses. Needs PostgreSQL, redis-server, redis-cli, versitygw, and nginx (`NGINX`, or on the PATH). Exits 1 when something fails.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { exit } from "../core/adapters/runtime/runtime.ts";
import { newApiKey } from "../core/base/keys.ts";
import { tone } from "../packages/plugin/testing.ts";
import { wav } from "../test/audio.ts";
import { freePort } from "../test/process.ts";
import { POSTGRES_BIN } from "../test/services/postgres.ts";
import { findProgram } from "../test/services/programs.ts";
import { HERE } from "./measure.ts";

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
}
interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  printed: string;
}

const read = (file: string): string => readFileSync(join(HERE, file), "utf8");
/** Bun's own parser serves both runtimes: it is installed with either. */
const parsed = execFileSync(
  join(HERE, "node_modules/.bin/bun"),
  ["-e", "console.log(JSON.stringify(Bun.YAML.parse(await new Response(Bun.stdin.stream()).text())))"],
  { input: read("compose.yaml") },
);
const { services } = JSON.parse(parsed.toString()) as { services: Record<string, Service> };
const serviceOf = (name: string): Service => services[name] ?? assert.fail(`compose.yaml has no ${name}`);
const nginx =
  process.env.NGINX ?? findProgram("nginx") ?? assert.fail("nginx is not installed (Debian: apt install nginx)");
const versitygw = findProgram("versitygw") ?? assert.fail("versitygw is not installed");
assert.ok(POSTGRES_BIN !== undefined, "PostgreSQL is not installed");

const key = newApiKey();
/** As deploy/example.env asks for. */
const dotenv: Readonly<Record<string, string>> = {
  TONWERK_SECRET: randomBytes(32).toString("base64"),
  POSTGRES_PASSWORD: randomBytes(24).toString("hex"),
  TONWERK_DATABASE_PASSWORD: randomBytes(24).toString("hex"),
  REDIS_PASSWORD: randomBytes(24).toString("hex"),
  GRAFANA_PASSWORD: randomBytes(24).toString("hex"),
  S3_ACCESS_KEY_ID: randomBytes(24).toString("hex"),
  S3_SECRET_ACCESS_KEY: randomBytes(24).toString("hex"),
  TONWERK_BASE_URL: "http://localhost:8787",
  TONWERK_FIRST_KEY: key,
};
const fill = (text: string): string =>
  text.replace(/\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/gu, (_all, name: string, mark: string, otherwise = "") => {
    const given = dotenv[name];
    if (given !== undefined) return given;
    return mark === "?" ? assert.fail(`${name}: ${otherwise}`) : otherwise;
  });
const filled = (service: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(service.environment).map(([name, value]) => [name, fill(String(value))]));

const PATH = `${process.env.PATH}${delimiter}${POSTGRES_BIN}${delimiter}${join(HERE, "node_modules/.bin")}`;
const [postgres, redis, s3, balancer] = [await freePort(), await freePort(), await freePort(), await freePort()];
const folder = mkdtempSync(join(tmpdir(), "tonwerk-compose-"));
const inside = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};
const started: Started[] = [];

function run(
  name: string,
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(program, args, {
    cwd: HERE,
    env: { PATH, HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const one: Started = { name, child, ended, printed: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Uint8Array) => (one.printed = (one.printed + chunk.toString()).slice(-2_000)));
  started.push(one);
  return one;
}

/** A check is a command, as Docker runs it: healthy is exit 0. */
async function healthy(
  one: Started,
  check: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      const [program = "", ...args] = check;
      execFileSync(program, args, { env: { PATH, ...env }, stdio: "ignore" });
      console.log(`${one.name}: healthy`);
      return;
    } catch {
      assert.ok(Date.now() < until && one.child.exitCode === null, `${one.name} is not healthy:\n${one.printed}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function startServices(): Promise<void> {
  const database = serviceOf("postgres");
  const { POSTGRES_USER = "", POSTGRES_PASSWORD = "", ...own } = filled(database);
  // What the image's entry point does; it refuses to run as root.
  const data = inside("postgres");
  const password = join(folder, "password");
  writeFileSync(password, POSTGRES_PASSWORD);
  const as = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  if (as.length > 0) {
    const owner = Number(execFileSync("id", ["-u", "postgres"]).toString());
    for (const path of [folder, data, password]) chownSync(path, owner, owner);
  }
  const command = (words: readonly string[]): [string, string[]] => {
    const [program = "", ...args] = [...as, "env", `PATH=${PATH}`, ...words];
    return [program, args];
  };
  const initdb = ["initdb", "-D", data, "-U", POSTGRES_USER, "-A", "scram-sha-256", `--pwfile=${password}`];
  execFileSync(...command(initdb), { cwd: folder, stdio: "ignore" });
  const [program, args] = command([
    ...database.command,
    "-D",
    data,
    "-p",
    String(postgres),
    "-h",
    "127.0.0.1",
    "-k",
    folder,
  ]);
  const server = run("postgres", [program, ...args]);
  const sign_in = { PGHOST: "127.0.0.1", PGPORT: String(postgres), PGPASSWORD: POSTGRES_PASSWORD };
  await healthy(server, ["sh", "-c", database.healthcheck.test[1] ?? ""], sign_in);
  execFileSync("sh", [join(HERE, "deploy/postgres-role.sh")], { env: { PATH, ...sign_in, ...own, POSTGRES_USER } });

  const wake_ups = serviceOf("redis");
  const [shell = "", option = "", script = ""] = wake_ups.command.map((word) => word.replaceAll("$$", "$"));
  const secret = filled(wake_ups);
  const queue = run("redis", [shell, option, script.replace(" - ", ` - --port ${redis} --bind 127.0.0.1 `)], secret);
  const asked = (wake_ups.healthcheck.test[1] ?? "").replace("redis-cli", `redis-cli -p ${redis}`);
  await healthy(queue, ["sh", "-c", asked], secret);
  const stranger = execFileSync("redis-cli", ["-p", String(redis), "ping"], { env: { PATH } }).toString();
  assert.match(stranger, /NOAUTH/u);

  const audio = serviceOf("s3");
  const objects = inside("objects");
  const places: Readonly<Record<string, string>> = { ":7070": `127.0.0.1:${s3}`, "/objects": objects };
  const bucket = run("s3", [versitygw, ...audio.command.map((word) => places[word] ?? word)], filled(audio));
  await healthy(bucket, ["sh", "-c", (audio.healthcheck.test[1] ?? "").replace("127.0.0.1:7070", `127.0.0.1:${s3}`)]);
}

/** The lines of the Dockerfile that say what a container runs, and when it is healthy. */
const [start, check] = [/^CMD (\[.*\])$/mu, /^\s+CMD (\["bun", "-e".*\])$/mu].map(
  (line) => JSON.parse(line.exec(read("Dockerfile"))?.[1] ?? "[]") as string[],
);

async function startNode(name: string, service: string): Promise<number> {
  const port = await freePort();
  const environment = Object.fromEntries(
    Object.entries(filled(serviceOf(service))).map(([variable, value]) => [
      variable,
      value
        .replace("@postgres:5432", `@127.0.0.1:${postgres}`)
        .replace("@redis:6379", `@127.0.0.1:${redis}`)
        .replace("http://s3:7070", `http://127.0.0.1:${s3}`),
    ]),
  );
  const own = {
    HOST: "127.0.0.1",
    PORT: String(port),
    TONWERK_DATA: inside(name),
    TONWERK_METRICS_PORT: String(await freePort()),
    TONWERK_TRUSTED_PROXIES: "127.0.0.1",
    // What is tried is the drain: a quick machine would reach the limit.
    TONWERK_PUT_PER_MINUTE: "0",
  };
  const node = run(name, start ?? [], { ...environment, ...own });
  await healthy(node, check ?? [], { PORT: String(port) });
  return port;
}

async function startBalancer(ports: readonly number[]): Promise<void> {
  const servers = ports.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;`).join(" ");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (of) => `${of}_temp_path ${folder}/${of};`,
  );
  const replaced: readonly (readonly [string, string])[] = [
    [
      "pid /run/nginx.pid;",
      `pid ${folder}/nginx.pid; daemon off; error_log stderr;${process.getuid?.() === 0 ? " user root;" : ""}`,
    ],
    ["http {", `http { ${temporary.join(" ")}`],
    ["resolver 127.0.0.11 valid=5s;", ""],
    ["server api:8787 resolve max_fails=1 fail_timeout=2s;", servers],
    ["listen 8080;", `listen 127.0.0.1:${balancer};`],
  ];
  let text = read("deploy/nginx.conf");
  for (const [from, to] of replaced) {
    assert.ok(text.includes(from), `deploy/nginx.conf says "${from}"`);
    text = text.replace(from, to);
  }
  const file = join(folder, "nginx.conf");
  writeFileSync(file, text);
  const one = run("balancer", [nginx, "-c", file, "-p", folder]);
  await healthy(one, ["sh", "-c", `wget -q -O /dev/null http://127.0.0.1:${balancer}/health`]);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients do, without our types
async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const bytes = body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : undefined;
  const response = await fetch(`http://127.0.0.1:${balancer}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(bytes === undefined ? { "content-type": "application/json" } : {}) },
    ...(body === undefined ? {} : { body: bytes ?? JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const submit = (action: string, fields: object) =>
  call("PUT", `/v1/${action}`, { idempotency_key: crypto.randomUUID(), ...fields });

async function finished(action: string, fields: object) {
  const { status, body } = await submit(action, fields);
  assert.equal(status, 200, JSON.stringify(body));
  const [wrapper = "", { id }] = Object.entries<{ id: string }>(body)[0] ?? assert.fail("an operation");
  for (;;) {
    const operation = (await call("GET", `/v1/${action}?id=${id}&wait=true`)).body[wrapper];
    if (operation.status !== "processing") return operation;
  }
}

let code = 0;
try {
  await startServices();
  const apis = [await startNode("api-1", "api"), await startNode("api-2", "api")];
  for (const worker of ["worker-dsp", "worker-generation"]) await startNode(worker, worker);
  await startBalancer(apis);

  const { status, body } = await call("PUT", "/v1/files", wav(tone(440, 12, { channels: 2 }).channels));
  assert.equal(status, 200, JSON.stringify(body));
  const source = { url: body.file.url as string };
  const mastered = await finished("adapt.normalise_loudness", { source });
  assert.equal(mastered.status, "ready", JSON.stringify(mastered.error));
  const { pathname, search } = new URL(mastered.output.url);
  const flac = await fetch(`http://127.0.0.1:${balancer}${pathname}${search}`);
  assert.equal((await flac.arrayBuffer()).byteLength, mastered.output.bytes);
  console.log("uploaded, mastered by worker-dsp, delivered through the balancer");
  const made = await finished("create.new_sample", { prompt: "warm pad", duration: 5 });
  assert.equal(made.status, "ready", JSON.stringify(made.error));
  console.log("a sample made by worker-generation");

  const leaving = started.find(({ name }) => name === "api-1")!;
  leaving.child.kill("SIGTERM");
  let accepted = 0;
  for (const until = Date.now() + 4_000; Date.now() < until; accepted++) {
    const answer = await submit("adapt.normalise_loudness", { source });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  assert.equal(await leaving.ended, 0);
  console.log(`${accepted} submissions while an API node drained and was gone, none refused`);
} catch (error) {
  console.error(error);
  code = 1;
} finally {
  for (const { name, child, ended } of started.reverse()) {
    if (child.exitCode === null) child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 45_000);
    console.log(`${name}: exit ${(await ended) ?? "by signal"}`);
    clearTimeout(late);
  }
  rmSync(folder, { recursive: true, force: true });
}
exit(code);
