/** Ratios of requests over HTTP (closed loop, what each server can do) and of the store alone. */
import { fileURLToPath } from "node:url";
import { startKernel, startPeer, type Target } from "../k6/servers.ts";
import { findWrk, MODES, type Mode, saturate } from "../k6/wrk.ts";
import { HERE, runFresh } from "../measure.ts";
import type { RatioName } from "./bounds.ts";
import type { Round } from "./kernels.ts";
import { rounds } from "./rounds.ts";

const SECONDS = 2;
const WARM_UP_SECONDS = 1;
const STORE = fileURLToPath(new URL("../store.ts", import.meta.url));

/** Of the kinds of request that are asked for; empty where wrk is not installed. Each target has one server a round, which answers all of them. */
export async function requestRounds(
  most: number,
  asked: ReadonlySet<RatioName>,
  seconds: number,
): Promise<readonly Round[]> {
  if ((await findWrk()) === null) return [];
  const modes = MODES.filter((one) => [...asked].some((name) => name.startsWith(one)));
  return rounds(most, seconds, async () => {
    const round: Round = {};
    const kernel = await reached(() => startKernel("bun", HERE, "api", "bun"), modes);
    const peer = await reached(startPeer, modes);
    for (const mode of modes)
      round[`${mode}, processor time: kernel / peer` satisfies RatioName] = peer[mode].cpu_us / kernel[mode].cpu_us;
    if (!modes.includes("submit")) return round;
    const deno = await reached(() => startKernel("deno", HERE, "api", "deno"), ["submit"]);
    round["submit, a second: kernel / peer"] = kernel.submit.per_second / peer.submit.per_second;
    round["submit, processor time: Deno / Bun"] = kernel.submit.cpu_us / deno.submit.cpu_us;
    return round;
  });
}

/** 256 callers who share commits, beside one who has nobody to share with. */
export function storeRounds(most: number, _asked: ReadonlySet<RatioName>, seconds: number): Promise<readonly Round[]> {
  const accepted = async (callers: number): Promise<number> =>
    (await runFresh<{ per_second: number }>("bun", STORE, [String(SECONDS), String(callers)])).per_second;
  return rounds(most, seconds, async () => ({
    "store: shared commits / one by one": (await accepted(256)) / (await accepted(1)),
  }));
}

interface Reached {
  readonly per_second: number;
  readonly cpu_us: number;
}
const NONE: Reached = { per_second: Number.NaN, cpu_us: Number.NaN };

/** Of a fresh server; where it answers errors, no number. */
async function reached(start: () => Promise<Target>, modes: readonly Mode[]): Promise<Readonly<Record<Mode, Reached>>> {
  const target = await start();
  try {
    const found = { submit: NONE, replay: NONE, status: NONE };
    for (const mode of modes) {
      const row = await saturate(target, mode, SECONDS, undefined, WARM_UP_SECONDS);
      if (row.errors === 0) found[mode] = row;
    }
    return found;
  } finally {
    await target.stop();
  }
}
