/** What servers of other protocols have in common: they take and give audio files, and say nothing while they work. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Audio } from "../../../contract/mod.ts";
import { files } from "../../signal/media/mod.ts";
import { wrong } from "./fault.ts";

/** Files are decoded to it. */
export const RATE_OF_FILES = 44_100;
/** The pool's time limit is theirs alone. */
export const NO_LIMIT_MS = 3_600_000;
/** Beyond what was asked for, of a file's length. */
const LONG_SECONDS = 30;
/** Of a file: 96 kHz, two channels, 32 bits. */
const BYTES_A_SECOND = 96_000 * 2 * 4;

export const fileBytesMax = (seconds: number): number => Math.ceil((seconds + LONG_SECONDS) * BYTES_A_SECOND);

/** A file that a server sent, at 44.1 kHz. Foreign code may have made it, so it is read where no foreign code of ours is. */
export async function readFile(what: string, bytes: Uint8Array, seconds: number, signal: AbortSignal): Promise<Audio> {
  if (bytes.length > fileBytesMax(seconds)) throw wrong(`${what} has ${bytes.length} bytes`);
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-sidecar-"));
  try {
    const path = join(folder, "made");
    await writeFile(path, bytes);
    const { decode } = await files.load();
    const limits = { seconds_min: 0.01, seconds_max: seconds + LONG_SECONDS, bytes_max: bytes.length };
    const { audio } = await decode(path, limits, signal).catch((error: Error) => {
      if (signal.aborted) throw signal.reason;
      throw wrong(`${what} cannot be read as audio: ${error.message}`);
    });
    return audio;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A WAV file of single precision, which loses nothing. */
export function wavOf({ sample_rate, channels }: Audio): Uint8Array {
  const [frames, count] = [channels[0]!.length, channels.length];
  const bytes = 4 * frames * count;
  const buffer = new ArrayBuffer(44 + bytes);
  const view = new DataView(buffer);
  const word = (at: number, text: string): void => {
    for (let n = 0; n < 4; n++) view.setUint8(at + n, text.charCodeAt(n));
  };
  word(0, "RIFF");
  view.setUint32(4, 36 + bytes, true);
  word(8, "WAVE");
  word(12, "fmt ");
  view.setUint32(16, 16, true);
  // IEEE float.
  view.setUint16(20, 3, true);
  view.setUint16(22, count, true);
  view.setUint32(24, sample_rate, true);
  view.setUint32(28, 4 * count * sample_rate, true);
  view.setUint16(32, 4 * count, true);
  view.setUint16(34, 32, true);
  word(36, "data");
  view.setUint32(40, bytes, true);
  const samples = new Float32Array(buffer, 44);
  for (const [c, channel] of channels.entries()) for (let n = 0; n < frames; n++) samples[n * count + c] = channel[n]!;
  return new Uint8Array(buffer);
}
