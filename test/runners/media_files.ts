/** Files to decode, made here or by ffmpeg, and what comes of them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import type { Limits } from "../../contract/mod.ts";
import type { FlacSource } from "../../runners/signal/flac/mod.ts";
import { decode, probe } from "../../runners/signal/media/decode.ts";
import { encodeFlac } from "../../runners/signal/media/encode.ts";
import { ffmpeg } from "../../runners/signal/media/ffmpeg.ts";
import { inFolder, wav } from "../audio.ts";

export const exec = promisify(execFile);
export const LIMITS: Limits = { seconds_min: 0.1, seconds_max: 20, bytes_max: 5_000_000 };
export const signal = new AbortController().signal;
export const program = await ffmpeg().then(
  ({ path }) => path,
  () => undefined,
);

/** Decodes `bytes` from a file whose name says WAV, whatever they are. */
export async function decoded(bytes: Uint8Array | string, limits: Limits = LIMITS) {
  return await inFolder(async (path) => {
    await writeFile(path("source.wav"), bytes);
    const facts = await settled(probe(path("source.wav"), limits, signal));
    const whole = await settled(decode(path("source.wav"), limits, signal));
    // probe and decode say the same of every file.
    assert.deepEqual(
      "error" in facts ? facts.error : facts,
      "error" in whole ? whole.error : { value: whole.value.facts },
    );
    // With and without ffmpeg the same samples come out of a file, or none.
    const alone = await settled(decode(path("source.wav"), limits, signal, "own"));
    assert.deepEqual("error" in alone ? codeOf(alone.error) : alone, "error" in whole ? codeOf(whole.error) : whole);
    if ("error" in whole) throw whole.error;
    return whole.value;
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : error;
}

async function settled<T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

export const pcmOf = (channels: readonly Float32Array[], bits: 16 | 24 = 24): FlacSource => ({
  frames: channels[0]!.length,
  channels: channels.length,
  bits,
  samples(from, to, out) {
    const full = 2 ** (bits - 1);
    for (const [index, channel] of channels.entries()) {
      for (let n = from; n < to; n++) {
        // Adding 0 turns -0 into 0, as files do.
        out[index]![n - from] = Math.max(-full, Math.min(full - 1, Math.round(channel[n]! * full))) / full + 0;
      }
    }
  },
});

export const worst = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, sample, n) => Math.max(most, Math.abs(sample - b[n]!)), 0);

export async function mp3(
  channels: readonly Float32Array[],
  context: TestContext,
  ...options: string[]
): Promise<Uint8Array | undefined> {
  if (program === undefined) {
    context.skip("there is no ffmpeg to make the file with");
    return undefined;
  }
  const { stdout } = await exec(program, ["-hide_banner", "-v", "error", "-encoders"]);
  if (!stdout.includes("libmp3lame")) {
    context.skip("this ffmpeg has no MP3 encoder to make the file with");
    return undefined;
  }
  return await inFolder(async (path) => {
    await writeFile(path("in.wav"), wav(channels));
    await exec(program, [
      "-v",
      "error",
      "-nostdin",
      "-i",
      path("in.wav"),
      "-c:a",
      "libmp3lame",
      ...options,
      path("out.mp3"),
    ]);
    return await readFile(path("out.mp3"));
  });
}

export async function flac(channels: readonly Float32Array[], bits: 16 | 24 = 24): Promise<Uint8Array> {
  return await inFolder(async (path) => {
    await encodeFlac(pcmOf(channels, bits), 44_100, path("x.flac"), {}, signal);
    return await readFile(path("x.flac"));
  });
}
