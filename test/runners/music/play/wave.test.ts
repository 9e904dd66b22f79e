/** Recordings that are kept: which go, and whose memory is given back at once. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { RATE } from "../../../../runners/music/play/performance.ts";
import { sample } from "../../../../runners/music/play/sampler.ts";
import { type Wave, waveOf, waves } from "../../../../runners/music/play/sounds/wave.ts";

afterEach(() => waves.forget());

/** 10 MB, of the 48 that are kept. */
const recording = (): Wave => waveOf(new Float32Array(2_500_000).fill(0.5), RATE);

const isThere = ({ data }: Wave): boolean => data.length > 0;

test("what goes gives its memory back while one player plays, and is left to the collector while two do", () => {
  for (const [players, given_back] of [
    [1, 2],
    [2, 0],
  ] as const) {
    const ends = Array.from({ length: players }, () => waves.lend());
    const all = Array.from({ length: 7 }, (_, n) => waves.add(`${players} ${n}`, recording()));
    assert.equal(all.filter((wave) => !isThere(wave)).length, given_back, `${players} players`);
    assert.equal(waves.get(`${players} 1`), undefined);
    assert.equal(waves.get(`${players} 2`), all[2]);
    for (const end of ends) end();
  }
});

test("both channels of a recording stay, however long it is", () => {
  const end = waves.lend();
  const channels = [0, 1].map((n) => waves.add(`long ${n}`, waveOf(new Float32Array(9_000_000), RATE)));
  assert.ok(channels.every(isThere));
  end();
});

test("forgotten recordings are given back, but for those that somebody plays", () => {
  const first = waves.add("first", recording());
  const end = waves.lend();
  waves.forget();
  assert.ok(isThere(first));
  end();
  const second = waves.add("second", recording());
  waves.forget();
  assert.ok(!isThere(second));
  assert.equal(waves.get("second"), undefined);
});

test("strings for an amplifier are played in one channel", async () => {
  const events = [{ frame: 0, frames: RATE, pitch: 52, velocity: 0.8, turn: 0 }];
  const given = { events, frames: RATE, ring: 0, bpm: 120, seed: 3 };
  const { signal } = new AbortController();
  assert.equal((await sample({ ...given, instrument: "distorted_guitar" }, signal)).length, 1);
  assert.equal((await sample({ ...given, instrument: "piano" }, signal)).length, 2);
});
