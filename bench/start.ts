/**
 * `bun bench/start.ts [runs]`: warm start to the first accepted `PUT`, and the memory of an idle service (resident set, Linux), on the
 * runtime that runs this file. Medians over fresh processes on one data folder.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newApiKey } from "../core/base/keys.ts";
import { tone } from "../packages/plugin/testing.ts";
import { wav } from "../test/audio.ts";
import { freePort, startProcess } from "../test/process.ts";

const runs = Number(process.argv[2] ?? 7);
const data = await mkdtemp(join(tmpdir(), "tonwerk-start-"));
const key = newApiKey();
const headers = { authorization: `Bearer ${key}` };
const env = { TONWERK_DATA: data, TONWERK_FIRST_KEY: key };
const port = await freePort();

const first = await startProcess(env, port);
const body = wav(tone(440, 2).channels) as Uint8Array<ArrayBuffer>;
const uploaded = await fetch(`${first.url}/v1/files`, { method: "PUT", headers, body });
const { file } = (await uploaded.json()) as { file: { url: string } };
first.kill("SIGTERM");
await first.exited;

const start_ms: number[] = [];
const idle_mb: number[] = [];
const after_mb: number[] = [];
const operation_ms: number[] = [];
for (let run = 0; run < runs; run++) {
  const began = performance.now();
  const service = await startProcess(env, port, 5);
  const submit = async () => {
    const response = await fetch(`${service.url}/v1/adapt.normalise_loudness`, {
      method: "PUT",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ idempotency_key: randomUUID(), source: { url: file.url } }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return ((await response.json()) as { normalised_audio: { id: string } }).normalised_audio.id;
  };
  idle_mb.push(await residentMb(service.pid));
  let id = await submit();
  start_ms.push(performance.now() - began);
  const finish = async () => {
    const path = `${service.url}/v1/adapt.normalise_loudness?id=${id}&wait=true`;
    await (await fetch(path, { headers })).json();
  };
  await finish();
  const submitted = performance.now();
  id = await submit();
  await finish();
  operation_ms.push(performance.now() - submitted);
  after_mb.push(await residentMb(service.pid));
  service.kill("SIGTERM");
  await service.exited;
}
await rm(data, { recursive: true, force: true });

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
console.log(`warm start to the first accepted PUT   ${median(start_ms).toFixed(0)} ms`);
console.log(`resident when idle                     ${median(idle_mb).toFixed(0)} MB`);
console.log(`resident after two small operations    ${median(after_mb).toFixed(0)} MB`);
console.log(`a second operation on 2 s of audio     ${median(operation_ms).toFixed(0)} ms`);

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1000;
}
