/** The bucket: where files are kept. */

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modified_at: number;
}

/** `path` is moved into place where that is possible, and is gone afterwards in any case. */
export type Content = Uint8Array | ReadableStream<Uint8Array> | { readonly path: string };

/** Audio at rest. Keys match `OBJECT_KEY`. A key is written once: an object is complete or absent, never partial. */
export interface Bucket {
  put(key: string, content: Content, content_type: string): Promise<{ readonly bytes: number }>;
  /** `start` and `end` are inclusive byte offsets inside the object. Undefined: no such object. */
  open(
    key: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<{ readonly bytes: number; readonly stream: ReadableStream<Uint8Array> } | undefined>;
  stat(key: string): Promise<StoredObject | undefined>;
  /** Missing keys are no error. */
  delete(keys: readonly string[]): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** The object as a file of this machine, where it is one: decoders read it in place. */
  path(key: string): string | undefined;
  /** An address that serves the object for `seconds`, to redirect to; undefined: core serves the bytes itself. */
  address(key: string, seconds: number, disposition: string): Promise<string | undefined>;
  /** Ends puts that a process began before `before` and never finished. Resolves to how many. */
  sweep(before: number): Promise<number>;
  close(): Promise<void>;
}

/** Slash-separated segments of letters, digits, `.`, `_` and `-`, none of which begins with a dot. */
export const OBJECT_KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,7}$/;

/**
 * What surfaces keep beside an object and lose with it is `<object>.kept.<name>`: the object that a key belongs to.
 * Whatever else lies beside it is swept after a day.
 */
export const ownerOf = (key: string): string => key.replace(/\.kept\.[^/]*$/u, "");

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  flac: "audio/flac",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  opus: "audio/ogg",
};

/** By the end of its name. */
export function contentTypeOf(key: string): string {
  return CONTENT_TYPES[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
