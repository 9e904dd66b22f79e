/**
 * Server-sent events: `/v1/operations/{id}/events`, which ends with the operation, and `/v1/events` of the whole
 * account. Progress is told as it is now, ends are told at least once: their event ids are places that `Last-Event-ID`
 * resumes after.
 */
import {
  type AccountRoute,
  type Facade,
  issue,
  maySee,
  type Principal,
  refuse,
  renderListed,
  type Snapshot,
  type Surface,
} from "../../core/surface.ts";
import { describeAll, describeOne, EVENT_ID } from "./document.ts";
import { createFollowers } from "./followers.ts";
import { type EventStream, openStream } from "./stream.ts";

/**
 * Under the 30 s in which proxies and our own server take a silent connection for dead, and in which a place among
 * long-polls is kept.
 */
const BEAT_MS = 15_000;
/** Whoever goes on resumes, on whichever node; a balancer spreads them anew. */
const OPEN_MS = 15 * 60_000;
/** Ends are committed in another order than they are stamped, and nodes' clocks differ. */
const OVERLAP_MS = 5_000;
const PAGE = 100;

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // nginx would gather the events.
  "x-accel-buffering": "no",
};

export default function events(facade: Facade): Surface {
  const { store, config, clock, limits, actionOf, sign } = facade;
  const followers = createFollowers(facade);

  const endOf = (operation: Snapshot): string => {
    const shown = renderListed(actionOf(operation)!, operation, sign);
    return writeEvent(operation.status, shown, placeOf(operation));
  };

  /** A stream that counts as one long-poll for as long as it is open. `follow` begins to feed it. */
  const open = async (account: Principal, request: Request, follow: (stream: EventStream) => () => void) => {
    if (facade.isDraining()) throw refuse.draining();
    const enter = () => limits.enter(account.id, account.long_polls ?? config.long_polls);
    let leave = await enter();
    if (leave === undefined) throw refuse.tooMany("too_many_long_polls", 1, "Too many open long-polls");
    let is_open = true;
    const stops: (() => void)[] = [];
    const stream = openStream(() => {
      is_open = false;
      for (const stop of stops) stop();
      leave?.();
    });
    const beat = async (): Promise<void> => {
      stream.beat();
      // Taken anew: of nodes that count together, one that was killed holds its places for half a minute.
      leave?.();
      leave = undefined;
      const entered = is_open ? await enter() : undefined;
      if (entered === undefined) return stream.close();
      leave = entered;
      if (!is_open) return entered();
      stops[0] = clock.after(BEAT_MS, () => void beat());
    };
    stops.push(clock.after(BEAT_MS, () => void beat()));
    stops.push(clock.after(OPEN_MS, () => stream.close()));
    const abort = () => stream.close();
    request.signal.addEventListener("abort", abort, { once: true });
    stops.push(() => request.signal.removeEventListener("abort", abort));
    stops.push(follow(stream));
    return stream;
  };

  /** Tells progress when it is another than the last that was told. */
  const createTeller = ({ key }: Principal, stream: EventStream) => {
    const told = new Map<string, string>();
    return (operation: Snapshot): void => {
      const { id } = operation;
      if (actionOf(operation) === undefined || !maySee(key, operation.action)) return;
      if (operation.status !== "processing") {
        told.delete(id);
        stream.send(id, endOf(operation));
      } else {
        const text = writeEvent("progress", progressOf(operation));
        if (told.get(id) !== text) stream.send(id, text);
        told.set(id, text);
      }
    };
  };

  const answerOne: AccountRoute["answer"] = async (account, { request, params }) => {
    const id = params.id ?? "";
    const last = lastPlace(request);
    const first = await facade.read(account, undefined, id);
    if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
    // The answer that tells an EventSource not to come again.
    if (first.status !== "processing" && last?.id === id) return new Response(null, { status: 204 });
    const stream = await open(account, request, (made) => {
      const tell = createTeller(account, made);
      const show = (operation: Snapshot): void => {
        tell(operation);
        if (operation.status !== "processing") made.close(true);
      };
      made.send("", RETRY);
      return followers.follow(id, { account_id: account.id, show, close: made.close });
    });
    // Once it is followed: an end between the two is seen by one or the other.
    followers.look([id]);
    return new Response(stream.body, { headers: HEADERS });
  };

  const answerAll: AccountRoute["answer"] = async (account, { request }) => {
    const last = lastPlace(request);
    if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
    /** What changed while what ended before is told; null: that is done. */
    let meanwhile: Set<string> | null = last === undefined ? null : new Set();
    const stream = await open(account, request, (made) => {
      const tell = createTeller(account, made);
      const show = (operation: Snapshot): void => {
        if (meanwhile === null) tell(operation);
        else meanwhile.add(operation.id);
      };
      // A place to resume after, should nothing end before the connection does.
      made.send("", last === undefined ? `${RETRY}id: ${clock.now()}\n\n` : RETRY);
      return followers.follow(account.id, { account_id: account.id, show, close: made.close });
    });
    if (last !== undefined)
      replay(account, last, stream)
        .then(() => {
          const ids = meanwhile ?? [];
          meanwhile = null;
          followers.look(ids);
        })
        // What it missed is told when it comes again.
        .catch(() => stream.close());
    return new Response(stream.body, { headers: HEADERS });
  };

  const replay = async ({ id: account_id, key }: Principal, last: Place, stream: EventStream): Promise<void> => {
    let after = { completed_at: last.completed_at - OVERLAP_MS, id: "" };
    for (;;) {
      await stream.room();
      const page = await store.endedAfter(account_id, after, PAGE);
      for (const operation of page) {
        const is_told = operation.id === last.id || actionOf(operation) === undefined || !maySee(key, operation.action);
        if (!is_told) stream.send(operation.id, endOf(operation));
      }
      const newest = page.at(-1);
      if (newest === undefined || newest.completed_at === null || page.length < PAGE) return;
      after = { completed_at: newest.completed_at, id: newest.id };
    }
  };

  return {
    name: "events",
    account_routes: [
      { method: "GET", path: "/v1/operations/:id/events", detail: describeOne, answer: answerOne },
      { method: "GET", path: "/v1/events", detail: describeAll, answer: answerAll },
    ],
    drain: followers.closeAll,
    async stop() {
      followers.stop();
    },
  };
}

/** Milliseconds until an EventSource comes again. */
const RETRY = "retry: 1000\n\n";

function writeEvent(name: string, data: object, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function progressOf({ id, action, progress, stage, running, queue_position }: Snapshot): object {
  const now = stage ?? (running ? "starting" : "queued");
  return { action, id, status: "processing", progress, stage: now, queue_position };
}

/** An end, among those of its account. */
interface Place {
  readonly completed_at: number;
  /** Undefined: of the beginning of a stream. */
  readonly id: string | undefined;
}

const placeOf = ({ completed_at, id }: Snapshot): string => `${completed_at}-${id}`;

/** Refuses with 422 what no event has as its id. */
function lastPlace({ headers }: Request): Place | undefined {
  const text = headers.get("last-event-id");
  if (text === null || text === "") return undefined;
  const [, completed_at, id] = EVENT_ID.exec(text) ?? [];
  if (completed_at !== undefined) return { completed_at: Number(completed_at), id };
  throw refuse.invalid([issue(["header", "last-event-id"], "value_error", "Must be the id of an event")]);
}
