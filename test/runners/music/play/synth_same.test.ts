import assert from "node:assert/strict";
import { test } from "node:test";
import { type Instrument, instruments } from "../../../../runners/music/compose/instruments.ts";
import { type PlayedNote, RATE } from "../../../../runners/music/play/performance.ts";
import { isSynthesised, synthesise } from "../../../../runners/music/play/synth/synth.ts";

const SYNTHESISED = instruments().filter(isSynthesised);

/**
 * FNV-1a over the bits of all samples of a second and a half. A change of sound changes them: run on both runtimes,
 * then write them anew.
 */
const PRINTS: Readonly<Record<string, string>> = {
  synth_bass: "5e7fbbc8",
  sub_bass: "e55bc54d",
  acid_bass: "b760f037",
  reese_bass: "a82cf235",
  saw_lead: "7eecd85",
  square_lead: "61f3229",
  soft_lead: "8ba4250f",
  chip_lead: "46cfa31e",
  supersaw: "9692d06e",
  pluck: "a98fd894",
  bell_synth: "f55ee953",
  fm_piano: "ef8d7f20",
  electric_piano: "72664137",
  clavinet: "55852f88",
  brass_synth: "5889d9e",
  warm_pad: "21a0dbc7",
  glass_pad: "542ed866",
  dark_pad: "ca8031e2",
  drone: "58ac9479",
  electronic_kit: "ee23bd0f",
  finger_snaps: "a53d0537",
  house_kit: "5d0e0d27",
  trap_kit: "ebde7051",
  lofi_kit: "7eea7f34",
  breakbeat_kit: "d30627cb",
  vinyl_noise: "a9bc74bc",
  rain_texture: "df322b48",
  wind_texture: "8f869574",
  tape_hiss: "c93db055",
  sea_texture: "42aecf38",
  crowd_texture: "a621df72",
  fire_texture: "e6f5e187",
  birds_texture: "cf8b6d3b",
  night_texture: "8c2ebacb",
  city_texture: "8d3e04f",
  space_texture: "4e7fe6d1",
  riser: "d96e4609",
  downlifter: "df183607",
  impact: "32904833",
  sub_drop: "f78dc9c9",
  reverse_cymbal: "5312f3d9",
};

function print(instrument: Instrument): string {
  const pitches = /_kit$/.test(instrument)
    ? [36, 38, 46, 42, 49]
    : /bass$/.test(instrument)
      ? [33, 40, 28]
      : [57, 64, 76];
  const events = pitches.map(
    (pitch, n): PlayedNote => ({ frame: n * 9001, frames: 12_000, pitch, velocity: 0.5 + 0.1 * n, turn: n }),
  );
  const stem = synthesise({ instrument, events, frames: Math.round(1.5 * RATE), ring: 0, bpm: 123, seed: 77 });
  let hash = 0x811c9dc5;
  for (const channel of stem)
    for (const byte of new Uint8Array(channel.buffer)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16);
}

test("the same seed gives the same samples on every runtime, for every synthesised instrument", () => {
  const prints = Object.fromEntries(SYNTHESISED.map((instrument) => [instrument, print(instrument)]));
  assert.deepEqual(prints, PRINTS);
});
