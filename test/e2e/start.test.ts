import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { freePort, startProcess } from "../process.ts";

const made: string[] = [];
after(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "tonwerk-e2e-"));
  made.push(path);
  return path;
}

test("a first start prints lines that, pasted as they are, end with a normalised FLAC on disk", async () => {
  const [data, desk, port] = [await folder(), await folder(), await freePort()];
  const service = await startProcess({ TONWERK_DATA: data }, port);
  try {
    const printed = service.output();
    const lines = printed.slice(printed.indexOf("KEY='"), printed.indexOf("\n\n", printed.lastIndexOf("curl ")));
    await promisify(execFile)("bash", ["-euo", "pipefail", "-c", lines], { cwd: desk });
    const flac = await readFile(join(desk, "normalised.flac"));
    assert.equal(flac.subarray(0, 4).toString("latin1"), "fLaC");
    const { normalised_audio } = JSON.parse(await readFile(join(desk, "operation.json"), "utf8"));
    assert.equal(normalised_audio.status, "ready");
    assert.equal(normalised_audio.output.bytes, flac.length);
    assert.ok(Math.abs(normalised_audio.output.loudness.lufs + 14) <= 0.05);
    assert.ok(normalised_audio.output.loudness.true_peak_dbtp <= -1);
  } finally {
    service.kill("SIGTERM");
    assert.equal(await service.exited, 0);
  }
  // Shown once: the second start knows no key, and nothing on disk does.
  const key = /tonwerk_[0-9A-Za-z]{36}/.exec(service.output())?.[0] ?? "";
  const again = await startProcess({ TONWERK_DATA: data }, port);
  try {
    assert.ok(!again.output().includes(key));
    const answer = await fetch(`${again.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(((await answer.json()) as { account: { credits: number } }).account.credits, 999);
    const database = await readFile(join(data, "tonwerk.db"));
    assert.equal(database.includes(key), false);
  } finally {
    again.kill("SIGTERM");
    assert.equal(await again.exited, 0);
  }
});

test("a second process on the same data folder exits 1 and names the first", async () => {
  const [data, port, other] = [await folder(), await freePort(), await freePort()];
  const first = await startProcess({ TONWERK_DATA: data }, port);
  try {
    const second = await startProcess({ TONWERK_DATA: data }, other);
    assert.equal(await second.exited, 1);
    assert.match(second.output(), new RegExp(`process ${first.pid} holds it`));
    assert.equal(
      ((await fetch(`${first.url}/health`).then((response) => response.json())) as { status: string }).status,
      "ok",
    );
  } finally {
    first.kill("SIGTERM");
    assert.equal(await first.exited, 0);
  }
});

test("a wrong setting stops the start with its name and what was expected", async () => {
  const service = await startProcess(
    { TONWERK_DATA: await folder(), TONWERK_RETENTION_DAYS: "soon", TONWERK_ROLE: "boss" },
    await freePort(),
  );
  assert.equal(await service.exited, 1);
  assert.match(service.output(), /TONWERK_RETENTION_DAYS.*soon/);
  assert.match(service.output(), /TONWERK_ROLE.*api/);
});

test("what nobody catches ends the process with a line of the log", async () => {
  const [data, plugins, port] = [await folder(), await pluginFolder([]), await freePort()];
  made.push(plugins);
  for (const [name, code] of [
    ["thrown", 'throw new Error("late")'],
    ["rejected", 'Promise.reject(new Error("late"))'],
  ] as const) {
    await addAction(plugins, `test.${name}`, {}, `setTimeout(() => { ${code}; }, 3_000);`);
    const service = await startProcess({ TONWERK_DATA: data, TONWERK_PLUGINS: plugins }, port);
    assert.equal(await service.exited, 1);
    const printed = service
      .output()
      .split("\n")
      .filter((line) => line.includes("late"));
    assert.deepEqual(
      printed.map((line) => JSON.parse(line)).map(({ level, event }) => [level, event]),
      [["error", "service.error"]],
    );
    await rm(join(plugins, `test.${name}`), { recursive: true });
  }
});
