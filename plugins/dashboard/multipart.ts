/**
 * multipart/form-data part by part as it arrives, so that an upload goes to disk and not into memory. Content decides
 * what a file is; the type that a browser guesses from the name is not looked at.
 */
import { on } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { Refusal, refuse } from "../../core/surface.ts";

export interface Part {
  readonly name: string;
  /** Undefined: a field. Empty: a file input where nothing was chosen. */
  readonly filename: string | undefined;
  /** To be read to its end, or left: the rest is skipped. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/** More would be an attack: names are ours and short. */
const LIMITS = { parts: 100, headerPairs: 20, headerSize: 8_192 };

/** The boundary of a `Content-Type`; undefined where it is another type. */
export function boundaryOf(content_type: string | null): string | undefined {
  const found = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/iu.exec(
    content_type ?? "",
  );
  return found?.[1] ?? found?.[2];
}

/** Refuses with 422 what is cut short or no multipart. */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void, undefined> {
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  const parser = new Busboy({ headers, isPartAFile: () => true, preservePath: true, limits: LIMITS });
  let open: BusboyFileStream | undefined;
  parser.on("file", (_, stream) => {
    open = stream;
    // Without a listener, an error of a part that nobody reads would end the process.
    stream.on("error", () => undefined);
  });
  parser.on("partsLimit", () => parser.destroy(malformed()));
  parser.on("error", (error) => open?.destroy(error as Error));
  const parts = on(parser, "file", { close: ["finish"] });
  pipeline(Readable.from(chunks, { objectMode: false }), parser).catch((error: Error) => open?.destroy(error));
  try {
    for await (const [name, stream, filename] of parts as AsyncIterable<
      [string, BusboyFileStream, string | undefined]
    >) {
      // Browsers write quotes and line breaks as %22, %0D and %0A.
      const plain = filename?.replace(/%22/gu, '"').replace(/%0d|%0a/giu, " ");
      yield { name, filename: plain, chunks: bytesOf(stream) };
      stream.resume();
    }
  } catch (error) {
    throw refusalOf(error);
  } finally {
    parser.destroy();
  }
}

async function* bytesOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of stream) yield chunk;
  } catch (error) {
    throw refusalOf(error);
  }
}

const malformed = () => refuse.invalid([{ loc: ["body"], type: "value_error", msg: "The form could not be read" }]);
const refusalOf = (error: unknown) => (error instanceof Refusal ? error : malformed());
