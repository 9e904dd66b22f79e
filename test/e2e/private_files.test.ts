/** Nothing in the data folder is for other users of the machine, whatever their umask or the folder's mode was. */
import assert from "node:assert/strict";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, startProcess } from "../process.ts";

const SONG = fileURLToPath(new URL("../../examples/song.flac", import.meta.url));
const OTHERS = 0o077;

/** Mode of the folder and of everything in it that others may read, write or enter. */
async function openToOthers(folder: string): Promise<readonly string[]> {
  const names = ["", ...(await readdir(folder, { recursive: true }))];
  const found = await Promise.all(
    names.map(async (name) => {
      // Gone: files in flight come and go.
      const entry = await lstat(join(folder, name)).catch(() => undefined);
      return entry === undefined || (entry.mode & OTHERS) === 0 ? [] : [`${name} ${(entry.mode & 0o777).toString(8)}`];
    }),
  );
  return found.flat();
}

/** An upload and a job on it, to its end. */
async function work(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const upload = await fetch(`${url}/v1/files`, { method: "PUT", headers, body: await readFile(SONG) });
  const { file } = (await upload.json()) as { file: { url: string } };
  const submitted = await fetch(`${url}/v1/adapt.normalise_loudness`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), source: { url: file.url } }),
  });
  const { normalised_audio: operation } = (await submitted.json()) as { normalised_audio: { id: string } };
  for (let status = "processing"; status === "processing"; ) {
    const read = await fetch(`${url}/v1/adapt.normalise_loudness?id=${operation.id}&wait=true`, { headers });
    ({ status } = ((await read.json()) as { normalised_audio: { status: string } }).normalised_audio);
    assert.notEqual(status, "failed");
  }
}

for (const [what, mode] of [
  ["that it makes", undefined],
  ["that was open to all", 0o777],
] as const) {
  test(`a data folder ${what} is its owner's alone, and all that a start, an upload and a job leave in it`, async () => {
    const outer = await mkdtemp(join(tmpdir(), "tonwerk-"));
    const data = join(outer, "data");
    const key = newApiKey();
    if (mode !== undefined) {
      await mkdir(data);
      await chmod(data, mode);
    }
    const before = process.umask(0o022);
    const service = await startProcess({ TONWERK_DATA: data, TONWERK_FIRST_KEY: key }, await freePort());
    process.umask(before);
    try {
      await work(service.url, key);
      assert.deepEqual(await openToOthers(data), []);
      const names = await readdir(data);
      for (const name of ["tonwerk.db", "tonwerk.db-wal", "lock.db", "holder.json", "secret", "operator", "objects"]) {
        assert.ok(names.includes(name), name);
      }
      assert.equal(service.output().includes("data.tightened"), mode !== undefined);
    } finally {
      service.kill("SIGTERM");
      assert.equal(await service.exited, 0);
      assert.deepEqual(await openToOthers(data), []);
      await rm(outer, { recursive: true });
    }
  });
}

test("a data folder that is open and somebody else's stops the start, by name", {
  skip: process.getuid?.() === 0 ? false : "only root can make one",
}, async () => {
  const outer = await mkdtemp(join(tmpdir(), "tonwerk-"));
  try {
    const data = join(outer, "data");
    await chmod(outer, 0o755);
    await mkdir(data);
    await chmod(data, 0o777);
    const result = await startAs(65_534, data);
    assert.match(
      result,
      /Cannot use ".*data": others may enter it \(mode 777\) and it belongs to user 0, not to 65534/u,
    );
  } finally {
    await rm(outer, { recursive: true });
  }
});

/** What `ownDataFolder` rejects with for this user, in a process of its own. */
async function startAs(uid: number, data: string): Promise<string> {
  const { spawn } = await import("node:child_process");
  const module = new URL("../../core/base/data_folder.ts", import.meta.url).href;
  const code = `process.setuid(${uid}); const { ownDataFolder } = await import("${module}"); await ownDataFolder(${JSON.stringify(data)}, () => undefined).catch((error) => console.log(error.message));`;
  const args = "Deno" in globalThis ? ["eval", "--no-check", code] : ["-e", code];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    child.stdout?.on("data", (chunk: Uint8Array) => (printed += String(chunk)));
    child.stderr?.on("data", (chunk: Uint8Array) => (printed += String(chunk)));
    child.on("close", () => resolve(printed));
  });
}
