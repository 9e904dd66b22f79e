/** Server-sent events that go on where they broke off. */
import { ConnectionError, RateLimitError, ServerError } from "./errors.ts";
import { sleep, type Transport } from "./transport.ts";

export interface EventOptions {
  readonly signal?: AbortSignal | undefined;
  /** `eventId` of the last event that was read: what ended since is told first. */
  readonly lastEventId?: string | undefined;
  /** Called each time that a connection stands: what happens from now on is told. */
  readonly onOpen?: (() => void) | undefined;
}

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** What to resume after; undefined: nothing was told that needs it. */
  readonly id: string | undefined;
}

/** The server shows every 15 s that it lives. */
const SILENT_MS = 45_000;
const PAUSE_MS = 1_000;

/**
 * Until the server has nothing more to tell. It ends streams now and then, so each end but a 204 is followed by another connection.
 * `isEndless`: a server that stays away is waited for, too.
 */
export async function* followEvents(
  transport: Transport,
  path: string,
  { signal, lastEventId, onOpen }: EventOptions,
  isEndless = false,
): AsyncGenerator<ServerEvent, void, undefined> {
  for (let id = lastEventId; ; ) {
    const headers = { accept: "text/event-stream", ...(id === undefined ? {} : { "last-event-id": id }) };
    const response = await transport.open({ method: "GET", path, headers, signal }).catch((error: unknown) => {
      if (isEndless && isPassing(error)) return undefined;
      throw error;
    });
    if (response?.status === 204 || response?.body === null) return;
    if (response !== undefined) {
      onOpen?.();
      for await (const event of readEvents(response.body, id)) {
        id = event.id;
        if (event.data !== "") yield event;
      }
    }
    await sleep(PAUSE_MS * Math.random(), signal);
  }
}

/** After all retries: the next ones follow. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError;

/** Ends where the stream ends, breaks or falls silent. Ids come without data, too. */
async function* readEvents(body: ReadableStream<Uint8Array>, last: string | undefined): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let id = last;
  let text = "";
  try {
    for (;;) {
      const timer = setTimeout(() => void reader.cancel().catch(() => undefined), SILENT_MS);
      const { done, value } = await reader
        .read()
        .catch(() => ({ done: true, value: undefined }))
        .finally(() => clearTimeout(timer));
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/u);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = readFields(block);
        id = fields.get("id")?.at(-1) ?? id;
        yield { name: fields.get("event")?.at(-1) ?? "message", data: fields.get("data")?.join("\n") ?? "", id };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readFields(block: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r?\n/u)) {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/u.exec(line) ?? [];
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}
