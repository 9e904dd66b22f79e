/**
 * CPU of the synthesised instruments, as a multiple of realtime: each alone over two minutes of a part that is typical for it, and the seven
 * parts of an electronic piece together.
 *
 *   bun bench/play_synth.ts [instrument …]        deno run -A --no-check bench/play_synth.ts …
 */
import { type Instrument, instruments } from "../runners/music/compose/instruments.ts";
import { type PlayedNote, RATE } from "../runners/music/play/performance.ts";
import { isSynthesised, synthesise } from "../runners/music/play/synth/synth.ts";
import { ownCpuSeconds } from "./measure.ts";

const SECONDS = 120;
const BEAT = 0.5;
const CHORDS = [
  [57, 60, 64, 69],
  [53, 57, 60, 65],
  [48, 55, 60, 64],
  [55, 59, 62, 67],
];

function note(beat: number, beats: number, pitch: number, velocity: number, turn: number): PlayedNote {
  return { frame: Math.round(beat * BEAT * RATE), frames: Math.round(beats * BEAT * RATE), pitch, velocity, turn };
}

/** A part as the band writes it: what is played where, with the small differences of force that a player has. */
function part(instrument: Instrument): PlayedNote[] {
  const out: PlayedNote[] = [];
  const beats = SECONDS / BEAT;
  const force = (n: number): number => 0.62 + 0.3 * (((n * 7919) % 101) / 101);
  if (/_kit$/.test(instrument)) {
    for (let n = 0; n < beats * 4; n++) {
      if (n % 4 === 0) out.push(note(n / 4, 0.2, 36, 0.9, n));
      if (n % 8 === 4) out.push(note(n / 4, 0.2, n % 16 === 4 ? 38 : 39, 0.8, n));
      out.push(note(n / 4, 0.2, n % 4 === 2 ? 46 : 42, force(n), n));
      if (n % 64 === 0) out.push(note(n / 4, 0.2, 49, 0.8, n));
    }
  } else if (/bass$/.test(instrument)) {
    for (let n = 0; n < beats * 2; n++) out.push(note(n / 2, 0.45, CHORDS[(n >> 3) % 4]![0]! - 24, force(n), n));
  } else if (/texture|noise|hiss|drone/.test(instrument)) out.push(note(0, beats, 45, 0.8, 0));
  else if (/riser|downlifter|impact|sub_drop|reverse/.test(instrument)) {
    for (let n = 0; n < beats; n += 32) out.push(note(n, 8, 60, 0.8, n));
  } else if (/pad$|supersaw|brass|piano/.test(instrument)) {
    for (let n = 0; n < beats; n += 4) for (const pitch of CHORDS[(n / 4) % 4]!) out.push(note(n, 3.9, pitch, 0.8, n));
  } else if (/pluck|bell|clavinet/.test(instrument)) {
    for (let n = 0; n < beats * 4; n++)
      out.push(note(n / 4, 0.22, CHORDS[(n >> 4) % 4]![n % 4]! + 12 * (n & 1), force(n), n));
  } else for (let n = 0; n < beats; n++) out.push(note(n, 0.9, CHORDS[(n >> 2) % 4]![n % 4]! + 12, force(n), n));
  return out;
}

function cost(instruments: readonly Instrument[]): number {
  const before = ownCpuSeconds();
  for (const instrument of instruments) {
    const events = part(instrument);
    synthesise({ instrument, events, frames: SECONDS * RATE, ring: 0, bpm: 60 / BEAT, seed: 3 });
  }
  return ownCpuSeconds() - before;
}

const asked = process.argv.slice(2) as Instrument[];
for (const instrument of instruments().filter(isSynthesised)) {
  if (asked.length > 0 && !asked.includes(instrument)) continue;
  cost([instrument]);
  const least = Math.min(cost([instrument]), cost([instrument]));
  console.log(`${instrument.padEnd(18)} ${(SECONDS / least).toFixed(0).padStart(6)} x`);
}
if (asked.length === 0) {
  const piece: Instrument[] = ["house_kit", "synth_bass", "supersaw", "pluck", "warm_pad", "saw_lead", "vinyl_noise"];
  const least = Math.min(cost(piece), cost(piece));
  console.log(`${"all of a piece".padEnd(18)} ${(SECONDS / least).toFixed(1).padStart(6)} x  (${piece.join(", ")})`);
}
