/** One process of `bench/plugin_pack.ts`: `measure.ts <data folder> <requests> [origin of a pack]`. Prints what things cost as JSON. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProbe } from "../../core/adapters/plugins/probe.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import * as tasks from "../../core/adapters/thread/tasks.ts";
import { createPool } from "../../runners/pool/pool.ts";
import { startTestService } from "../../test/service.ts";

export interface PackCosts {
  readonly load_ms: number;
  readonly submit_us: number;
  readonly read_us: number;
}

const [data = "", count = "2000", ...packs] = process.argv.slice(2);
const requests = Number(count);
const HOME = new URL("../../", import.meta.url).href;

async function cpuUs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const pool = createPool({ threads_max: 2, processes_max: 2, idle_ms: 60_000 });
const probe = createProbe(pool, tasks, join(data, "imported.json"));
const load_us = await cpuUs(() => loadRegistry(["./plugins", ...packs], HOME, { probe }));
await pool.close();

// Whose work no worker here takes: what is counted is what answers requests, with the thread that writes.
const own = await mkdtemp(join(tmpdir(), "tonwerk-pack-service-"));
const env = {
  ...{ TONWERK_PLUGINS: ["./plugins", ...packs].join(","), TONWERK_WORK: "gpu", TONWERK_FIRST_CREDITS: "100000000" },
  ...{ TONWERK_PUT_PER_MINUTE: "0", TONWERK_GET_PER_MINUTE: "0" },
};
const tonwerk = await startTestService({ env, data: own });
let id = "";
const submit = async (): Promise<void> => {
  const body = { idempotency_key: randomUUID(), prompt: "A door that falls shut", duration: 1 };
  const response = await tonwerk.call("PUT", "/v1/create.new_fx", body);
  if (response.status !== 200) throw new Error(await response.text());
  id = Object.values((await response.json()) as Record<string, { id: string }>)[0]!.id;
};
const read = async (): Promise<void> => {
  const response = await tonwerk.call("GET", `/v1/create.new_fx?id=${id}`);
  await response.text();
};
const repeat = async (work: () => Promise<void>, times: number): Promise<void> => {
  for (let time = 0; time < times; time++) await work();
};
// Until it is compiled.
await repeat(submit, requests / 4);
await repeat(read, requests / 4);
const submit_us = await cpuUs(() => repeat(submit, requests));
const read_us = await cpuUs(() => repeat(read, requests * 4));
await tonwerk.stop();
await rm(own, { recursive: true, force: true });
const costs: PackCosts = {
  load_ms: load_us / 1000,
  submit_us: submit_us / requests,
  read_us: read_us / (requests * 4),
};
console.log(JSON.stringify(costs));
