/** What every separating family gives, and what they share. */
import type { Audio, Job, Streamed } from "../../contract/mod.ts";
import { stretchOf, viewsOf, wholeOf } from "../samples.ts";
import { cut, hannWeight, throughBlocks } from "./blocks.ts";
import type { StemName } from "./fields.ts";
import type { LoadedModel } from "./types.ts";

export interface Separator {
  readonly id: string;
  /** In the order that `emit` gives them. */
  readonly stems: readonly StemName[];
  /** It takes `beside`, and blends what the built-in engine found with what it finds itself. */
  readonly blends?: boolean;
  /**
   * Separates a piece of 44.1 kHz, mono or stereo, frame for frame; one at a time. `emit` takes finished frames in
   * order: for each stem as many channels as the piece has, in arrays that it may write to and that are valid until it
   * returns. Rejects with a `ModelError` where the model is at fault; what was emitted by then is void.
   *
   * @param beside given where it `blends`
   */
  separate(audio: Audio, job: Job, emit: Emit, beside?: Beside): Promise<void>;
  /** The same of what is not in memory; absent: that is read first. */
  separateStreamed?(audio: Streamed, job: Job, emit: Emit, beside?: Beside): Promise<void>;
}

/** What the built-in engine found: how much of a bin of the mix is a stem's, 0 to 1. */
export interface Beside {
  /**
   * Shares of `stem` in the bins from 0 on into `out`, in a frame of 4096 samples in the middle of which sample 1024 · `frame` of the piece
   * lies.
   */
  share(stem: "vocals" | "drums" | "bass", frame: number, out: Float32Array): void;
}

/** How much of each stem is taken from a model, among all that give this stem. */
export type Weights = Readonly<Partial<Record<StemName, number>>>;

/** Models that separate together, or a single one. */
export interface Ensemble {
  readonly id: string;
  readonly members: readonly Member[];
}

export interface Member {
  readonly id: string;
  /** Absent: every stem, by 1. */
  readonly weights?: Weights | undefined;
  /** Rejects with a `ModelError` where the model cannot be loaded. */
  open(): Promise<Separator>;
}

export type Emit = (from: number, stems: readonly (readonly Float32Array[])[]) => void;

/** Models are of stereo: mono goes in as two equal channels. All of it in memory. */
export function stereoOf(audio: Audio | Streamed): Stereo {
  const { channels } = wholeOf(audio);
  const left = channels[0]!;
  return [left, channels[1] ?? left];
}

/** Hands on what `throughBlocks` emits (stem by stem, left and right) in as many channels as the piece has. */
export function emitStems(model: LoadedModel, audio: Audio | Streamed, job: Job, emit: Emit) {
  const { frames, channels } = viewsOf(audio);
  const mono = channels === 1;
  return (from: number, made: readonly Float32Array[]): void => {
    const stems: Float32Array[][] = [];
    for (let s = 0; s < made.length; s += 2)
      stems.push(mono ? [middle(made[s]!, made[s + 1]!)] : [made[s]!, made[s + 1]!]);
    for (const channel of made) {
      for (let n = 0; n < channel.length; n++) {
        if (!Number.isFinite(channel[n])) throw model.fault("its output holds values that are not finite");
      }
    }
    emit(from, stems);
    job.progress((from + made[0]!.length) / frames, "separating");
  };
}

export type Stereo = readonly [left: Float32Array, right: Float32Array];

export interface StereoBlocks {
  /** Frames of one block. */
  readonly block: number;
  /** Frames from one block to the next. */
  readonly stride: number;
  /** Frames of silence that are read before and after the piece. */
  readonly lead: number;
  /** Of a block's frames in the sum; Hann's window where absent. */
  readonly weight?: Float64Array;
  /** Blocks in one run; 1 where absent. */
  readonly batch?: number;
  /** Channels that `process` gives. */
  readonly channels: number;
  /** `process` keeps what it gives for the next block. */
  readonly reuses?: boolean;
  /** Stem by stem, left and right, of each block. `from`: frames of the piece that they begin at. */
  process(
    blocks: readonly Stereo[],
    from: readonly number[],
    beside?: Beside,
  ): Promise<readonly (readonly Float32Array[])[]>;
  /** What becomes of finished frames of these channels, from a frame of the piece on; handed on as they are where absent. */
  finish?(from: number, made: readonly Float32Array[], piece: Stereo): readonly Float32Array[];
}

/** What a model does that hears blocks of two channels, each for itself: `separate` and `separateStreamed` of a `Separator`. */
export function separateBlocks(
  model: LoadedModel,
  plan: StereoBlocks,
): (audio: Audio | Streamed, job: Job, emit: Emit, beside?: Beside) => Promise<void> {
  const { block, lead, weight = hannWeight(block), batch = 1, channels, reuses, process, finish } = plan;
  return async (audio, job, emit, beside) => {
    const sound = viewsOf(audio);
    // Only what becomes of finished frames asks for all of it.
    const piece = finish === undefined ? undefined : stereoOf(audio);
    const stretch = (from: number): Stereo => {
      const [left, right = left] = stretchOf(sound, from, from + block);
      const before = Math.min(0, from);
      return [cut(left!, before, block), cut(right!, before, block)];
    };
    const deliver = emitStems(model, audio, job, emit);
    await throughBlocks(
      { frames: sound.frames, block, stride: plan.stride, lead, tail: lead, weight, centre: 0, batch, reuses },
      channels,
      (from) => ({ from, cut: stretch(from) }),
      (blocks) => {
        job.signal.throwIfAborted();
        return process(
          blocks.map((one) => one.cut),
          blocks.map(({ from }) => from),
          beside,
        );
      },
      (from, made) => deliver(from, piece === undefined ? made : finish!(from, made, piece)),
    );
  };
}

/** The whole of a separation, stem by stem and channel by channel: 4 bytes for each sample of each. */
export async function separateWhole(separator: Separator, audio: Audio, job: Job): Promise<Float32Array[][]> {
  const frames = audio.channels[0]!.length;
  const whole = separator.stems.map(() => audio.channels.map(() => new Float32Array(frames)));
  await separator.separate(audio, job, (from, stems) => {
    for (const [s, channels] of stems.entries()) {
      for (const [c, channel] of channels.entries()) whole[s]![c]!.set(channel, from);
    }
  });
  return whole;
}

function middle(left: Float32Array, right: Float32Array): Float32Array {
  const out = new Float32Array(left.length);
  for (let n = 0; n < out.length; n++) out[n] = (left[n]! + right[n]!) / 2;
  return out;
}
