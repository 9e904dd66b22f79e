/** The answer of one job in our protocol: its lines, and the audio that they announce. */
import type { IncomingHttpHeaders } from "node:http";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Audio, Job } from "../../../contract/mod.ts";
import { Body, checkCoding, refusalOf, type Taker } from "./exchange.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { FRAMES_TYPE, FramesReader } from "./frames.ts";
import { HEALTH_BYTES_MAX, RATES } from "./speaker.ts";

export interface OwnOptions {
  readonly silence_ms: number;
  /** Told of what a server should not say and is forgiven. */
  readonly onPeccadillo?: (what: string) => void;
}

/** The lines of one job's answer. */
export class JobReader {
  readonly made: Made[] = [];
  readonly #options: OwnOptions;
  readonly #job: Job;
  readonly #make: (line: AudioLine) => Made;
  #fraction = 0;
  #is_done = false;

  constructor(options: OwnOptions, job: Job, make: (line: AudioLine) => Made) {
    this.#options = options;
    this.#job = job;
    this.#make = make;
  }

  begin(status: number, headers: IncomingHttpHeaders): Taker {
    if (status >= 300 && status < 400) throw wrong(`it answers ${status}, a redirect, which is not followed`);
    if (status !== 200) {
      const body = new Body(headers, HEALTH_BYTES_MAX);
      return {
        take: (piece) => body.take(piece),
        end() {
          throw refusalOf({ status, headers, body });
        },
      };
    }
    checkCoding(headers);
    const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
    if (type !== FRAMES_TYPE) throw wrong(`its answer is ${quote(type ?? null)}, expected ${FRAMES_TYPE}`);
    const frames = new FramesReader(
      (line) => this.#read(line),
      () => this.#is_done,
    );
    return {
      take: (piece) => {
        // What follows `done` is nobody's.
        if (!this.#is_done) frames.push(piece);
        return this.#is_done;
      },
      end() {
        if (frames.is_open) throw new SidecarFault("lost", "its answer ends in the middle of a line or of audio");
      },
    };
  }

  /** @throws SidecarFault where it never said that it was done */
  finish(): void {
    if (!this.#is_done) throw new SidecarFault("lost", "its answer ends before it says that it is done");
  }

  #read(line: Readonly<Record<string, unknown>>): Uint8Array | undefined {
    switch (line.type) {
      case "progress":
        this.#progress(line.fraction, line.stage);
        return undefined;
      case "audio": {
        const fault = Value.Errors(AudioLine, line).First();
        if (fault !== undefined)
          throw wrong(`its audio says ${quote(fault.value ?? null)} in "${fault.path.slice(1)}": ${fault.message}`);
        const audio = line as AudioLine;
        const bytes = 4 * audio.channels * audio.frames;
        if (audio.bytes !== bytes) throw wrong(`its audio says ${audio.bytes} bytes, its frames have ${bytes}`);
        if (this.made.length > 0 && audio.stem === undefined) throw wrong("it sends audio twice");
        const made = this.#make(audio);
        this.made.push(made);
        return made.bytes;
      }
      case "done":
        this.#is_done = true;
        return undefined;
      case "error":
        if (line.code === "out_of_memory") throw wrong(`it is out of memory: ${quote(line.message ?? "")}`);
        throw wrong(`it failed (${quote(line.code ?? null)}): ${quote(line.message ?? "")}`);
      default:
        // A later version may say more; of what has bytes nobody would know what they are.
        if (line.bytes !== undefined) throw wrong(`it sends ${quote(line.type ?? null)}, which is not known`);
        this.#options.onPeccadillo?.(`a line of the type ${quote(line.type ?? null)}`);
        return undefined;
    }
  }

  /** Whoever watches sees it rise and never beyond the end, whatever the server says. */
  #progress(fraction: unknown, stage: unknown): void {
    const told = typeof fraction === "number" && Number.isFinite(fraction) ? fraction : undefined;
    if (told === undefined || told < this.#fraction || told > 1) {
      this.#options.onPeccadillo?.(`progress of ${quote(fraction ?? null)} after ${this.#fraction}`);
      if (told === undefined || told < this.#fraction) return;
    }
    this.#fraction = Math.min(1, told);
    this.#job.progress(this.#fraction, typeof stage === "string" ? cleanStage(stage) : "working");
  }
}

/** One announced audio, filled as its bytes come: channel after channel, single precision, little-endian. */
export class Made {
  readonly bytes: Uint8Array;
  readonly #sample_rate: number;
  readonly #channels: Float32Array[];

  constructor(sample_rate: number, channels: number, frames: number) {
    const all = new Float32Array(channels * frames);
    this.bytes = new Uint8Array(all.buffer);
    this.#sample_rate = sample_rate;
    this.#channels = Array.from({ length: channels }, (_, c) => all.subarray(c * frames, (c + 1) * frames));
  }

  audio(): Audio {
    return { sample_rate: this.#sample_rate, channels: this.#channels };
  }
}

export type AudioLine = Static<typeof AudioLine>;
export const AudioLine = Type.Object({
  type: Type.Literal("audio"),
  stem: Type.Optional(Type.String({ maxLength: 100 })),
  sample_rate: Type.Integer({ minimum: RATES.min, maximum: RATES.max }),
  channels: Type.Integer({ minimum: 1, maximum: 2 }),
  frames: Type.Integer({ minimum: 1, maximum: 2 ** 31 }),
  bytes: Type.Integer({ minimum: 0 }),
});

/** Clients read it: words alone, no address and no path. */
function cleanStage(stage: string): string {
  return /^\p{L}[\p{L} ,'-]{0,59}$/u.test(stage) ? stage : "working";
}
