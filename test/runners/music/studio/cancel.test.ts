/** Long work looks at its signal often: counted in pauses offered, never in time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { breathing } from "../../../../runners/breathe.ts";
import { composer } from "../../../../runners/music/compose/mod.ts";
import { Buses } from "../../../../runners/music/mix/buses.ts";
import { channelOf } from "../../../../runners/music/mix/channel.ts";
import { BLOCK } from "../../../../runners/music/mix/steps.ts";
import { Strip } from "../../../../runners/music/mix/strip.ts";
import { amplify } from "../../../../runners/music/play/amp.ts";
import { RATE } from "../../../../runners/music/play/mod.ts";
import { synthesising } from "../../../../runners/music/play/synth/synth.ts";
import { record } from "../../../../runners/music/studio/record.ts";
import { noise, partOf, scoreOf } from "../mix/material.ts";

function pauses(work: Iterator<undefined, unknown>): number {
  let count = 0;
  while (work.next().done !== true) count++;
  return count;
}

test("synthesis, amplifiers and the desk offer a pause for every few seconds of sound at least", () => {
  const seconds = 12;
  const frames = seconds * RATE;
  const event = { frame: 0, frames: frames / 2, velocity: 0.8, turn: 0, shift: 0 };
  for (const instrument of ["drone", "warm_pad", "space_texture", "riser", "saw_lead", "house_kit"] as const) {
    const pitches = instrument === "house_kit" ? [36, 38] : [45, 52];
    const events = pitches.map((pitch, n) => ({ ...event, frame: (n * frames) / 2, pitch }));
    const count = pauses(synthesising({ instrument, events, frames, ring: 0, bpm: 120, seed: 1 }));
    assert.ok(count >= 2, `${instrument}: ${count}`);
  }
  const take = new Float32Array(frames).fill(0.01);
  assert.ok(pauses(amplify([take], RATE, "distorted", false)) >= seconds);
  const part = partOf("chords");
  const score = scoreOf([part]);
  const work = new Strip(score, new Buses(frames, false)).add(part, [noise(seconds, 0.2, 3)], channelOf(part, score));
  assert.ok(pauses(work) >= 2 * Math.floor(frames / BLOCK));
});

test("breathing() stops between two steps, and hands on what the work returns", async () => {
  const ended = new AbortController();
  let steps = 0;
  const busy = function* (): Generator<undefined, string> {
    // Steps as long as the thread may work without a pause: no clock is looked at here, the signal alone ends it.
    for (; steps < 1e9; steps++) yield undefined;
    return "never";
  };
  setImmediate(() => ended.abort(new Error("enough")));
  await assert.rejects(breathing(busy(), ended.signal), /enough/u);
  assert.ok(steps < 1e9);
  const short = function* (): Generator<undefined, number> {
    yield undefined;
    return 7;
  };
  assert.equal(await breathing(short(), new AbortController().signal), 7);
});

test("record() begins nothing more once it was cancelled, at whichever stage", async () => {
  const { understand, compose } = await composer.load();
  const score = compose(understand("ambient with warm pads and drones"), { seconds: 6 }, 3);
  const all: string[] = [];
  const calm = new AbortController().signal;
  await record(score, 3, { signal: calm, progress: (_, stage) => void all.push(stage) });
  assert.ok(all.length >= 4, all.join());
  for (const index of [0, 1, all.length - 1]) {
    const stage = all[index]!;
    const ended = new AbortController();
    const seen: string[] = [];
    const progress = (_: number, name: string): void => {
      seen.push(name);
      if (seen.length === index + 1) setImmediate(() => ended.abort(new Error("cancelled")));
    };
    await assert.rejects(record(score, 3, { signal: ended.signal, progress }), /cancelled/u, stage);
    assert.equal(seen.length, index + 1, `${stage}: ${seen.slice(index + 1)}`);
  }
});
