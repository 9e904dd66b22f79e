/**
 * `bun bench/profile.ts`: flame graphs of the kernel while it takes submissions, answers reads and runs a job, from the runtimes' own
 * profilers, as SVG files in `docs/`, and the hottest functions as a table.
 *
 *   bun bench/profile.ts [--seconds 10] [--only submit,status,worker] [--out docs]
 *
 * Requests: a fresh service under wrk, its main thread on Bun and on Deno, and on Deno also the thread that writes the store (Bun profiles the
 * main thread alone). Worker: one whole job of 180 s of audio in a fresh process, warm. `bench/results/profiles` keeps what the runtimes wrote.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { inFolder, music, wav } from "../test/audio.ts";
import { startKernel } from "./k6/servers.ts";
import { type Mode, saturate } from "./k6/wrk.ts";
import { HERE, RUNTIMES, type RuntimeName, runFresh } from "./measure.ts";
import { type CpuProfile, type Frame, hottest, KERNELS, summed } from "./profile/cpuprofile.ts";
import { flameGraph } from "./profile/flame.ts";
import { exportedFunctions } from "./profile/wasm_names.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    only: { type: "string", default: "submit,status,worker" },
    out: { type: "string", default: join(HERE, "docs") },
  },
});
const PROFILES = join(HERE, "bench/results/profiles");
const ACTION = fileURLToPath(new URL("./actions/child.ts", import.meta.url));
const SHOWN = 12;
/** Of the main thread's time; a thread that did less has nothing to tell. */
const SHARE_MIN = 0.1;
const SECONDS_OF_AUDIO = 180;

const only = options.only.split(",");
for (const mode of ["submit", "status"] as const)
  if (only.includes(mode)) for (const runtime of RUNTIMES) await requests(mode, runtime);
if (only.includes("worker")) for (const runtime of RUNTIMES) await worker(runtime);

async function requests(mode: Mode, runtime: RuntimeName): Promise<void> {
  const folder = await emptied(`${mode}-${runtime}`);
  const target = await startKernel(mode, HERE, "api", runtime, flagsFor(folder));
  let per_second: number;
  try {
    ({ per_second } = await saturate(target, mode, Number(options.seconds)));
  } finally {
    await target.stop();
  }
  const rate = `${Math.round(per_second)}/s while profiled`;
  const threads = await threadsOf(folder);
  const busy = SHARE_MIN * (threads.get("main")?.total ?? 0);
  for (const [thread, root] of threads) {
    if (root.total < busy) continue;
    const name = runtime === "bun" ? "Bun" : "Deno";
    await draw(
      `flame-${mode}-${runtime}${thread === "main" ? "" : `-${thread}`}`,
      root,
      `${mode}, ${name}, ${thread} thread, ${rate}`,
    );
  }
}

async function worker(runtime: RuntimeName): Promise<void> {
  const folder = await emptied(`worker-${runtime}`);
  await inFolder(async (path) => {
    await writeFile(path("source.wav"), wav(music(1, SECONDS_OF_AUDIO)));
    const args = [path(""), "adapt.normalise_loudness", "0", String(SECONDS_OF_AUDIO)];
    await runFresh(runtime, ACTION, args, flagsFor(folder));
  });
  const threads = await threadsOf(folder);
  const root = threads.get("main");
  if (root !== undefined)
    await draw(
      `flame-worker-${runtime}`,
      root,
      `adapt.normalise_loudness, ${SECONDS_OF_AUDIO} s, ${runtime === "bun" ? "Bun" : "Deno"}`,
    );
}

function flagsFor(folder: string): readonly string[] {
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

async function emptied(name: string): Promise<string> {
  const folder = join(PROFILES, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** `main`, and `store`, the thread of the SQLite adapter: of Deno's workers the one in which its file is seen. */
async function threadsOf(folder: string): Promise<ReadonlyMap<string, Frame>> {
  const threads = new Map<string, Frame>();
  // Where nothing was compiled, the plain kernels run, and have names.
  const compiled = await readFile(join(HERE, KERNELS)).catch(() => undefined);
  const names = compiled === undefined ? undefined : exportedFunctions(compiled);
  for (const file of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, file), "utf8");
    // Deno ends without waiting for the file of a worker.
    if (text === "") continue;
    const profile = JSON.parse(text) as CpuProfile;
    const root = summed(profile, names);
    if (!file.includes("worker")) threads.set("main", root);
    else if (profile.nodes.some(({ callFrame }) => callFrame.url.endsWith("/sqlite/thread.ts")))
      threads.set("store", root);
  }
  if (!threads.has("main")) throw new Error(`The runtime wrote no profile to "${folder}"`);
  return threads;
}

async function draw(name: string, root: Frame, title: string): Promise<void> {
  const file = join(options.out, `${name}.svg`);
  const drawn = flameGraph(root, { title });
  await writeFile(file, `${drawn}\n`);
  console.log(
    `\n${title}: ${name}.svg, ${Math.round(drawn.length / 1000)} KB, ${(root.total / 1e6).toFixed(1)} s in all`,
  );
  for (const { name: own, share } of hottest(root, SHOWN))
    console.log(`  ${(100 * share).toFixed(1).padStart(5)} %  ${own}`);
}
