/** An SFZ instrument with its recordings, WAV, FLAC or Ogg Vorbis, read when they are first played. */
import { readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { release } from "../../../signal/dsp/release.ts";
import { type RecordingHead, recordings } from "../../../signal/media/mod.ts";
import type { Layer } from "../patches.ts";
import type { Zone } from "../zone.ts";
import { isHeard, type Region, regionOf, zoneFor } from "./region.ts";
import { parseSfz, SfzError } from "./sfz.ts";
import type { Bank, Sound, Struck } from "./sound.ts";
import { type Loop, type Wave, waveOf, waves } from "./wave.ts";

/** Of a recording that is not looped; what would ring longer fades. It bounds memory: 2.3 MB a channel. */
const SECONDS_MAX = 12;
/** Seconds of that fade. */
const FADE = 2;

export interface SfzFile {
  readonly regions: readonly Region[];
  /** All that it reads, by paths from its folder. */
  readonly files: readonly string[];
  readonly unknown: readonly string[];
}

/**
 * @param file its path
 * @throws SfzError, and what reading throws
 */
export function readSfz(file: string): SfzFile {
  const folder = dirname(file);
  const inside = (path: string): string => {
    const plain = normalize(path);
    if (plain.startsWith("..") || plain.startsWith("/")) throw new SfzError(`"${path}" lies outside its folder`);
    return plain;
  };
  const text = parseSfz(readFileSync(file, "utf8"), (path) => readFileSync(join(folder, inside(path)), "utf8"));
  const regions = text.regions.flatMap((opcodes) => regionOf(opcodes) ?? []);
  if (regions.length === 0) throw new SfzError("none of its regions sounds when a key is struck");
  return {
    regions: regions.map((region) => ({ ...region, sample: inside(region.sample) })),
    files: [...new Set([relative(folder, file), ...text.included, ...regions.map(({ sample }) => sample)].map(inside))],
    unknown: text.unknown,
  };
}

/** @param folder where its recordings lie; absent: beside it */
export async function openSfz(file: string, folder = dirname(file)): Promise<Bank> {
  const { regions } = readSfz(file);
  const { readHead, readRecording } = await recordings.load();
  const heads = new Map<string, RecordingHead>();
  for (const { sample } of regions) if (!heads.has(sample)) heads.set(sample, await readHead(join(folder, sample)));
  return new Sfz(file, regions, heads, (sample, frames) => readRecording(join(folder, sample), frames));
}

type Read = (sample: string, frames_max: number) => Promise<readonly Float32Array[]>;

class Sfz implements Bank {
  /** By key. */
  readonly #regions: readonly (readonly Region[])[];
  readonly #heads: ReadonlyMap<string, RecordingHead>;
  readonly #read: Read;
  readonly #file: string;

  constructor(file: string, regions: readonly Region[], heads: ReadonlyMap<string, RecordingHead>, read: Read) {
    this.#regions = Array.from({ length: 128 }, (_, key) =>
      regions.filter(({ keys }) => key >= keys[0] && key <= keys[1]),
    );
    this.#file = file;
    this.#heads = heads;
    this.#read = read;
  }

  sounds(_layer: Layer, struck: Struck): readonly Sound[] {
    return this.#regions[struck.key]!.flatMap((region) => {
      if (!isHeard(region, struck)) return [];
      const loop = loopIn(region, this.#heads.get(region.sample)!);
      const zone = zoneFor(region, struck, loop !== undefined);
      if (zone.gain === 0) return [];
      const { channels } = this.#heads.get(region.sample)!;
      const name = `${this.#file} ${region.sample} ${loop?.from} ${loop?.to} ${region.end}`;
      return Array.from({ length: channels }, (_, channel) => ({
        zone: channels === 1 ? zone : { ...zone, ...besides(zone, channel) },
        recording: `${name} ${channel}`,
        wave: (seconds) => this.#wave(name, region, channel, loop, seconds),
        ...(region.release === undefined ? {} : { release: region.release }),
      }));
    });
  }

  async #wave(
    name: string,
    region: Region,
    channel: number,
    loop: Loop | undefined,
    seconds = Number.POSITIVE_INFINITY,
  ): Promise<Wave> {
    const { rate } = this.#heads.get(region.sample)!;
    const wanted = Math.ceil(seconds * rate);
    const known = waves.get(`${name} ${channel}`);
    if (known !== undefined && (known.cut !== true || known.end > wanted)) return known;
    const longest = loop?.to ?? Math.round(SECONDS_MAX * rate);
    // A note is mostly over long before its recording. Where the fade begins, all is read.
    const cut = loop === undefined && wanted < longest - Math.round(FADE * rate);
    const most = Math.min(longest, region.end ?? longest);
    const planar = await this.#read(region.sample, cut ? Math.min(wanted, most) : most);
    const read = planar.map((recorded) => {
      if (loop === undefined && recorded.length === longest) fade(recorded, Math.round(FADE * rate));
      const wave = waveOf(recorded, rate, loop);
      return cut && recorded.length === wanted ? { ...wave, cut } : wave;
    });
    release(...planar);
    for (const [n, wave] of read.entries()) waves.add(`${name} ${n}`, wave);
    return read[channel]!;
  }
}

/** What the region says, or else the recording itself. */
function loopIn({ loop }: Region, head: RecordingHead): Loop | undefined {
  if (loop === null) return undefined;
  const from = loop?.from ?? head.loop?.from;
  const to = loop?.to ?? head.loop?.to;
  return from === undefined || to === undefined || to - from < 2 ? undefined : { from, to };
}

/** One channel of two stands on its side; a region's pan makes the other softer. */
const besides = ({ pan, gain }: Zone, channel: number): Pick<Zone, "pan" | "gain"> => ({
  pan: channel === 0 ? -1 : 1,
  gain: gain * Math.min(1, channel === 0 ? 1 - pan : 1 + pan),
});

function fade(recorded: Float32Array, frames: number): void {
  const first = Math.max(0, recorded.length - frames);
  for (let n = first; n < recorded.length; n++) recorded[n]! *= (recorded.length - n) / (recorded.length - first);
}
