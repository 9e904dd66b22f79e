/** Servers that die, hang, are busy or take memory; programs that Tonwerk starts itself; cancelling. What they say is in `lies.test.ts`. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Pool } from "../../../../core/ports/mod.ts";
import { sidecars } from "../../../../runners/models/sidecars/mod.ts";
import { createPool } from "../../../../runners/pool/pool.ts";
import { until } from "../../../until.ts";
import { music, options, stemsServed } from "../fixtures.ts";
import { generated, manifestOf, settings } from "./fixtures.ts";
import { children, isAlive, parentOf } from "./processes.ts";
import { audioFrame, DONE, encoded, FRAMES, HEALTH, json, startServer, type TestServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-sidecars-"));
let server: TestServer;
let pool: Pool;
before(async () => {
  server = await startServer();
  pool = createPool({ threads_max: 3, processes_max: 1, idle_ms: 60_000 });
});
after(async () => {
  await pool.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const REQUEST = { prompt: "calm piano", seconds: 0.5, seed: 7 };
const generate = (url: string, fields: object = {}, signal = new AbortController().signal) =>
  pool.run(generated, { manifest: manifestOf(url, fields), settings, request: REQUEST }, { signal, ms_max: 60_000 });
const works = async (url: string, fields: object = {}): Promise<void> =>
  assert.equal((await generate(url, fields)).channels[0]!.length, 22_050);

/** A program of the test's, which Tonwerk starts. */
const program = (name: string, how: string, fields: object = {}) => {
  const url = `unix:${join(folder, `${name}.sock`)}`;
  const file = fileURLToPath(new URL("program.ts", import.meta.url));
  const runtime = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
  const command = [process.execPath, ...runtime, file, url, how];
  return { url, fields: { id: name, serves: ["generate"], command, start_ms_max: 60_000, ...fields } };
};

test("a server that dies in the middle of a piece is asked once more", async () => {
  let count = 0;
  server.behave({
    "POST /v1/generate": (response, heard) => {
      if (++count === 1) return response.socket?.destroy();
      return json("", 500)(response, heard);
    },
  });
  await assert.rejects(generate(server.url), { name: "ModelError", message: /it answers 500/ });
  assert.equal(count, 2);
  server.behave({});
});

test("nobody at the address costs a job nothing, and the one after next finds the server", async () => {
  const gone = await startServer();
  await gone.close();
  const fields = { id: "gone" };
  await assert.rejects(generate(gone.url, fields), /nobody answers at its address/);
  await assert.rejects(generate(gone.url, fields), /nobody answer(?:s|ed) at its address/);
  const look = { ...sidecars, resident: "gone" };
  const spec = { manifest: manifestOf(server.url, fields), memory_mb: 1000 };
  assert.equal((await pool.run(look, { type: "look", spec }, options())).type, "opened");
  await works(server.url, fields);
});

test("a job that is cancelled closes the connection, and the server is told by name", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  server.behave({
    "POST /v1/generate": (response) => {
      response.writeHead(200, { "content-type": FRAMES });
      response.write(encoded({ type: "progress", fraction: 0.1 }));
      begin();
    },
  });
  const controller = new AbortController();
  const running = generate(server.url, {}, controller.signal);
  running.catch(() => undefined);
  await begun;
  const asked = server.heard.findLast(({ path }) => path === "/v1/generate")!;
  controller.abort();
  await assert.rejects(running, { code: "aborted" });
  await asked.gone;
  const { job } = JSON.parse(asked.body.toString());
  await until(() => server.heard.some(({ method, path }) => method === "DELETE" && path === `/v1/jobs/${job}`));
  server.behave({});
  await works(server.url);
  assert.equal(pool.stats().replaced, 0);
});

test("a server that says so gets two jobs at once, and the third when one is cancelled", async () => {
  let count = 0;
  const { promise: both, resolve: beginBoth } = Promise.withResolvers<void>();
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  server.behave({
    "GET /v1/health": json({ ...HEALTH, concurrency: 2 }),
    "POST /v1/generate": (response) => {
      response.writeHead(200, { "content-type": FRAMES });
      response.write("\n");
      if (++count === 2) beginBoth();
      void ending.then(() => {
        for (const part of [...audioFrame(0.5), DONE]) response.write(encoded(part));
        response.end();
      });
    },
  });
  const controllers = [1, 2, 3].map(() => new AbortController());
  const jobs = controllers.map(({ signal }) => generate(server.url, { id: "two" }, signal));
  for (const job of jobs) job.catch(() => undefined);
  await both;
  const waiting = () => pool.residents().find(({ name }) => name === "two")!.waiting;
  await until(() => waiting() === 1);
  assert.equal(count, 2);
  // At work or waiting: whichever was the third goes on.
  controllers[0]!.abort();
  await assert.rejects(jobs[0]!, { code: "aborted" });
  await until(() => waiting() === 0);
  end();
  const made = await Promise.all(jobs.slice(1));
  assert.deepEqual(
    made.map(({ channels }) => channels[0]!.length),
    [22_050, 22_050],
  );
  assert.equal(pool.stats().replaced, 0);
  // A manifest may have it take fewer.
  const spec = { manifest: manifestOf(server.url, { id: "two", concurrency: 1 }), memory_mb: 1000 };
  const look = await pool.run({ ...sidecars, resident: "two" }, { type: "look", spec }, options());
  assert.equal(look.type === "opened" && look.facts.concurrency, 1);
  server.behave({});
});

test("our process that is killed closes its connection, and the piece is begun anew", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let count = 0;
  server.behave({
    "POST /v1/generate": (response) => {
      response.writeHead(200, { "content-type": FRAMES });
      if (++count > 1) {
        for (const part of [...audioFrame(0.5), DONE]) response.write(encoded(part));
        response.end();
      } else {
        response.write("\n");
        begin();
      }
    },
    "GET /v1/health": json({ ...HEALTH, tasks: { generate: HEALTH.tasks.generate } }),
  });
  const fields = { id: "killed", serves: ["generate"] };
  const before = children();
  const running = works(server.url, fields);
  await begun;
  const asked = server.heard.findLast(({ path }) => path === "/v1/generate")!;
  const [own] = children().filter((pid) => !before.includes(pid));
  process.kill(own!, "SIGKILL");
  await asked.gone;
  await running;
  assert.equal(count, 2);
  server.behave({});
});

test("a server that works for somebody else is waited for; one that loads as well; one without weights is told to load", async () => {
  let busy = 2;
  let state = ["unloaded", "loading", "ready"];
  server.behave({
    "GET /v1/health": (response, heard) => json({ ...HEALTH, status: state[0] })(response, heard),
    "POST /v1/load": (response, heard) => {
      state = state.slice(1);
      setTimeout(() => {
        state = ["ready"];
      }, 100);
      return json("", 202)(response, heard);
    },
    "POST /v1/generate": (response, heard) => {
      if (busy-- > 0)
        return json({ error: { code: "busy", message: "one at a time" } }, 503, { "retry-after": "1" })(
          response,
          heard,
        );
      response.writeHead(200, { "content-type": FRAMES });
      for (const part of [...audioFrame(0.5), DONE]) response.write(encoded(part));
      return response.end();
    },
  });
  await works(server.url, { id: "busy" });
  assert.equal(busy, -1);
  server.behave({});
});

test("what runs in a process of its own, as isolated actions do, reaches no sidecar", async () => {
  const given = { manifest: manifestOf(server.url), settings, request: REQUEST };
  const heard = server.heard.length;
  const apart = { ...generated, isolation: "process" as const };
  await assert.rejects(pool.run(apart, given, options()), /runs in a process of its own reaches no sidecar/);
  assert.equal(server.heard.length, heard);
});

test("whoever has not been asked for a while is told to give its memory back", async () => {
  const { promise: told, resolve } = Promise.withResolvers<void>();
  server.behave({
    "POST /v1/unload": (response, heard) => {
      resolve();
      return json("", 202)(response, heard);
    },
  });
  await works(server.url, { id: "idle", unload_seconds: 1 });
  await told;
  server.behave({});
});

test("a token is read from its file at each connection", async () => {
  const path = join(folder, "token");
  writeFileSync(path, "first-token\n");
  await works(server.url, { id: "secret", token_file: path });
  writeFileSync(path, "second-token\n");
  await works(server.url, { id: "secret", token_file: path });
  const sent = server.heard.flatMap(({ headers, path: where }) =>
    where === "/v1/generate" ? [headers.authorization] : [],
  );
  assert.deepEqual(sent.slice(-2), ["Bearer first-token", "Bearer second-token"]);
  writeFileSync(path, "two\nlines");
  await assert.rejects(generate(server.url, { id: "secret", token_file: path }), /its token is none/);
});

test("a program is started with its environment, serves over a socket, and ends with all that it started", async () => {
  const { url, fields } = program("helped", "helped", { env: { SIDE_WORD: "quietly" } });
  await works(url, fields);
  const spec = { manifest: manifestOf(url, fields), memory_mb: settings.model_mb };
  const answer = await pool.run({ ...sidecars, resident: "helped" }, { type: "look", spec }, options());
  assert.ok(answer.type === "opened");
  const [pid, helper, word] = answer.facts.device!.split(" ");
  assert.equal(word, "quietly");
  assert.ok(isAlive(Number(pid)) && isAlive(Number(helper)));
  process.kill(parentOf(Number(pid))!, "SIGKILL");
  await until(() => !isAlive(Number(pid)) && !isAlive(Number(helper)));
});

test("a program that was killed is started anew by the next job, and the service's end is its end", async () => {
  const own = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
  const { url, fields } = program("ends", "helped");
  const spec = { manifest: manifestOf(url, fields), memory_mb: settings.model_mb };
  const pidsOf = async (): Promise<readonly number[]> => {
    const answer = await own.run({ ...sidecars, resident: "ends" }, { type: "open", spec }, options());
    assert.ok(answer.type === "opened");
    return answer.facts.device!.trim().split(" ").map(Number);
  };
  const [first] = await pidsOf();
  process.kill(first!, "SIGKILL");
  const given = { manifest: spec.manifest, settings, request: REQUEST };
  assert.equal((await own.run(generated, given, options())).channels[0]!.length, 22_050);
  const second = await pidsOf();
  assert.ok(!second.includes(first!) && second.every(isAlive));
  // Another manifest of the same name has another program; the process that stands for it goes on.
  const changed = { ...spec, memory_mb: spec.memory_mb + 1 };
  const again = await own.run({ ...sidecars, resident: "ends" }, { type: "open", spec: changed }, options());
  assert.ok(again.type === "opened" && Number(again.facts.device!.split(" ")[0]) !== second[0]);
  await until(() => !second.some(isAlive));
  const third = again.facts.device!.trim().split(" ").map(Number);
  assert.equal(own.stats().replaced, 1);
  await own.close();
  await until(() => !third.some(isAlive));
});

test("a sidecar separates within an ensemble, beside another that fails", async () => {
  const liar = await startServer();
  liar.behave({ "POST /v1/separate": json("", 500) });
  const write = (id: string, url: string) => {
    const file = join(folder, `${id}.json`);
    writeFileSync(file, JSON.stringify({ id, url, serves: ["separate"] }));
    return file;
  };
  const models = mkdtempSync(join(folder, "models-"));
  const ensemble = { id: "pair", family: "ensemble", models: [{ id: "liar" }, { id: "good", stems: { vocals: 1 } }] };
  writeFileSync(join(models, "pair.json"), JSON.stringify(ensemble));
  const with_both = { ...settings, models, sidecars: [write("liar", liar.url), write("good", server.url)] };
  const made = await pool.run(stemsServed, { settings: with_both, audio: music(1) }, options());
  await liar.close();
  assert.deepEqual([made.vocals!.engine, made.instrumental!.engine, made.drums!.engine], ["good", "good", "separate"]);
  assert.ok(Math.abs(made.vocals!.share - 0.25) < 0.01, `${made.vocals!.share}`);
  const { passed_over } = made.vocals!.report as { passed_over: { model: string; reason: string }[] };
  assert.deepEqual(passed_over, [{ model: "liar", reason: "it answers 500" }]);
});

test("a program that cannot start is told by what it printed, and rests when that keeps happening", async () => {
  const { url, fields } = program("broken", "ends-at-once");
  await assert.rejects(
    generate(url, fields),
    /exit code 1, after printing: No module named torch\s+The sidecar's program ended: exit code 3/,
  );
  await assert.rejects(generate(url, fields), /rests for \d+ s more/);
  const none = { id: "none", serves: ["generate"], command: [join(folder, "no-such-program")] };
  await assert.rejects(generate("unix:/nowhere.sock", none), /Cannot start ".*no-such-program"/);
});

test("a program that dies at work is started anew, once for a piece", async () => {
  const { url, fields } = program("dies", "ends-at-work");
  await assert.rejects(generate(url, fields), /The sidecar's program ended: signal SIGKILL/);
  await assert.rejects(generate(url, fields), /signal SIGKILL|rests for/);
});

test("a program that fills memory is ended at its bound", { skip: process.platform !== "linux" }, async () => {
  const { url, fields } = program("glutton", "fills-memory", { memory_mb: 700 });
  await assert.rejects(generate(url, fields), /program held \d+ MB and may hold 700 MB/);
});
