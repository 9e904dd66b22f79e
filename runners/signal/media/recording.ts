/** Recordings that instruments are made of: WAV, FLAC or Ogg Vorbis files, each at its own rate. */
import { type FileHandle, open } from "node:fs/promises";
import { readFlac } from "./flac.ts";
import type { Form, Sink } from "./intake.ts";
import { readAt } from "./read_at.ts";
import { sniff } from "./sniff.ts";
import { readVorbis, vorbisForm } from "./vorbis.ts";
import { readWav } from "./wav.ts";

export interface RecordingHead {
  /** Hz. */
  readonly rate: number;
  readonly channels: 1 | 2;
  /** The first loop that a WAV tells of itself: frames from `from` up to and without `to`. */
  readonly loop: { readonly from: number; readonly to: number } | null;
}

/** What is longer is no note of an instrument. Seconds. */
const SECONDS_MAX = 600;
const CHUNKS_MAX = 64;

/** Throws for what is neither WAV nor FLAC nor Ogg Vorbis, has no sound, or has more than two channels. */
export async function readHead(path: string): Promise<RecordingHead> {
  const compressed = await isVorbis(path);
  let form = compressed;
  if (form === undefined)
    await readUntil(path, (given) => {
      form = given;
      return null;
    });
  if (form === undefined) throw new Error(`"${path}" has no sound`);
  const { sample_rate: rate, channels } = form;
  if (channels !== 1 && channels !== 2) throw new Error(`"${path}" has ${channels} channels, more than two`);
  return { rate, channels, loop: compressed === undefined ? await loopOf(path) : null };
}

async function isVorbis(path: string): Promise<Form | undefined> {
  const file = await open(path, "r");
  return vorbisForm(file).finally(() => file.close());
}

/** The first `frames_max` frames of each channel. Throws as `readHead`. */
export async function readRecording(path: string, frames_max: number): Promise<readonly Float32Array[]> {
  if ((await isVorbis(path)) !== undefined) return readVorbis(path, frames_max);
  let planar: readonly Float32Array[] = [];
  let filled = 0;
  await readUntil(path, ({ channels, frames }) => {
    const length = frames === 0 ? frames_max : Math.min(frames, frames_max);
    planar = Array.from({ length: channels }, () => new Float32Array(length));
    return (block, count) => {
      const taken = Math.min(count, length - filled);
      for (const [n, channel] of planar.entries()) channel.set(block[n]!.subarray(0, taken), filled);
      filled += taken;
      return filled < length;
    };
  });
  return planar.map((channel) => channel.subarray(0, filled));
}

/** Takes a block, and says whether it wants more. */
type Take = (block: readonly Float32Array[], frames: number) => boolean;

/** Reads until `begin` has given nothing to go on with, or what it gave has enough. */
async function readUntil(path: string, begin: (form: Form) => Take | null): Promise<void> {
  const enough = new AbortController();
  let take: Take | null = null;
  const stop = (): never => {
    enough.abort(enough);
    throw enough;
  };
  const sink: Sink = {
    begin(form) {
      take = begin(form) ?? stop();
    },
    push(block, frames) {
      if (take?.(block, frames) !== true) stop();
    },
  };
  const file = await open(path, "r");
  const format = await sniff(file).finally(() => file.close());
  try {
    if (format === "wav") await readWav(path, sink, enough.signal);
    else if (format === "flac") await readFlac(path, sink, enough.signal, SECONDS_MAX);
    else throw new Error(`"${path}" is neither WAV nor FLAC nor Ogg Vorbis`);
  } catch (error) {
    if (error !== enough) throw error;
  }
}

/** The chunk "smpl" of a WAV ("New Multimedia Data Types and Data Techniques", 1994): the last frame of its loops belongs to them. */
async function loopOf(path: string): Promise<RecordingHead["loop"]> {
  const file = await open(path, "r");
  try {
    return await findLoop(file);
  } finally {
    await file.close();
  }
}

async function findLoop(file: FileHandle): Promise<RecordingHead["loop"]> {
  const LOOPS = 28;
  const FIRST = 36;
  let at = 12;
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks++) {
    const head = Buffer.from(await readAt(file, at, 8));
    if (head.length < 8) return null;
    const size = head.readUInt32LE(4);
    if (head.toString("latin1", 0, 4) === "smpl") {
      const body = Buffer.from(await readAt(file, at + 8, FIRST + 24));
      if (body.length < FIRST + 16 || body.readUInt32LE(LOOPS) === 0) return null;
      return { from: body.readUInt32LE(FIRST + 8), to: body.readUInt32LE(FIRST + 12) + 1 };
    }
    at += 8 + size + (size & 1);
  }
  return null;
}
