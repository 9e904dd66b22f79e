/** The protocol's test kit: what a server must do, tried on the server itself. Of other protocols what they have in common with ours. */
import { randomUUID } from "node:crypto";
import { Body, exchange, fetchWhole } from "./exchange.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { FRAMES_TYPE, FramesReader, joinFrames } from "./frames.ts";
import { MAKING, type Makes, makingOf, noise, wordsFor } from "./kit_words.ts";
import type { SidecarManifest } from "./manifest.ts";
import { audioLine, lookOf, speakOwn } from "./own.ts";
import { speakTo } from "./protocols.ts";
import { sleep } from "./sleep.ts";
import { HEALTH_BYTES_MAX, LOOK_MS, type Speaker } from "./speaker.ts";
import type { SidecarCheck, SidecarFacts } from "./types.ts";

const PIECE_SECONDS = 1;
/** Of what is cancelled: nobody makes that in no time. */
const LONG_SECONDS = 120;
/** Whoever is told to stop has stopped by then. */
const STOP_MS = 5000;
/** Long enough for others to stop by mistake. */
const OTHERS_MS = 300;
/** Of those that a server says it takes at once. */
const AT_ONCE_MAX = 4;
/** The protocol asks for a line every 10 s. */
const SILENCE_MS = 10_000;

interface Kit {
  readonly manifest: SidecarManifest;
  readonly facts: SidecarFacts;
  readonly signal: AbortSignal;
}

type Check = readonly [name: string, run: (kit: Kit) => Promise<void>];

/** Never rejects but with the signal's reason. */
export async function checkSidecar(manifest: SidecarManifest, facts: SidecarFacts, signal: AbortSignal) {
  const kit = { manifest, facts, signal };
  const checks: SidecarCheck[] = [];
  for (const [name, run] of checksOf(kit)) {
    const began = performance.now();
    const fault = await run(kit).then(
      () => null,
      (error: Error) => {
        signal.throwIfAborted();
        return error.message;
      },
    );
    checks.push({ name, fault, seconds: (performance.now() - began) / 1000 });
  }
  return checks;
}

function checksOf({ manifest, facts: { tasks, concurrency } }: Kit): readonly Check[] {
  const is_ours = manifest.protocol === "tonwerk";
  return [
    ...MAKING.filter(([task]) => tasks[task] !== undefined).map(
      ([task, name]): Check => [name, (kit) => makesPiece(kit, task)],
    ),
    ...(tasks.separate === undefined
      ? []
      : [
          ["separates stereo", (kit: Kit) => separates(kit, 2)] as const,
          ["separates mono", (kit: Kit) => separates(kit, 1)] as const,
        ]),
    ...(is_ours ? OURS : []),
    ...(is_ours && makingOf(tasks) !== undefined ? OURS_AT_WORK : []),
    ...(is_ours && makingOf(tasks) !== undefined && (concurrency ?? 1) > 1 ? [OURS_AT_ONCE] : []),
  ];
}

const OURS: readonly Check[] = [
  ["says what it holds in memory", saysMemory],
  ["refuses a body that is not JSON with 400", (kit) => refusesWords(kit, "{")],
  ["refuses a piece without a prompt with 400", (kit) => refusesWords(kit, "{}")],
  ["refuses a stem that there is not with 400", refusesStem],
  ["refuses audio that is cut short with 400", refusesCutAudio],
  ["says 404 of a path that there is not", (kit) => refuses(kit, { method: "GET", path: "/v1/nothing" }, 404)],
  [
    "says 404 of a job that there is not",
    (kit) => refuses(kit, { method: "DELETE", path: `/v1/jobs/${randomUUID()}` }, 404),
  ],
  ["asks for the token", asksForToken],
  ["gives its memory back, and loads again", unloads],
];
const OURS_AT_WORK: readonly Check[] = [
  ["says that it is busy, with 503 and Retry-After, or works on both", saysBusy],
  ["stops when it is told to by name", stopsByName],
  ["stops when the connection closes", stopsByClosing],
];
const OURS_AT_ONCE: Check = ["works on as many at once as it says, and stops the one that it is told to", worksAtOnce];

/** Whatever it is forgiven at work is told here. */
function strictly({ manifest }: Kit, told: string[]): Speaker {
  if (manifest.protocol !== "tonwerk") return speakTo(manifest);
  return speakOwn(manifest, { silence_ms: SILENCE_MS, onPeccadillo: (what) => told.push(what) });
}

async function makesPiece(kit: Kit, task: Makes): Promise<void> {
  const told: string[] = [];
  const speaker = strictly(kit, told);
  const job = { signal: kit.signal, progress: () => undefined };
  const make = (seed: number) => speaker.generate(wordsFor(task, PIECE_SECONDS, seed), job);
  const [one] = [await make(1), await make(2 ** 32 - 1)];
  const wanted = kit.facts.tasks[task]?.sample_rate ?? one.sample_rate;
  if (one.sample_rate !== wanted) throw wrong(`its piece has ${one.sample_rate} Hz, its health says ${wanted} Hz`);
  if (told.length > 0) throw wrong(`it sends ${told.join("; ")}`);
}

async function separates(kit: Kit, channels: number): Promise<void> {
  const told: string[] = [];
  const { stems, sample_rate } = kit.facts.tasks.separate!;
  const job = { signal: kit.signal, progress: () => undefined };
  await strictly(kit, told).separate(noise(sample_rate ?? 44_100, channels), stems, job);
  if (told.length > 0) throw wrong(`it sends ${told.join("; ")}`);
}

async function saysMemory({ facts }: Kit): Promise<void> {
  if (facts.memory_mb === null || facts.memory_mb <= 0) throw wrong('its health has no "memory"');
}

interface Attempt {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: Uint8Array;
  readonly type?: string;
  /** Without the token. */
  readonly is_stranger?: true;
}

/** Rejects where the answer's status is not this, before its body is read. */
async function expectStatus(kit: Kit, attempt: Attempt, status: number): Promise<Body> {
  const { method, path, body, type = "application/json", is_stranger } = attempt;
  const place = is_stranger === true ? { url: kit.manifest.url } : kit.manifest;
  const headers = body === undefined ? {} : { "content-type": type };
  const asked = { method, path, headers, silence_ms: SILENCE_MS, signal: kit.signal };
  let taken: Body | undefined;
  await exchange(place, body === undefined ? asked : { ...asked, body }, (found, head) => {
    if (found !== status) throw wrong(`it answers ${found}, expected ${status}`);
    taken = new Body(head, HEALTH_BYTES_MAX);
    return taken;
  });
  return taken!;
}

async function refuses(kit: Kit, attempt: Attempt, status: number): Promise<void> {
  const body = await expectStatus(kit, attempt, status);
  const { error } = Object(body.json()) as { error?: { code?: unknown; message?: unknown } };
  if (typeof error?.code !== "string" || typeof error.message !== "string")
    throw wrong(`it answers ${quote(body.text())}, expected { "error": { "code", "message" } }`);
}

async function refusesWords(kit: Kit, text: string): Promise<void> {
  if (makingOf(kit.facts.tasks) === undefined) return;
  const body = new TextEncoder().encode(text);
  await refuses(kit, { method: "POST", path: "/v1/generate", body }, 400);
}

async function refusesStem(kit: Kit): Promise<void> {
  const { separate } = kit.facts.tasks;
  if (separate === undefined) return;
  const audio = noise(separate.sample_rate ?? 44_100, 1);
  const line = { job: randomUUID(), stems: ["bongos"] };
  const body = joinFrames([{ line }, { line: audioLine(audio), channels: audio.channels }]);
  await refuses(kit, { method: "POST", path: "/v1/separate", body, type: FRAMES_TYPE }, 400);
}

async function refusesCutAudio(kit: Kit): Promise<void> {
  const { separate } = kit.facts.tasks;
  if (separate === undefined) return;
  const audio = noise(separate.sample_rate ?? 44_100, 1);
  const line = { job: randomUUID(), stems: separate.stems };
  const body = joinFrames([{ line }, { line: audioLine(audio), channels: audio.channels }]).subarray(0, -100);
  await refuses(kit, { method: "POST", path: "/v1/separate", body, type: FRAMES_TYPE }, 400);
}

async function asksForToken(kit: Kit): Promise<void> {
  if (kit.manifest.token_file === undefined) return;
  await refuses(kit, { method: "GET", path: "/v1/health", is_stranger: true }, 401);
  await refuses(kit, { method: "POST", path: "/v1/load", is_stranger: true }, 401);
}

async function unloads(kit: Kit): Promise<void> {
  const speaker = strictly(kit, []);
  await speaker.unload(kit.signal);
  await untilState(kit, ["unloaded"]);
  await speaker.load(kit.signal);
  await untilState(kit, ["ready"], 300_000);
}

async function untilState(kit: Kit, states: readonly string[], ms_max = STOP_MS): Promise<void> {
  const until = performance.now() + ms_max;
  for (;;) {
    const answer = await fetchWhole(
      kit.manifest,
      { method: "GET", path: "/v1/health", signal: kit.signal, silence_ms: LOOK_MS },
      HEALTH_BYTES_MAX,
    );
    const { state } = lookOf(answer.body.json());
    if (states.includes(state)) return;
    if (performance.now() > until)
      throw wrong(`it is ${state} after ${ms_max / 1000} s, expected ${states.join(" or ")}`);
    await sleep(50, kit.signal);
  }
}

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
  const body = new TextEncoder().encode(JSON.stringify({ job, ...wordsFor(task, seconds) }));
  const headers = { "content-type": "application/json" };
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

async function saysBusy(kit: Kit): Promise<void> {
  const first = await startLong(kit);
  try {
    const body = new TextEncoder().encode(
      JSON.stringify({ job: randomUUID(), ...wordsFor(makingOf(kit.facts.tasks), PIECE_SECONDS) }),
    );
    const headers = { "content-type": "application/json" };
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

async function stopsByName(kit: Kit): Promise<void> {
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

async function worksAtOnce(kit: Kit): Promise<void> {
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

async function stopsByClosing(kit: Kit): Promise<void> {
  const { ended, close } = await startLong(kit);
  close();
  await ended;
  await untilState(kit, ["ready"]);
}
