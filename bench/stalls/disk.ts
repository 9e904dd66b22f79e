/** What the disk takes by itself: a file beside the database is written and synchronised 20 times a second. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

const PROBE_BYTES = 4_096;
const PROBE_MS = 50;

/** Call what it returns in order to end it: milliseconds of every write. */
export function startDiskProbe(folder: string): () => Promise<readonly number[]> {
  const took: number[] = [];
  let on = true;
  const ended = (async () => {
    const path = join(folder, "probe");
    const probe = await open(path, "w");
    await probe.write(new Uint8Array(PROBE_BYTES));
    while (on) {
      const begin = performance.now();
      await probe.write(new Uint8Array(PROBE_BYTES), 0, PROBE_BYTES, 0);
      await probe.datasync();
      took.push(performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
    await probe.close();
    await rm(path);
  })();
  return async () => {
    on = false;
    await ended;
    return took;
  };
}
