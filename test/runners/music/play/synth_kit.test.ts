import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Instrument } from "../../../../runners/music/compose/instruments.ts";
import { type PlayedNote, RATE } from "../../../../runners/music/play/performance.ts";
import { synthesise } from "../../../../runners/music/play/synth/synth.ts";

const KITS: readonly Instrument[] = ["electronic_kit", "house_kit", "trap_kit", "lofi_kit", "breakbeat_kit"];

function stroke(seconds: number, pitch: number, velocity = 0.8, turn = 0): PlayedNote {
  return { frame: Math.round(seconds * RATE), frames: 2000, pitch, velocity, turn };
}

function play(instrument: Instrument, events: readonly PlayedNote[], seconds: number): readonly Float32Array[] {
  return synthesise({ instrument, events, frames: Math.round(seconds * RATE), ring: 0, bpm: 120, seed: 9 });
}

function power(samples: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let n = Math.round(from * RATE); n < Math.round(to * RATE); n++) sum += samples[n]! ** 2;
  return sum;
}

/** Crossings of zero a second, halved: where most of a sound's power is one tone, its pitch. */
function crossings(samples: Float32Array, from: number, to: number): number {
  let count = 0;
  for (let n = Math.round(from * RATE) + 1; n < Math.round(to * RATE); n++)
    if (samples[n]! >= 0 !== samples[n - 1]! >= 0) count++;
  return count / (2 * (to - from));
}

describe("drum machines", () => {
  test("play every key of the General MIDI percussion map, each with its own sound", () => {
    for (const kit of KITS) {
      const seen = new Set<string>();
      for (let key = 35; key <= 81; key++) {
        const stem = play(kit, [stroke(0, key)], 0.4);
        const loud = power(stem[0]!, 0, 0.4) + power(stem[1]!, 0, 0.4);
        assert.ok(loud > 0.02, `${kit} ${key}: ${loud}`);
        seen.add(`${loud} ${stem[0]![777]}`);
      }
      assert.equal(seen.size, 47, kit);
    }
  });

  test("play keys beyond the map with what is nearest in kind", () => {
    for (const key of [0, 27, 34, 83, 100, 127, 42.3])
      assert.ok(power(play("house_kit", [stroke(0, key)], 0.3)[0]!, 0, 0.3) > 0.01);
  });

  test("choke the open hat by the closed one, within 10 ms", () => {
    for (const kit of KITS) {
      const free = play(kit, [stroke(0, 46)], 0.6)[0]!;
      const choked = play(kit, [stroke(0, 46), stroke(0.1, 42)], 0.6)[0]!;
      const alone = play(kit, [stroke(0.1, 42)], 0.6)[0]!;
      const left = choked.map((value, n) => value - alone[n]!);
      assert.ok(power(free, 0.115, 0.3) > 1e-3, `${kit}: it would have rung on`);
      assert.ok(power(left, 0.115, 0.3) < 1e-9, `${kit}: ${power(left, 0.115, 0.3)}`);
    }
  });

  test("have kicks of 43 to 66 Hz under a click, snares with wires, hats of air alone", () => {
    for (const kit of KITS) {
      const kick = play(kit, [stroke(0, 36)], 0.5)[0]!;
      const hertz = crossings(kick, 0.12, 0.26);
      assert.ok(hertz > 43 && hertz < 66, `${kit}: kick at ${hertz} Hz`);
      assert.ok(crossings(kick, 0, 0.01) > 150, `${kit}: the beater`);
      const hat = play(kit, [stroke(0, 42)], 0.2)[0]!;
      const top = crossings(hat, 0.001, 0.03);
      assert.ok(top > (kit === "lofi_kit" ? 4500 : 7000), `${kit}: hat at ${top} Hz`);
      const snare = play(kit, [stroke(0, 38)], 0.4)[0]!;
      assert.ok(crossings(snare, 0.002, 0.05) > 700, `${kit}: wires`);
    }
  });

  test("vary from turn to turn but not in loudness, and with force in loudness and tone", () => {
    for (const kit of KITS) {
      const one = play(kit, [stroke(0, 42, 0.8, 0)], 0.2)[0]!;
      const other = play(kit, [stroke(0, 42, 0.8, 1)], 0.2)[0]!;
      assert.notDeepEqual(one, other);
      const ratio = power(one, 0, 0.2) / power(other, 0, 0.2);
      assert.ok(ratio > 0.5 && ratio < 2, `${kit}: ${ratio}`);
      const soft = play(kit, [stroke(0, 38, 0.25)], 0.4)[0]!;
      const firm = play(kit, [stroke(0, 38, 1)], 0.4)[0]!;
      assert.ok(power(firm, 0, 0.4) > 8 * power(soft, 0, 0.4), kit);
      assert.ok(crossings(firm, 0, 0.06) !== crossings(soft, 0, 0.06), kit);
    }
  });
});
