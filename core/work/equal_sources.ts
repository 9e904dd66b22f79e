/** Equal content behind different URLs, which shows only when the sources are here. Fails with `same_source`. */
import { open } from "node:fs/promises";
import { Failure } from "../base/errors.ts";
import type { AnyAction, Audio } from "../plugin.ts";

/** Refuses files of the same bytes: before anything is decoded, which would cost seconds for nothing. */
export async function refuseEqualFiles(
  { distinct_sources }: AnyAction,
  sources: readonly { readonly name: string; readonly path: string }[],
): Promise<void> {
  if (distinct_sources === undefined) return;
  const [one, other] = distinct_sources.map((name) => sources.find((source) => source.name === name));
  if (one !== undefined && other !== undefined && (await areEqualFiles(one.path, other.path)))
    throw sameSource(distinct_sources);
}

/** Refuses the same audio in two files that differ: another coding, other tags. */
export function refuseEqualAudio(action: AnyAction, sources: Readonly<Record<string, Audio>>): void {
  if (action.distinct_sources === undefined) return;
  const [one, other] = action.distinct_sources.map((name) => sources[String(name)]);
  if (one === undefined || other === undefined || one.channels.length !== other.channels.length) return;
  const equal = one.channels.every((channel, index) => {
    const against = other.channels[index];
    return against?.length === channel.length && channel.every((sample, position) => sample === against[position]);
  });
  if (equal) throw sameSource(action.distinct_sources);
}

function sameSource(names: readonly PropertyKey[]): Failure {
  const quoted = names.map((name) => `'${String(name)}'`).join(" and ");
  return new Failure("same_source", `${quoted} resolve to the same audio`, String(names[1]));
}

const PIECE = 1 << 20;

/** Whether two files have the same bytes: their sizes first, then piece by piece up to the first difference. */
async function areEqualFiles(one: string, other: string): Promise<boolean> {
  const a = await open(one);
  try {
    const b = await open(other);
    try {
      const { size } = await a.stat();
      if (size !== (await b.stat()).size) return false;
      const [from_a, from_b] = [Buffer.alloc(PIECE), Buffer.alloc(PIECE)];
      for (let at = 0; at < size; at += PIECE) {
        const length = Math.min(PIECE, size - at);
        await readAll(a, from_a, length, at);
        await readAll(b, from_b, length, at);
        if (from_a.compare(from_b, 0, length, 0, length) !== 0) return false;
      }
      return true;
    } finally {
      await b.close();
    }
  } finally {
    await a.close();
  }
}

/** A read may bring less than it was asked for. */
async function readAll(
  file: Awaited<ReturnType<typeof open>>,
  into: Buffer,
  length: number,
  at: number,
): Promise<void> {
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(into, done, length - done, at + done);
    if (bytesRead === 0) throw new Error("Cannot compare sources: one became shorter meanwhile");
    done += bytesRead;
  }
}
