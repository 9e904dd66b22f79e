/**
 * Whole jobs of songs one after another in one process, as a worker makes them: processor time, times real time, and
 * the peak of resident memory in each stage. The second song is what a worker is like: what the first has compiled is
 * fast, and what it left behind is still there.
 *
 *   bun --expose-gc bench/songs_in_turn.ts [PROMPT] [--songs 2] [--action create.new_song]        deno run -A --no-check bench/songs_in_turn.ts …
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { args, exit } from "../core/adapters/runtime/runtime.ts";
import { runJob } from "../core/adapters/thread/job.ts";
import { inFolder } from "../test/audio.ts";
import { registry } from "./actions/plan.ts";
import { THREE_MINUTES } from "./create/three_minutes.ts";
import { columns, ownCpuSeconds, peakBytes } from "./measure.ts";

const { values: options, positionals } = parseArgs({
  args: [...args],
  allowPositionals: true,
  options: {
    songs: { type: "string", default: "2" },
    action: { type: "string", default: "create.new_song" },
  },
});
const [prompt = "rock song"] = positionals;
const registered = (await registry()).actions.get(options.action);
if (registered === undefined) throw new Error(`There is no action "${options.action}"`);
const sung = options.action === "create.new_song" ? { lyrics: THREE_MINUTES } : {};
const checked = registered.schema.validate({ prompt, ...sung }, { dry_run: true });
if (!checked.ok) throw new Error(`${options.action} refuses the prompt: ${JSON.stringify(checked.issues)}`);
const { fields, loudness, seed } = checked.value;
const models = { models: null, providers: ["cpu"], model_mb: 8_000, model_seconds: 3_600, shipped: true } as const;

await inFolder(async (path) => {
  const input = {
    origin: registered.origin,
    runners: new URL("../runners/mod.ts", import.meta.url).href,
    request: { fields, loudness, seed: seed ?? 1 },
    sources: [],
    folder: path(""),
    bits: 24 as const,
    models: { ...models, devices: [], families: [], sidecars: [] },
    packs: [],
    sounds: [],
  };
  for (let song = 1; song <= Number(options.songs); song++) {
    const peaks: { readonly stage: string; megabytes: number }[] = [{ stage: "starting", megabytes: 0 }];
    // The peak of a stage is looked at when the next one begins, and forgotten then.
    let looked = Promise.resolve();
    const look = (next?: string): void => {
      const last = peaks.at(-1)!;
      looked = looked.then(async () => {
        last.megabytes = (await peakBytes()) / 2 ** 20;
        await writeFile("/proc/self/clear_refs", "5");
      });
      if (next !== undefined) peaks.push({ stage: next, megabytes: 0 });
    };
    const began = ownCpuSeconds();
    const job = {
      signal: new AbortController().signal,
      progress: (_: number, stage?: string) => {
        if (stage !== undefined && stage !== peaks.at(-1)!.stage) look(stage);
      },
    };
    const { outputs } = await runJob(input, job);
    const cpu_s = ownCpuSeconds() - began;
    look();
    await looked;
    const seconds = outputs.reduce((sum, output) => sum + ("duration" in output ? output.duration : 0), 0);
    const most = Math.max(...peaks.map(({ megabytes }) => megabytes));
    console.log(
      `song ${song}: ${seconds.toFixed(0)} s in ${cpu_s.toFixed(1)} s of processor time, ${(seconds / cpu_s).toFixed(1)} times real time; peak ${most.toFixed(0)} MB`,
    );
    console.log(columns([["stage", "MB"], ...peaks.map(({ stage, megabytes }) => [stage, megabytes.toFixed(0)])]));
  }
});
exit(0);
