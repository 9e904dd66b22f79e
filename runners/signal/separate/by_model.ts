import type { Audio, Stem } from "../../../core/plugin.ts";
import type { TaskEngines } from "../../engines.ts";
import { BLOCK, type Block, type Blocks, LastTwo } from "./blocks.ts";
import { divide, peakOf } from "./divide.ts";
import { Kept } from "./kept.ts";
import { Renderer } from "./render.ts";
import type { Rising } from "./rising.ts";
import { type Decided, sharesOf } from "./shares.ts";
import { trained } from "./weights.ts";

/** Who made each stem. */
export type Engines = Readonly<Record<Stem, string>>;
type Separator = TaskEngines["separate"];

/** A model takes most of the time where what it leaves has to be divided as well. */
const MODEL_SHARE = 0.8;

/**
 * The stems of a model, brought into the contract whatever it gives: they sum to the source, `other` getting what no stem claims (guitar
 * and piano among it), none is beyond the source's peak, and what the model does not give is divided by the built-in engine: drums and bass
 * of a model of vocals, say. A model that asks for it (`blend`) gets a share of the built-in engine's own estimates of the whole.
 *
 * Resolves to undefined where the model gives none of the stems. Rejects with a `ModelError`, and with the job's reason where that is aborted.
 */
export async function separateByModel(
  model: Separator,
  built_in: string,
  audio: Audio,
  rising: Rising,
): Promise<{ blocks: Blocks; engines: Engines } | undefined> {
  const plan = planOf(model);
  if (plan === undefined) return undefined;
  const frames = audio.channels[0]!.length;
  const peak = peakOf(audio.channels);
  const given = new Map<Decided, Kept>();
  for (const { kind } of plan.kept) given.set(kind, new Kept(audio.channels.length, frames));
  const blend = plan.whole ? model.blend : undefined;
  const rest = plan.whole ? undefined : audio.channels.map((channel) => channel.slice());

  const job = rising.part(plan.whole && blend === undefined ? 1 : MODEL_SHARE);
  await model.separate(audio, job, (from, stems) => {
    for (const { kind, index, opposite } of plan.kept) {
      const estimate = stems[index]!;
      if (opposite) for (const [c, channel] of estimate.entries()) subtract(audio.channels[c]!, from, channel);
      for (const channel of estimate) bound(channel, peak);
      given.get(kind)!.write(estimate);
      if (rest !== undefined) takeOff(rest, from, estimate);
    }
    if (rest !== undefined && plan.other !== undefined) {
      for (const channel of stems[plan.other]!) bound(channel, peak);
      takeOff(rest, from, stems[plan.other]!);
    }
  });

  const divided = rest === undefined ? undefined : await divideRest(rest, new Set(given.keys()), rising);
  const blended =
    blend === undefined
      ? undefined
      : { by: blend, built_in: new Renderer(audio, await sharesOf(audio, trained(), rising.part(1))) };
  const by = (kind: Decided): string => (given.has(kind) ? model.id : built_in);
  return {
    blocks: new Joined(audio, given, divided, blended, peak),
    engines: {
      vocals: by("vocals"),
      drums: by("drums"),
      bass: by("bass"),
      other: plan.whole ? model.id : built_in,
      instrumental: by("vocals"),
    },
  };
}

interface StemPlan {
  /** `opposite`: the model gives what is left of the mix without it. */
  readonly kept: readonly { readonly kind: Decided; readonly index: number; readonly opposite: boolean }[];
  /** Index of `other`. */
  readonly other: number | undefined;
  /** Vocals, drums and bass are all given. */
  readonly whole: boolean;
}

function planOf({ stems }: Separator): StemPlan | undefined {
  const kept = (["vocals", "drums", "bass"] as const).flatMap((kind) => {
    const index = stems.indexOf(kind);
    if (index >= 0) return [{ kind, index, opposite: false }];
    const instrumental = kind === "vocals" ? stems.indexOf("instrumental") : -1;
    return instrumental < 0 ? [] : [{ kind, index: instrumental, opposite: true }];
  });
  const other = stems.indexOf("other");
  if (kept.length === 0 && other < 0) return undefined;
  return { kept, other: other < 0 ? undefined : other, whole: kept.length === 3 };
}

async function divideRest(
  rest: readonly Float32Array[],
  absent: ReadonlySet<Decided>,
  rising: Rising,
): Promise<Renderer> {
  const left: Audio = { sample_rate: 44_100, channels: rest };
  return new Renderer(left, await sharesOf(left, trained(), rising.part(1), absent));
}

/** What is added to a model's stems: a share of each of the built-in engine's. */
interface Blended {
  readonly by: Readonly<Partial<Record<Decided, number>>>;
  readonly built_in: Renderer;
}

/** What a model gave and what was found in the rest, as stems of the source. */
class Joined implements Blocks {
  readonly frames: number;
  readonly channels: number;
  readonly peak: number;
  readonly #source: Audio;
  readonly #given: ReadonlyMap<Decided, Kept>;
  readonly #divided: Renderer | undefined;
  readonly #blended: Blended | undefined;
  readonly #rooms: Readonly<Record<Decided, Float32Array>>;
  readonly #blocks: LastTwo;

  constructor(
    source: Audio,
    given: ReadonlyMap<Decided, Kept>,
    divided: Renderer | undefined,
    blended: Blended | undefined,
    peak: number,
  ) {
    this.#blended = blended;
    this.#source = source;
    this.#given = given;
    this.#divided = divided;
    this.channels = source.channels.length;
    this.frames = source.channels[0]!.length;
    this.peak = peak;
    const room = () => new Float32Array(BLOCK);
    this.#rooms = { vocals: room(), drums: room(), bass: room() };
    this.#blocks = new LastTwo(this.channels, (block, stems) => this.#make(block, stems));
  }

  block(block: number): Block {
    return this.#blocks.block(block);
  }

  #make(block: number, stems: Block): void {
    const from = block * BLOCK;
    const count = Math.min(BLOCK, this.frames - from);
    const divided = this.#divided?.block(block);
    const built_in = this.#blended?.built_in.block(block);
    for (let channel = 0; channel < this.channels; channel++) {
      const estimate = (kind: Decided): Float32Array => {
        const given = this.#given.get(kind);
        if (given === undefined) return divided![kind][channel]!;
        const room = this.#rooms[kind].subarray(0, count);
        given.read(channel, from, room);
        const share = this.#blended?.by[kind] ?? 0;
        if (share > 0) mixIn(room, built_in![kind][channel]!, share);
        return room;
      };
      const estimates = [estimate("vocals"), estimate("drums"), estimate("bass")] as const;
      divide(this.#source.channels[channel]!, from, count, estimates, this.peak, channel, stems);
    }
  }
}

function mixIn(room: Float32Array, other: Float32Array, share: number): void {
  for (let n = 0; n < room.length; n++) room[n] = room[n]! + share * (other[n]! - room[n]!);
}

/** `of` becomes `from` without it. */
function subtract(source: Float32Array, from: number, of: Float32Array): void {
  for (let n = 0; n < of.length; n++) of[n] = source[from + n]! - of[n]!;
}

function takeOff(rest: readonly Float32Array[], from: number, stem: readonly Float32Array[]): void {
  for (const [c, channel] of stem.entries()) {
    const left = rest[c]!;
    for (let n = 0; n < channel.length; n++) left[from + n]! -= channel[n]!;
  }
}

/** No stem is louder than the loudest moment of the mix: what is, is a model's mistake. */
function bound(channel: Float32Array, peak: number): void {
  for (let n = 0; n < channel.length; n++) channel[n] = Math.max(-peak, Math.min(peak, channel[n]!));
}
