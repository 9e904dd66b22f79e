/**
 * Whole jobs of one action one after another in one worker, as the service has it: processor time, times real time, and
 * the peak of resident memory in each stage, of the worker and of the models' processes. The second job is what a
 * worker is like: what the first has compiled is fast, and what it left behind is still there.
 *
 *   bun bench/jobs_in_turn.ts [ACTION] [--jobs 2] [--seconds 180] [--with JSON] [--runtimes bun,deno] [--root CHECKOUT]
 *
 * The action's first example, with `--with` over its fields, and sources of so many seconds as FLAC where its limits let
 * them in. Songs have lyrics of three minutes: `--with '{"prompt":"rock song"}'` is one of three and a half minutes.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sourceFor } from "../cli/bench/audio.ts";
import { encodeFlac } from "../runners/signal/media/encode.ts";
import { inFolder } from "../test/audio.ts";
import { FLAC_BYTES_A_SECOND, planFor, registry } from "./actions/plan.ts";
import { THREE_MINUTES } from "./create/three_minutes.ts";
import type { JobMeasured } from "./jobs_in_turn/child.ts";
import { columns, HERE, loadNow, RUNTIMES, runFresh } from "./measure.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "2" },
    seconds: { type: "string", default: "180" },
    with: { type: "string", default: "{}" },
    runtimes: { type: "string", default: RUNTIMES.join(",") },
    root: { type: "string", default: HERE },
  },
});
const [name = "create.new_song"] = positionals;
const registered = (await registry()).actions.get(name);
if (registered === undefined) throw new Error(`There is no action "${name}"`);
const sung = name === "create.new_song" ? { lyrics: THREE_MINUTES, prompt: "rock song", duration: undefined } : {};
const asked = { ...registered.action.examples[0], ...sung, ...JSON.parse(options.with) };
// Without what is undefined.
const fields = JSON.parse(JSON.stringify(asked)) as object;
const { sources } = planFor(registered, fields, Number(options.seconds), FLAC_BYTES_A_SECOND);
const CHILD = "bench/jobs_in_turn/child.ts";

await inFolder(async (path) => {
  for (const [index, source] of sources.entries()) {
    const channels = sourceFor(source.name, index, source.seconds);
    const samples = (from: number, to: number, out: readonly Float32Array[]): void => {
      for (const [c, channel] of channels.entries())
        for (let n = from; n < to; n++) out[c]![n - from] = Math.round(channel[n]! * 2 ** 15) / 2 ** 15;
    };
    const pcm = { channels: channels.length, frames: channels[0]!.length, bits: 16 as const, samples };
    await encodeFlac(pcm, 44_100, path(`${source.name}.flac`), {}, new AbortController().signal);
  }
  for (const runtime of RUNTIMES.filter((one) => options.runtimes.split(",").includes(one))) {
    const args = [path(""), name, JSON.stringify(fields), options.seconds, options.jobs];
    const jobs = await runFresh<readonly JobMeasured[]>(runtime, join(options.root, CHILD), args);
    for (const [index, { audio_s, cpu_s, stages }] of jobs.entries()) {
      const most = Math.max(...stages.map(({ worker }) => worker));
      const speed = `${audio_s.toFixed(0)} s in ${cpu_s.toFixed(2)} s of processor time, ${(audio_s / cpu_s).toFixed(1)} times real time`;
      console.log(`${runtime}, job ${index + 1}: ${speed}; the worker's peak ${most.toFixed(0)} MB`);
      const rows = stages.map(({ stage, worker, models }) => [stage, worker.toFixed(0), models.toFixed(0)]);
      console.log(columns([["stage", "worker MB", "models MB"], ...rows]));
    }
  }
});
console.log(`load: ${loadNow()}`);
