/** The account's operations as they end: the server's events, over as many connections as it takes. */
import type { Operation, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { ApiError, errorOf } from "../../sdk/typescript/src/mod.ts";
import { sleep } from "../../sdk/typescript/src/transport.ts";
import type { Profile } from "./settings.ts";

const PAGE = 100;

export const typeOf = ({ action, status }: Pick<Operation, "action" | "status">): string => `${action}.${status}`;

/** The last operations that have ended, newest first. */
export async function listEnded(tonwerk: Tonwerk, limit: number, action: string | undefined): Promise<Operation[]> {
  const ended: Operation[] = [];
  if (limit === 0) return ended;
  for await (const operation of tonwerk.operations({ action, limit: PAGE })) {
    if (operation.status !== "processing") ended.push(operation);
    if (ended.length >= limit) break;
  }
  return ended;
}

/** Ends that a resumption may tell again are the newest ones. */
const REMEMBERED = 1_000;
const LONGEST_PAUSE_MS = 8_000;

/** Operations that end from now on, each once and in full. Ends when `signal` aborts. @throws ApiError where the server refuses. */
export async function* followEnded(
  tonwerk: Tonwerk,
  profile: Profile,
  action: string | undefined,
  signal: AbortSignal,
  onReady: () => void,
): AsyncGenerator<Operation, void, undefined> {
  const told = new Set<string>();
  let last: string | undefined;
  for (let failed = 0; !signal.aborted; failed++) {
    try {
      for await (const { id, event, data } of readEvents(profile, last, signal)) {
        if (last === undefined) onReady();
        last = id ?? last ?? "";
        failed = 0;
        if (event !== "ready" && event !== "failed") continue;
        const ended = JSON.parse(data) as { readonly id: string; readonly action: string };
        if (told.has(ended.id) || (action !== undefined && ended.action !== action)) continue;
        told.add(ended.id);
        if (told.size > REMEMBERED) told.delete(told.values().next().value!);
        yield await tonwerk.action(ended.action).get(ended.id);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    await sleep(Math.min(250 * 2 ** failed, LONGEST_PAUSE_MS), signal).catch(() => undefined);
  }
}

interface Event {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** The server shows every 15 s that it lives. */
const SILENT_MS = 45_000;

/** One connection. @throws ApiError */
async function* readEvents(
  { url, key }: Profile,
  last: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENT_MS).unref();
  const response = await fetch(`${url}/v1/events`, {
    headers: { authorization: `Bearer ${key}`, ...(last ? { "last-event-id": last } : {}) },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
  let waiting = "";
  const decoder = new TextDecoder();
  for await (const part of response.body!) {
    timer.refresh();
    const blocks = (waiting + decoder.decode(part, { stream: true })).split("\n\n");
    waiting = blocks.pop()!;
    for (const block of blocks) {
      const lines = new Map(
        block.split("\n").map((line) => [line.split(": ", 1)[0]!, line.slice(line.indexOf(": ") + 2)]),
      );
      yield { id: lines.get("id"), event: lines.get("event") ?? "", data: lines.get("data") ?? "" };
    }
  }
}
