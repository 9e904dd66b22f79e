/** `tonwerk bench`: its reckoning, and the program itself against one service. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { seeded } from "../../cli/bench/audio.ts";
import { compareResults } from "../../cli/bench/compare.ts";
import { headerOf, openConnections } from "../../cli/bench/connections.ts";
import { bucketOf, Histogram, microsecondsOf, quantileOf } from "../../cli/bench/histogram.ts";
import { findKnee } from "../../cli/bench/knee.ts";
import type { Run, Slice } from "../../cli/bench/pace.ts";
import { preload } from "../../cli/bench/preload.ts";
import type { Result } from "../../cli/bench/result.ts";
import { missedBy, readSlo } from "../../cli/bench/slo.ts";
import { newApiKey } from "../../core/base/keys.ts";
import { run, type Shell } from "../cli/run.ts";
import { freePort, startProcess } from "../process.ts";

test("a histogram keeps quantiles within a thousandth", () => {
  const next = seeded(3);
  const values = Array.from({ length: 20_000 }, () => 0.05 * 10 ** (5 * next()));
  const histogram = new Histogram();
  for (const value of values) histogram.addMs(value);
  values.sort((one, other) => one - other);
  for (const q of [0.5, 0.99, 0.999, 0.9999]) {
    const exact = values[Math.ceil(q * values.length) - 1]!;
    const found = quantileOf(histogram.counts, 0, q);
    assert.ok(Math.abs(found / exact - 1) < 0.001 + 0.0005 / exact, `${q}: ${found} instead of ${exact}`);
  }
  for (let bucket = 0; bucket < 9_000; bucket++) assert.equal(bucketOf(microsecondsOf(bucket)), bucket);
});

test("what failed stands behind everything in a percentile, and misses an objective", () => {
  const slow = runOf(97, 1, { "429": 3 });
  assert.equal(quantileOf(slow.slices[0]!.counts, 3, 0.9), 1);
  assert.equal(quantileOf(slow.slices[0]!.counts, 3, 0.99), Number.POSITIVE_INFINITY);
  assert.match(missedBy(slow, readSlo("p90=25ms")) ?? "", /3.0 % failed, most by 429/u);
  assert.equal(missedBy(slow, readSlo("p90=25ms,errors=5%")), undefined);
  assert.match(missedBy(slow, readSlo("p99=25ms,errors=5%")) ?? "", /p99/u);
  assert.throws(() => readSlo("p99=25"), /no objective/u);
});

test("findKnee() finds a knee within a tenth though every fourth run is disturbed", async () => {
  let runs = 0;
  const measure = async (rate: number): Promise<Run> => ({
    ...runOf(1_000, rate < 3_000 && ++runs % 4 > 0 ? 2 : 80),
    rate,
    achieved: rate,
  });
  const search = { first: 100, most: 50_000, repeats: 3, within: 1.1, slo: readSlo("p99=25ms"), measure };
  const { rate, is_generators, steps } = await findKnee(search);
  assert.ok(rate > 2_700 && rate < 3_000, `${rate}`);
  assert.equal(is_generators, false);
  assert.ok(
    steps.some(({ run, missed }) => run.rate < 3_000 && missed !== null),
    "disturbed runs are kept as they were",
  );
  const ends = await findKnee({ ...search, most: 1_000 });
  assert.deepEqual([ends.rate, ends.is_generators], [1_000, true], "the search ends at what the generator can");
  assert.equal((await findKnee({ ...search, first: 100_000, most: 100_000 })).rate > 2_700, true, "also from above");
});

test("compareResults() tells a slower tail from chance", () => {
  const result = (tail_ms: number, seed: number): Result => {
    const next = seeded(seed);
    const slices = Array.from({ length: 40 }, (): Slice => {
      const histogram = new Histogram();
      for (let n = 0; n < 500; n++) histogram.addMs(next() < 0.03 ? tail_ms * (0.8 + 0.4 * next()) : 1 + next());
      return { counts: histogram.counts, failed: {} };
    });
    const measured = { scenario: "status", runs: [{ ...runOf(1, 1), slices }], knee: null };
    return { measured: [measured] } as unknown as Result;
  };
  const p99 = (a: Result, b: Result) => compareResults(a, b).find(({ figure }) => figure === "p99 ms")!;
  const same = p99(result(20, 1), result(20, 2));
  assert.ok(same.low < 1 && same.high > 1, `${same.low} to ${same.high}`);
  const worse = p99(result(20, 1), result(30, 2));
  assert.ok(worse.low > 1.3 && worse.high < 1.7, `${worse.low} to ${worse.high}`);
});

test("connections read answers in chunks, by length and in pieces, and say when there is none", async () => {
  const answers = [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
    "HTTP/1.1 404 Not Found\r\nX-Other: 7\r\nContent-Length: 4\r\n\r\n",
    null,
  ];
  let asked = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => {
      const answer = answers[asked++]!;
      if (answer === null) return void socket.destroy();
      socket.write(answer);
      if (answer.endsWith("4\r\n\r\n")) setTimeout(() => socket.write("four"), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const connections = openConnections(`http://127.0.0.1:${port}`, { connections: 1, timeout_ms: 5_000 });
  try {
    const get = () => connections.ask({ method: "GET", url: "/", head: "", read: true });
    const [first, second, third] = [await get(), await get(), await get()];
    assert.deepEqual([first.status, first.text], [200, "abcde"]);
    assert.deepEqual([second.status, second.text, second.bytes, headerOf(second, "x-other")], [404, "four", 4, "7"]);
    assert.deepEqual([third.status, third.fault], [0, "closed"]);
  } finally {
    connections.close();
    server.close();
  }
});

test("preload() writes rows that hold together, and never into an installation", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-preload-"));
  try {
    const [data, key] = [join(folder, "data"), newApiKey()];
    const file = await preload({ data, ended: 150, queued: 30, keys: [key, newApiKey()] });
    const db = new DatabaseSync(file, { readOnly: true });
    const row = (sql: string) => ({ ...db.prepare(sql).get() });
    assert.deepEqual(
      row("SELECT count(*) n, sum(status = 'failed') failed, sum(status = 'processing') queued FROM operations"),
      {
        n: 180,
        failed: 3,
        queued: 30,
      },
    );
    assert.deepEqual(row("SELECT count(*) n FROM jobs"), { n: 30 });
    const sums = "(SELECT sum(credits) FROM ledger WHERE account_id = accounts.id)";
    assert.deepEqual(row(`SELECT count(*) n FROM accounts WHERE credits <> ${sums}`), { n: 0 });
    assert.deepEqual(db.prepare("PRAGMA foreign_key_check").all(), []);
    assert.deepEqual(row("PRAGMA integrity_check"), { integrity_check: "ok" });
    db.close();
    await assert.rejects(preload({ data, ended: 1, queued: 0, keys: [key] }), /is there already/u);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("tonwerk bench against a service", () => {
  let shell: Shell;
  let service: Awaited<ReturnType<typeof startProcess>>;
  const key = newApiKey();
  const bench = (...words: readonly string[]) => run(shell, ["bench", ...words]);
  const get = async (path: string) =>
    (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).json();

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), "tonwerk-bench-tool-"));
    const env = { TONWERK_DATA: join(folder, "data"), TONWERK_FIRST_KEY: key, TONWERK_PRIVATE_HOSTS: "127.0.0.1" };
    service = await startProcess(env, await freePort());
    shell = { folder, env: { TONWERK_URL: service.url, TONWERK_KEY: key } };
  });
  after(async () => {
    service.kill("SIGTERM");
    await service.exited;
    await rm(shell.folder, { recursive: true, force: true });
  });

  test("measures, writes JSON and one page, and removes what it made", async () => {
    const [json, html] = [join(shell.folder, "a.json"), join(shell.folder, "a.html")];
    const words = [
      "--scenario",
      "submit,download,webhooks",
      "--rate",
      "4",
      "--seconds",
      "1",
      "--rounds",
      "1",
      "--source-seconds",
      "1",
    ];
    const { code, stdout, stderr } = await bench(...words, "--json", json, "--html", html);
    assert.equal(code, 0, stdout + stderr);
    const { measured } = JSON.parse(await readFile(json, "utf8")) as Result;
    assert.deepEqual(
      measured.map(({ scenario, notes }) => [scenario, notes]),
      [
        ["submit", []],
        ["download", []],
        ["webhooks", []],
      ],
    );
    for (const { scenario, runs } of measured) {
      const answered = runs.flatMap(({ slices }) => slices).flatMap(({ counts }) => counts.map(([, times]) => times));
      assert.equal(
        answered.reduce((sum, times) => sum + times, 0),
        4,
        scenario,
      );
    }
    const page = await readFile(html, "utf8");
    assert.equal(page.match(/<svg /gu)?.length, 6);
    assert.doesNotMatch(page, /NaN|undefined|(?:src|href)=/u);
    assert.deepEqual((await get("/v1/files")).files, [], "uploads are deleted");
    assert.deepEqual((await get("/v1/operations?status=processing")).operations, [], "nothing is left to be done");
  });

  test("says what has to be changed before it measures anything", async () => {
    const { code, stderr } = await bench("--scenario", "submit", "--rate", "100");
    assert.equal(code, 2);
    assert.match(stderr, /put_per_minute of this account is 600.*\n.*tonwerk settings set put_per_minute=0/u);
    assert.match(stderr, /credits, and there are \d+: tonwerk credits grant/u);
    const unknown = await bench("--scenario", "sumbit");
    assert.match(unknown.stderr, /no scenario "sumbit": there are submit, replay/u);
  });
});

/** `times` iterations that took `ms` each. */
function runOf(times: number, ms: number, failed: Readonly<Record<string, number>> = {}): Run {
  return {
    rate: 1,
    seconds: 1,
    achieved: 1,
    slices: [{ counts: [[bucketOf(1_000 * ms), times]], failed }],
    parts: {},
    late: [],
  };
}
