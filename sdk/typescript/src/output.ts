/** What operations made, as objects: their fields as the server sends them, and how one gets the files. */
import { type DownloadOptions, openDownload, readAll, writeFile } from "./download.ts";
import type { DownloadForm, Peaks } from "./generated.ts";
import { writeQuery } from "./routes.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export interface AnyOutput {
  readonly url: string;
  readonly expires_at: string;
  /** Seconds. */
  readonly duration: number;
  readonly bytes: number;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
}

/** A file of the server's, which goes on where the connection broke and is signed again where its URL expired. */
export interface Downloads<Options = DownloadOptions> {
  /** The bytes as they come. The stream fails where they are not the file. */
  stream(options?: Options): ReadableStream<Uint8Array>;
  /** The whole file in memory. */
  arrayBuffer(options?: Options): Promise<ArrayBuffer>;
  /** The same with its type, for `URL.createObjectURL` and forms. */
  blob(options?: Options): Promise<Blob>;
  /** Saves the file; `path` appears when it is whole. Not in browsers. */
  download(path: string, options?: Options): Promise<void>;
}

/** An output with its file, in any form. */
export type Output<Data> = Data &
  Downloads<DownloadOptions & DownloadForm> & {
    /** `bins`: 1 to 8,000. */
    peaks(bins: number, options?: RequestOptions): Promise<Peaks>;
  };

const TYPES = { flac: "audio/flac", wav: "audio/wav", mp3: "audio/mpeg", opus: "audio/ogg" } as const;

/** A file whose checksum nobody knows beforehand. */
export class Link implements Downloads<DownloadOptions & DownloadForm> {
  declare readonly url: string;
  readonly #transport: Transport;
  readonly #refresh: () => Promise<string>;

  constructor(transport: Transport, data: { readonly url: string }, refresh: () => Promise<string>) {
    Object.assign(this, data);
    this.#transport = transport;
    this.#refresh = refresh;
  }

  stream({ format, bits, preview, ...options }: DownloadOptions & DownloadForm = {}): ReadableStream<Uint8Array> {
    return this.open({ format, bits, preview }, options);
  }

  /** `form` is written behind the signature, which stays what it is. */
  protected open(form: object, options: DownloadOptions): ReadableStream<Uint8Array> {
    const suffix = writeQuery(form).replace("?", "&");
    const { bytes, sha256 } = this as Partial<AnyOutput>;
    const known = suffix === "" ? { bytes, sha256 } : {};
    const refresh = async () => (await this.#refresh()) + suffix;
    return openDownload(this.#transport, { url: this.url + suffix, ...known, refresh }, options);
  }

  async arrayBuffer(options: DownloadOptions & DownloadForm = {}): Promise<ArrayBuffer> {
    return (await this.blob(options)).arrayBuffer();
  }

  async blob(options: DownloadOptions & DownloadForm = {}): Promise<Blob> {
    const is_audio = (this as Partial<AnyOutput>).sha256 !== undefined;
    const type = is_audio ? TYPES[options.format ?? "flac"] : "application/zip";
    return new Blob(await readAll(this.stream(options)), { type });
  }

  download(path: string, options: DownloadOptions & DownloadForm = {}): Promise<void> {
    return writeFile(this.stream(options), path);
  }
}

export class OutputObject extends Link {
  async peaks(bins: number, options: RequestOptions = {}): Promise<Peaks> {
    return JSON.parse(await new Response(this.open({ peaks: bins }, options)).text()) as Peaks;
  }
}
