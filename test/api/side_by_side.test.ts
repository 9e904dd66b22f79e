/** Variations that are made when they are called for, one after another or in several threads: the same outputs either way. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { decodedFlac } from "../flac.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, startTestService } from "../service.ts";

let folder: string;

/** Tones by seed; who made them, and how many of one `process` were in memory at once. The second fails where the note says so. */
const TONES = `({ request, seeds }) => {
  const own = Math.floor(performance.timeOrigin * 1000) + ":" + globalThis.MADE_BY++;
  let held = 0;
  return seeds.map((seed, index) => () => {
    if (request.note === "fail" && index === 1) throw new TypeError("it must not");
    const samples = new Float32Array(22_050).map((_, n) => Math.sin((n * (1 + (seed % 7))) / 30));
    held++;
    return { audio: { sample_rate: 44_100, channels: [samples] }, engine: "x", report: { own, held, index } };
  });
}`;

before(async () => {
  folder = await pluginFolder();
  const fields = {
    output: '"variations"',
    work: '"generation"',
    seeded: "true",
    level: '"peak"',
    sources: "{}",
    examples: "[{}]",
    process: TONES,
  };
  await addAction(folder, "test.apart", { ...fields, side_by_side: "true" }, "globalThis.MADE_BY ??= 1;");
  await addAction(folder, "test.together", fields, "globalThis.MADE_BY ??= 1;");
});
after(() => rm(folder, { recursive: true, force: true }));

test("idle workers share one operation's variations, which are what one worker makes, in order", async () => {
  const tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder, TONWERK_WORKERS: "3" } });
  const make = (action: string, note: string | null) => tonwerk.perform(action, { n_variations: 3, seed: 5, note });
  try {
    const [apart, together] = [await make("test.apart", null), await make("test.together", null)];
    for (const { status, error, outputs } of [apart, together]) {
      assert.equal(status, "ready", JSON.stringify(error));
      assert.deepEqual(
        outputs.map(({ seed, report }: { seed: number; report: { index: number } }) => [seed, report.index]),
        [
          [5, 0],
          [6, 1],
          [7, 2],
        ],
      );
    }
    const samplesOf = async ({ outputs }: Answer["body"]): Promise<unknown[]> => {
      const all: unknown[] = [];
      for (const { url } of outputs) {
        const bytes = new Uint8Array(await (await tonwerk.call("GET", url)).arrayBuffer());
        all.push(await decodedFlac(bytes));
      }
      return all;
    };
    assert.deepEqual(await samplesOf(apart), await samplesOf(together));
    const makers = ({ outputs }: Answer["body"]): number =>
      new Set(outputs.map(({ report }: { report: { own: string } }) => report.own)).size;
    assert.deepEqual([makers(apart), makers(together)], [3, 1]);
    const failed = await make("test.apart", "fail");
    assert.deepEqual([failed.status, failed.error.code, failed.outputs], ["failed", "internal_error", null]);
  } finally {
    await tonwerk.stop();
  }
});
