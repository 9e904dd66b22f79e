import { setImmediate } from "node:timers";
import { messageOf } from "../../base/log.ts";
import type { Errand } from "../../ports/mod.ts";
import { type Link, LinkLost } from "./link.ts";

export interface ListenerOptions {
  /** Makes the node's one listening connection. */
  readonly open: (onLost: (link: Link) => void, onNotify: (channel: string, payload: string) => void) => Promise<Link>;
  readonly onEnded: (ids: readonly string[]) => void;
  readonly onProgress: (ids: readonly string[]) => void;
  readonly onAccount: (account_id: string) => void;
  readonly onWork: (work: Errand, id: string) => void;
  /** Notifications may have been missed: ask for everything again, once. */
  readonly onMissed: () => void;
}

/**
 * Hears what the other nodes did, over one connection whatever the number of waiters; connects again for as long as it
 * is not closed.
 */
export interface Listener {
  /**
   * Says that there is work, to every node; a hint, so nobody waits for it. What is said in the same moment goes
   * together.
   */
  announce(work: Errand, id: string): void;
  /** Says of which operations progress was recorded, to every node; a hint as well. */
  announceProgress(ids: readonly string[]): void;
  /** The server has been seen: an attempt to connect that is put off is made now. */
  hurry(): void;
  close(): Promise<void>;
}

/** Resolves after the first attempt to connect, whether or not it succeeded. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  let link: Link | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  let failures = 0;
  let closed = false;
  let said = new Set<string>();
  /** What was said is about to be told. */
  let telling = false;
  let told_at = Number.NEGATIVE_INFINITY;

  async function start(): Promise<void> {
    try {
      const made = await options.open((gone) => {
        if (gone === link || link === undefined) lose();
      }, hear);
      if (closed) {
        made.drop("it is closed");
        return;
      }
      link = made;
      await made.query("LISTEN tonwerk", []);
      failures = 0;
      beat = setInterval(() => link?.query("SELECT 1", []).catch(() => undefined), BEAT_MS);
      if (typeof beat === "object") beat.unref();
      options.onMissed();
    } catch (error) {
      // The link's own end has called `lose` already.
      if (link !== undefined && !link.lost) link.drop(messageOf(error));
      else if (retry === undefined) lose();
    }
  }

  function lose(): void {
    link = undefined;
    clearInterval(beat);
    if (closed || retry !== undefined) return;
    retry = setTimeout(
      () => {
        retry = undefined;
        void start();
      },
      Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX),
    );
    if (typeof retry === "object") retry.unref();
    failures += 1;
  }

  function hear(_channel: string, payload: string): void {
    if (closed) return;
    const space = payload.indexOf(" ");
    const rest = payload.slice(space + 1);
    switch (payload.slice(0, space)) {
      case "ended":
        options.onEnded(rest.split(","));
        break;
      case "progress":
        options.onProgress(rest.split(","));
        break;
      case "account":
        options.onAccount(rest);
        break;
      case "work":
        for (const one of rest.split(",")) {
          const [work, id] = one.split(":");
          // What a node of another version says may be new to this one.
          if (work !== undefined && id !== undefined) options.onWork(work as Errand, id);
        }
        break;
      case "picture":
        for (const id of rest.split(",")) options.onWork("picture", id);
        break;
    }
  }

  function tell(): void {
    const together = [...said];
    said = new Set();
    telling = false;
    told_at = performance.now();
    tellAll(
      "work",
      together.filter((one) => !one.startsWith(PICTURE)),
    );
    // By a word of its own: nodes of the version before take every kind of work for one that they know.
    tellAll(
      "picture",
      together.flatMap((one) => (one.startsWith(PICTURE) ? one.slice(PICTURE.length) : [])),
    );
  }

  function tellAll(what: string, ids: readonly string[]): void {
    for (let start = 0; start < ids.length; start += SAID_MAX) {
      const payload = `${what} ${ids.slice(start, start + SAID_MAX).join(",")}`;
      (
        link?.query("SELECT pg_notify('tonwerk', $1)", [payload]) ?? Promise.reject(new LinkLost("there is none"))
      ).catch(() => undefined);
    }
  }

  await start();
  return {
    announce(work, id) {
      said.add(`${work}:${id}`);
      if (telling) return;
      telling = true;
      // Whoever is alone waits for no company.
      const left_ms = TELL_MS - (performance.now() - told_at);
      if (left_ms > 0) setTimeout(tell, left_ms);
      else setImmediate(tell);
    },
    announceProgress: (ids) => tellAll("progress", ids),
    hurry() {
      if (closed || retry === undefined) return;
      clearTimeout(retry);
      retry = undefined;
      void start();
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(beat);
      await link?.close();
    },
  };
}

/** Shows that the connection still lives: without traffic a broken one would not be noticed. */
const BEAT_MS = 5_000;
const RETRY_MS = 50;
const RETRY_MS_MAX = 500;
/** Ids in one payload, which may have 8,000 bytes. */
const SAID_MAX = 100;
/** Between two of its own accord: a stream of announcements is told in few. */
const TELL_MS = 2;
const PICTURE = "picture:";
