/** Ratios of requests over HTTP (closed loop, what each server can do) and of the store alone. */
import { fileURLToPath } from "node:url";
import { startKernel, startPeer, type Target } from "../k6/servers.ts";
import { findWrk, MODES, type Mode, saturate } from "../k6/wrk.ts";
import { HERE, runFresh } from "../measure.ts";
import type { RatioName } from "./bounds.ts";
import type { Round } from "./kernels.ts";

const SECONDS = 3;
const STORE = fileURLToPath(new URL("../store.ts", import.meta.url));

/** Of the kinds of request that are asked for; empty where wrk is not installed. */
export async function requestRounds(rounds: number, asked: ReadonlySet<RatioName>): Promise<readonly Round[]> {
  if ((await findWrk()) === null) return [];
  const found: Round[] = [];
  for (let index = 0; index < rounds; index++) {
    const round: Round = {};
    for (const mode of MODES.filter((one) => [...asked].some((name) => name.startsWith(one)))) {
      const kernel = await reached(() => startKernel("bun", HERE, "api", "bun"), mode);
      const peer = await reached(startPeer, mode);
      round[`${mode}, processor time: kernel / peer` satisfies RatioName] = peer.cpu_us / kernel.cpu_us;
      if (mode !== "submit") continue;
      const deno = await reached(() => startKernel("deno", HERE, "api", "deno"), mode);
      round["submit, a second: kernel / peer"] = kernel.per_second / peer.per_second;
      round["submit, processor time: Deno / Bun"] = kernel.cpu_us / deno.cpu_us;
    }
    found.push(round);
  }
  return found;
}

/** 256 callers who share commits, beside one who has nobody to share with. */
export async function storeRounds(rounds: number): Promise<readonly Round[]> {
  const found: Round[] = [];
  const accepted = async (callers: number): Promise<number> =>
    (await runFresh<{ per_second: number }>("bun", STORE, [String(SECONDS), String(callers)])).per_second;
  for (let index = 0; index < rounds; index++)
    found.push({ "store: shared commits / one by one": (await accepted(256)) / (await accepted(1)) });
  return found;
}

/** Of a fresh server; of one that answers errors, no number. */
async function reached(start: () => Promise<Target>, mode: Mode): Promise<{ per_second: number; cpu_us: number }> {
  const target = await start();
  try {
    const { per_second, cpu_us, errors } = await saturate(target, mode, SECONDS);
    return errors > 0 ? { per_second: Number.NaN, cpu_us: Number.NaN } : { per_second, cpu_us };
  } finally {
    await target.stop();
  }
}
