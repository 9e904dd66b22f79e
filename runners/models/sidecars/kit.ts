/** The protocol's test kit: what a server must do, tried on the server itself. Of other protocols what they have in common with ours. */
import { randomUUID } from "node:crypto";
import { wrong } from "./fault.ts";
import { FRAMES_TYPE, joinFrames } from "./frames.ts";
import { type Kit, refuses, SILENCE_MS, untilState } from "./kit_ask.ts";
import { saysBusy, stopsByClosing, stopsByName, worksAtOnce } from "./kit_jobs.ts";
import { MAKING, makingOf, noise, wordsFor } from "./kit_words.ts";
import type { SidecarManifest } from "./manifest.ts";
import { askFor, audioLine, speakOwn } from "./own.ts";
import { speakTo } from "./protocols.ts";
import type { Speaker } from "./speaker.ts";
import type { MakingTask, SidecarCheck, SidecarFacts } from "./types.ts";

const PIECE_SECONDS = 1;

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
    ...(is_ours && (tasks.remix ?? tasks.remix_song) !== undefined ? [OURS_ANEW] : []),
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
const OURS_ANEW: Check = ["refuses a reference that is cut short with 400", refusesCutReference];
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

async function makesPiece(kit: Kit, task: MakingTask): Promise<void> {
  const told: string[] = [];
  const speaker = strictly(kit, told);
  const job = { signal: kit.signal, progress: () => undefined };
  const make = (seed: number) => speaker.generate(wordsFor(kit.facts.tasks, task, PIECE_SECONDS, seed), job);
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

async function refusesCutReference(kit: Kit): Promise<void> {
  const task = kit.facts.tasks.remix === undefined ? "remix_song" : "remix";
  const body = askFor(randomUUID(), wordsFor(kit.facts.tasks, task)).subarray(0, -100);
  await refuses(kit, { method: "POST", path: "/v1/generate", body, type: FRAMES_TYPE }, 400);
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
