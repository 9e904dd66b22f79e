/** What the test kit tries on jobs under way: busy, stopped by name and by closing, several at once. */
import { randomUUID } from "node:crypto";
import { sleep } from "../sleep.ts";
import { exchange } from "./exchange.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { FramesReader } from "./frames.ts";
import { expectStatus, type Kit, SILENCE_MS, STOP_MS, untilState } from "./kit_ask.ts";
import { makingOf, wordsFor } from "./kit_words.ts";
import { askFor, typeOf } from "./own.ts";

/** Of what is cancelled: nobody makes that in no time. */
const LONG_SECONDS = 120;
/** Long enough for others to stop by mistake. */
const OTHERS_MS = 300;
/** Of those that a server says it takes at once. */
const AT_ONCE_MAX = 4;

interface Started {
  readonly job: string;
  /** What its answer ended with; "closed" where it was closed. */
  readonly ended: Promise<string>;
  close(): void;
}

/** A long piece, once it has begun. */
async function startLong(kit: Kit): Promise<Started> {
  const job = randomUUID();
  const controller = new AbortController();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const task = makingOf(kit.facts.tasks);
  const seconds = Math.min(LONG_SECONDS, (task && kit.facts.tasks[task]?.seconds_max) ?? LONG_SECONDS);
  const words = wordsFor(kit.facts.tasks, task, seconds);
  const headers = { "content-type": typeOf(words) };
  const body = askFor(job, words);
  const signal = AbortSignal.any([controller.signal, kit.signal]);
  let last = "nothing";
  const asked = { method: "POST", path: "/v1/generate", headers, body, silence_ms: SILENCE_MS, signal } as const;
  const frames = new FramesReader(
    (line) => {
      last = line.type === "error" ? String(line.code) : String(line.type);
      begin();
      // Its audio is not wanted; where it comes it goes nowhere.
      return typeof line.bytes === "number" ? new Uint8Array(Math.min(line.bytes, 2 ** 30)) : undefined;
    },
    () => false,
  );
  const ended = exchange(kit.manifest, asked, (status) => {
    if (status !== 200) throw new SidecarFault(status === 503 ? "busy" : "wrong", `it answers ${status}`);
    return {
      take(piece) {
        frames.push(piece);
        return false;
      },
      end: () => undefined,
    };
  }).then(
    () => last,
    (error: unknown) => {
      if (controller.signal.aborted) return "closed";
      if (error instanceof SidecarFault && error.code === "lost" && last !== "nothing") return last;
      throw error;
    },
  );
  await Promise.race([begun, ended]);
  return { job, ended, close: () => controller.abort() };
}

export async function saysBusy(kit: Kit): Promise<void> {
  const first = await startLong(kit);
  try {
    const words = wordsFor(kit.facts.tasks);
    const body = askFor(randomUUID(), words);
    const headers = { "content-type": typeOf(words) };
    let status = 0;
    let retry: string | undefined;
    await exchange(
      kit.manifest,
      { method: "POST", path: "/v1/generate", headers, body, silence_ms: SILENCE_MS, signal: kit.signal },
      (found, head) => {
        status = found;
        retry = head["retry-after"];
        // Closed at once: what it answers with is looked at elsewhere.
        return { take: () => true, end: () => undefined };
      },
    );
    if (status !== 200 && (status !== 503 || retry === undefined))
      throw wrong(`it answers ${status}${retry === undefined ? " without Retry-After" : ""} while it works`);
  } finally {
    first.close();
    await first.ended;
  }
  await untilState(kit, ["ready"]);
}

export async function stopsByName(kit: Kit): Promise<void> {
  await stop(kit, await startLong(kit));
  await untilState(kit, ["ready"]);
}

async function stop(kit: Kit, { job, ended, close }: Started): Promise<void> {
  try {
    await expectStatus(kit, { method: "DELETE", path: `/v1/jobs/${job}` }, 204);
  } catch (error) {
    close();
    // It was quicker than we are.
    if ((await ended) === "done") return;
    throw error;
  }
  const last = await Promise.race([ended, sleep(STOP_MS, kit.signal).then(() => "going on")]);
  close();
  if (last === "done") return;
  if (last !== "cancelled") throw wrong(`its answer ends with ${quote(last)}, expected an error "cancelled"`);
}

export async function worksAtOnce(kit: Kit): Promise<void> {
  const all: Started[] = [];
  // One that was closed just before may still be ending.
  const until = performance.now() + STOP_MS;
  try {
    while (all.length < Math.min(AT_ONCE_MAX, kit.facts.concurrency!)) {
      const one = await startLong(kit).catch((error: SidecarFault) => {
        if (error.code !== "busy" || performance.now() > until)
          throw wrong(`beside ${all.length} it does not begin another: ${error.message}`);
      });
      if (one === undefined) await sleep(50, kit.signal);
      else all.push(one);
    }
    const [first, ...others] = all;
    await stop(kit, first!);
    const rest = await Promise.race([sleep(OTHERS_MS, kit.signal), ...others.map(({ ended }) => ended)]);
    if (rest === "cancelled" || rest === "failed") throw wrong(`another one ended with ${quote(rest)}`);
  } finally {
    for (const { close } of all) close();
    await Promise.allSettled(all.map(({ ended }) => ended));
  }
  await untilState(kit, ["ready"]);
}

export async function stopsByClosing(kit: Kit): Promise<void> {
  const { ended, close } = await startLong(kit);
  close();
  await ended;
  await untilState(kit, ["ready"]);
}
