/** Variations that are too much alike are made anew. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Audio, Output } from "../../../../contract/mod.ts";
import { unlike } from "../../../../runners/music/remix/unlike.ts";
import { makeAll, noise } from "../../../audio.ts";

const SECONDS = 7;
/** Noise of `seed`, with so much of the noise of another in it that the two correlate by `share`. */
function like(seed: number, other: number, share: number): Audio {
  const [own, its] = [noise(seed, SECONDS), noise(other, SECONDS)];
  return {
    sample_rate: 44_100,
    channels: [own.map((value, n) => Math.sqrt(1 - share ** 2) * value + share * its[n]!)],
  };
}
const of = (audio: Audio): Output => ({ audio, engine: "test/1" });
const source = like(1, 1, 0);

/** What `unlike` makes of tries that are like the source by `shares`; and which tries it asked for. */
async function tried(
  shares: readonly number[],
): Promise<{ made: Audio; asked: readonly number[]; tries: readonly Audio[] }> {
  const tries = shares.map((share, again) => like(100 + again, 1, share));
  const kept = tries.map(({ channels }) => channels[0]!.slice());
  const asked: number[] = [];
  const [made] = await makeAll(
    unlike(source, 1, 5, async (_, again) => {
      asked.push(again);
      return of(tries[again]!);
    }),
  );
  const whole = kept.map((channel) => ({ sample_rate: 44_100, channels: [channel] }));
  return { made: made!.audio, asked, tries: whole };
}

test("what is unlike its source is made once", async () => {
  const { made, asked, tries } = await tried([0.3, 0]);
  assert.deepEqual(asked, [0]);
  assert.deepEqual(made.channels, tries[0]!.channels);
});

test("the first try that is unlike enough stands", async () => {
  const { made, asked, tries } = await tried([0.9, 0.6, 0.2, 0]);
  assert.deepEqual(asked, [0, 1, 2]);
  assert.deepEqual(made.channels, tries[2]!.channels);
});

test("of six tries that are all too much alike the least alike stands", async () => {
  const { made, asked, tries } = await tried([0.9, 0.8, 0.6, 0.95, 0.7, 0.9, 0]);
  assert.deepEqual(asked, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(made.channels, tries[2]!.channels);
});

test("a variation is held against those before it too, whichever of them it is like", async () => {
  const asked: string[] = [];
  const outputs = await makeAll(
    unlike(source, 3, 5, async (index, again) => {
      asked.push(`${index}.${again}`);
      return of(index === 2 && again === 0 ? like(50, 10, 0.8) : like(10 + 10 * index + again, 2, 0));
    }),
  );
  assert.deepEqual(asked, ["0.0", "1.0", "2.0", "2.1"]);
  assert.deepEqual(outputs[2]!.audio.channels, like(31, 2, 0).channels);
});
