/** Operations as objects: the fields as the server sends them, and what one does with them. */
import { type DownloadOptions, openDownload, readAll, writeFile } from "./download.ts";
import { OperationFailedError, TonwerkError } from "./errors.ts";
import type { ActionName, Actions } from "./generated.ts";
import { sleep, type Transport } from "./transport.ts";

/** The operation of any action, as far as all share it. */
export interface AnyOperation {
  readonly id: string;
  readonly status: "processing" | "ready" | "failed";
  readonly created_at: string;
  readonly idempotency_key: string;
  readonly output?: AnyOutput | null;
  readonly outputs?: readonly AnyOutput[] | null;
  /** Of actions that make no audio; lists leave it out. */
  readonly report?: object | null | undefined;
  readonly error: { readonly code: string; readonly message: string; readonly source?: string } | null;
  /** 0 to 1. */
  readonly progress: number;
  readonly stage: string | null;
  readonly queue_position: number | null;
  /** Credits charged. */
  readonly cost: number;
}

export interface AnyOutput {
  readonly url: string;
  readonly expires_at: string;
  /** Seconds. */
  readonly duration: number;
  readonly bytes: number;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
}

/** Fields of an action's operation; those of an action that this version does not know are open. */
export type Fields<Name extends string> = Name extends ActionName
  ? Actions[Name]["operation"]
  : AnyOperation & Readonly<Record<string, unknown>>;

/** An output with its download. */
export type Output<Data> = Data & Downloads;

export interface Downloads {
  /** The file's bytes as they come: with its checksum, going on where the connection broke, signed again where the URL expired. */
  stream(options?: DownloadOptions): ReadableStream<Uint8Array>;
  /** The whole file in memory. */
  arrayBuffer(options?: DownloadOptions): Promise<ArrayBuffer>;
  /** Saves the file; `path` appears when it is whole. Not in browsers. */
  download(path: string, options?: DownloadOptions): Promise<void>;
}

type WithDownloads<Value> = Value extends readonly (infer Entry)[]
  ? readonly WithDownloads<Entry>[]
  : Value extends AnyOutput
    ? Output<Value>
    : Value;

/** What the server says of an operation, and what can be done with it. It never changes: `refresh` and `wait` resolve to new ones. */
export type Operation<Name extends string = string> = {
  readonly [Field in keyof Fields<Name>]: WithDownloads<Fields<Name>[Field]>;
} & OperationMethods<Name>;

/** An operation that ended well: its `output`, `outputs` or `report` are there. */
export type Ready<Name extends string = string> = {
  readonly [Field in keyof Operation<Name>]: Field extends "output" | "outputs"
    ? NonNullable<Operation<Name>[Field]>
    : Field extends "status"
      ? "ready"
      : Operation<Name>[Field];
} & (Name extends ActionName ? Reported<Fields<Name>> : unknown);

/** Only lists leave a report out. */
type Reported<Data> = "report" extends keyof Data ? { readonly report: NonNullable<Data["report"]> } : unknown;

export interface OperationMethods<Name extends string> {
  /** `create.new_song` and the like. */
  readonly action: Name;
  /** Waits for the end. @throws OperationFailedError where it ends as `failed`. */
  wait(options?: WaitOptions): Promise<Ready<Name>>;
  /** As the server sees it now, with URLs that work. */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<Operation<Name>>;
  /** Cancels it; its credits come back where no work has begun. What has ended stays as it is. */
  cancel(): Promise<Operation<Name>>;
}

export interface Progress {
  /** 0 to 1. */
  readonly progress: number;
  readonly stage: string | null;
  /** Jobs before this one; null once work has begun. */
  readonly queuePosition: number | null;
}

export interface WaitOptions {
  /** Aborting it cancels the operation and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** True: aborting the signal ends the waiting alone, and the work goes on. */
  readonly keepOnAbort?: boolean | undefined;
  /** Called with each change that is seen, about once a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Milliseconds after which waiting ends with a TonwerkError while the work goes on; for ever by default. */
  readonly timeoutMs?: number | undefined;
}

const PROGRESS_EVERY_MS = 1_000;
/** A long-poll is answered after 20 s at the latest. */
const LONG_POLL_MS = 20_000;

export class OperationObject implements OperationMethods<string> {
  declare readonly action: string;
  declare readonly id: string;
  declare readonly status: AnyOperation["status"];
  declare readonly error: AnyOperation["error"];
  readonly #transport: Transport;

  constructor(transport: Transport, action: string, data: AnyOperation) {
    this.#transport = transport;
    const wrap = (output: AnyOutput, index: number) => new OutputObject(transport, output, () => this.#urlOf(index));
    Object.assign(this, data, {
      ...(data.output ? { output: wrap(data.output, 0) } : {}),
      ...(data.outputs ? { outputs: data.outputs.map(wrap) } : {}),
    });
    // Not among the fields: `JSON.stringify` gives what the server sent.
    Object.defineProperty(this, "action", { value: action });
  }

  async refresh(options: { readonly signal?: AbortSignal } = {}): Promise<Operation> {
    return this.#read(false, options.signal);
  }

  async cancel(): Promise<Operation> {
    const idempotency_key = crypto.randomUUID();
    const answer = await this.#transport.json<Record<string, AnyOperation>>({
      method: "PUT",
      path: "/v1/operations.cancel",
      json: { idempotency_key, id: this.id },
      idempotencyKey: idempotency_key,
    });
    return this.#next(answer);
  }

  async wait({ signal, keepOnAbort, onProgress, timeoutMs }: WaitOptions = {}): Promise<Ready> {
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs;
    let seen = "";
    try {
      for (let now = this as unknown as Operation; ; now = await this.#read(onProgress === undefined, signal)) {
        if (now.status === "ready") return now as Ready;
        if (now.status === "failed") throw new OperationFailedError(this.id, now.error!);
        if (Date.now() > deadline) throw new TonwerkError(`${this.id} is still in work after ${timeoutMs} ms`);
        if (onProgress === undefined) continue;
        const { progress, stage, queue_position } = now;
        const news = JSON.stringify([progress, stage, queue_position]);
        if (news !== seen) onProgress({ progress, stage, queuePosition: queue_position });
        seen = news;
        await sleep(PROGRESS_EVERY_MS, signal);
      }
    } catch (error) {
      if (signal?.aborted === true && keepOnAbort !== true) await this.cancel().catch(() => undefined);
      throw error;
    }
  }

  async #read(wait: boolean, signal: AbortSignal | undefined): Promise<Operation> {
    const answer = await this.#transport.json<Record<string, AnyOperation>>({
      method: "GET",
      path: `/v1/${this.action}?id=${this.id}${wait ? "&wait=true" : ""}`,
      signal,
      ...(wait ? { timeoutMs: LONG_POLL_MS * 2 } : {}),
    });
    return this.#next(answer);
  }

  #next(answer: Record<string, AnyOperation>): Operation {
    return operationOf(this.#transport, this.action, answer);
  }

  async #urlOf(index: number): Promise<string> {
    const { output, outputs } = await this.#read(false, undefined);
    const found = (output ?? outputs?.[index]) as AnyOutput | undefined;
    if (found === undefined) throw new TonwerkError(`${this.id} has no such output any more`);
    return found.url;
  }
}

/** The operation in an answer, which holds it under one key. */
export function operationOf<Name extends string>(
  transport: Transport,
  action: Name,
  answer: Readonly<Record<string, unknown>>,
): Operation<Name> {
  const data = Object.values(answer)[0] as AnyOperation;
  return new OperationObject(transport, action, data) as unknown as Operation<Name>;
}

class OutputObject implements Downloads {
  declare readonly url: string;
  declare readonly bytes: number;
  declare readonly sha256: string;
  readonly #transport: Transport;
  readonly #refresh: () => Promise<string>;

  constructor(transport: Transport, data: AnyOutput, refresh: () => Promise<string>) {
    Object.assign(this, data);
    this.#transport = transport;
    this.#refresh = refresh;
  }

  stream(options: DownloadOptions = {}): ReadableStream<Uint8Array> {
    const { url, bytes, sha256 } = this;
    return openDownload(this.#transport, { url, bytes, sha256, refresh: this.#refresh }, options);
  }

  async arrayBuffer(options: DownloadOptions = {}): Promise<ArrayBuffer> {
    return (await readAll(this.stream(options), this.bytes)).buffer;
  }

  download(path: string, options: DownloadOptions = {}): Promise<void> {
    return writeFile(this.stream(options), path);
  }
}
