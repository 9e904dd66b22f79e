import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAction, noise, runAction } from "@tonwerk/plugin/testing";
import bands from "./action.ts";

const source = { url: "https://example.com/song.wav" };

test("acme.bands divides between 20 Hz and 20 kHz", () =>
  checkAction(bands, { refuses: [[{ source, hertz: 10 }, [["hertz", "greater_than_equal"]]]] }));

test("the bands sum to the source, and one alone costs less", async () => {
  const whole = noise(0.5, { channels: 1 });
  const both = await runAction(bands, { request: { source }, sources: { source: whole } });
  const [low, high] = both.outputs.map(({ audio }) => audio.channels[0]!);
  assert.ok(whole.channels[0]!.every((sample, at) => Math.abs(sample - low![at]! - high![at]!) < 1e-6));
  const one = await runAction(bands, { request: { source, only: "low" }, sources: { source: whole } });
  assert.deepEqual([both.cost, one.cost, one.outputs.length], [2, 1, 1]);
});
