/**
 * Sources that an author's test gives an action: held to its limits, handed on as the service would, measured, watched.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type AnyAction, type Audio, type Measured, SAMPLE_RATE, type Streamed } from "../../contract/mod.ts";
import { priceOf, priceWithin } from "../../core/actions/faults.ts";
import { measureSources } from "../../core/actions/measured.ts";
import { checkAudio, isStreamed } from "../../core/adapters/thread/produced.ts";

type Body = Readonly<Record<string, unknown>>;

export type Given = Readonly<Record<string, Audio | readonly Audio[]>>;

/** Never above the most that a dry run tells, as in the service. */
export function priceGiven(action: AnyAction, fields: Body, sources: Given): number {
  const most = priceOf(action, fields);
  if (action.priced_by === undefined) return most;
  const measure = (name: string): Measured => {
    const [field, index] = name.split(".") as [string, string?];
    const given = sources[field]!;
    const { channels } = isList(given) ? given[Number(index)]! : given;
    return { seconds: channels[0]!.length / SAMPLE_RATE, channels: channels.length };
  };
  return priceWithin(action, fields, measureSources(action, fields, measure), most);
}

/** All samples at once, also of what is made as it is read: tests are short. */
export function readWhole(audio: Audio | Streamed): Audio {
  if (!isStreamed(audio)) return audio;
  const { sample_rate, frames } = audio;
  const channels = Array.from({ length: audio.channels }, () => new Float32Array(frames));
  for (let from = 0; from < frames; from += 8192) {
    const to = Math.min(frames, from + 8192);
    const blocks = channels.map((channel) => channel.subarray(from, to));
    audio.samples(from, to, blocks);
  }
  return { sample_rate, channels };
}

const isList = (given: Audio | readonly Audio[]): given is readonly Audio[] => Array.isArray(given);

/** Entries of lists are read stretch by stretch, as in the service. */
export const asDecoded = (sources: Given): Readonly<Record<string, Audio | readonly Streamed[]>> =>
  Object.fromEntries(
    Object.entries(sources).map(([name, given]) => [name, isList(given) ? given.map(asStreamed) : given]),
  );

function asStreamed({ sample_rate, channels }: Audio): Streamed {
  return {
    sample_rate,
    channels: channels.length,
    frames: channels[0]!.length,
    peak: channels.flatMap((channel) => [...channel]).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
    samples(from, to, out) {
      for (const [index, channel] of channels.entries()) out[index]!.set(channel.subarray(from, to));
    },
  };
}

export function checkSources(action: AnyAction, fields: Body, sources: Given): void {
  for (const name of Object.keys(sources))
    assert.ok(Object.hasOwn(action.sources, name), `"${name}" is no source of ${action.name}`);
  for (const [name, { seconds_min, seconds_max, repeated }] of Object.entries(action.sources)) {
    const given = sources[name];
    const both = `Source "${name}" must be given both as a URL and as audio, or not at all`;
    assert.equal(given !== undefined, fields[name] !== undefined, both);
    if (given === undefined) continue;
    assert.equal(isList(given), repeated !== undefined, `Source "${name}" must be a list where it is repeated`);
    if (isList(given)) assert.equal(given.length, (fields[name] as readonly unknown[]).length, both);
    for (const audio of isList(given) ? given : [given]) {
      checkAudio(`source "${name}"`, audio);
      const seconds = audio.channels[0]!.length / SAMPLE_RATE;
      const lasts = `Source "${name}" lasts ${seconds} s, expected ${seconds_min} to ${seconds_max}`;
      assert.ok(seconds >= seconds_min && seconds <= seconds_max, lasts);
    }
  }
}

/** Notices any write to a sample. */
export function fingerprint(sources: Given): string {
  const hash = createHash("sha256");
  const all = Object.values(sources).flatMap((given): readonly Audio[] => (isList(given) ? given : [given]));
  for (const channel of all.flatMap(({ channels }) => channels)) hash.update(channel);
  return hash.digest("hex");
}
