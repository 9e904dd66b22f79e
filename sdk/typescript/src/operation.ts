/** Operations as objects: the fields as the server sends them, and what one does with them. */
import { OperationFailedError, TonwerkError } from "./errors.ts";
import { type EventOptions, followEvents, type ServerEvent } from "./events.ts";
import type { ActionName, Actions, WebhookFate } from "./generated.ts";
import { type AnyOutput, type Downloads, Link, type Output, OutputObject } from "./output.ts";
import { type RequestOptions, sleep, type Transport } from "./transport.ts";

/** The operation of any action, as far as all share it. */
export interface AnyOperation {
  readonly id: string;
  readonly status: "processing" | "ready" | "failed";
  readonly created_at: string;
  readonly idempotency_key: string;
  readonly output?: AnyOutput | null;
  readonly outputs?: readonly AnyOutput[] | null;
  /** All outputs as one ZIP, of actions that have it. */
  readonly archive?: { readonly url: string; readonly expires_at: string } | null;
  /** Of actions that make no audio; lists leave it out. */
  readonly report?: object | null | undefined;
  readonly error: { readonly code: string; readonly message: string; readonly source?: string } | null;
  /** 0 to 1. */
  readonly progress: number;
  readonly stage: string | null;
  readonly queue_position: number | null;
  /** Credits charged. */
  readonly cost: number;
  /** Credits debited at first, where the price goes by sources that were still to be measured; else absent. */
  readonly cost_max?: number | undefined;
  /** Of `cost_max`, what the measured sources cost less; absent where that is. */
  readonly rebated?: number | undefined;
  /** Of `cost`, the ones that came back. */
  readonly refunded: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** How the webhook of its end fares; not in lists. */
  readonly webhook?: WebhookFate | null | undefined;
  /** Of a test key. */
  readonly test?: true | undefined;
}

/** Fields of an action's operation; those of an action that this version does not know are open. */
export type Fields<Name extends string> = Name extends ActionName
  ? Actions[Name]["operation"]
  : AnyOperation & Readonly<Record<string, unknown>>;

type WithDownloads<Value> = Value extends readonly (infer Entry)[]
  ? readonly WithDownloads<Entry>[]
  : Value extends AnyOutput
    ? Output<Value>
    : Value extends { readonly url: string; readonly expires_at: string }
      ? Value & Downloads
      : Value;

/** What the server says of an operation, and what can be done with it. It never changes: `refresh` and `wait` resolve to new ones. */
export type Operation<Name extends string = string> = {
  readonly [Field in keyof Fields<Name>]: WithDownloads<Fields<Name>[Field]>;
} & OperationMethods<Name>;

/** An operation that ended well: its `output`, `outputs` or `report` are there. */
export type Ready<Name extends string = string> = {
  readonly [Field in keyof Operation<Name>]: Field extends "output" | "outputs" | "archive"
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
  refresh(options?: RequestOptions): Promise<Operation<Name>>;
  /** Cancels it; its credits come back where no work has begun. What has ended stays as it is. */
  cancel(): Promise<Operation<Name>>;
  /** What happens to it, from its state now to its end, which comes last. Goes on where the connection broke. */
  events(options?: EventOptions): AsyncGenerator<OperationEvent, void, undefined>;
}

export interface Progress {
  /** 0 to 1. */
  readonly progress: number;
  readonly stage: string | null;
  /** Jobs before this one; null once work has begun. */
  readonly queuePosition: number | null;
}

/** The ends have the operation as lists show it, without reports: `refresh()` has all of it. */
export type OperationEvent = {
  /** To resume after, as `lastEventId`. */
  readonly eventId: string | undefined;
} & (
  | ({ readonly type: "progress"; readonly action: string; readonly operationId: string } & Progress)
  | { readonly type: "ready" | "failed"; readonly operation: Operation }
);

export interface WaitOptions {
  /** Aborting it cancels the operation and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** True: aborting the signal ends the waiting alone, and the work goes on. */
  readonly keepOnAbort?: boolean | undefined;
  /** Called with its state now and with each change, as the server's events tell them. Where it has none to give, it is asked once a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Milliseconds after which waiting ends with a TonwerkError while the work goes on; for ever by default. */
  readonly timeoutMs?: number | undefined;
}

const PROGRESS_EVERY_MS = 1_000;
/** A long-poll is answered after 20 s at the latest. */
const LONG_POLL_MS = 20_000;
/** Timers for longer end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class OperationObject implements OperationMethods<string> {
  declare readonly action: string;
  declare readonly id: string;
  declare readonly status: AnyOperation["status"];
  declare readonly error: AnyOperation["error"];
  readonly #transport: Transport;

  constructor(transport: Transport, action: string, data: AnyOperation) {
    this.#transport = transport;
    const wrap = (output: AnyOutput, place: number) => new OutputObject(transport, output, () => this.#urlOf(place));
    Object.assign(this, data, {
      ...(data.output ? { output: wrap(data.output, 0) } : {}),
      ...(data.outputs ? { outputs: data.outputs.map(wrap) } : {}),
      ...(data.archive ? { archive: new Link(transport, data.archive, () => this.#urlOf("archive")) } : {}),
    });
    // Not among the fields: `JSON.stringify` gives what the server sent.
    Object.defineProperty(this, "action", { value: action });
  }

  async refresh(options: RequestOptions = {}): Promise<Operation> {
    return this.#read(false, options.signal);
  }

  async cancel(): Promise<Operation> {
    return this.#next(await changeOperation(this.#transport, "cancel", this.id));
  }

  async *events(options: EventOptions = {}): AsyncGenerator<OperationEvent, void, undefined> {
    for await (const event of followEvents(this.#transport, `/v1/operations/${this.id}/events`, options)) {
      const told = eventOf(this.#transport, event);
      yield told;
      if (told.type !== "progress") return;
    }
  }

  async wait({ signal, keepOnAbort, onProgress, timeoutMs }: WaitOptions = {}): Promise<Ready> {
    const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS));
    const signals = [signal, limit].filter((one) => one !== undefined);
    const until = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    try {
      const tell = onProgress && tellNews(onProgress);
      const is_followed = tell === undefined || (await this.#follow(tell, until));
      for (let now = this as unknown as Operation; ; now = await this.#read(is_followed, until)) {
        if (now.status === "ready") return now as Ready;
        if (now.status === "failed") throw new OperationFailedError(this.id, now.error!);
        if (is_followed) continue;
        tell?.(progressOf(now));
        await sleep(PROGRESS_EVERY_MS, until);
      }
    } catch (error) {
      if (signal?.aborted === true) {
        if (keepOnAbort !== true) await this.cancel().catch(() => undefined);
      } else if (limit?.aborted === true) {
        throw new TonwerkError(`${this.id} is still in work after ${timeoutMs} ms`);
      }
      throw error;
    }
  }

  /** True: to its end. False: the server tells no events, or no more of them. */
  async #follow(tell: (progress: Progress) => void, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.status !== "processing") return true;
    tell(progressOf(this as unknown as Operation));
    try {
      for await (const event of this.events({ signal })) if (event.type === "progress") tell(event);
      return true;
    } catch (error) {
      if (error instanceof TonwerkError) return false;
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

  /** Of the output at this place, or of the archive. */
  async #urlOf(place: number | "archive"): Promise<string> {
    const now = (await this.#read(false, undefined)) as AnyOperation;
    const found = place === "archive" ? now.archive : (now.output ?? now.outputs?.[place]);
    if (!found) throw new TonwerkError(`${this.id} has no such output any more`);
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

/** Cancels it or sends its webhook again. */
export function changeOperation(
  transport: Transport,
  change: "cancel" | "redeliver",
  id: string,
  { signal }: RequestOptions = {},
): Promise<Record<string, AnyOperation>> {
  const idempotency_key = crypto.randomUUID();
  const path = `/v1/operations.${change}`;
  const json = { idempotency_key, id };
  return transport.json({ method: "PUT", path, json, idempotencyKey: idempotency_key, signal });
}

export function eventOf(transport: Transport, { name, data, id: eventId }: ServerEvent): OperationEvent {
  const { action, id, ...fields } = JSON.parse(data) as AnyOperation & { readonly action: string };
  if (name !== "progress") {
    const operation = operationOf(transport, action, { data: { id, ...fields } }) as Operation;
    return { type: fields.status as "ready" | "failed", operation, eventId };
  }
  return { type: name, action, operationId: id, ...progressOf(fields), eventId };
}

const progressOf = (of: Pick<AnyOperation, "progress" | "stage" | "queue_position">): Progress => ({
  progress: of.progress,
  stage: of.stage,
  queuePosition: of.queue_position,
});

/** Calls back where something is another than the last time. */
function tellNews(onProgress: (progress: Progress) => void): (progress: Progress) => void {
  let told = "";
  return ({ progress, stage, queuePosition }) => {
    const news = JSON.stringify([progress, stage, queuePosition]);
    if (news !== told) onProgress({ progress, stage, queuePosition });
    told = news;
  };
}
