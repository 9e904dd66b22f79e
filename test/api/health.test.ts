/** /health of a node that cannot reach its files or its store, and what keyless callers can make it do. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { createHealth, type HealthServices } from "../../core/http/health.ts";
import { StoreUnavailable } from "../../core/ports/mod.ts";
import { inFolder } from "../audio.ts";
import { scratchOf, startTestService, type TestService } from "../service.ts";

async function inService(env: Readonly<Record<string, string>>, run: (tonwerk: TestService) => Promise<void>) {
  const tonwerk = await startTestService({ env });
  try {
    await run(tonwerk);
  } finally {
    await tonwerk.stop();
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As many reads of a pipe that nobody writes as the runtime has threads for files, and more. Resolves when all have ended. */
function fillThreads(pipe: string): () => Promise<void> {
  execFileSync("mkfifo", [pipe]);
  let open = 128;
  for (let i = open; i > 0; i--) void readFile(pipe).finally(() => open--);
  return async () => {
    // Each turn ends the reads that have got a thread.
    while (open > 0) {
      const writer = openSync(pipe, "r+");
      await pause(10);
      closeSync(writer);
      await pause(10);
    }
  };
}

for (const role of ["all", "worker"]) {
  test(`a node that cannot read a file says so (role ${role}), and is well again when it can`, () =>
    inFolder((path) =>
      inService({ TONWERK_ROLE: role }, async (tonwerk) => {
        assert.equal((await tonwerk.json("GET", "/health")).status, 200);
        const release = fillThreads(path("pipe"));
        try {
          // What was found before counts for a moment.
          await pause(1_100);
          const { status, headers, body } = await tonwerk.json("GET", "/health");
          assert.deepEqual([status, body.detail], [503, "The service cannot read its files right now, try again"]);
          assert.ok(Number(headers.get("retry-after")) > 0);
          assert.equal((await tonwerk.json("GET", "/health")).status, 503);
          assert.equal(tonwerk.logged.filter((line) => line.includes("health.files_away")).length, 1);
        } finally {
          await release();
        }
        while ((await tonwerk.json("GET", "/health")).status !== 200) await pause(20);
        assert.deepEqual(
          (await readdir(await scratchOf(tonwerk.data))).filter((name) => name.startsWith("health")),
          [],
        );
      }),
    ));
}

interface Trial extends HealthServices {
  commits: number;
  looks: number;
}

function trial(folder: string, commit: () => Promise<void> = async () => undefined, now = () => 0): Trial {
  const made: Trial = {
    commits: 0,
    looks: 0,
    store: {
      health() {
        made.commits++;
        return commit();
      },
    },
    bucket: {
      path: (key) => `${folder}/${key}`,
      async stat() {
        made.looks++;
        return undefined;
      },
    },
    scratch: folder,
    log: () => undefined,
    now,
  };
  return made;
}

test("thousands of callers make one look at the files a second, and one commit in two", () =>
  inFolder(async (path) => {
    let now = 0;
    const services = trial(path(""), undefined, () => now);
    const health = createHealth(services);
    for (const [at, commits, looks] of [
      [0, 1, 1],
      [999, 1, 1],
      [1_000, 1, 2],
      [1_999, 1, 2],
      [2_000, 2, 3],
    ] as const) {
      now = at;
      const said = await Promise.all(Array.from({ length: 1_000 }, () => health.check()));
      assert.deepEqual(new Set(said), new Set([undefined]));
      assert.deepEqual([services.commits, services.looks], [commits, looks], String(at));
    }
  }));

test("a store that is away, or never answers, is told, and asked again when it came back", () =>
  inFolder(async (path) => {
    const amiss = "The service cannot store anything right now, try again";
    let now = 0;
    const away = createHealth(
      trial(
        path(""),
        () => Promise.reject(new StoreUnavailable("gone")),
        () => now,
      ),
    );
    assert.equal(await away.check(), amiss);

    let answer = () => {};
    const services = trial(
      path(""),
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      () => now,
    );
    const silent = createHealth(services);
    assert.equal(await silent.check(), amiss);
    now = 10_000;
    // The first try is still open: no other is begun beside it.
    assert.equal(await silent.check(), amiss);
    assert.equal(services.commits, 1);
    answer();
    await pause(1);
    const again = silent.check();
    answer();
    assert.equal(await again, undefined);
    assert.equal(services.commits, 2);
  }));

test("a folder that cannot be written to is told", () =>
  inFolder(async (path) => {
    const health = createHealth(trial(path("nowhere")));
    assert.equal(await health.check(), "The service cannot read its files right now, try again");
  }));
