import { readByFfmpeg } from "./by_ffmpeg.ts";
import { ffmpeg } from "./ffmpeg.ts";
import { readFlac } from "./flac.ts";
import { Beyond, type Form, type Intake, type Sink } from "./intake.ts";
import { mpg123, NoDecoder, readMp3 } from "./mp3.ts";
import type { Format } from "./sniff.ts";
import { readWav } from "./wav.ts";

/**
 * Which decoders read a file:
 * - `best`: those that run in this thread; ffmpeg, where there is one, for what is beyond them
 * - `own`: never ffmpeg, as on a machine without one
 * - `ffmpeg`: nothing else, to hold ours against
 */
export type Choice = "best" | "own" | "ffmpeg";

/**
 * Reads a file into a sink that `fresh` makes; into another one where a first decoder gave up on it.
 *
 * @throws SourceError; the signal's reason on abort
 */
export async function read(
  path: string,
  format: Format,
  seconds_max: number,
  choice: Choice,
  signal: AbortSignal,
  fresh: () => Intake,
): Promise<Form & { readonly seconds: number }> {
  const byFfmpeg = async (): Promise<Form & { readonly seconds: number }> => {
    const intake = fresh();
    await readByFfmpeg(path, format, seconds_max, intake, signal);
    return intake.finish(format);
  };
  if (choice === "ffmpeg") return await byFfmpeg();
  try {
    const intake = fresh();
    await OWN[format](path, intake, signal, seconds_max);
    return intake.finish(format);
  } catch (error) {
    const other = error instanceof Beyond || error instanceof NoDecoder;
    if (choice === "own" || !other || !(await there())) throw error;
  }
  return await byFfmpeg();
}

type Read = (path: string, sink: Sink, signal: AbortSignal, seconds_max: number) => Promise<void>;

const OWN: Readonly<Record<Format, Read>> = {
  wav: readWav,
  flac: readFlac,
  mp3: readMp3,
};

/** What reads each format here, in words; null where nothing does. */
export interface Codecs {
  readonly wav: string;
  readonly flac: string;
  readonly mp3: string | null;
  /** What is asked where the others give up. */
  readonly fallback: string | null;
}

export async function codecs(): Promise<Codecs> {
  const version = await mpg123();
  const fallback = await ffmpeg().then(
    (found) => `ffmpeg ${found.version}`,
    () => null,
  );
  const mp3 = version === undefined ? fallback : `mpg123-decoder ${version}`;
  return { wav: "built-in", flac: "built-in", mp3, fallback };
}

async function there(): Promise<boolean> {
  return await ffmpeg().then(
    () => true,
    () => false,
  );
}
