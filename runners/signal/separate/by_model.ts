import type { Audio, Job, Stem, Streamed } from "../../../contract/mod.ts";
import type { PassOver, TaskEngines } from "../../engines.ts";
import { type Views, viewsOf, wholeOf } from "../../samples.ts";
import { BLOCK, type Block, type Blocks, LastTwo } from "./blocks.ts";
import { divide, peakOf } from "./divide.ts";
import { Kept } from "./kept.ts";
import { Renderer } from "./render.ts";
import type { Rising } from "./rising.ts";
import { besideOf, type Decided, sharesOf } from "./shares.ts";
import { trained } from "./weights.ts";

/** Who made each stem. */
export type Engines = Readonly<Record<Stem, string>>;
type Ensemble = TaskEngines["separate"];
type Member = Ensemble["members"][number];
type Separator = Awaited<ReturnType<Member["open"]>>;
type Beside = ReturnType<typeof besideOf>;

/** Models take most of the time where what they leave has to be divided as well. */
const MODEL_SHARE = 0.8;
/** What the built-in engine takes of the time where a model blends. */
const BESIDE_SHARE = 0.25;

/**
 * The stems of a model, or of several one after another, brought into the contract whatever they give: they sum to the
 * source, `other` getting what no stem claims (guitar and piano among it), none is beyond the source's peak, and what
 * no model gives is divided by the built-in engine: drums and bass of a model of vocals, say. A model that asks for it
 * (`blends`) is told what the built-in engine makes of the whole.
 *
 * Resolves to undefined where the models give none of the stems. One of several that fails is passed over; what it should have given comes
 * from the others. Rejects with a `ModelError` where the only one fails, and with the job's reason where that is aborted.
 */
export async function separateByModels(
  { id, members }: Ensemble,
  built_in: string,
  audio: Audio | Streamed,
  rising: Rising,
  passOver: PassOver,
): Promise<{ blocks: Blocks; engines: Engines } | undefined> {
  const peak = peakOf(audio);
  const given: Given = new Map();
  let beside: Beside | undefined;
  for (const [index, member] of members.entries()) {
    try {
      const separator = await member.open();
      const plan = planOf(separator, member.weights, given);
      if (plan === undefined) {
        if (members.length > 1) passOver(member.id, "it gives none of the stems that are asked of it");
        continue;
      }
      if (separator.blends === true && beside === undefined)
        beside = besideOf(await sharesOf(audio, trained(), rising.part(BESIDE_SHARE), new Set(), true));
      const last = index + 1 === members.length && plan.whole;
      const part = MODEL_SHARE / members.length;
      await addStems(separator, plan, given, audio, beside, peak, rising.part(last ? 1 : part / (1 - index * part)));
    } catch (error) {
      if (members.length === 1 || !(error instanceof Error) || error.name !== "ModelError") throw error;
      passOver(member.id, (error as Error & { readonly reason: string }).reason);
    }
  }
  if (given.size === 0) return undefined;

  const whole = DECIDED.every((kind) => given.has(kind));
  const divided = whole ? undefined : await divideRest(audio, given, rising);
  const by = (kind: Decided): string => given.get(kind)?.by.join("+") ?? built_in;
  return {
    blocks: new Joined(audio, given, divided, peak),
    engines: {
      vocals: by("vocals"),
      drums: by("drums"),
      bass: by("bass"),
      other: whole ? id : built_in,
      instrumental: by("vocals"),
    },
  };
}

const DECIDED = ["vocals", "drums", "bass"] as const;

/** A stem by the models that gave it. */
interface Estimate {
  readonly samples: Kept;
  /** Sum of the weights. */
  readonly weight: number;
  /** Their ids. */
  readonly by: readonly string[];
}
/** `other` only where the built-in engine has to know what is nothing that it looks for. */
type Given = Map<Decided | "other", Estimate>;

interface StemPlan {
  readonly stems: readonly {
    readonly kind: Decided | "other";
    readonly index: number;
    /** The model gives what is left of the mix without it. */
    readonly opposite: boolean;
    readonly weight: number;
  }[];
  /** With this model vocals, drums and bass are all given. */
  readonly whole: boolean;
}

function planOf(separator: Separator, weights: Member["weights"], given: Given): StemPlan | undefined {
  const find = (kind: Decided | "other", name: Separator["stems"][number], opposite: boolean) => {
    const index = separator.stems.indexOf(name);
    const weight = weights === undefined ? 1 : weights[name];
    return index < 0 || weight === undefined ? [] : [{ kind, index, opposite, weight }];
  };
  const vocals = find("vocals", "vocals", false);
  const decided = [
    ...(vocals.length > 0 ? vocals : find("vocals", "instrumental", true)),
    ...find("drums", "drums", false),
    ...find("bass", "bass", false),
  ];
  const whole = DECIDED.every((kind) => given.has(kind) || decided.some((stem) => stem.kind === kind));
  const stems = whole ? decided : [...decided, ...find("other", "other", false)];
  return stems.length === 0 ? undefined : { stems, whole };
}

/** Runs a model over the piece and adds what it gives to what is given, once it has ended. */
async function addStems(
  separator: Separator,
  { stems }: StemPlan,
  given: Given,
  audio: Audio | Streamed,
  beside: Beside | undefined,
  peak: number,
  job: Job,
): Promise<void> {
  const sound = viewsOf(audio);
  const made = stems.map((stem) => ({ ...stem, samples: new Kept(sound.channels, sound.frames) }));
  const take: Parameters<Separator["separate"]>[2] = (from, emitted) => {
    for (const { kind, index, opposite, weight, samples } of made) {
      const estimate = emitted[index]!;
      if (opposite) subtract(sound, from, estimate);
      for (const channel of estimate) bound(channel, peak);
      const before = given.get(kind);
      if (before !== undefined) {
        for (const [c, channel] of estimate.entries()) {
          const room = new Float32Array(channel.length);
          before.samples.read(c, from, room);
          mixIn(channel, room, before.weight / (before.weight + weight));
        }
      }
      samples.write(estimate);
    }
  };
  if ("samples" in audio && separator.separateStreamed !== undefined)
    await separator.separateStreamed(audio, job, take, beside);
  else await separator.separate(wholeOf(audio), job, take, beside);
  for (const { kind, weight, samples } of made) {
    const before = given.get(kind);
    const sum = (before?.weight ?? 0) + weight;
    given.set(kind, {
      samples,
      weight: sum,
      by: [...(before?.by ?? []), separator.id],
    });
  }
}

/** What no model gave, found in what they leave of the mix. */
async function divideRest(audio: Audio | Streamed, given: Given, rising: Rising): Promise<Renderer> {
  const rest = "samples" in audio ? wholeOf(audio).channels : audio.channels.map((channel) => channel.slice());
  const room = new Float32Array(BLOCK);
  for (const { samples } of given.values()) {
    for (const [c, left] of rest.entries()) {
      for (let from = 0; from < left.length; from += BLOCK) {
        const part = room.subarray(0, Math.min(BLOCK, left.length - from));
        samples.read(c, from, part);
        for (let n = 0; n < part.length; n++) left[from + n]! -= part[n]!;
      }
    }
  }
  const absent = new Set(DECIDED.filter((kind) => given.has(kind)));
  const left: Audio = { sample_rate: 44_100, channels: rest };
  return new Renderer(left, await sharesOf(left, trained(), rising.part(1), absent));
}

/** What models gave and what was found in the rest, as stems of the source. */
class Joined implements Blocks {
  readonly frames: number;
  readonly channels: number;
  readonly peak: number;
  readonly #source: Views;
  readonly #given: Given;
  readonly #divided: Renderer | undefined;
  readonly #rooms: Readonly<Record<Decided, Float32Array>>;
  readonly #blocks: LastTwo;

  constructor(source: Audio | Streamed, given: Given, divided: Renderer | undefined, peak: number) {
    this.#source = viewsOf(source);
    this.#given = given;
    this.#divided = divided;
    this.channels = this.#source.channels;
    this.frames = this.#source.frames;
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
    const { channels, at } = this.#source.view(from, from + count);
    for (let channel = 0; channel < this.channels; channel++) {
      const estimate = (kind: Decided): Float32Array => {
        const given = this.#given.get(kind);
        if (given === undefined) return divided![kind][channel]!;
        const room = this.#rooms[kind].subarray(0, count);
        given.samples.read(channel, from, room);
        return room;
      };
      const estimates = [estimate("vocals"), estimate("drums"), estimate("bass")] as const;
      divide(channels[channel]!, at, count, estimates, this.peak, channel, stems);
    }
  }
}

function mixIn(room: Float32Array, other: Float32Array, share: number): void {
  for (let n = 0; n < room.length; n++) room[n] = room[n]! + share * (other[n]! - room[n]!);
}

/** `of` becomes `from` without it. */
function subtract(source: Views, from: number, of: readonly Float32Array[]): void {
  const { channels, at } = source.view(from, from + of[0]!.length);
  for (const [c, channel] of of.entries()) {
    const whole = channels[c]!;
    for (let n = 0; n < channel.length; n++) channel[n] = whole[at + n]! - channel[n]!;
  }
}

/** No stem is louder than the loudest moment of the mix: what is, is a model's mistake. */
function bound(channel: Float32Array, peak: number): void {
  for (let n = 0; n < channel.length; n++) {
    const value = channel[n]!;
    if (value > peak) channel[n] = peak;
    else if (value < -peak) channel[n] = -peak;
  }
}
