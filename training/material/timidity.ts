/**
 * Plays parts with TiMidity++ (GPL, run as a command) and a set of Gravis patches named by its configuration, such as Debian's `freepats`.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Part } from "./compose.ts";
import { eventsOf } from "./events.ts";

const RATE = 44_100;
/** Ticks a quarter: at 120 BPM, which is what a file without a tempo has, one tick is one sample. */
const DIVISION = RATE / 2;

/** Adds the parts to `left` and `right` [frames], 44.1 kHz. Throws where TiMidity++ is missing or fails. */
export async function playTimidity(
  parts: readonly Part[],
  configuration: string,
  [left, right]: readonly [Float32Array, Float32Array],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-timidity-"));
  try {
    const [midi, raw] = [join(folder, "a.mid"), join(folder, "a.raw")];
    await writeFile(midi, fileOf(parts));
    await promisify(execFile)("timidity", ["-c", configuration, "-s", String(RATE), "-Or1sl", "-o", raw, midi]);
    const bytes = await readFile(raw);
    const frames = Math.min(left.length, Math.floor(bytes.length / 4));
    for (let n = 0; n < frames; n++) {
      left[n]! += bytes.readInt16LE(4 * n) / 32768;
      right[n]! += bytes.readInt16LE(4 * n + 2) / 32768;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A standard MIDI file of one track. */
function fileOf(parts: readonly Part[]): Uint8Array {
  const { events, channels } = eventsOf(parts, RATE);
  const track: number[] = [];
  for (const { channel, program, level, pan } of channels) {
    if (program >= 0) track.push(0, 0xc0 | channel, program);
    track.push(0, 0xb0 | channel, 7, level, 0, 0xb0 | channel, 10, Math.min(127, pan));
  }
  let last = 0;
  for (const { frame, channel, key, velocity } of events) {
    track.push(...lengthOf(frame - last), (velocity > 0 ? 0x90 : 0x80) | channel, key, velocity);
    last = frame;
  }
  // Two seconds for what still sounds, and the end of the track.
  track.push(...lengthOf(2 * RATE), 0xff, 0x2f, 0);
  const head = [0x4d, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, DIVISION >> 8, DIVISION & 255];
  const size = [24, 16, 8, 0].map((shift) => (track.length >> shift) & 255);
  return Uint8Array.from([...head, 0x4d, 0x54, 0x72, 0x6b, ...size, ...track]);
}

/** A quantity of variable length: seven bits a byte, all but the last with the high bit set. */
function lengthOf(ticks: number): number[] {
  const bytes = [ticks & 127];
  for (let rest = ticks >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128);
  return bytes;
}
