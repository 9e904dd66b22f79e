import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAction, runAction, tone } from "@tonwerk/plugin/testing";
import tremolo from "./action.ts";

const source = { url: "https://example.com/song.wav" };

test("acme.tremolo takes a rate, and no full depth above 10 Hz", () =>
  checkAction(tremolo, {
    refuses: [
      [{ source }, [["rate_hz", "missing"]]],
      [{ source, rate_hz: 11, depth: 1 }, [["depth", "value_error"]]],
    ],
  }));

test("at 1 Hz and full depth it is silent in the middle of a second", async () => {
  const before = tone(440, 1, { channels: 1 });
  const request = { source, rate_hz: 1, depth: 1 };
  const { outputs } = await runAction(tremolo, { request, sources: { source: before } });
  const [after] = outputs[0]!.audio.channels;
  assert.ok(Math.abs(after![22_050]!) < 1e-6);
  assert.equal(after![0], before.channels[0]![0]);
});
