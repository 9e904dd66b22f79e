import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAction, runAction, silence } from "@tonwerk/plugin/testing";
import action from "./action.ts";

const source = { url: "https://example.com/song.flac" };

test("it takes what it says, and refuses the rest", () =>
  checkAction(action, {
    accepts: [{ source, delay_seconds: 1, decay: 0 }],
    refuses: [[{ source, decay: 1 }, [["decay", "less_than_equal"]]]],
  }));

test("an impulse comes again, softer each time", async () => {
  const quiet = silence(1, { channels: 1 });
  const channel = quiet.channels[0]!.slice();
  channel[0] = 0.5;
  const { outputs } = await runAction(action, {
    request: { source, delay_seconds: 0.1, decay: 0.5 },
    sources: { source: { ...quiet, channels: [channel] } },
  });
  const made = outputs[0]!.audio.channels[0]!;
  assert.deepEqual([made[0], made[4410], made[8820], made[1]], [0.5, 0.25, 0.125, 0]);
});
