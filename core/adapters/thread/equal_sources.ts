/** Equal content behind different URLs, which shows only when the sources are here. Fails with `same_source`. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { AnyAction, Audio, Streamed } from "../../../contract/mod.ts";
import { Failure } from "../../base/errors.ts";
import { isStreamed } from "./produced.ts";

/** Refuses files of the same bytes: before anything is decoded, which would cost seconds for nothing. */
export async function refuseEqualFiles(
  { distinct_sources: names }: AnyAction,
  sources: readonly { readonly name: string; readonly path: string }[],
): Promise<void> {
  const [one, other] = (names ?? []).map((name) => sources.find((source) => source.name === name)?.path);
  if (one !== undefined && other !== undefined && (await areEqualFiles(one, other))) throw sameSource(names!);
}

/** Refuses the same audio in two files that differ: another coding, other tags. */
export function refuseEqualAudio(
  { distinct_sources: names }: AnyAction,
  sources: Readonly<Record<string, Audio | Streamed | readonly Streamed[]>>,
): void {
  // The registry lets no list be one of them.
  const [one, other] = (names ?? []).map((name) => sources[String(name)] as Audio | Streamed | undefined);
  if (one === undefined || other === undefined) return;
  // Of equal length both are long, or neither is.
  const equal =
    isStreamed(one) || isStreamed(other)
      ? isStreamed(one) && isStreamed(other) && areEqualStreams(one, other)
      : areEqual(one.channels, other.channels);
  if (equal) throw sameSource(names!);
}

function areEqual(one: readonly Float32Array[], other: readonly Float32Array[]): boolean {
  return (
    one.length === other.length &&
    one.every((channel, index) => {
      const against = other[index]!;
      return against.length === channel.length && channel.every((sample, position) => sample === against[position]);
    })
  );
}

const BLOCK = 1 << 16;

function areEqualStreams(one: Streamed, other: Streamed): boolean {
  if (one.frames !== other.frames || one.channels !== other.channels) return false;
  const blocks = [one, other].map(({ channels }) => Array.from({ length: channels }, () => new Float32Array(BLOCK)));
  const [block, against] = blocks as [Float32Array[], Float32Array[]];
  // What the last stretch does not fill is left of the one before, in both.
  for (let from = 0; from < one.frames; from += BLOCK) {
    const to = Math.min(one.frames, from + BLOCK);
    one.samples(from, to, block);
    other.samples(from, to, against);
    if (!areEqual(block, against)) return false;
  }
  return true;
}

function sameSource(names: readonly PropertyKey[]): Failure {
  const quoted = names.map((name) => `'${String(name)}'`).join(" and ");
  return new Failure("same_source", `${quoted} resolve to the same audio`, String(names[1]));
}

async function areEqualFiles(one: string, other: string): Promise<boolean> {
  if ((await stat(one)).size !== (await stat(other)).size) return false;
  return (await hashFile(one)) === (await hashFile(other));
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}
