/** Memory of a process and all that it started, as the kernel shares it out among them (PSS), so that nothing counts twice. Linux. */
import { readdir, readFile } from "node:fs/promises";

/** Often enough for what decodes for a tenth of a second; reading the page tables of 500 MB takes a few ms. */
const LOOK_MS = 250;

export interface Watch {
  /** Highest sum since the last call, in MB. */
  peakMb(): number;
  stop(): void;
}

export function watchMemory(process_id: number, look_ms = LOOK_MS): Watch {
  let peak = 0;
  let stopped = false;
  const look = async (): Promise<void> => {
    while (!stopped) {
      peak = Math.max(peak, await treeMb(process_id));
      await new Promise((resolve) => setTimeout(resolve, look_ms));
    }
  };
  void look();
  return {
    peakMb() {
      const highest = peak;
      peak = 0;
      return highest;
    },
    stop() {
      stopped = true;
    },
  };
}

async function treeMb(process_id: number): Promise<number> {
  const [kb, children] = await Promise.all([pssKb(process_id), childrenOf(process_id)]);
  const below = await Promise.all(children.map(treeMb));
  return kb / 1_000 + below.reduce((sum, one) => sum + one, 0);
}

/** 0 of one that has ended. */
async function pssKb(process_id: number): Promise<number> {
  const text = await readFile(`/proc/${process_id}/smaps_rollup`, "latin1").catch(() => "");
  return (Number(/^Pss:\s+(\d+) kB/mu.exec(text)?.[1] ?? 0) * 1_024) / 1_000;
}

/** Of all its threads: whichever of them started the child is its parent. */
async function childrenOf(process_id: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${process_id}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${process_id}/task/${thread}/children`, "latin1").catch(() => "")),
  );
  return lists.flatMap((list) => list.split(" ").flatMap((id) => (id.trim() === "" ? [] : [Number(id)])));
}
