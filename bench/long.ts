/**
 * `bun bench/long.ts FOLDER [--seconds 10800] [--actions normalise,duck,cut]`: sources of hours through a service of their own: time, processor
 * time, peak memory of the service and of what it starts, and what comes out, heard by ffmpeg's ebur128. FOLDER has `music/<genre>/*.flac`
 * (stems) and `duck/<case>/voice.flac`, which are repeated at varying levels with noise and tones between. Needs ffmpeg and curl, and 12 GB of
 * disk.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { newApiKey } from "../core/base/keys.ts";
import { freePort, startProcess } from "../test/process.ts";
import { columns, cpuSecondsOf, isInstalled, loadNow, peakBytes, runOutside } from "./measure.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "10800" },
    actions: { type: "string", default: "normalise,duck,cut" },
    folder: { type: "string" },
  },
});
const [from] = positionals;
if (from === undefined) throw new TypeError("Cannot begin without a folder of music and speech, see above");
const seconds = Number(options.seconds);
const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "tonwerk-long-")));
const key = newApiKey();
const TARGET_LUFS = -14;

const ffmpeg = (...args: readonly string[]) =>
  runOutside(["ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-y", ...args]);

/** A few minutes of everything, then all of it again and again, each time at another level. */
async function makeSources(from: string): Promise<void> {
  const inputs: string[] = [];
  const graph: string[] = [];
  const parts: string[] = [];
  for (const genre of await readdir(join(from, "music"))) {
    const stems = (await readdir(join(from, "music", genre))).filter((name) => name.endsWith(".flac"));
    const first = inputs.length / 2;
    for (const stem of stems) inputs.push("-i", join(from, "music", genre, stem));
    const labels = stems.map((_, n) => `[${first + n}]`).join("");
    graph.push(`${labels}amix=inputs=${stems.length}:normalize=0[${genre}]`);
    parts.push(`[${genre}]`);
  }
  graph.push("anoisesrc=d=9:c=pink:a=0.3:r=44100:seed=1,aformat=channel_layouts=stereo[noise]");
  graph.push("sine=f=997:d=7:r=44100,volume=2,aformat=channel_layouts=stereo[tone]");
  parts.push("[noise]", "[tone]");
  graph.push(`${parts.join("")}concat=n=${parts.length}:v=0:a=1[out]`);
  await ffmpeg(
    ...inputs,
    "-filter_complex",
    graph.join(";"),
    "-map",
    "[out]",
    "-ar",
    "44100",
    join(folder, "unit.wav"),
  );
  const varied = (period: number): string => `volume='0.55+0.4*sin(2*PI*t/${period})':eval=frame`;
  const endless = ["-stream_loop", "-1", "-t", String(seconds)];
  await ffmpeg(...endless, "-i", join(folder, "unit.wav"), "-af", varied(977), join(folder, "music.wav"));
  await ffmpeg("-i", join(folder, "music.wav"), join(folder, "music.flac"));
  const voice = join(from, "duck", (await readdir(join(from, "duck")))[0]!, "voice.flac");
  await ffmpeg(...endless, "-i", voice, "-af", varied(613), "-b:a", "128k", join(folder, "voice.mp3"));
}

interface Served {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function upload({ url, headers }: Served, path: string): Promise<{ readonly url: string }> {
  const { printed } = await runOutside([
    ...["curl", "-sS", "-T", path, "-H", `authorization: ${headers.authorization}`, `${url}/v1/files`],
  ]);
  const answer = JSON.parse(printed.slice(0, printed.lastIndexOf("}") + 1)) as { file?: { url: string } };
  if (answer.file === undefined) throw new Error(`The upload of ${path} was refused: ${JSON.stringify(answer)}`);
  return { url: answer.file.url };
}

interface Ended {
  readonly status: string;
  readonly output?: {
    readonly url: string;
    readonly duration: number;
    readonly loudness: { readonly lufs: number; readonly true_peak_dbtp: number };
    readonly report?: unknown;
  };
  readonly error?: unknown;
}

async function run({ url, headers }: Served, action: string, wrapper: string, body: object): Promise<Ended> {
  const sent = await fetch(`${url}/v1/${action}`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ idempotency_key: randomUUID(), ...body }),
  });
  let operation = ((await sent.json()) as Record<string, Ended & { id: string }>)[wrapper];
  if (operation === undefined) throw new Error(`${action} answered ${sent.status}`);
  while (operation.status === "processing") {
    const answer: Response = await fetch(`${url}/v1/${action}?id=${operation.id}&wait=true`, { headers });
    operation = ((await answer.json()) as Record<string, Ended & { id: string }>)[wrapper]!;
  }
  return operation;
}

/** Integrated loudness and true peak, by another meter. */
async function heard(path: string): Promise<readonly [lufs: number, dbtp: number]> {
  const { printed } = await runOutside([
    ...[
      "ffmpeg",
      "-nostdin",
      "-hide_banner",
      "-i",
      path,
      "-af",
      "ebur128=peak=true:framelog=verbose",
      "-f",
      "null",
      "-",
    ],
  ]);
  const said = (label: RegExp): number => Number([...printed.matchAll(label)].at(-1)?.[1] ?? Number.NaN);
  return [said(/I:\s+(-?[\d.]+) LUFS/gu), said(/Peak:\s+(-?[\d.]+) dBFS/gu)];
}

const ACTIONS = {
  normalise: ["adapt.normalise_loudness", "normalised_audio", { source: "music.wav" }, {}],
  duck: ["adapt.auto_duck", "ducked_audio", { music: "music.flac", voice: "voice.mp3" }, {}],
  cut: ["adapt.auto_cut_down", "auto_cut", { source: "music.wav" }, { target_duration: 60 }],
} as const;

if (!(await isInstalled("ffmpeg")) || !(await isInstalled("curl"))) throw new Error("ffmpeg and curl are needed");
// A folder that was named keeps its sources.
if (options.folder === undefined || !(await readdir(folder)).includes("voice.mp3")) await makeSources(from);
const rows: string[][] = [["action", "s", "processor s", "peak MB", "LUFS, by ffmpeg", "dBTP, by ffmpeg", "output s"]];
for (const name of options.actions.split(",") as (keyof typeof ACTIONS)[]) {
  const [action, wrapper, sources, fields] = ACTIONS[name];
  const env = {
    TONWERK_DATA: join(folder, `data-${name}`),
    TONWERK_FIRST_KEY: key,
    TONWERK_SOURCE_SECONDS: String(Math.max(600, Math.ceil(seconds))),
    TONWERK_SOURCE_BYTES: "4000000000",
  };
  const port = await freePort();
  const service = await startProcess(env, port);
  const served = { url: service.url, headers: { authorization: `Bearer ${key}` } };
  try {
    const body: Record<string, unknown> = { ...fields };
    const uploading = performance.now();
    for (const [field, file] of Object.entries(sources)) body[field] = await upload(served, join(folder, file));
    console.log(`${name}: uploaded in ${Math.round((performance.now() - uploading) / 1000)} s, load ${loadNow()}`);
    const [began, cpu] = [performance.now(), await cpuSecondsOf(service.pid)];
    const ended = await run(served, action, wrapper, body);
    const [wall, busy] = [(performance.now() - began) / 1000, (await cpuSecondsOf(service.pid)) - cpu];
    if (ended.output === undefined) throw new Error(`${action} failed: ${JSON.stringify(ended.error)}`);
    const { duration, loudness, url } = ended.output;
    const made = join(folder, `${name}.flac`);
    await runOutside(["curl", "-sS", "-o", made, url]);
    const [lufs, dbtp] = await heard(made);
    const peak = Math.round((await peakBytes(service.pid)) / 1e6);
    const told = `${loudness.lufs} (${lufs})`;
    rows.push([
      name,
      wall.toFixed(0),
      busy.toFixed(0),
      `${peak}`,
      told,
      `${loudness.true_peak_dbtp} (${dbtp})`,
      `${duration}`,
    ]);
    if (name !== "cut" && Math.abs(lufs - TARGET_LUFS) > 0.1) throw new Error(`${action}: ${lufs} LUFS by ffmpeg`);
  } finally {
    service.kill("SIGTERM");
    await service.exited;
    await rm(env.TONWERK_DATA, { recursive: true, force: true });
  }
}
console.log(columns(rows));
if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
